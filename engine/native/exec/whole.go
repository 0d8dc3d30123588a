package exec

import (
	"fmt"

	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
)

// A function that only computes what it returns, a program's own comparison of texts, count
// or search, has a path for each character at which it may end, and these go on side by side
// in the caller. Where the caller only asks what the result is (code.Func.ResultOf), its
// paths are run beside the caller's instead, up to where they return, and the caller goes on
// with one of their results, by what each path has assumed. Labels in the function are
// asked for on each of its paths, as ever.
//
// Nothing is left out: where a path of the function does anything else than return, or
// there are too many, the call is executed as all calls are.

const (
	maxWholePaths  = 64
	maxWholeInstrs = 20000
	symbolicWithin = 64 // bytes behind a pointer: where none is symbolic, a function hardly forks
)

// wholeCall is a call whose paths are run beside the caller's.
type wholeCall struct {
	base    *State
	ptr     bool // the result is as wide as an address
	exact   bool // the caller may see more of it than whether it is some constant
	depth   int  // of the frame that returns
	work    []*State
	results []wholeResult
	started int
	lost    bool
}

type wholeResult struct {
	cond     *expr.Expr
	value    Value
	deferred *deferredLabel
	instrs   uint64
	given    memory.Given
}

// inCall is the role of a path of such a function: what it has assumed.
type inCall struct {
	*wholeCall
	cond *expr.Expr
}

// wholly executes a call as one value; false where it is to be executed as all calls are.
func (ex *Engine) wholly(st *State, c *callContext) bool {
	if _, is := st.role.(path); !is || !ex.o.Merge || len(c.site.RetTypes) != 1 || c.fn.IR.Variadic {
		return false
	}
	use := st.top.fn.ResultOf(st.top.pc - 1)
	if !use.Plain || !ex.p.Whole(c.fn) || !ex.somethingSymbolic(st, c) {
		return false
	}
	k := ex.merges[c.in]
	if k == nil {
		k = &merging{}
		ex.merges[c.in] = k
	}
	if k.pause > 0 {
		k.pause--
		return false
	}
	w := &wholeCall{base: st, depth: st.top.depth + 1, started: 1, ptr: c.site.RetTypes[0].Width() == int(ex.ptr),
		exact: !use.Compared}
	ok := ex.runWhole(st, w, c) && ex.joinResults(st, w, c)
	if !ok || len(w.results) == 1 {
		k.missed()
	} else {
		k.vain, k.next = 0, 0
		ex.stats.Merged++
	}
	return ok
}

// missed notes an attempt in vain: the next ones are made less and less often.
func (k *merging) missed() {
	if k.vain++; k.vain >= mergeTries {
		k.next = min(max(2*k.next, 4), mergePauses)
		k.pause = k.next
	}
}

// somethingSymbolic reports whether an argument is symbolic, or leads to what is.
func (ex *Engine) somethingSymbolic(st *State, c *callContext) bool {
	for i := range c.count() {
		v := c.arg(i)
		if v.E != nil {
			return true
		}
		if c.width(i) != int(ex.ptr) || v.C < ex.space.CodeBase {
			continue
		}
		o := ex.find(st, v.C)
		if o == nil {
			continue
		}
		for at := v.C - o.Base; at < min(o.Size, v.C-o.Base+symbolicWithin); at++ {
			if _, cell := o.Byte(at); cell.E != nil {
				return true
			}
		}
	}
	return false
}

// runWhole runs the paths of a function up to where it returns.
func (ex *Engine) runWhole(st *State, w *wholeCall, c *callContext) bool {
	owner, kept := st.mem.Owner(), len(ex.later.labels)
	saved := ex.added
	ex.added = nil
	defer func() {
		ex.added = saved
		ex.found, ex.cached = [cacheSize]*memory.Object{}, nil
	}()
	first := ex.clone(st)
	first.role = &inCall{w, ex.b.True()}
	ex.enter(first, c.in, c.site, c.fn)
	w.work = append(w.work, first)
	var spent uint64
	for len(w.work) > 0 && !w.lost {
		st := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		for !st.done && !w.lost {
			n, broken := ex.beside(st, "in "+c.fn.Name)
			spent += n
			w.lost = w.lost || broken || spent > maxWholeInstrs || ex.ctx.Err() != nil
		}
	}
	ex.stats.Instructions += spent
	if len(ex.later.labels) == kept {
		st.mem.TakeBack(owner)
	}
	return !w.lost && len(w.results) > 0
}

// beside runs a state that is no path for a while; leaving by endPath is fine.
func (ex *Engine) beside(st *State, where string) (n uint64, broken bool) {
	defer func() {
		if e := recover(); e != nil {
			st.done = true
			if _, ok := e.(endPath); !ok {
				ex.internal(fmt.Sprintf("%s: %v", where, e))
				broken = true
			}
		}
	}()
	return ex.interpret(st, 1000), false
}

// joinResults goes on in the caller with what the function returns.
func (ex *Engine) joinResults(st *State, w *wholeCall, c *callContext) bool {
	width := c.site.RetTypes[0].Width()
	var values []Value // that differ, and when the function returns them
	conds := map[Value]*expr.Expr{}
	for _, r := range w.results {
		if r.given != w.results[0].given {
			return false // what comes later would have other addresses than in a run with values
		}
		v := ex.fits(r.value, width)
		if old := conds[v]; old != nil {
			conds[v] = ex.b.Or(old, r.cond)
			continue
		}
		values = append(values, v)
		conds[v] = r.cond
	}
	m := &merger{ex: ex, st: st}
	for _, v := range values {
		if v.E != nil && ex.neverSet(v.E) || len(values) > 1 && w.ptr && w.exact && m.isAddress(v) {
			return false
		}
	}
	v := values[0]
	for _, x := range values[1:] {
		v = fromExpr(ex.b.Ite(conds[x], ex.expr(x, width), ex.expr(v, width)))
	}
	before := st.deferred
	for _, r := range w.results {
		for d := r.deferred; d != before && d != nil; d = d.prev {
			formula := ex.b.And(r.cond, d.formula)
			st.deferred = &deferredLabel{prev: st.deferred, id: d.id, formula: formula, where: d.where}
		}
		st.instrs = max(st.instrs, r.instrs)
	}
	st.mem.Skip(w.results[0].given)
	c.set(ex, v)
	return true
}

// returned notes the result of a path of the function. What else it has changed, inputs or
// what stands for memory that was never set, forbids to go on so.
func (p *inCall) returned(ex *Engine, st *State, vals []Value) {
	st.done = true
	b := p.base
	if len(vals) != 1 || st.syms != b.syms || st.names != b.names || st.fresh != b.fresh || st.errno != b.errno ||
		st.jumps != b.jumps || st.atExit != b.atExit || st.assumed != b.assumed || st.again != b.again {
		p.wholeCall.lost = true
		return
	}
	p.results = append(p.results, wholeResult{p.cond, vals[0], st.deferred, st.instrs, st.mem.Given()})
}

func (p *inCall) stop(st *State) { st.done, p.wholeCall.lost = true, true }

func (p *inCall) failed(_ *Engine, st *State, _ programError) { p.stop(st) }

func (p *inCall) ended(_ *Engine, st *State, _ bool) { p.stop(st) }

func (p *inCall) gaveUp(_ *Engine, st *State, _ string) { p.stop(st) }

func (p *inCall) rejected(_ *Engine, st *State) { p.stop(st) }

func (p *inCall) left(_ *Engine, st *State, d int) {
	if d <= p.depth { // by a jump
		p.stop(st)
	}
}

func (p *inCall) lost(_ *Engine, st *State, _ string) { p.stop(st) }

func (p *inCall) mayFork(*Engine, *State) bool {
	p.started++
	p.wholeCall.lost = p.wholeCall.lost || p.started > maxWholePaths
	return !p.wholeCall.lost
}

func (p *inCall) forked(_ *Engine, _, child *State) {
	child.role = &inCall{p.wholeCall, p.cond}
	p.work = append(p.work, child)
}

func (p *inCall) assumed(ex *Engine, st *State, cond *expr.Expr) {
	if p.cond = ex.b.And(p.cond, cond); ex.neverSet(cond) {
		p.stop(st)
	}
}

func (p *inCall) bytes(*expr.Var) []byte { return nil }

func (p *inCall) explores() bool { return false }

func (p *inCall) wants(ex *Engine, st *State, id uint32, c *callContext) { ex.ask(st, id, c) }

func (p *inCall) label(*Engine, *State, uint32, Value) {}

// asks reports whether labels are asked for where a state meets them.
func asks(st *State) bool {
	switch st.role.(type) {
	case path, *inCall:
		return true
	}
	return false
}
