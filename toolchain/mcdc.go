package toolchain

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"klabel/disk"
)

// MCDC is a clang that measures MC/DC itself, with the tools that read what its
// programs write.
type MCDC struct {
	Clang    *Clang
	profdata string
	cov      string
}

// firstMCDC is the first clang that measures it.
const firstMCDC = 18

// RequireMCDC finds the newest clang that measures MC/DC.
func (t *Tools) RequireMCDC(ctx context.Context) (*MCDC, error) {
	install := fmt.Sprintf("install clang-19 and llvm-19, or any of %d and later", firstMCDC)
	why := fmt.Sprintf("no clang %d or later is on PATH", firstMCDC)
	for major := firstMCDC + 6; major >= firstMCDC; major-- {
		n := strconv.Itoa(major)
		clang, err := exec.LookPath("clang-" + n)
		if err != nil {
			continue
		}
		profdata, err1 := exec.LookPath("llvm-profdata-" + n)
		cov, err2 := exec.LookPath("llvm-cov-" + n)
		if err1 != nil || err2 != nil {
			why = fmt.Sprintf("clang-%s is there, but llvm-profdata-%[1]s and llvm-cov-%[1]s are not", n)
			continue
		}
		c, err := probeClang(ctx, clang, false)
		if err != nil {
			return nil, err
		}
		return &MCDC{Clang: c, profdata: profdata, cov: cov}, nil
	}
	return nil, &MissingError{"clang with MC/DC", why, install}
}

// Flags are those of a program that is to be measured.
func (m *MCDC) Flags() string {
	return "-g -O0 -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"
}

// MCDCRecord is what clang measured of a decision; of a function without any, the
// function alone.
type MCDCRecord struct {
	Function  string
	File      string
	Line      int
	Column    int
	Expansion bool   // it stands in a macro
	Shown     []bool // for each condition: two runs show that it decides
}

// Export reads what runs of a program left behind.
func (m *MCDC) Export(ctx context.Context, program string, profiles []string, dir string) ([]MCDCRecord, error) {
	merged := filepath.Join(dir, "merged.profdata")
	if _, err := Run(ctx, Command{Argv: append([]string{m.profdata, "merge", "-o", merged}, profiles...)}); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "export.json")
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	_, err = Run(ctx, Command{Argv: []string{m.cov, "export", "-instr-profile=" + merged, program}, Stdout: f})
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	text, err := disk.Read(path)
	if err != nil {
		return nil, err
	}
	return readMCDC(text)
}

// readMCDC reads llvm-cov's export: a record is [line, column, end line, end
// column, expanded file, kind, [shown, ...]], newer ones with counts before the
// kind.
func readMCDC(text []byte) ([]MCDCRecord, error) {
	var all struct {
		Data []struct {
			Functions []struct {
				Name      string              `json:"name"`
				Filenames []string            `json:"filenames"`
				Records   [][]json.RawMessage `json:"mcdc_records"`
			} `json:"functions"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("llvm-cov's export: %w", err)
	}
	var out []MCDCRecord
	for _, d := range all.Data {
		for _, f := range d.Functions {
			one := MCDCRecord{Function: f.Name}
			if len(f.Filenames) > 0 {
				one.File = f.Filenames[0]
			}
			if len(f.Records) == 0 {
				out = append(out, one)
			}
			for _, raw := range f.Records {
				r := one
				var n [5]int
				for i := range n {
					if i < len(raw) {
						_ = json.Unmarshal(raw[i], &n[i]) // else 0, which is no place
					}
				}
				r.Line, r.Column, r.Expansion = n[0], n[1], n[4] != 0
				for _, x := range raw {
					if json.Unmarshal(x, &r.Shown) == nil && r.Shown != nil {
						break
					}
				}
				out = append(out, r)
			}
		}
	}
	return out, nil
}
