package exec

import (
	"fmt"
	"strings"

	"klabel/engine/native/code"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

// model is a function that the engine knows.
type model struct {
	run    func(*Engine, *State, *callContext)
	always bool // even if the program defines the function
	unused bool // not where the result is used and the library defines the function
}

// noModel marks a function that runs its own code. approximate ones are library
// functions whose results natively may be others.
type noModel struct{ approximate bool }

var approximate = map[string]bool{"rand": true, "random": true, "rand_r": true, "time": true, "clock": true,
	"getpid": true,
	"getenv": true, "fopen": true, "isatty": true, "setlocale": true, "strerror": true, "read": true}

// modelOf finds the model of a function, nil if it has none.
func (ex *Engine) modelOf(fn *code.Func) *model {
	switch m := fn.Native().(type) {
	case *model:
		return m
	case noModel:
		if m.approximate {
			ex.incomplete("%s may give other results natively", fn.Name)
		}
		return nil
	}
	var m *model
	if strings.HasPrefix(fn.Name, "llvm.") {
		if run := intrinsic(fn.Name); run != nil {
			m = &model{run: run, always: true}
		}
	} else if fn.IR.Defined && !fn.Library {
		// the user's own function: only what klabel itself gives a meaning
		if k, ok := models[fn.Name]; ok && k.always {
			m = &k
		}
	} else if k, ok := models[fn.Name]; ok {
		m = &k
	} else if strings.HasPrefix(fn.Name, "__VERIFIER_nondet_") {
		m = &model{run: nondet}
	} else if k := ubsanKind(fn.Name); k != nil {
		m = &model{run: k.report}
	}
	if m == nil {
		fn.SetNative(noModel{fn.Library && approximate[fn.Name]})
		return ex.modelOf(fn)
	}
	fn.SetNative(m)
	return m
}

// Knows reports whether a function has a meaning without a definition.
func Knows(name string) bool {
	_, ok := models[name]
	return ok || strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "__VERIFIER_nondet_") ||
		ubsanKind(name) != nil
}

func (ex *Engine) callModel(st *State, in *code.Inst, s *code.CallSite, fn *code.Func, m *model) {
	c := &callContext{st: st, in: in, site: s, fn: fn}
	m.run(ex, st, c)
}

var models map[string]model

func init() {
	known := func(run func(*Engine, *State, *callContext)) model { return model{run: run} }
	models = map[string]model{
		"klee_make_symbolic": known(makeSymbolic), "klee_int": known(kleeInt), "klee_range": known(kleeRange),
		"klee_choose": known(kleeChoose),
		"klee_assume": known(kleeAssume), "sc_assume": known(quietAssume), "__VERIFIER_assume": known(quietAssume),
		"klee_silent_exit":  known(func(ex *Engine, st *State, c *callContext) { ex.silentExit(st) }),
		"klee_report_error": known(reportError),
		"klee_abort":        known(abort), "abort": known(abort), "__VERIFIER_error": known(abort),
		"reach_error":       {run: abort},
		"klee_warning":      known(warning),
		"klee_warning_once": known(warning), "klee_print_expr": known(nothing), "klee_print_range": known(nothing),
		"klee_stack_trace": known(nothing), "klee_prefer_cex": known(nothing), "klee_posix_prefer_cex": known(nothing),
		"klee_mark_global": known(nothing), "klee_open_merge": known(nothing), "klee_close_merge": known(nothing),
		"klee_set_forking": known(nothing), "klee_is_symbolic": known(isSymbolic), "klee_is_replay": known(zero),
		"klee_get_errno": known(zero), "klee_get_obj_size": known(objSize),
		"klee_check_memory_access": known(checkAccess),
		"klee_get_valuef":          known(getValue), "klee_get_valued": known(getValue),
		"klee_get_valuel":  known(getValue),
		"klee_get_valuell": known(getValue), "klee_get_value_i32": known(getValue),
		"klee_get_value_i64": known(getValue),
		"__assert_fail":      known(assertFail), "__assert": known(assertFail), "klee_assert_fail": known(assertFail),
		"exit": known(exitNow), "_exit": known(exitAtOnce), "_Exit": known(exitAtOnce), "quick_exit": known(exitAtOnce),
		"atexit":     known(atExit),
		"klabel_any": known(anyCall), "klabel_sign": known(signCall), "klabel_errno_touched": known(errnoTouched),
		"klabel_gap": known(func(ex *Engine, st *State,
			c *callContext) {
			ex.lost(st, ex.text(st, c.arg(0)))
		}),
		"klabel_touches_errno": known(func(_ *Engine, st *State, _ *callContext) { touchesErrno(st) }),
		"malloc":               known(malloc), "calloc": known(calloc), "realloc": known(realloc), "free": known(free),
		"cfree":         known(free),
		"aligned_alloc": known(alignedAlloc), "memalign": known(alignedAlloc), "valloc": known(malloc),
		"memcpy":           known(func(ex *Engine, st *State, c *callContext) { copyCall(ex, st, c) }),
		"memmove":          known(func(ex *Engine, st *State, c *callContext) { copyCall(ex, st, c) }),
		"memset":           known(setCall),
		"covered":          {run: coveredCall, always: true},
		"pending":          {run: pendingCall, always: true},
		"klabel_view_copy": {run: viewCopy, always: true},
		"klabel_wants":     {run: wantsCall, always: true},
		"klabel_label":     {run: labelCall, always: true},
		"nop":              known(nothing),
	}
	addMath(models)
	for _, n := range []string{"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp"} {
		models[n] = known(setjmp)
	}
	for _, n := range []string{"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"} {
		models[n] = known(longjmp)
	}
	for _, n := range []string{"printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "putc", "fputc",
		"fflush", "perror"} {
		models[n] = model{run: andErrno(nothing), unused: true}
	}
}

func zero(ex *Engine, st *State, c *callContext) { c.set(ex, Value{}) }

func abort(ex *Engine, st *State, c *callContext) { ex.errorAt(st, "abort failure", "abort.err", "") }

func exitNow(ex *Engine, st *State, c *callContext) { ex.exit(st) }

func copyCall(ex *Engine, st *State, c *callContext) {
	c.set(ex, c.arg(0))
	ex.copyMemory(st, c.arg(0), c.arg(1), c.arg(2), c.width(2))
}

func setCall(ex *Engine, st *State, c *callContext) {
	c.set(ex, c.arg(0))
	v := c.arg(1)
	ex.setMemory(st, c.arg(0), ex.resize(v, c.width(1), 8), c.arg(2), c.width(2))
}

// text reads a C string for a message; what is symbolic in it becomes '?'.
func (ex *Engine) text(st *State, p Value) string {
	v, ok := concreteValue(p)
	if !ok {
		return "?"
	}
	o := ex.find(st, v.Lo)
	if o == nil {
		return ""
	}
	var s []byte
	for off := v.Lo - o.Base; off < o.Size && len(s) < 4096; off++ {
		b, cell := o.Byte(off)
		if cell.E != nil {
			b = '?'
		}
		if b == 0 {
			break
		}
		s = append(s, b)
	}
	return string(s)
}

func assertFail(ex *Engine, st *State, c *callContext) {
	ex.errorAt(st, "ASSERTION FAIL: "+ex.text(st, c.arg(0)), "assert.err", "")
}

func reportError(ex *Engine, st *State, c *callContext) {
	ex.errorAt(st, ex.text(st, c.arg(2)), ex.text(st, c.arg(3)), "")
}

func warning(ex *Engine, st *State, c *callContext) {
	if st.role.explores() {
		ex.warnOnce(ex.text(st, c.arg(0)))
	}
}

func isSymbolic(ex *Engine, st *State, c *callContext) {
	v := uint64(0)
	if _, ok := concreteValue(c.arg(0)); !ok {
		v = 1
	}
	c.set(ex, Value{C: v})
}

func getValue(ex *Engine, st *State, c *callContext) {
	v, ok := ex.concretise(st, c.arg(0), c.width(0), "klee_get_value")
	if ok {
		c.set(ex, ex.constant(v, c.width(0)))
	}
}

func objSize(ex *Engine, st *State, c *callContext) {
	ex.resolve(st, c.arg(0), access{}, func(st *State, o *memory.Object, off Value) {
		(&callContext{st: st, in: c.in, site: c.site, fn: c.fn}).set(ex, Value{C: o.Size})
	})
}

func checkAccess(ex *Engine, st *State, c *callContext) {
	n, ok := ex.length(st, c.arg(1), c.width(1))
	if ok {
		ex.resolve(st, c.arg(0), access{n: n}, func(*State, *memory.Object, Value) {})
	}
}

// quietAssume ends the paths that do not satisfy a condition without a word.
func quietAssume(ex *Engine, st *State, c *callContext) { ex.assumption(st, c, false) }

func kleeAssume(ex *Engine, st *State, c *callContext) { ex.assumption(st, c, true) }

func (ex *Engine) assumption(st *State, c *callContext, report bool) {
	v := c.arg(0)
	fail := func(st *State) {
		if report {
			ex.errorAt(st, "invalid klee_assume call (provably false)", "user.err", "")
		} else {
			ex.reject(st)
		}
	}
	if v.E == nil {
		if v.C == 0 {
			fail(st)
		}
		return
	}
	cond := ex.b.Ne(v.E, ex.b.Const(v.E.Width(), 0))
	r, m := ex.s.Check(ex.ctx, st.cons, cond)
	switch r {
	case solver.Sat:
		ex.assume(st, cond, m)
	case solver.Unsat:
		fail(st)
	default:
		ex.noAnswer(st)
	}
}

func malloc(ex *Engine, st *State, c *callContext) { ex.allocate(st, c, c.arg(0), c.width(0)) }

func alignedAlloc(ex *Engine, st *State, c *callContext) { ex.allocate(st, c, c.arg(1), c.width(1)) }

// maxAlloc is the largest block that malloc gives.
const maxAlloc = 1 << 31

func (ex *Engine) allocate(st *State, c *callContext, size Value, w int) {
	n, ok := ex.blockSize(st, size, w)
	if ok {
		c.set(ex, ex.newBlock(st, n))
	}
}

// blockSize makes a symbolic size concrete: by forking where few values are
// possible, else by choosing a small one.
func (ex *Engine) blockSize(st *State, size Value, w int) (uint64, bool) {
	if size.E == nil {
		return size.C, true
	}
	lo, hi, r := ex.s.Range(ex.ctx, st.cons, size.E)
	if r == solver.Sat && hi.Lo-lo.Lo <= 128 {
		return ex.length(st, size, w)
	}
	cond := ex.b.Eq(size.E, ex.b.ConstValue(w, lo))
	for _, n := range []uint64{64, 16, 256} {
		e := ex.b.Eq(size.E, ex.b.Const(w, n))
		if yes, known := ex.s.MayBeTrue(ex.ctx, st.cons, e); yes && known {
			cond = e
			break
		}
	}
	if res, m := ex.s.Check(ex.ctx, st.cons, cond); res == solver.Sat {
		ex.assume(st, cond, m)
	}
	ex.stats.Concretised++
	ex.lost(st, "the size of an allocation was made concrete")
	v, ok := ex.concretise(st, size, w, "the size of an allocation")
	return v.Lo, ok
}

func (ex *Engine) newBlock(st *State, n uint64) Value {
	if n > maxAlloc {
		ex.lost(st, "an allocation of more than 2 GiB returned NULL")
		touchesErrno(st)
		return Value{}
	}
	o := st.mem.Alloc(n, memory.Heap, "malloc")
	ex.unset(st, o)
	return Value{C: o.Base}
}

func calloc(ex *Engine, st *State, c *callContext) {
	a, ok := ex.blockSize(st, c.arg(0), c.width(0))
	if !ok {
		return
	}
	b, ok := ex.blockSize(st, c.arg(1), c.width(1))
	if !ok {
		return
	}
	if a != 0 && b > maxAlloc/a {
		ex.lost(st, "an allocation of more than 2 GiB returned NULL")
		touchesErrno(st)
		c.set(ex, Value{})
		return
	}
	p := ex.newBlock(st, a*b)
	if o := st.mem.Find(p.C); o != nil {
		o.Unset = nil
	}
	c.set(ex, p)
}

// block finds the heap block that begins at p. ok is false if the state was
// dealt with.
func (ex *Engine) block(st *State, p Value) (o *memory.Object, ok bool) {
	v, ok := ex.length(st, p, 64)
	if !ok {
		return nil, false
	}
	if v == 0 {
		return nil, true
	}
	o = ex.find(st, v)
	p = Value{C: v}
	switch {
	case o == nil || o.Base != v:
		ex.errorAt(st, "memory error: invalid pointer: free", "ptr.err", ex.addressInfo(st, p, o))
	case o.Kind == memory.Stack:
		ex.errorAt(st, "free of alloca", "free.err", ex.addressInfo(st, p, o))
	case o.Kind == memory.Global:
		ex.errorAt(st, "free of global", "free.err", ex.addressInfo(st, p, o))
	default:
		return o, true
	}
	return nil, false
}

func free(ex *Engine, st *State, c *callContext) {
	if o, ok := ex.block(st, c.arg(0)); ok && o != nil {
		st.mem.Free(o)
		ex.forget(o)
	}
}

func realloc(ex *Engine, st *State, c *callContext) {
	n, ok := ex.blockSize(st, c.arg(1), c.width(1))
	if !ok {
		return
	}
	o, ok := ex.block(st, c.arg(0))
	switch {
	case !ok:
	case o == nil:
		c.set(ex, ex.newBlock(st, n))
	case n == 0:
		st.mem.Free(o)
		ex.forget(o)
		c.set(ex, Value{})
	default:
		p := ex.newBlock(st, n)
		if p.C != 0 {
			st.mem.Find(p.C).Copy(0, o, 0, min(n, o.Size))
			st.mem.Free(o)
			ex.forget(o)
		}
		c.set(ex, p)
	}
}

// nondet is the __VERIFIER_nondet_* family: a fresh input of the result's type.
func nondet(ex *Engine, st *State, c *callContext) {
	if len(c.site.RetTypes) != 1 {
		ex.giveUp(st, "%s without a result", c.fn.Name)
		return
	}
	t := c.site.RetTypes[0]
	v := ex.fresh(st, c.fn.Name, int(t.StoreSize()))
	if t.Kind == ir.Int && t.Bits%8 != 0 || strings.HasSuffix(c.fn.Name, "bool") {
		w := int(t.StoreSize()) * 8
		low := ex.b.Ult(ex.expr(v, w), ex.b.Const(w, 2))
		if v.E == nil {
			if v.C > 1 {
				ex.reject(st)
				return
			}
		} else if r, m := ex.s.Check(ex.ctx, st.cons, low); r == solver.Sat {
			ex.assume(st, low, m)
		}
		v = ex.resize(v, w, t.Width())
	}
	c.set(ex, v)
}

// fresh makes a symbolic object that only exists as a value.
func (ex *Engine) fresh(st *State, name string, n int) Value {
	s := ex.newSymbolic(st, name, n)
	if s.bytes != nil {
		v := uint64(0)
		for i := min(n, 8) - 1; i >= 0; i-- {
			v = v<<8 | uint64(s.bytes[i])
		}
		if n > 8 {
			hi := uint64(0)
			for i := n - 1; i >= 8; i-- {
				hi = hi<<8 | uint64(s.bytes[i])
			}
			return Value{E: ex.b.Const128(8*n, v, hi)}
		}
		return Value{C: v}
	}
	return Value{E: ex.b.Read(s.v, 0, n)}
}

func kleeInt(ex *Engine, st *State, c *callContext) {
	c.set(ex, ex.fresh(st, ex.text(st, c.arg(0)), 4))
}

// kleeChoose is a number below another.
func kleeChoose(ex *Engine, st *State, c *callContext) {
	w := c.width(0)
	v := ex.fresh(st, "klee_choose", w/8)
	below := ex.b.Ult(ex.expr(v, w), c.expr(ex, 0))
	switch r, m := ex.s.Check(ex.ctx, st.cons, below); r {
	case solver.Sat:
		ex.assume(st, below, m)
		c.set(ex, v)
	case solver.Unsat:
		ex.reject(st)
	default:
		ex.noAnswer(st)
	}
}

func kleeRange(ex *Engine, st *State, c *callContext) {
	lo, hi := c.arg(0), c.arg(1)
	if lo.E == nil && hi.E == nil && signed(lo.C, 32) >= signed(hi.C, 32) {
		ex.errorAt(st, "invalid range", "user.err", "")
		return
	}
	v := ex.fresh(st, ex.text(st, c.arg(2)), 4)
	e := ex.expr(v, 32)
	in := ex.b.And(ex.b.Sle(ex.expr(lo, 32), e), ex.b.Slt(e, ex.expr(hi, 32)))
	switch r, m := ex.s.Check(ex.ctx, st.cons, in); r {
	case solver.Sat:
		ex.assume(st, in, m)
	case solver.Unsat:
		ex.reject(st)
		return
	default:
		ex.noAnswer(st)
		return
	}
	c.set(ex, v)
}

func makeSymbolic(ex *Engine, st *State, c *callContext) {
	if c.count() != 3 {
		ex.errorAt(st, "Incorrect number of arguments to klee_make_symbolic(void*, size_t, char*)", "user.err", "")
		return
	}
	name := ex.text(st, c.arg(2))
	if name == "" {
		name = "unnamed"
	}
	n, ok := ex.length(st, c.arg(1), c.width(1))
	if !ok {
		return
	}
	ex.resolve(st, c.arg(0), access{}, func(st *State, o *memory.Object, off Value) {
		if off.E == nil && n > o.Size-off.C { // a part of an object is more than KLEE allows
			ex.errorAt(st, "Wrong size given to klee_make_symbolic", "user.err", "")
			return
		}
		if o.ReadOnly {
			ex.errorAt(st, "cannot make readonly object symbolic", "user.err", "")
			return
		}
		if off.E != nil {
			ex.errorAt(st, "klee_make_symbolic at a symbolic address", "user.err", "")
			return
		}
		if ex.room(st, n*cellSize) {
			ex.makeSymbolicAt(st, o, off.C, name, int(n))
		}
	})
}

func (ex *Engine) makeSymbolicAt(st *State, o *memory.Object, off uint64, name string, n int) {
	s := ex.newSymbolic(st, name, n)
	o = ex.writable(st, o)
	if s.bytes != nil {
		o.SetBytes(off, s.bytes)
		return
	}
	for i := 0; i < n; {
		step := chunk(n)
		o.SetExpr(off+uint64(i), ex.b.Read(s.v, i, step))
		i += step
	}
}

// chunk is the number of bytes of a symbolic object that one expression holds:
// a lone scalar is read as it was written, without being put together again.
func chunk(size int) int {
	switch size {
	case 1, 2, 4, 8:
		return size
	}
	return 1
}

func (ex *Engine) newSymbolic(st *State, name string, n int) *symbolic {
	k := st.occurrence(name)
	s := &symbolic{prev: st.syms, name: name, n: n}
	id := name
	if k > 0 {
		id = fmt.Sprintf("%s#%d", name, k)
	}
	s.v = ex.b.Var(id, n)
	s.bytes = st.role.bytes(s.v)
	st.syms = s
	return s
}
