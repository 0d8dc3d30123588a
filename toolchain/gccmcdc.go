package toolchain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// GCC is a gcc that measures MC/DC itself (-fcondition-coverage), with its gcov.
type GCC struct {
	Path    string
	Version string
	gcov    string
}

// firstConditions is the first gcc that measures it.
const firstConditions = 14

var gccVersion = regexp.MustCompile(`(?m)^(\d+)(\.[\d.]+)?\s*$`)

// MCDCGCC finds the newest gcc that measures MC/DC; nil where there is none.
func (t *Tools) MCDCGCC(ctx context.Context) (*GCC, error) {
	var names []string
	for major := firstConditions + 10; major >= firstConditions; major-- {
		names = append(names, "-"+strconv.Itoa(major))
	}
	for _, n := range append(names, "") {
		gcc, err1 := exec.LookPath("gcc" + n)
		gcov, err2 := exec.LookPath("gcov" + n)
		if err1 != nil || err2 != nil {
			continue
		}
		r, err := Run(ctx, Command{Argv: []string{gcc, "-dumpfullversion"}, Timeout: versionTimeout})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m := gccVersion.FindSubmatch(r.Stdout)
		if err != nil || m == nil { // a clang under the name of gcc, or nothing that runs
			continue
		}
		if major, _ := strconv.Atoi(string(m[1])); major >= firstConditions {
			return &GCC{gcc, strings.TrimSpace(string(m[0])), gcov}, nil
		}
	}
	return nil, nil
}

// Flags are those of a program that is to be measured.
func (g *GCC) Flags() string { return "-g -O0 -w --coverage -fcondition-coverage" }

// GCCRecord is what gcc measured of a decision. It says of each condition whether
// some run has it true, and some run has it false, where it decides. Of its place it
// knows the line.
type GCCRecord struct {
	Function    string
	File        string
	Line        int
	True, False []bool
}

// GCCMeasure is what gcov says of a program: decisions, those of a line in its order,
// and the functions that it has seen.
type GCCMeasure struct {
	Records   []GCCRecord
	Functions map[string]bool
}

// Conditions reads what runs of a program left behind: counts beside the notes, in
// one folder.
func (g *GCC) Conditions(ctx context.Context, dir string, counts []string) (GCCMeasure, error) {
	r, err := Run(ctx, Command{Argv: append([]string{g.gcov, "--conditions", "--json-format", "--stdout"}, counts...),
		Dir: dir})
	if err != nil {
		return GCCMeasure{}, err
	}
	return readConditions(r.Stdout)
}

// readConditions reads gcov's JSON: an object a file of counts, in which each line
// has its decisions. count is twice the number of conditions.
func readConditions(text []byte) (GCCMeasure, error) {
	out := GCCMeasure{Functions: map[string]bool{}}
	in := json.NewDecoder(bytes.NewReader(text))
	for {
		var one struct {
			Dir   string `json:"current_working_directory"`
			Files []struct {
				File      string `json:"file"`
				Functions []struct {
					Name string `json:"name"`
				} `json:"functions"`
				Lines []struct {
					Line       int    `json:"line_number"`
					Function   string `json:"function_name"`
					Conditions []struct {
						Count int   `json:"count"`
						True  []int `json:"not_covered_true"`
						False []int `json:"not_covered_false"`
					} `json:"conditions"`
				} `json:"lines"`
			} `json:"files"`
		}
		err := in.Decode(&one)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, fmt.Errorf("gcov's JSON: %w", err)
		}
		for _, f := range one.Files {
			file := f.File
			if !filepath.IsAbs(file) {
				file = filepath.Join(one.Dir, file)
			}
			for _, x := range f.Functions {
				out.Functions[x.Name] = true
			}
			for _, l := range f.Lines {
				for _, c := range l.Conditions {
					out.Records = append(out.Records, GCCRecord{l.Function, filepath.Clean(file), l.Line,
						without(c.Count/2, c.True), without(c.Count/2, c.False)})
				}
			}
		}
	}
}

// without has true for each of n numbers that is not in a list.
func without(n int, missing []int) []bool {
	out := make([]bool, max(n, 0))
	for i := range out {
		out[i] = true
	}
	for _, i := range missing {
		if i >= 0 && i < len(out) {
			out[i] = false
		}
	}
	return out
}
