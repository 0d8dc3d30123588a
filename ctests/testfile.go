package ctests

import (
	"fmt"
	"strings"
	"sync/atomic"

	"klabel/input"
)

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
	fails  int  // which allocation of the call fails, 0 for none
	stream int  // which of its calls on streams fails, 0 for none
	stdin  bool // is given
	// endless: a run of many tests was left by it, for it goes on and on.
	endless atomic.Bool
	blind   bool // it did not end normally when it was to be recorded
	exits   bool // the program called exit, with this status:
	status  int

	expects bool     // the calls of mocks are checked:
	calls   []string // these, in order
}

func (t *written) function() string { return t.name }

// tested is the function that the test calls.
func (t *written) tested() string {
	if t.driver == nil {
		return "main"
	}
	return t.driver.Function
}

func (t *written) givesFile() bool { return strings.Contains(t.before, "klabel_give_file(") }

func (t *written) file() string { return "test_" + t.tested() + ".c" }

// write makes C of a test; variables are the names that it says something of.
func write(c Case, o Options, variables []string) (*written, error) {
	d := o.driver(c)
	if d == nil {
		return writeProgram(c, o, variables)
	}
	got, err := d.Decode(c.Test.StripChoices())
	if err != nil {
		return nil, err
	}
	w := newBody()
	w.main = d.Main
	w.take(d)
	for _, n := range []string{"result", "main"} {
		w.names[n] = true
	}
	for _, g := range d.Inputs[:d.Globals] {
		w.names[g.Name] = true
	}
	t := &written{Case: c, driver: d, result: d.Result, expect: map[int]string{}}
	t.name = feature(got, d)
	w.lead(got.Values...)
	w.lead(got.Beside...)
	for _, step := range got.Steps {
		w.lead(step.Args...)
	}
	w.variables(got.Variables, variables)
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
		args := make([]string, len(got.Values)-d.Globals)
		for _, made := range []bool{true, false} { // others may be taken from within what steps make
			for i, v := range got.Values[d.Globals:] {
				if v.Made != made {
					continue
				}
				a, err := w.argument(v)
				if err != nil {
					return nil, err
				}
				args[i] = a
			}
		}
		for _, v := range got.Beside {
			if takes(got.Steps, v.Name) {
				if _, err := w.argument(v); err != nil {
					return nil, err
				}
			}
		}
		called := d.Function
		if d.Through != "" {
			called = d.Through
		}
		t.call = fmt.Sprintf("%s(%s)", called, strings.Join(append(args, d.Zeros...), ", "))
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
	// They may ask for what stubs give, and read what is given.
	if err := w.steps(got.Steps); err != nil {
		return nil, err
	}
	w.assignLate()
	if t.fails = got.Fails; t.fails > 0 {
		w.line("fail_allocation(%d);", t.fails)
	}
	if t.stream = got.Stream; t.stream > 0 {
		w.line("fail_on_streams(%d);", t.stream)
	}
	t.before = o.folder(d, got) + w.out.String()
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

// folder is how a test begins whose functions may deal with files.
func (o Options) folder(d *input.Driver, got *input.Test) string {
	deals := o.Filing[d.Function]
	for _, s := range got.Steps {
		deals = deals || o.Filing[s.Function] || s.Function == d.Main && o.Filing["main"]
	}
	return inFolder[deals]
}

// inFolder has a test work in a folder of its own.
var inFolder = map[bool]string{true: "    klabel_folder();\n"}

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
