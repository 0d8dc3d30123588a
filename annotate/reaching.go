package annotate

import (
	"maps"
	"slices"

	"klabel/annotate/ctree"
)

// reaching finds which definitions may reach which uses: on some way through the
// function, whatever its conditions are, nothing else defines the variable in
// between. Pairs that it leaves out cannot be; of those that it finds, some may
// be out of reach all the same.
type reaching struct {
	f      *function
	of     map[cell]*variable
	number map[*ctree.Expr]int // of the definition that an expression is
	useOf  map[*ctree.Expr]int
	all    live // every definition: where a label or a goto stands
	// Of statics: the definitions that are in force where the function calls or ends.
	escaped map[*variable][]uint64
	loops   []*exits
}

// live says of each variable which definitions may have given it its value; nil
// is a place that no way leads to.
type live map[*variable][]uint64

// exits are the ways out of a loop or a switch.
type exits struct {
	loop              bool
	breaks, continues live
	head              live // of a switch: where its cases begin
}

func (r *reaching) function() {
	r.number = map[*ctree.Expr]int{}
	r.numberDefinitions()
	r.run()
}

// numberDefinitions finds the assignments to variables.
func (r *reaching) numberDefinitions() {
	r.f.Root.WalkExprs(func(e *ctree.Expr) {
		if e.Kind != ctree.Assign && e.Kind != ctree.IncDec || e.Closed {
			return
		}
		v := r.at(e.Kids[0])
		if v == nil {
			return
		}
		if !e.Wrap || e.NoTemp || e.Span.Start < 0 {
			v.lost = true
			return
		}
		r.number[e] = len(v.defs)
		v.defs = append(v.defs, definition{at: e.Span.Start, expr: e, f: r.f})
	})
}

// at is the variable that an expression names, nil if it is none of these.
func (r *reaching) at(e *ctree.Expr) *variable {
	c, ok := cellOf(e)
	if !ok {
		return nil
	}
	return r.of[c]
}

// leaves notes what is in force where control leaves the function, or a call may
// come back to the unit; behind a call the values may be from elsewhere.
func (r *reaching) leaves(s live, call bool) {
	if r.escaped == nil || s == nil {
		return
	}
	for v, set := range s {
		r.escaped[v] = union(r.escaped[v], set)
		if call {
			s[v] = union(set, r.only(v, 0))
		}
	}
}

func (r *reaching) run() {
	r.useOf = map[*ctree.Expr]int{}
	start := live{}
	r.all = live{}
	for _, v := range r.of {
		if len(v.defs) == 0 {
			continue
		}
		set := make([]uint64, len(v.defs)/64+1)
		for i := range v.defs {
			set[i/64] |= 1 << (i % 64)
		}
		r.all[v] = set
		if d := v.defs[0]; d.expr == nil && d.stmt == nil {
			start[v] = r.only(v, 0)
		}
	}
	r.leaves(r.stmt(r.f.Root, start), false)
}

func (r *reaching) only(v *variable, i int) []uint64 {
	set := make([]uint64, len(v.defs)/64+1)
	set[i/64] = 1 << (i % 64)
	return set
}

// define makes i the one definition of v.
func (r *reaching) define(s live, v *variable, i int) {
	if s != nil && v != nil && !v.lost {
		s[v] = r.only(v, i)
	}
}

func join(a, b live) live {
	if a == nil {
		return maps.Clone(b)
	}
	if b == nil {
		return a
	}
	out := maps.Clone(a)
	for v, set := range b {
		have := slices.Clone(out[v])
		for i, w := range set {
			if i == len(have) {
				have = append(have, 0)
			}
			have[i] |= w
		}
		out[v] = have
	}
	return out
}

func same(a, b live) bool { return (a == nil) == (b == nil) && maps.EqualFunc(a, b, slices.Equal) }

// stmt is what is live behind a statement; it may change the one before.
func (r *reaching) stmt(st *ctree.Stmt, s live) live {
	if st == nil {
		return s
	}
	switch st.Kind {
	case ctree.Block:
		for _, x := range st.Items {
			s = r.stmt(x, s)
		}
	case ctree.Decl:
		s = r.declaration(st, s)
	case ctree.If:
		s = r.expr(st.Cond, s)
		yes := r.stmt(st.Body, maps.Clone(s))
		return join(yes, r.stmt(st.Else, s))
	case ctree.While, ctree.Do, ctree.For:
		return r.loop(st, s)
	case ctree.Switch:
		s = r.expr(st.Cond, s)
		x := &exits{head: s}
		r.loops = append(r.loops, x)
		out := join(r.stmt(st.Body, nil), x.breaks)
		r.loops = r.loops[:len(r.loops)-1]
		if !slices.ContainsFunc(st.Cases, func(c *ctree.Stmt) bool { return c.IsDefault }) {
			out = join(out, s)
		}
		return out
	case ctree.Case:
		for _, x := range slices.Backward(r.loops) {
			if !x.loop {
				s = join(s, x.head)
				break
			}
		}
		return r.stmt(st.Body, s)
	case ctree.Labelled:
		return r.stmt(st.Body, maps.Clone(r.all))
	case ctree.Return, ctree.Goto:
		s = r.exprs(st.Exprs, s)
		r.leaves(s, false)
		return nil
	case ctree.Break, ctree.Continue:
		r.leave(st, s)
		return nil
	default:
		s = r.exprs(st.Exprs, s)
	}
	return s
}

func (r *reaching) leave(st *ctree.Stmt, s live) {
	for _, x := range slices.Backward(r.loops) {
		if st.Kind == ctree.Break {
			x.breaks = join(x.breaks, s)
			return
		}
		if x.loop {
			x.continues = join(x.continues, s)
			return
		}
	}
}

func (r *reaching) declaration(st *ctree.Stmt, s live) live {
	s = r.exprs(st.Exprs, s)
	for _, d := range declared(st) {
		for c, v := range r.of {
			switch {
			case c.decl != d.Declarator || s == nil || r.escaped != nil:
			case d.Initializer != nil:
				r.define(s, v, 0)
			default:
				delete(s, v)
			}
		}
	}
	return s
}

func (r *reaching) loop(st *ctree.Stmt, s live) live {
	if st.Kind == ctree.For {
		s = r.declaration(st, s)
	}
	for {
		x := &exits{loop: true}
		r.loops = append(r.loops, x)
		at := maps.Clone(s)
		var out live
		if st.Kind != ctree.Do {
			at = r.expr(st.Cond, at)
			if st.Cond != nil {
				out = maps.Clone(at)
			}
		}
		at = join(r.stmt(st.Body, at), x.continues)
		if st.Kind == ctree.Do {
			at = r.expr(st.Cond, at)
			out = maps.Clone(at)
		} else {
			at = r.expr(st.Post, at)
		}
		r.loops = r.loops[:len(r.loops)-1]
		next := join(maps.Clone(s), at)
		if same(next, s) {
			return join(out, x.breaks)
		}
		s = next
	}
}

func (r *reaching) exprs(es []*ctree.Expr, s live) live {
	for _, e := range es {
		s = r.expr(e, s)
	}
	return s
}

// expr is what is live behind an expression. Where C leaves the order open, a
// program whose meaning depends on it has none.
func (r *reaching) expr(e *ctree.Expr, s live) live {
	if e == nil || s == nil || e.Closed {
		return s
	}
	switch e.Kind {
	case ctree.Ident, ctree.Member:
		if v := r.at(e); v != nil || e.Kind == ctree.Ident {
			r.use(e, v, s)
			return s
		}
		return r.exprs(e.Kids, s)
	case ctree.Call:
		s = r.exprs(e.Kids, s)
		r.leaves(s, true)
		return s
	case ctree.Assign:
		if v := r.at(e.Kids[0]); v != nil {
			s = r.exprs(e.Kids[1:], s)
			if e.Op != "=" {
				r.use(e, v, s)
			}
			r.define(s, v, r.number[e])
			return s
		}
		return r.exprs(e.Kids, s)
	case ctree.IncDec:
		if v := r.at(e.Kids[0]); v != nil {
			r.use(e, v, s)
			r.define(s, v, r.number[e])
			return s
		}
		return r.exprs(e.Kids, s)
	case ctree.Logic:
		s = r.expr(e.Kids[0], s)
		return join(r.expr(e.Kids[1], maps.Clone(s)), s)
	case ctree.CondExpr:
		s = r.expr(e.Kids[0], s)
		out := s
		if len(e.Kids) > 2 {
			out = r.expr(e.Kids[2], maps.Clone(s))
			return join(r.expr(e.Kids[1], s), out)
		}
		return join(r.expr(e.Kids[1], maps.Clone(s)), out)
	case ctree.StmtExpr:
		return r.stmt(e.Body, s)
	default:
		return r.exprs(e.Kids, s)
	}
}

// use notes that e evaluates v.
func (r *reaching) use(e *ctree.Expr, v *variable, s live) {
	if v == nil || s == nil {
		return
	}
	i, ok := r.useOf[e]
	if !ok {
		i = len(v.uses)
		r.useOf[e] = i
		v.uses = append(v.uses, use{expr: e, f: r.f})
	}
	u := &v.uses[i]
	for n, w := range s[v] {
		if n == len(u.reach) {
			u.reach = append(u.reach, 0)
		}
		u.reach[n] |= w
	}
}
