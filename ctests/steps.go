package ctests

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"klabel/input"
)

// longestPlain is how long the C of a text may be that stands in a call.
const longestPlain = 40

// steps writes the calls before that of the function under test. What a call makes first is declared
// there.
func (w *body) steps(list []input.Prepared) error {
	for _, p := range list {
		args, err := w.arguments(p)
		if err != nil {
			return err
		}
		var there []string
		exists := func(name string) {
			if cond := w.use(name) + " != NULL"; !w.held[name] && !slices.Contains(there, cond) {
				there = append(there, cond)
			}
		}
		if p.Self != "" {
			exists(p.Self)
		}
		if p.Whole && !w.held[p.Result] {
			exists(p.Result)
		}
		for _, k := range slices.Sorted(maps.Keys(p.With)) {
			exists(p.With[k])
		}
		call := p.Text
		if call == "" {
			function := p.Function
			if w.main != "" && function == w.main {
				function = programMain
			}
			call = fmt.Sprintf("%s(%s)", function, strings.Join(args, ", "))
		}
		switch declaration := w.pending[p.Result]; {
		case declaration != "" && len(there) == 0:
			delete(w.pending, p.Result)
			call = declaration + " = " + call
		case p.Whole:
			call = w.itself(p.Result) + " = " + call
		case w.made[p.Result] != "":
			call = w.use(p.Result) + " = " + call
		default:
			call = "(void)" + call
		}
		if len(there) > 0 {
			w.line("if (%s) {", strings.Join(there, " && "))
			w.line("    %s;", call)
			w.line("}")
			continue
		}
		w.line("%s;", call)
	}
	for _, name := range slices.Sorted(maps.Keys(w.pending)) {
		w.use(name)
	}
	return nil
}

// use is the variable of an object that steps make, which is declared by now.
func (w *body) use(name string) string {
	if declaration := w.pending[name]; declaration != "" {
		delete(w.pending, name)
		zero := "NULL"
		if w.held[name] {
			zero = "{0}"
		}
		w.line("%s = %s;", declaration, zero)
	}
	return w.made[name]
}

// address is C for where an object is that steps make.
func (w *body) address(name string) string {
	if w.use(name); w.held[name] {
		return "&" + w.made[name]
	}
	return w.made[name]
}

// itself is C for the structure that such an object is.
func (w *body) itself(name string) string {
	if w.use(name); w.held[name] {
		return w.made[name]
	}
	return "*" + w.made[name]
}

// arguments are C for what a call of a step is given.
func (w *body) arguments(p input.Prepared) (args []string, err error) {
	for k, a := range p.Args {
		var s string
		switch {
		case slices.Contains(p.Values, k):
			s = w.itself(p.With[k])
		case p.With[k] != "":
			s = w.address(p.With[k])
		case p.Texts[k] != "":
			s = p.Texts[k]
		case a == nil && p.Out != "":
			s = "(void *)&" + w.use(p.Out)
		case a == nil && p.Copied:
			s = w.itself(p.Self)
		case a == nil:
			s = w.address(p.Self)
		default:
			a = withRoom(a, p.Args)
			if _, shared := w.led[a.Name]; !shared {
				s = literal(a)
			}
			if s == "" {
				if s, err = w.argument(a); err != nil {
					return nil, err
				}
			}
		}
		args = append(args, s)
	}
	return args, nil
}

// withRoom is an argument of a call, where that is a text and another one a number beyond its end: as many of its
// bytes may be read, and all of them are to be there. Those of the call under test end where replays end them.
func withRoom(a *input.Value, args []*input.Value) *input.Value {
	if a.Type.Kind != input.Pointer || a.To == nil || !a.To.Text {
		return a
	}
	end := int64(textEnd(a.To.Bytes)) + 1
	for _, n := range args {
		if n == nil || n.Type.Kind != input.Int || n.Type.Size > 8 || len(n.Bytes) == 0 {
			continue
		}
		if value := input.Integer(n.Bytes, n.Type.Signed); value > end && value <= a.To.Type.Size {
			whole, in, to := *a, *a.To.Input, *a.To
			in.Text = false
			to.Input, whole.To = &in, &to
			return &whole
		}
	}
	return a
}

// literal is a number, or a short text, as it stands in a call; "" for anything else.
func literal(v *input.Value) string {
	switch {
	case len(v.Picks) > 0 || len(v.Parts) > 0:
	case v.Type.Kind == input.Int && v.Bits == 0 && v.Type.Size <= 8 || v.Type.Kind == input.Enum:
		return integer(v.Bytes, v.Type)
	case v.Type.Kind == input.Pointer && v.To != nil && v.To.Text && v.Target.Value != nil && !v.Target.Heap &&
		!v.Target.Stream && v.Target.File == "" && constTarget(v):
		if s := textOf(v.To, textEnd(v.To.Bytes)); len(s) <= longestPlain {
			return s
		}
	}
	return ""
}
