package ctests

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"klabel/csource"
	"klabel/disk"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// Program is a test program of the user's, as files to compile together.
type Program struct {
	Main  string   // the file with the main function
	Files []string // all files, Main first; those that it includes are not listed
	// Includes are the sources under test that the program includes, as indices. With
	// one that includes none, all sources are linked.
	Includes []int
	Units    []*csource.Unit // of Files
}

// Wraps are the linker's flags for functions that the program has in the place of
// others: __wrap_f is called for f.
func (p Program) Wraps() (flags []string) {
	for _, u := range p.Units {
		for _, f := range u.Functions() {
			if name, ok := strings.CutPrefix(f.Name, "__wrap_"); ok {
				flags = append(flags, "-Wl,--wrap="+name)
			}
		}
	}
	return flags
}

// Programs sorts C test files into programs: a file with a main function is
// one; files without one are parts of every program that does not include them.
func Programs(ctx context.Context, clang csource.Compiler, files, sources []string, flags []string) ([]Program,
	error) {
	sorted := append([]string{}, files...)
	sort.Strings(sorted)
	includes := map[string]map[string]bool{}
	units := map[string]*csource.Unit{}
	var mains, parts []string
	var failed []error
	for _, f := range sorted {
		u, err := csource.Load(ctx, f, csource.Options{Clang: clang, Flags: flags})
		if err != nil {
			// A part that another file includes need not compile by itself.
			failed = append(failed, err)
			parts = append(parts, f)
			continue
		}
		includes[f], units[f] = included(u), u
		if u.Function("main") != nil {
			mains = append(mains, f)
		} else {
			parts = append(parts, f)
		}
	}
	if len(mains) == 0 {
		if len(failed) > 0 {
			return nil, failed[0]
		}
		return nil, fmt.Errorf("none of the %d test files has a main function", len(files))
	}
	var out []Program
	for _, m := range mains {
		p := Program{Main: m, Files: []string{m}, Units: []*csource.Unit{units[m]}}
		for i, source := range sources {
			if includes[m][absolute(source)] {
				p.Includes = append(p.Includes, i)
			}
		}
		for _, part := range parts {
			if !includes[m][absolute(part)] {
				if includes[part] == nil {
					return nil, failed[0]
				}
				p.Files, p.Units = append(p.Files, part), append(p.Units, units[part])
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// included are the files that a unit's text comes from.
func included(u *csource.Unit) map[string]bool {
	out := map[string]bool{}
	for _, line := range strings.Split(string(u.Text), "\n") {
		if !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "#line ") {
			continue
		}
		if i, j := strings.IndexByte(line, '"'), strings.LastIndexByte(line, '"'); i >= 0 && j > i {
			name := line[i+1 : j]
			if !filepath.IsAbs(name) {
				if _, err := os.Stat(name); err != nil {
					name = filepath.Join(filepath.Dir(u.Path), name)
				}
			}
			out[absolute(name)] = true
		}
	}
	return out
}

func absolute(path string) string {
	a, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if r, err := filepath.EvalSymlinks(a); err == nil {
		return r
	}
	return a
}

// Build compiles a test program whose files were written in the replay form of
// the labels, with the runtime that records hits.
func Build(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, files []string, out string,
	flags []string) error {
	all := append([]string{}, files...)
	all = append(all, filepath.Join(rt.Dir, "ctest", "hits.c"))
	own := append([]string{"-w", "-g", "-O0", "-fwrapv", "-fno-strict-aliasing", "-I" + rt.Include}, flags...)
	if err := clang.Executable(ctx, all, out, append(own, "-lm")); err != nil {
		return fmt.Errorf("building the C tests: %w", err)
	}
	return nil
}

// Run runs a test program (with arguments, for a runner that takes the names
// of tests) and returns the labels that it hit. Processes of it that did not
// end normally do not count. A failing test is no error.
func Run(ctx context.Context, binary string, args []string, timeout time.Duration) (label.Verdict, error) {
	dir, err := os.MkdirTemp("", "klabel-ctest-")
	if err != nil {
		return label.Verdict{}, fmt.Errorf("running C tests: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, err := filepath.Abs(binary)
	if err != nil {
		return label.Verdict{}, err
	}
	hits := filepath.Join(dir, "hits")
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o777); err != nil {
		return label.Verdict{}, fmt.Errorf("running C tests: %w", err)
	}
	if err := os.WriteFile(hits, nil, 0o666); err != nil {
		return label.Verdict{}, fmt.Errorf("running C tests: %w", err)
	}
	c := confined(work, hits)
	started := time.Now()
	_, err = toolchain.Run(ctx, toolchain.Command{
		Argv: append([]string{path}, args...), Dir: work, Timeout: timeout, Env: environment(c, "KLABEL_HITS="+hits),
		Confine: c,
	})
	v := label.Verdict{Outcome: label.Normal, Duration: time.Since(started)}
	var te *toolchain.ToolError
	if errors.As(err, &te) {
		if v.Outcome = outcome(te); v.Outcome == label.Normal {
			v.Reason = fmt.Sprintf("exit code %d", te.ExitCode)
		} else {
			v.Reason = te.Error()
		}
	} else if err != nil {
		return label.Verdict{}, err
	}
	data, err := disk.Read(hits)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return label.Verdict{}, err
	}
	seen := map[label.ID]bool{}
	for ; len(data) >= 4; data = data[4:] {
		seen[label.ID(binary32(data))] = true
	}
	for id := range seen {
		v.Hits = append(v.Hits, id)
	}
	sort.Slice(v.Hits, func(i, j int) bool { return v.Hits[i] < v.Hits[j] })
	return v, nil
}

func binary32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

// outcome judges how a test program ended; a failing test (an exit code) is a
// normal end.
func outcome(te *toolchain.ToolError) label.Outcome {
	switch {
	case errors.Is(te, context.DeadlineExceeded), errors.Is(te, toolchain.ErrTimeout):
		return label.TimedOut
	case te.ExitCode > 0:
		return label.Normal
	}
	return label.Crashed
}

// Match maps the labels of a test program to those of the program under test:
// labels at the same place with the same predicate are the same, whatever
// their numbers.
func Match(program, tests []label.Label) map[label.ID]label.ID {
	type key struct {
		file         string
		line, column int
		predicate    string
		nth          int
	}
	keys := func(ls []label.Label) map[key]label.ID {
		out := map[key]label.ID{}
		seen := map[key]int{}
		for _, l := range ls {
			k := key{filepath.Base(l.Position.File), l.Position.Line, l.Position.Column, l.Predicate, 0}
			seen[k]++
			n := k
			n.nth = seen[k]
			out[n] = l.ID
		}
		return out
	}
	own := keys(program)
	out := map[label.ID]label.ID{}
	for k, id := range keys(tests) {
		if to, ok := own[k]; ok {
			out[id] = to
		}
	}
	return out
}
