package objective

import (
	"fmt"
	"slices"

	"klabel/label"
)

// Terms are the labels that stand in a program for what hyperlabels speak of
// beside labels: each way for a sequence to come to its end is a label, and so is
// a label together with certain values of what it binds.
type Terms struct {
	Labels    map[label.ID]bool
	Sequences map[label.ID][]label.ID
	Chains    map[string][]label.ID // l1->l2, by its text
	Bound     map[label.ID]Binding
}

// Binding are the names that a label binds and some guard asks for, and the values
// that are told apart of each. With has a label for each choice of values: it holds
// where the label does and the names have those. The first name changes fastest.
type Binding struct {
	Names  []string
	Values [][]Value // by name; nil: all have truth values
	With   []label.ID
}

// Value is a value that a name may be bound to, or all below or above a number.
type Value struct {
	Number      int64
	Below, More bool
}

// Truths are the values of what is true or false, Integers those that are told apart
// of an integer.
var (
	Truths   = []Value{{Number: 0}, {Number: 1}}
	Integers = []Value{{Number: -1, Below: true}, {Number: -1}, {Number: 0}, {Number: 1}, {Number: 2}, {Number: 3},
		{Number: 3, More: true}}
)

// values are those of name i.
func (b Binding) values(i int) []Value {
	if b.Values == nil {
		return Truths
	}
	return b.Values[i]
}

// equal compares two values; known is false of two that may be equal or not.
func (v Value) equal(w Value) (equal, known bool) {
	if v != w {
		return false, true // the sets of values have nothing in common
	}
	return true, !v.Below && !v.More
}

// Bounds on what guards become.
const (
	MaxNames    = 8 // of one label
	MaxIntegers = 2 // the same, where they are integers
	maxProducts = 256
	maxChoices  = 1 << 12 // of values of all names of a product
)

// Lower is the expression over labels alone.
func (t *Terms) Lower(e *Expr) (*Expr, error) {
	switch e.Op {
	case OpLabel:
		if !t.Labels[e.ID] {
			return nil, fmt.Errorf("there is no label %s", e.ID)
		}
		return e, nil
	case OpSequence:
		if len(t.Sequences[e.ID]) == 0 {
			return nil, fmt.Errorf("there is no sequence %s that has an end", e.ID)
		}
		return anyLabel(t.Sequences[e.ID]), nil
	case OpThen:
		if len(t.Chains[e.String()]) == 0 {
			return nil, fmt.Errorf("%s: one of these labels does not exist", e)
		}
		return anyLabel(t.Chains[e.String()]), nil
	case OpGuard:
		if len(e.Guard) == 0 {
			return t.Lower(e.Args[0])
		}
		return t.guarded(e)
	}
	out := &Expr{Op: e.Op}
	for _, a := range e.Args {
		x, err := t.Lower(a)
		if err != nil {
			return nil, err
		}
		out.Args = append(out.Args, x)
	}
	return out, nil
}

func anyLabel(ids []label.ID) *Expr {
	var args []*Expr
	for _, id := range ids {
		args = append(args, &Expr{Op: OpLabel, ID: id})
	}
	return join(OpOr, args)
}

func join(op Op, args []*Expr) *Expr {
	if len(args) == 1 {
		return args[0]
	}
	return &Expr{Op: op, Args: args}
}

// guarded writes what a guard asks as a choice among values of its names.
func (t *Terms) guarded(e *Expr) (*Expr, error) {
	ps, err := products(e.Args[0])
	if err != nil {
		return nil, err
	}
	var out []*Expr
	for _, p := range ps {
		terms, err := t.product(p, e.Guard)
		if err != nil {
			return nil, err
		}
		out = append(out, terms...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no values make %s true", e)
	}
	return join(OpOr, out), nil
}

// products are the ways to make an expression true, each a list of what must hold.
func products(e *Expr) ([][]*Expr, error) {
	var out [][]*Expr
	switch e.Op {
	case OpOr:
		for _, a := range e.Args {
			ps, err := products(a)
			if err != nil {
				return nil, err
			}
			out = append(out, ps...)
		}
	case OpAnd:
		out = [][]*Expr{nil}
		for _, a := range e.Args {
			ps, err := products(a)
			if err != nil {
				return nil, err
			}
			var next [][]*Expr
			for _, o := range out {
				for _, p := range ps {
					next = append(next, append(slices.Clone(o), p...))
				}
			}
			if out = next; len(out) > maxProducts {
				break
			}
		}
	default:
		return [][]*Expr{{e}}, nil
	}
	if len(out) > maxProducts {
		return nil, fmt.Errorf("a guard over more than %d combinations of labels", maxProducts)
	}
	return out, nil
}

// product are the terms of one product under a guard.
func (t *Terms) product(p []*Expr, guard []Guard) ([]*Expr, error) {
	var plain []*Expr
	var bound []label.ID
	at := map[string]int{} // the number of each name
	var values [][]Value   // of each
	choices := 1
	for _, a := range p {
		b := t.Bound[a.ID]
		if a.Op != OpLabel || len(b.Names) == 0 || !t.Labels[a.ID] || !speaksOf(guard, b.Names) {
			x, err := t.Lower(a)
			if err != nil {
				return nil, err
			}
			plain = append(plain, x)
			continue
		}
		if slices.Contains(bound, a.ID) {
			continue
		}
		bound = append(bound, a.ID)
		for i, n := range b.Names {
			if _, twice := at[n]; twice {
				return nil, fmt.Errorf("%s is bound by two labels of the same combination", n)
			}
			at[n] = len(values)
			values = append(values, b.values(i))
			choices *= len(b.values(i))
		}
	}
	for _, g := range guard {
		for _, n := range []string{g.Left, g.Right} {
			if _, ok := at[n]; !ok {
				return nil, fmt.Errorf("the guard speaks of %s, which no label beside it binds", n)
			}
		}
	}
	if choices > maxChoices {
		return nil, fmt.Errorf("a guard over %d combinations of values; %d are the most", choices, maxChoices)
	}
	var out []*Expr
	for v := range choices {
		chosen, rest := make([]int, len(values)), v
		for i, vs := range values {
			chosen[i], rest = rest%len(vs), rest/len(vs)
		}
		holds, known := true, true
		for _, g := range guard {
			l, r := at[g.Left], at[g.Right]
			equal, sure := values[l][chosen[l]].equal(values[r][chosen[r]])
			known = known && (sure || l == r)
			holds = holds && (equal == g.Equal || !sure && l != r)
		}
		if !holds {
			continue
		}
		args := slices.Clone(plain)
		rest = v
		for _, id := range bound {
			b := t.Bound[id]
			args = append(args, &Expr{Op: OpLabel, ID: b.With[rest%len(b.With)]})
			rest /= len(b.With)
		}
		if !known { // no test shows it, but neither is it impossible
			args = append(args, &Expr{Op: OpGuard, Args: []*Expr{args[0]}, Guard: guard})
		}
		out = append(out, join(OpAnd, args))
	}
	return out, nil
}

func speaksOf(guard []Guard, names []string) bool {
	return slices.ContainsFunc(guard, func(g Guard) bool {
		return slices.Contains(names, g.Left) || slices.Contains(names, g.Right)
	})
}

// Names are the names that guards of an expression speak of.
func (e *Expr) Names() (out []string) {
	for _, g := range e.Guard {
		out = append(out, g.Left, g.Right)
	}
	for _, a := range e.Args {
		out = append(out, a.Names()...)
	}
	return out
}

// Chains are the parts of an expression of the form l1->l2.
func (e *Expr) Chains() (out []*Expr) {
	if e.Op == OpThen {
		return []*Expr{e}
	}
	for _, a := range e.Args {
		out = append(out, a.Chains()...)
	}
	return out
}
