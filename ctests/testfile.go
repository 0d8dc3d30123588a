package ctests

import (
	"fmt"
	"sort"
	"strings"

	"klabel/input"
	"klabel/label"
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
