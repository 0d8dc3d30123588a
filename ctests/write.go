package ctests

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"klabel/disk"
)

// Write writes the tests of one source file into a folder, as one program: the
// tests of a function in a file, a runner, and files for make, CMake and Meson. Files
// of earlier tests there are removed, and those that say the same already are left
// alone. Tests that C cannot show, or that no compiler takes, are left out and said
// in the error; the others are there all the same.
func Write(dir string, cases []Case, o Options) error {
	out := &folder{dir: dir, late: map[string]string{}}
	tests, leftOut, err := o.prepare(out, cases)
	if err != nil {
		return err
	}
	if o.Observe != nil {
		good, err := compiling(dir, tests, &o)
		if len(good) > 0 {
			err = errors.Join(err, observe(dir, good, o))
			tests = slices.DeleteFunc(good, func(t *written) bool { return t.blind })
		}
		if err != nil {
			leftOut = append(leftOut, err)
		}
	}
	if o.EachFunction {
		return errors.Join(append(leftOut, o.split(out, tests))...)
	}
	return errors.Join(append(leftOut, o.finish(out, tests))...)
}

// finish writes the files of one program.
func (o Options) finish(out *folder, tests []*written) error {
	for _, t := range tests {
		out.late[t.file()] += t.text(o) + "\n"
	}
	for name, text := range out.late {
		out.late[name] = strings.TrimSuffix(text, "\n")
	}
	if o.wraps(tests) {
		o.Flags = slices.Concat(o.Flags, wrapping)
	}
	out.late[RunnerFile] = runner(tests, o, false)
	if o.separate {
		out.late[programFile] = o.program()
	}
	writeBuild(out.late, tests, o)
	if o.Wrote != nil {
		o.Wrote(out.dir)
	}
	return out.finish(o.Format)
}

// prepare makes C of cases, and writes what that C needs to compile.
func (o *Options) prepare(out *folder, cases []Case) (tests []*written, leftOut []error, err error) {
	if err := os.MkdirAll(out.dir, 0o777); err != nil {
		return nil, nil, fmt.Errorf("writing C tests: %w", err)
	}
	if strings.ContainsAny(o.Include, "\"\n") {
		return nil, nil, fmt.Errorf("writing C tests: no #include can name %q: rename it", o.Include)
	}
	source, err := disk.Read(o.Source)
	if err != nil {
		return nil, nil, fmt.Errorf("writing C tests: %w", err)
	}
	o.text = string(source)
	o.asks = asksForInputs(o.text)
	for _, c := range cases {
		// Stubs are a source file's, not an entry's: the first case tells of all.
		if d := o.driver(c); d != nil && len(d.Replaced) > 0 {
			if o.Include, err = replaceDefinitions(out, *o, d); err != nil {
				return nil, nil, err
			}
			break
		}
	}
	variables := variablesOf(cases)
	for _, c := range cases {
		t, err := write(c, *o, variables)
		if err != nil {
			leftOut = append(leftOut, fmt.Errorf("test%06d cannot be shown as C: %w", c.Number, err))
			continue
		}
		t.exits, t.status = c.Exit != 0 && t.driver != nil, c.Exit
		tests = append(tests, t)
	}
	tellStubsApart(tests)
	name(tests, o.text, Places(out.dir))
	slices.SortStableFunc(tests, func(a, b *written) int { return strings.Compare(a.tested(), b.tested()) })
	o.headers = ""
	needed, err := headers(out, *o, slices.ContainsFunc(tests, func(t *written) bool { return t.driver == nil }))
	if needed {
		o.headers = "."
	}
	return tests, leftOut, err
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

// Show returns the statements of one test, without checks and indentation.
func Show(c Case, o Options) (string, error) {
	t, err := write(c, o, variablesOf([]Case{c}))
	if err != nil {
		return "", err
	}
	var s strings.Builder
	for _, l := range strings.SplitAfter(t.before+"    "+t.call+";", "\n") {
		s.WriteString(strings.TrimPrefix(l, "    "))
	}
	return s.String(), nil
}
