package ctests

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"klabel/input"
	"klabel/ktest"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// Style is a test framework.
type Style string

// The styles.
const (
	Plain  Style = "plain" // no framework: the runner is a program of its own
	CMocka Style = "cmocka"
	Unity  Style = "unity"
	Check  Style = "check"

	// In C++, with the tests in C beside it.
	GoogleTest Style = "googletest"
	CppUTest   Style = "cpputest"
)

// Styles lists them all.
var Styles = []Style{Plain, CMocka, Unity, Check, GoogleTest, CppUTest}

// ParseStyle reads the name of a style.
func ParseStyle(s string) (Style, error) {
	for _, x := range Styles {
		if string(x) == s {
			return x, nil
		}
	}
	return "", fmt.Errorf("unknown style %q: want plain, cmocka, unity, check, googletest or cpputest", s)
}

// Oracles, beside the name of a function of the user's.
const (
	Observed = "observed" // check what the program did when the test was written
	None     = "none"     // check nothing
)

// Case is a test to write.
type Case struct {
	Number int // of the test, unique among all
	Test   *ktest.Test
	Labels []label.Label // that it covers
	// Driver describes the inputs of the entry that the test is for, where it is
	// another one than that of the options.
	Driver *input.Driver
	Entry  string // the entry's name as people see it, such as "push+state"; "" for the driver's function
}

// Options say what is tested and how tests are written.
type Options struct {
	Style  Style
	Oracle string
	// Source is the file under test as the user named it; Include is what the
	// runner writes after #include, found from the folder of the tests.
	Source, Include string
	// Driver describes the inputs of a generated driver; nil for a program with
	// a main function of its own.
	Driver *input.Driver
	// Objects are, for such a program, the types of the inputs that it asks for
	// by name.
	Objects map[string]*input.Type
	// Flags are those that the source is compiled with, Sources the other files
	// that the program consists of; paths are taken from the folder of the tests.
	Flags   toolchain.Flags
	Sources []string
	// MainParams is the number of parameters of that main function.
	MainParams int
	// Observe runs the runner, built to record, with arguments and returns what
	// it prints; nil leaves the oracle out. Recorder gives a usual one.
	Observe func(runner string, args []string) ([]byte, error)

	asks bool // the source asks for inputs itself
}

// driver is what the inputs of a case are described by; nil for the program
// itself.
func (o *Options) driver(c Case) *input.Driver {
	if c.Driver != nil {
		return c.Driver
	}
	return o.Driver
}

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

// written is a test as C.
type written struct {
	Case
	driver *input.Driver
	name   string
	before string // declarations and assignments
	call   string // the call, with the variable for the result
	checks []check
	expect map[int]string // observed values that are checked, by index
	result *input.Type
	gives  bool // inputs, by name
	stdin  bool // is given
}

func (t *written) function() string { return t.name }

// tested is the function that the test calls.
func (t *written) tested() string {
	if t.driver == nil {
		return "main"
	}
	return t.driver.Function
}

func (t *written) file() string { return "test_" + t.tested() + ".c" }

func write(c Case, o Options) (*written, error) {
	d := o.driver(c)
	if d == nil {
		return writeProgram(c, o)
	}
	got, err := d.Decode(c.Test.StripChoices())
	if err != nil {
		return nil, err
	}
	w := newBody()
	w.names[d.Function] = true
	for _, n := range []string{"result", "main"} {
		w.names[n] = true
	}
	for _, g := range d.Inputs[:d.Globals] {
		w.names[g.Name] = true
	}
	t := &written{Case: c, driver: d, result: d.Result, expect: map[int]string{}}
	t.name = feature(got, d)
	w.static = true
	for _, v := range got.Values[:d.Globals] {
		if err := w.global(v); err != nil {
			return nil, err
		}
	}
	w.static = false
	if d.Function == "main" {
		if err := w.commandLine(got.Values[d.Globals:], t, d.Main); err != nil {
			return nil, err
		}
	} else {
		var args []string
		for _, v := range got.Values[d.Globals:] {
			a, err := w.argument(v)
			if err != nil {
				return nil, err
			}
			args = append(args, a)
		}
		if err := w.steps(got.Steps); err != nil {
			return nil, err
		}
		t.call = fmt.Sprintf("%s(%s)", d.Function, strings.Join(args, ", "))
	}
	if err := w.calls(got.Calls); err != nil {
		return nil, err
	}
	if len(got.Rest) > 0 {
		if err := w.give(got.Rest, o); err != nil {
			return nil, err
		}
		t.gives = true
	}
	w.assignLate()
	t.before = w.out.String()
	if d.Result != nil && observable(d.Result) {
		t.checks = append(t.checks, check{expr: "result", typ: d.Result})
		if d.Result.Kind == input.Struct {
			t.checks = nil
			r := newBody()
			r.watch("result", d.Result, "")
			t.checks = r.checks
		}
	}
	t.checks = append(t.checks, w.checks...)
	return t, nil
}

// observable reports whether a result can be checked.
func observable(t *input.Type) bool {
	switch t.Kind {
	case input.Int, input.Enum, input.Bool, input.Pointer, input.Struct:
		return t.Size <= 8 || t.Kind == input.Struct
	case input.Float:
		return t.Size == 4 || t.Size == 8
	}
	return false
}

// argument declares a variable for an argument, as a person would, and returns
// what to pass.
func (w *body) argument(v *input.Value) (string, error) {
	if v.Made {
		name := w.ident(v.Name)
		w.made[v.Name] = name
		w.line("%s = NULL;", v.Type.Declare(name))
		return name, nil
	}
	if v.Type.Kind == input.Pointer {
		return w.pointer(v)
	}
	name := w.ident(v.Name)
	if err := w.declare(name, v.Type, v, &input.Value{Input: &input.Input{Type: &input.Type{Decl: "const "}}}); err !=
		nil {
		return "", err
	}
	return name, nil
}

// global assigns to a variable of the program.
func (w *body) global(v *input.Value) error {
	s, err := w.expression(v)
	if err != nil {
		return err
	}
	switch v.Type.Kind {
	case input.Array:
		w.line("memcpy(%s, (%s)%s, sizeof %s);", v.Name, strings.TrimSpace(v.Type.Declare("")), s, v.Name)
	case input.Struct, input.Union:
		w.line("%s = (%s)%s;", v.Name, strings.TrimSpace(v.Type.Declare("")), s)
	default:
		w.line("%s = %s;", v.Name, s)
	}
	return nil
}

// commandLine writes the arguments of a main function.
func (w *body) commandLine(values []*input.Value, t *written, main string) error {
	if len(values) < 2 {
		t.call = main + "()"
		return nil
	}
	n := 1
	if len(values[0].Picks) > 0 {
		n = values[0].Pick + 1
	}
	list := []string{`"program"`}
	for i, a := range values[1].Parts {
		if i+1 < n {
			s, err := w.stringVariable(a)
			if err != nil {
				return err
			}
			list = append(list, s)
		}
	}
	w.line("char *argv[] = {%s, NULL};", strings.Join(list, ", "))
	t.call = fmt.Sprintf("%s(%d, argv)", main, n)
	return nil
}

func (w *body) stringVariable(v *input.Value) (string, error) {
	name := w.ident(v.Name)
	return name, w.declare(name, v.Type, v, nil)
}

// calls gives stubs what they return in this test.
func (w *body) calls(calls []input.Called) error {
	byFunction := map[string][]input.Called{}
	var order []string
	for _, c := range calls {
		if byFunction[c.Function] == nil {
			order = append(order, c.Function)
		}
		byFunction[c.Function] = append(byFunction[c.Function], c)
	}
	w.static = true
	for _, f := range order {
		list := byFunction[f]
		if r := list[0].Call.Result; r != nil {
			var items []string
			w.heap = false
			for _, c := range list {
				s, err := w.expression(c.Result)
				if err != nil {
					return err
				}
				items = append(items, s)
			}
			w.queue(f+"_returns", r.Type, items)
		}
		for i, o := range list[0].Call.Outputs {
			var items []string
			for _, c := range list {
				if i < len(c.Outputs) && c.Outputs[i] != nil {
					s, err := w.expression(c.Outputs[i])
					if err != nil {
						return err
					}
					items = append(items, s)
				}
			}
			if len(items) > 0 {
				w.queue(fmt.Sprintf("%s_writes_%d", f, i+1), o.Type, items)
			}
		}
	}
	w.static = false
	return nil
}

// queue writes the values that a stub gives, one a call.
func (w *body) queue(name string, t *input.Type, items []string) {
	list := w.ident("given_" + name)
	static := "static "
	if w.heap { // no constant; the list is done with when the test is
		static = ""
	}
	w.line("%s%s = {%s};", static, t.Declare(fmt.Sprintf("%s[%d]", list, len(items))), strings.Join(items, ", "))
	w.line("%s = %s;", name, list)
	w.line("%s_left = %d;", name, len(items))
}

// text is the file of a test.
func (t *written) text(o Options) string {
	var s strings.Builder
	s.WriteString("/* " + wrap(fmt.Sprintf("test%06d. %s", t.Number, t.comment()), 75, "\n   ") + " */\n")
	f := frameworks[o.Style]
	s.WriteString(fmt.Sprintf(f.open, t.function()) + "\n")
	s.WriteString(t.before)
	if t.before != "" {
		s.WriteByte('\n')
	}
	if t.driver == nil {
		s.WriteString("    " + t.call + ";\n")
	} else {
		s.WriteString(t.invoke(o, len(t.expect) > 0 || o.Oracle != None && o.Oracle != Observed))
	}
	if len(t.expect) > 0 {
		s.WriteByte('\n')
	}
	for i, c := range t.checks {
		if v, ok := t.expect[i]; ok {
			s.WriteString("    " + f.check(c, v) + "\n")
		}
	}
	if t.driver != nil && o.Oracle != None && o.Oracle != Observed {
		arg := ""
		if t.result != nil {
			arg = "result"
		}
		s.WriteString("    " + f.truth(fmt.Sprintf("%s(%s)", o.Oracle, arg)) + "\n")
	}
	s.WriteString(f.close + "\n")
	return s.String()
}

// invoke writes the call. The result gets a variable when it is looked at.
func (t *written) invoke(o Options, wanted bool) string {
	uses := false
	for i, c := range t.checks {
		if _, ok := t.expect[i]; ok && strings.HasPrefix(c.expr, "result") {
			uses = true
		}
	}
	if o.Oracle != None && o.Oracle != Observed {
		uses = t.result != nil
	}
	if !wanted || !uses || t.result == nil {
		if t.result != nil {
			return "    (void)" + t.call + ";\n"
		}
		return "    " + t.call + ";\n"
	}
	return "    " + t.result.Declare("result") + " = " + t.call + ";\n"
}

func (t *written) comment() string {
	if len(t.Labels) == 0 {
		return "Covers nothing that another test does not."
	}
	byTag := map[string][]string{}
	labels := append([]label.Label{}, t.Labels...)
	label.Sort(labels)
	for _, l := range labels {
		tag := strings.Join(l.Criteria(), "+")
		byTag[tag] = append(byTag[tag], l.ID.String())
	}
	var tags []string
	for tag := range byTag {
		tags = append(tags, tag)
	}
	sort.Strings(tags)
	var parts []string
	for _, tag := range tags {
		parts = append(parts, tag+" "+strings.Join(byTag[tag], ", "))
	}
	return "Covers " + strings.Join(parts, "; ") + "."
}

// wrap breaks a line at spaces.
func wrap(s string, width int, sep string) string {
	var out strings.Builder
	n := 0
	for i, word := range strings.Fields(s) {
		switch {
		case i == 0:
		case n+1+len(word) > width:
			out.WriteString(sep)
			n = 0
		default:
			out.WriteByte(' ')
			n++
		}
		out.WriteString(word)
		n += len(word)
	}
	return out.String()
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
