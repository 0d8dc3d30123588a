package ctests

import (
	"fmt"
	"strings"

	"klabel/input"
)

// argument declares a variable for an argument, as a person would, and returns
// what to pass.
func (w *body) argument(v *input.Value) (string, error) {
	if v.Made {
		name := w.ident(v.Name)
		w.made[v.Name], w.pending[v.Name] = name, v.Type.Declare(name)
		w.held[v.Name] = v.Type.Kind != input.Pointer
		return name, nil
	}
	if v.Type.Kind == input.Pointer {
		s, err := w.pointer(v)
		if v.Flat {
			s = "(void *)" + s
		}
		return s, err
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
	typ := strings.TrimSpace(v.Type.Declare(""))
	if strings.Contains(typ, "<") { // a structure without a name
		typ = "__typeof__(" + v.Name + ")"
	}
	switch v.Type.Kind {
	case input.Array:
		if !strings.HasPrefix(s, "{") { // a text
			s = "{" + s + "}"
		}
		to := v.Name
		if v.Volatile {
			to = "(void *)" + to
		}
		w.line("memcpy(%s, (%s)%s, sizeof %s);", to, typ, s, v.Name)
	case input.Struct, input.Union:
		w.line("%s = (%s)%s;", v.Name, typ, s)
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
	if w.heap || w.isAllocated(strings.Join(items, " ")) { // no constant; the list is done with when the test is
		static = ""
	}
	w.line("%s%s = {%s};", static, t.Declare(fmt.Sprintf("%s[%d]", list, len(items))), strings.Join(items, ", "))
	w.line("%s = %s;", name, list)
	w.line("%s_left = %d;", name, len(items))
}
