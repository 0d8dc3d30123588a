package annotate

import (
	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
	"klabel/annotate/logic"
)

// decision is a condition of the program and its atoms.
type decision struct {
	core     *ctree.Expr   // without ! and __builtin_expect around it
	stmt     *ctree.Stmt   // the if or loop that it controls; nil in ?: and for values
	cond     bool          // controls something: if, loop or ?:
	atoms    []*ctree.Expr // constants included, from left to right
	vars     []*ctree.Expr // by number in form: constants are not atoms there
	form     *logic.Form
	pure     bool // all atoms may be evaluated twice
	steady   bool // no atom changes what another one sees: the same text has the same value
	constant bool // an atom is constant

	asLogic *logic.Decision
	texts   []string // of the atoms
	written string   // the form
}

// core strips what does not change the set {d, !d}.
func core(e *ctree.Expr) *ctree.Expr {
	for e.Kind == ctree.Not || e.Kind == ctree.Expect {
		e = e.Kids[0]
	}
	return e
}

// loopIdiom reports while (1) and the like: a loop form, not a decision.
func loopIdiom(st *ctree.Stmt, e *ctree.Expr) bool {
	return st != nil && st.Loop() && core(e).Literal && core(e).Const
}

func (f *function) newDecision(e *ctree.Expr, st *ctree.Stmt, cond bool) *decision {
	d := &decision{core: core(e), stmt: st, cond: cond}
	d.atoms = leaves(d.core, nil)
	d.pure, d.steady = true, true
	for _, a := range d.atoms {
		d.pure = d.pure && a.Pure && !a.Jumps
		d.steady = d.steady && (a.Pure && !a.Jumps || f.p.unit.Steady(a.Node))
	}
	number := map[string]int{}
	d.form = formOf(d.core, func(e *ctree.Expr) *logic.Form {
		if v, ok := constTruth(e); ok {
			d.constant = true
			return logic.Const(v)
		}
		if d.pure && e.Safe { // the same atom twice is one
			t := f.src(e)
			if i, ok := number[t]; ok {
				return logic.Atom(i)
			}
			number[t] = len(d.vars)
		}
		d.vars = append(d.vars, e)
		return logic.Atom(len(d.vars) - 1)
	})
	return d
}

// formOf is the truth function of an expression whose conditions are what leaf
// makes of them; it is asked from left to right.
func formOf(e *ctree.Expr, leaf func(*ctree.Expr) *logic.Form) *logic.Form {
	switch e.Kind {
	case ctree.Not:
		return logic.Not(formOf(e.Kids[0], leaf))
	case ctree.Expect:
		return formOf(e.Kids[0], leaf)
	case ctree.Logic:
		a := formOf(e.Kids[0], leaf)
		b := formOf(e.Kids[1], leaf)
		if e.Op == "&&" {
			return logic.And(a, b)
		}
		return logic.Or(a, b)
	}
	return leaf(e)
}

// leaves appends the atoms of an expression from left to right.
func leaves(e *ctree.Expr, out []*ctree.Expr) []*ctree.Expr {
	switch e.Kind {
	case ctree.Not, ctree.Expect, ctree.Logic:
		for _, k := range e.Kids {
			out = leaves(k, out)
		}
		return out
	}
	return append(out, e)
}

// constTruth is the truth value of a constant.
func constTruth(e *ctree.Expr) (v, ok bool) {
	if !e.Const {
		return false, false
	}
	switch x := e.Node.Value().(type) {
	case cc.Int64Value:
		return x != 0, true
	case cc.UInt64Value:
		return x != 0, true
	case cc.Float64Value:
		return x != 0, true
	case *cc.ZeroValue:
		return false, true
	}
	return false, false
}

// usable reports whether labels may stand at the decision at all.
func (d *decision) usable() bool {
	return d.core.Wrap && !d.core.NoTemp && d.core.Span.Start >= 0 && d.core.Scalar()
}

// logic is the decision as its criteria see it.
func (d *decision) logic() *logic.Decision {
	if d.asLogic != nil {
		return d.asLogic
	}
	l := &logic.Decision{Form: d.form, Atoms: len(d.vars)}
	for i, a := range d.vars {
		if !d.pure || !a.Safe {
			l.Guarded |= 1 << i
		}
	}
	if d.pure && l.Guarded == 1 {
		l.Guarded = 0 // the first atom is always evaluated
	}
	d.asLogic = l
	return l
}

// shape writes the form with the numbers of its atoms.
func (d *decision) shape() string {
	if d.written == "" {
		d.written = d.form.C(func(i int) string { return "a" + itoa(i) })
	}
	return d.written
}

// place is the site of a decision and the texts of its atoms there.
func (f *function) place(d *decision) (*site, func(int) string) {
	if !d.usable() {
		return nil, nil
	}
	if d.pure {
		if d.texts == nil {
			d.texts = make([]string, len(d.vars))
		}
		s := f.pre(d.core)
		if s != nil {
			s.fold = s.fold || d.constant
		}
		return s, func(i int) string {
			if d.texts[i] == "" {
				d.texts[i] = f.src(d.vars[i])
			}
			return d.texts[i]
		}
	}
	for _, a := range d.vars {
		if a.NoTemp || a.Span.Start < 0 {
			return nil, nil
		}
	}
	s, fresh := f.p.site(siteKey{record, d.core.Span.Start, d.core.Span.End}, f.Func)
	if fresh {
		s.expr, s.name, s.atoms = d.core, f.p.temp(), d.vars
		s.fold = d.constant
	}
	return s, func(i int) string { return s.name + "_" + itoa(i+1) }
}

// collect finds the decisions, expressions and statements of the function.
func (f *function) collect() {
	inside := map[*ctree.Expr]bool{} // parts of a decision found already
	add := func(e *ctree.Expr, st *ctree.Stmt, cond bool) {
		if e == nil || e.Closed && e.Kind != ctree.Call || loopIdiom(st, e) {
			return
		}
		d := f.newDecision(e, st, cond)
		var seal func(e *ctree.Expr)
		seal = func(e *ctree.Expr) {
			inside[e] = true
			if e.Kind == ctree.Not || e.Kind == ctree.Logic || e.Kind == ctree.Expect {
				for _, k := range e.Kids {
					seal(k)
				}
			}
		}
		seal(e)
		f.decisions = append(f.decisions, d)
	}
	f.Root.Walk(func(s *ctree.Stmt) {
		f.stmts = append(f.stmts, s)
		switch s.Kind {
		case ctree.If, ctree.While, ctree.Do, ctree.For:
			add(s.Cond, s, true)
		}
	})
	f.Root.WalkExprs(func(e *ctree.Expr) {
		if e.Closed {
			return
		}
		f.exprs = append(f.exprs, e)
		switch {
		case e.Kind == ctree.CondExpr && len(e.Kids) > 1:
			add(e.Kids[0], nil, true)
		case e.Kind == ctree.Logic && !inside[e]:
			add(e, nil, false)
		}
	})
}
