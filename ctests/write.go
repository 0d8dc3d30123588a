package ctests

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"klabel/input"
	"klabel/runtime_c"
)

// asksForInputs reports whether a source calls functions of KLEE's, or of the
// competitions, by itself.
func asksForInputs(source string) bool {
	for _, s := range []string{"klee_", "__VERIFIER_", "sc_assume", "reach_error", "harness_macros.h"} {
		if strings.Contains(source, s) {
			return true
		}
	}
	return false
}

// replaceDefinitions writes a copy of the source in which functions that have a
// stub are defined under another name, and returns the copy's name.
func replaceDefinitions(dir, source string, o Options, d *input.Driver) (string, error) {
	lines := strings.SplitAfter(source, "\n")
	for i := len(d.Replaced) - 1; i >= 0; i-- {
		r := d.Replaced[i]
		if filepath.Base(r.File) != filepath.Base(o.Source) || r.NameColumn == 0 || r.StartColumn == 0 ||
			r.NameLine > len(lines) {
			return "", fmt.Errorf("writing C tests: the definition of %s cannot be replaced: it does not stand in %s "+
				"itself", r.Name, o.Source)
		}
		l := lines[r.NameLine-1]
		at := r.NameColumn - 1
		if !strings.HasPrefix(l[min(at, len(l)):], r.Name) {
			return "", fmt.Errorf("writing C tests: the definition of %s was not found in %s", r.Name, o.Source)
		}
		lines[r.NameLine-1] = l[:at] + r.To + l[at+len(r.Name):]
		head := ""
		for _, c := range d.Calls {
			if c.Function == r.Name {
				head = c.Head
				if c.Static {
					head = "static " + head
				}
			}
		}
		l = lines[r.StartLine-1]
		lines[r.StartLine-1] = l[:r.StartColumn-1] + head + "; " + l[r.StartColumn-1:]
	}
	name := "with_stubs_" + filepath.Base(o.Source)
	return name, put(filepath.Join(dir, name), fmt.Sprintf("#line 1 %q\n", o.Include)+strings.Join(lines, ""))
}

// Write writes the tests of one source file into a folder, as one program: the
// tests of a function in a file, a runner, and files for make, CMake and Meson. Files
// of earlier tests there are removed. Tests that C cannot show, or that no compiler
// takes, are left out and said in the error; the others are there all the same.
func Write(dir string, cases []Case, o Options) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("writing C tests: %w", err)
	}
	old, err := filepath.Glob(filepath.Join(dir, "test_*.c"))
	if err != nil {
		return err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return fmt.Errorf("writing C tests: %w", err)
		}
	}
	if strings.ContainsAny(o.Include, "\"\n") {
		return fmt.Errorf("writing C tests: no #include can name %q: rename it", o.Include)
	}
	source, err := os.ReadFile(o.Source)
	if err != nil {
		return fmt.Errorf("writing C tests: %w", err)
	}
	o.asks = asksForInputs(string(source))
	for _, c := range cases {
		// Stubs are a source file's, not an entry's: the first case tells of all.
		if d := o.driver(c); d != nil && len(d.Replaced) > 0 {
			if o.Include, err = replaceDefinitions(dir, string(source), o, d); err != nil {
				return err
			}
			break
		}
	}
	var tests []*written
	var leftOut []error
	for _, c := range cases {
		t, err := write(c, o)
		if err != nil {
			leftOut = append(leftOut, fmt.Errorf("test%06d cannot be shown as C: %w", c.Number, err))
			continue
		}
		tests = append(tests, t)
	}
	name(tests, string(source))
	slices.SortStableFunc(tests, func(a, b *written) int { return strings.Compare(a.tested(), b.tested()) })
	if err := headers(dir, o, slices.ContainsFunc(tests,
		func(t *written) bool { return t.driver == nil })); err != nil {
		return err
	}
	if o.Oracle == Observed && o.Observe != nil {
		good, err := compiling(dir, tests, o)
		if len(good) > 0 {
			tests = good
			err = errors.Join(err, observe(dir, tests, o))
		}
		if err != nil {
			leftOut = append(leftOut, err)
		}
	}
	text := map[string]string{}
	for _, t := range tests {
		text[t.file()] += t.text(o) + "\n"
	}
	for _, f := range files(tests) {
		if err := put(filepath.Join(dir, f), strings.TrimSuffix(text[f], "\n")); err != nil {
			return err
		}
	}
	if err := put(filepath.Join(dir, RunnerFile), runner(tests, o, false)); err != nil {
		return err
	}
	return errors.Join(append(leftOut, writeBuild(dir, tests, o))...)
}

// files are the files with tests, in the order of the runner.
func files(tests []*written) (out []string) {
	for _, t := range tests {
		if f := t.file(); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// RunnerFile is the file that is compiled; it includes the others.
const RunnerFile = "run_tests.c"

func put(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return fmt.Errorf("writing C tests: %w", err)
	}
	return nil
}

// headers writes the headers that a source may include and that only klabel
// brings.
func headers(dir string, o Options, program bool) error {
	text, err := os.ReadFile(o.Source)
	if err != nil {
		return fmt.Errorf("writing C tests: %w", err)
	}
	for _, h := range []string{"klee/klee.h", "harness_macros.h"} {
		// harness_macros.h includes the other.
		if !strings.Contains(string(text), filepath.Base(h)) && !strings.Contains(string(text), "harness_macros.h") &&
			!program {
			continue
		}
		body, err := runtime_c.FS.ReadFile("include/" + h)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(h))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("writing C tests: %w", err)
		}
		if err := put(path, string(body)); err != nil {
			return err
		}
	}
	return nil
}

// Show returns the statements of one test, without checks and indentation.
func Show(c Case, o Options) (string, error) {
	t, err := write(c, o)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	for _, l := range strings.SplitAfter(t.before+"    "+t.call+";", "\n") {
		s.WriteString(strings.TrimPrefix(l, "    "))
	}
	return s.String(), nil
}
