package ctests

import (
	"fmt"
	"sort"
	"strings"

	"klabel/label"
)

// text is the file of a test.
func (t *written) text(o Options) string {
	var s strings.Builder
	s.WriteString("/* " + wrap(t.origin()+". "+t.comment(), 75, "\n   ") + " */\n")
	f := frameworks[o.Style]
	s.WriteString(fmt.Sprintf(f.open, t.function()) + "\n")
	s.WriteString(t.before)
	if t.before != "" {
		s.WriteByte('\n')
	}
	switch {
	case t.exits:
		s.WriteString(t.invokeInChild())
	case t.driver == nil:
		s.WriteString("    " + t.call + ";\n")
	default:
		s.WriteString(t.expectations())
		s.WriteString(t.invoke(o, len(t.expect) > 0 || t.oracle(o) != ""))
	}
	if t.fails > 0 {
		s.WriteString("    fail_allocation(0);\n")
	}
	if t.stream > 0 {
		s.WriteString("    fail_on_streams(0);\n")
	}
	if len(t.expect) > 0 || t.expects || t.exits {
		s.WriteByte('\n')
	}
	if t.expects {
		s.WriteString("    " + f.truth("klabel_calls_as_expected()") + "\n")
	}
	for i, c := range t.checks {
		if v, ok := t.expect[i]; ok {
			s.WriteString("    " + f.check(c, v) + "\n")
		}
	}
	if t.exits {
		s.WriteString("    " + f.truth(fmt.Sprintf("klabel_exited(%d)", t.status)) + "\n")
	} else if asked := t.oracle(o); asked != "" {
		s.WriteString("    " + f.truth(asked) + "\n")
	}
	s.WriteString(f.close + "\n")
	return s.String()
}

// oracle is the call of the user's oracle, "" where there is none for the function.
func (t *written) oracle(o Options) string {
	if t.driver == nil || o.Oracle == None || o.Oracle == Observed {
		return ""
	}
	return t.driver.Oracle
}

// invoke writes the call. The result gets a variable when it is looked at.
func (t *written) invoke(o Options, wanted bool) string {
	uses := false
	for i, c := range t.checks {
		if _, ok := t.expect[i]; ok && strings.HasPrefix(c.expr, "result") {
			uses = true
		}
	}
	if strings.HasSuffix(t.oracle(o), "(result)") {
		uses = true
	}
	if !wanted || !uses || t.result == nil {
		if t.result != nil {
			return "    (void)" + t.call + ";\n"
		}
		return "    " + t.call + ";\n"
	}
	return "    " + t.result.Declare("result") + " = " + t.call + ";\n"
}

// invokeInChild writes the call of a program that ends itself.
func (t *written) invokeInChild() string {
	call := t.call
	if t.result != nil {
		call = "(void)" + call
	}
	return "    if (klabel_in_child()) {\n        " + call + ";\n        klabel_returned();\n    }\n"
}

// origin is the name of the test that is shown.
func (t *written) origin() string { return fmt.Sprintf("test%06d", t.Number) }

func (t *written) comment() string {
	said := ""
	switch {
	case t.Error != "": // what is in it must not end the comment
		said = " Ends in an error: " + strings.ReplaceAll(strings.Join(strings.Fields(t.Error), " "), "*/", "* /") + "."
	case t.exits:
		said = fmt.Sprintf(" Ends by exit(%d).", t.status)
	}
	if len(t.Labels) == 0 {
		return "Covers nothing that another test does not." + said
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
	return "Covers " + strings.Join(parts, "; ") + "." + said
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
