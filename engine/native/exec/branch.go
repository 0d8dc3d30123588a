package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/solver"
)

// fork splits a state on a condition. yes goes on where it holds, no where it
// does not; one of them is st itself, one may be nil. Both nil means that the
// solver gave no answer: the state was given up and is done.
func (ex *Engine) fork(st *State, cond *expr.Expr) (yes, no *State) {
	return ex.forkOr(st, cond, nil)
}

// forkOr is fork that asks first, where both sides may be possible, whether something was
// done instead; it returns nil for both then. instead may be nil.
func (ex *Engine) forkOr(st *State, cond *expr.Expr, instead func(solver.Branches) bool) (yes, no *State) {
	if cond.IsConst() {
		if cond.IsTrue() {
			return st, nil
		}
		return nil, st
	}
	sub, isSub := st.role.(*subPath)
	if isSub && sub.inDoubt {
		return sub.forkInDoubt(ex, st, cond, solver.Branches{})
	}
	br := ex.s.ForkWith(ex.ctx, st.cons, cond, st.seed)
	if instead != nil && undecided(br) && instead(br) {
		return nil, nil
	}
	canTrue, canFalse := br.True == solver.Sat, br.False == solver.Sat
	if br.True == solver.Unknown || br.False == solver.Unknown {
		if isSub {
			return sub.forkInDoubt(ex, st, cond, br)
		}
		return ex.forkInDoubt(st, cond, br)
	}
	switch {
	case canTrue && canFalse:
		if ex.undefinedLater(st, cond) {
			return nil, nil
		}
	case canTrue:
		return st, nil
	case canFalse:
		return nil, st
	default:
		ex.giveUp(st, "contradicting constraints")
		return nil, nil
	}
	if !st.role.mayFork(ex, st) {
		if ex.rng.Intn(2) == 0 {
			ex.assume(st, cond, br.WhenTrue)
			return st, nil
		}
		ex.assume(st, ex.b.Not(cond), br.WhenFalse)
		return nil, st
	}
	other := ex.split(st)
	ex.assume(st, cond, br.WhenTrue)
	ex.assume(other, ex.b.Not(cond), br.WhenFalse)
	return st, other
}

// forkInDoubt is fork where the solver does not know of a side whether it is
// possible.
func (ex *Engine) forkInDoubt(st *State, cond *expr.Expr, br solver.Branches) (yes, no *State) {
	not, missing := ex.b.Not(cond), false
	keep := func(side *expr.Expr, r solver.Result) {
		if r == solver.Unknown {
			ex.setAside(st, side)
			missing = !ex.branchLater(st, side, tooLong) || missing
		}
	}
	keep(cond, br.True)
	keep(not, br.False)
	known := br.True == solver.Sat || br.False == solver.Sat
	if missing && known {
		ex.stats.TimedOut++
		ex.lost(st, tooLong)
	}
	switch {
	case br.True == solver.Sat:
		ex.assume(st, cond, br.WhenTrue)
		return st, nil
	case br.False == solver.Sat:
		ex.assume(st, not, br.WhenFalse)
		return nil, st
	case missing:
		ex.noAnswer(st)
	default:
		st.done = true // all of it is kept for later
	}
	return nil, nil
}

// split clones a state and hands the clone to whom the state belongs.
func (ex *Engine) split(st *State) *State {
	st.depth++
	c := ex.clone(st)
	st.role.forked(ex, st, c)
	return c
}

// assume adds a constraint that is known to be satisfiable.
func (ex *Engine) assume(st *State, cond *expr.Expr, hint *expr.Model) {
	if st.seed != nil && !ex.b.Holds(cond, st.seed) {
		st.seed = nil
	}
	st.cons = st.cons.Add(ex.b, cond, hint)
	st.role.assumed(ex, st, cond)
}

// valueOf returns a value that e can take, the seed's where there is one.
func (ex *Engine) valueOf(st *State, e *expr.Expr) (expr.Value, solver.Result) {
	if st.seed != nil {
		return ex.b.Eval(e, st.seed), solver.Sat
	}
	return ex.s.Value(ex.ctx, st.cons, e)
}

// concretise returns a value for v. If v can take others, they are lost: the
// exploration is incomplete.
func (ex *Engine) concretise(st *State, v Value, w int, what string) (expr.Value, bool) {
	if x, ok := concreteValue(v); ok {
		return x, true
	}
	e := st.cons.Simplify(ex.b, v.E)
	if e.IsConst() {
		return e.Value(), true
	}
	x, r := ex.valueOf(st, e)
	if r != solver.Sat {
		ex.noAnswer(st)
		return expr.Value{}, false
	}
	eq := ex.b.Eq(e, ex.b.ConstValue(w, x))
	res, m := ex.s.Check(ex.ctx, st.cons, ex.b.Not(eq))
	if res == solver.Unsat {
		return x, true
	}
	_ = m
	ex.stats.Concretised++
	ex.lost(st, what+" was made concrete")
	ex.warnOnce("silently concretizing " + what)
	_, hint := ex.s.Check(ex.ctx, st.cons, eq)
	ex.assume(st, eq, hint)
	return x, true
}

// enumerate gives v one of its values in st and leaves the other values to a
// clone that executes the same instruction again: nothing is lost.
func (ex *Engine) enumerate(st *State, v Value, w int, again int32) (expr.Value, bool) {
	if x, ok := concreteValue(v); ok {
		return x, true
	}
	e := st.cons.Simplify(ex.b, v.E)
	if e.IsConst() {
		return e.Value(), true
	}
	if ex.neverSet(e) { // there is no end of its values
		ex.giveUp(st, "an address, offset or length that was never set is used")
		return expr.Value{}, false
	}
	x, r := ex.valueOf(st, e)
	if r != solver.Sat {
		ex.noAnswer(st)
		return expr.Value{}, false
	}
	pc := st.own().pc
	st.top.pc = again
	yes, no := ex.fork(st, ex.b.Eq(e, ex.b.ConstValue(w, x)))
	if yes == nil {
		if no != nil { // the fork was refused, the other values were chosen
			return expr.Value{}, false
		}
		return expr.Value{}, false
	}
	yes.own().pc = pc
	return x, true
}

// indirectBr jumps to the address of a label. All the labels that it may be are
// known.
func (ex *Engine) indirectBr(st *State, in *code.Inst) {
	a := st.top.val(in.A)
	at := st.top.pc - 1
	v, ok := ex.enumerate(st, a, int(ex.ptr), at)
	if !ok {
		return
	}
	t := in.X.(*code.SwitchTable)
	if !t.Known(v.Lo) {
		ex.giveUp(st, "a jump to an address that is no label of the function")
		return
	}
	f := st.own()
	f.pc = ex.jump(st, f, t.Find(v.Lo))
}

func (ex *Engine) condBr(st *State, in *code.Inst) {
	edges := in.X.([2]*code.Edge)
	cond := st.top.val(in.A).E
	var instead func(solver.Branches) bool
	k := ex.mergingOf(st, in, cond)
	if k != nil {
		searched, open := ex.s.Stats.BySAT, k.open
		sure := open >= openAlways && open%openAlways != 0
		k.open = 0
		instead = func(br solver.Branches) bool {
			k.hard = k.hard || br.True == solver.Unknown || br.False == solver.Unknown
			if ex.s.Stats.BySAT > searched {
				k.open = open + 1
			}
			return ex.mergeBranch(st, k, cond, edges)
		}
		_, sub := st.role.(*subPath)
		if sure {
			k.open = open + 1
		}
		if sub || k.hard || sure { // the label asks, or it takes too long to
			if c := st.cons.Simplify(ex.b, cond); !c.IsConst() && ex.mergeBranch(st, k, cond, edges) {
				return
			}
			instead = nil
		}
	}
	yes, no := ex.forkOr(st, cond, instead)
	if yes != nil {
		ex.take(yes, edges[1])
	}
	if no != nil {
		ex.take(no, edges[0])
	}
}

func (ex *Engine) take(st *State, e *code.Edge) {
	f := st.own()
	f.pc = ex.jump(st, f, e)
}

// switchOn forks once for each case that can be, and for the default.
func (ex *Engine) switchOn(st *State, in *code.Inst) {
	t := in.X.(*code.SwitchTable)
	v := st.top.val(in.A).E
	w := int(in.W)
	if ex.mergeSwitch(st, in, v) {
		return
	}
	// Cases that lead to the same block without phi moves are one branch.
	type group struct {
		edge *code.Edge
		cond *expr.Expr
	}
	var groups []group
	at := map[int32]int{}
	for i := range t.Values {
		eq := ex.b.Eq(v, ex.b.Const(w, t.Values[i]))
		e := &t.Edges[i]
		if k, ok := at[e.Block]; ok && len(e.Moves) == 0 {
			groups[k].cond = ex.b.Or(groups[k].cond, eq)
			continue
		}
		at[e.Block] = len(groups)
		groups = append(groups, group{e, eq})
	}
	for _, g := range groups {
		yes, no := ex.fork(st, g.cond)
		if yes != nil {
			ex.take(yes, g.edge)
		}
		if no == nil {
			return
		}
		if yes != nil && no == st {
			panic("fork swapped states")
		}
		st = no
	}
	ex.take(st, &t.Default)
}
