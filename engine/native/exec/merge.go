package exec

import (
	"slices"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/solver"
)

// Where the arms of a branch do nothing but compute, a path need not fork: both are
// evaluated, and where they meet each value that differs is one or the other, by the
// condition. A checksum over n bits has one path so, and not 2^n. The same holds for
// a switch.
//
// An arm may do what cannot fail whatever the inputs are: arithmetic, loads and
// stores at known addresses of memory that was set, intrinsics. All else makes the path fork as
// ever. A label in an arm is asked for where it stands, under the arm's condition. Two numbers
// that differ become an expression only where they decide no address, loop or switch
// (code.Func.Plain): there a path does better with the number. Nothing is left out, and
// nothing is explored that no input takes.

const (
	maxMerged   = 400 // instructions of the arms of a branch together
	maxNested   = 8   // branches within arms of branches
	maxCases    = 40  // arms of a switch
	maxAsks     = 64  // open labels in the arms of a branch
	mergeTries  = 3   // attempts in vain before a branch is tried less often
	mergePauses = 64  // the most branches in a row that are not tried
	openAlways  = 8   // answers that both sides are possible before a branch is asked for once in so many times
)

// merging is what is known of a branch.
type merging struct {
	vain, pause, next int
	hard              bool // the solver could not tell whether both sides are possible
	open              int  // so often in a row it had to search, and found that they are
}

// write is a store of an arm.
type write struct {
	base, off uint64
	n         int
	w         uint8
	v         Value
	plain     bool
}

func (x *write) overlaps(y *write) bool {
	return x.base == y.base && x.off < y.off+uint64(y.n) && y.off < x.off+uint64(x.n)
}

func (x *write) same(y *write) bool {
	return x.base == y.base && x.off == y.off && x.n == y.n && x.w == y.w
}

// merger evaluates the arms of one branch, in a frame of its own.
type merger struct {
	ex    *Engine
	st    *State
	f     *frame
	joins []int32
	log   []write
	left  int
	depth int
	guard *expr.Expr // when the arm that runs is taken
	asks  []armLabel
}

// env is what an arm has changed.
type env struct {
	regs  []Value
	log   []write
	fresh *freshBlock // blocks that it has compared are none any more, in it alone
}

func (m *merger) save() env { return env{slices.Clone(m.f.regs), slices.Clone(m.log), m.st.fresh} }

func (m *merger) restore(e env) {
	copy(m.f.regs, e.regs)
	m.log = append(m.log[:0], e.log...)
	m.st.fresh = e.fresh
}

// mergingOf is what is known of a branch, nil where branches are not merged.
func (ex *Engine) mergingOf(st *State, in *code.Inst, cond *expr.Expr) *merging {
	if _, alone := st.role.(refused); alone || !ex.o.Merge || ex.neverSet(cond) {
		return nil // labels in arms are asked for on paths that get tests
	}
	k := ex.merges[in]
	if k == nil {
		k = &merging{}
		ex.merges[in] = k
	}
	if k.pause > 0 {
		k.pause--
		return nil
	}
	return k
}

// merge takes a state over a branch to where its arms meet; false if that cannot be,
// and the state is as it was. begin runs the arms.
func (ex *Engine) merge(st *State, k *merging, begin func(m *merger, join int32) bool) bool {
	real := st.top
	fn, at := real.fn, real.pc-1
	joins := fn.Joins()
	join := joins[fn.BlockAt[at]]
	if join < 0 {
		k.pause = mergePauses
		return false
	}
	m := &merger{ex: ex, st: st, joins: joins, left: maxMerged, guard: ex.b.True()}
	m.f = &frame{owner: st.mem.Owner(), fn: fn, regs: slices.Clone(real.regs), pc: real.pc, parent: real.parent,
		depth: real.depth, stack: real.stack}
	before, blocks := st.instrs, st.fresh
	st.top = m.f
	ok := begin(m, join)
	st.top, st.fresh = real, blocks
	ex.stats.Instructions += st.instrs - before
	if !ok || !ex.askArms(st, m) {
		k.missed()
		return false
	}
	k.vain, k.next = 0, 0
	for i := range m.log {
		x := &m.log[i]
		ex.write(st, ex.find(st, x.base), Value{C: x.off}, x.v, x.w, x.n)
	}
	f := st.own()
	for _, p := range fn.PhisOf(join) {
		f.regs[p.Reg] = m.f.regs[p.Reg]
	}
	f.pc = fn.Starts[join]
	if !fn.Covered[join] && st.role.explores() {
		ex.covered(st, fn, join)
	}
	ex.stats.Merged++
	return true
}

// mergeBranch is condBr without a fork; false if the path has to fork.
func (ex *Engine) mergeBranch(st *State, k *merging, cond *expr.Expr, edges [2]*code.Edge) bool {
	return ex.merge(st, k, func(m *merger, join int32) bool { return m.branch(cond, edges[1], edges[0], join) })
}

// mergeSwitch is switchOn without a fork, where the value is not known to be one.
func (ex *Engine) mergeSwitch(st *State, in *code.Inst, v *expr.Expr) bool {
	k := ex.mergingOf(st, in, v)
	if k == nil {
		return false
	}
	w := int(in.W)
	if _, sub := st.role.(*subPath); !sub {
		x, r := ex.valueOf(st, v)
		if r != solver.Sat {
			return false
		}
		if more, known := ex.s.MayBeTrue(ex.ctx, st.cons, ex.b.Ne(v, ex.b.ConstValue(w, x))); known && !more {
			return false
		}
	}
	t := in.X.(*code.SwitchTable)
	return ex.merge(st, k, func(m *merger, join int32) bool { return m.cases(v, t, w, join) })
}

// undecided reports whether both sides of a condition have to be followed, as far as
// the solver knows.
func undecided(br solver.Branches) bool { return br.True != solver.Unsat && br.False != solver.Unsat }
