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
	Binds     map[label.ID][]string // the names that labels bind
	Bound     map[label.ID]Binding
	// Joint has labels that hold where labels that stand together do, the last of them
	// here and the others earlier in the run, with values that their guard wants.
	Joint map[string][]label.ID // by key of Together
}

// Binding are the names that a label binds and some guard asks for, and the values
// that are told apart of each. With has a label for each choice of values: it holds
// where the label does and the names have those. The first name changes fastest.
type Binding struct {
	Names  []string
	Values [][]Value // by name; nil: all have truth values
	With   []label.ID
}

// values are those of name i.
func (b Binding) values(i int) []Value {
	if b.Values == nil {
		return Truths
	}
	return b.Values[i]
}

// Bounds on what guards become.
const (
	MaxValues   = 256 // choices of values of one label
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
	var plain, own []*Expr
	x := Together{Guard: guard}
	whose := map[string]label.ID{}
	for _, a := range p {
		switch {
		case !t.binds(a, guard):
			low, err := t.Lower(a)
			if err != nil {
				return nil, err
			}
			plain = append(plain, low)
		case !slices.Contains(x.IDs, a.ID):
			x.IDs, own = append(x.IDs, a.ID), append(own, a)
			for _, n := range t.Binds[a.ID] {
				if _, twice := whose[n]; twice && slices.Contains(Names(guard), n) {
					return nil, fmt.Errorf("%s is bound by two labels of the same combination", n)
				}
				whose[n] = a.ID
			}
		}
	}
	for _, n := range Names(guard) {
		if _, ok := whose[n]; !ok {
			return nil, fmt.Errorf("the guard speaks of %s, which no label beside it binds", n)
		}
	}
	if slices.ContainsFunc(guard, Guard.never) {
		return nil, nil
	}
	slices.Sort(x.IDs)
	joint := t.Joint[x.Key()]
	if len(x.IDs) == 1 && len(joint) > 0 { // it says all
		return []*Expr{join(OpAnd, append(plain, anyLabel(joint)))}, nil
	}
	out, err := t.choices(plain, x, joint)
	if err != nil && len(joint) > 0 { // too many
		out, err = []*Expr{join(OpAnd, append(append(plain, own...), x.open(own[0], joint)))}, nil
	}
	return out, err
}

// open is what is not known of values: that the guard holds of them, which no test
// shows but one in which it does.
func (x Together) open(e *Expr, joint []label.ID) *Expr {
	out := &Expr{Op: OpGuard, Args: []*Expr{e}, Guard: x.Guard}
	if len(joint) == 0 {
		return out
	}
	return join(OpOr, append(anyLabel(joint).parts(OpOr), out))
}

// choices are the terms of a product for the values of what its labels bind.
func (t *Terms) choices(plain []*Expr, x Together, joint []label.ID) ([]*Expr, error) {
	at := map[string]int{} // the number of each name
	var values [][]Value   // of each
	choices := 1
	for _, id := range x.IDs {
		b := t.Bound[id]
		if len(b.With) == 0 {
			return nil, fmt.Errorf("guards tell more than %d values of what label %s binds apart", MaxValues, id)
		}
		for i, n := range b.Names {
			at[n] = len(values)
			values = append(values, b.values(i))
			if choices *= len(b.values(i)); choices > maxChoices {
				return nil, fmt.Errorf("a guard over more than %d combinations of values", maxChoices)
			}
		}
	}
	var out []*Expr
	for v := range choices {
		chosen, rest := make([]int, len(values)), v
		for i, vs := range values {
			chosen[i], rest = rest%len(vs), rest/len(vs)
		}
		value := func(s string) Value {
			if c, ok := Constant(s); ok {
				return Value{c, c}
			}
			return values[at[s]][chosen[at[s]]]
		}
		holds, known := true, true
		for _, g := range x.Guard {
			h, sure := g.decided(value(g.Left), value(g.Right))
			holds, known = holds && h, known && sure
		}
		if !holds {
			continue
		}
		args := slices.Clone(plain)
		rest = v
		for _, id := range x.IDs {
			b := t.Bound[id]
			args = append(args, &Expr{Op: OpLabel, ID: b.With[rest%len(b.With)]})
			rest /= len(b.With)
		}
		if !known { // no test shows it, but neither is it impossible
			args = append(args, x.open(args[0], joint))
		}
		out = append(out, join(OpAnd, args))
	}
	return out, nil
}

// Names are the names that a guard speaks of.
func Names(guard []Guard) (out []string) {
	for _, g := range guard {
		out = append(out, g.names()...)
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
