package exec

import (
	"strings"

	"klabel/engine/native/code"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

// model is a function that the engine knows.
type model struct {
	run    func(*Engine, *State, *callContext)
	always bool // even if the program defines the function
	prints bool // what goes to the world is dropped, where nobody looks at the result
	stream int  // the argument that says where to, -1 for stdout
	format int  // so many arguments has it up to its format, 0: it takes none
}

// noModel marks a function that runs its own code. approximate ones are library
// functions whose results natively may be others.
type noModel struct {
	approximate bool
	summary     summary // what to try first, nil: nothing
}

var approximate = map[string]bool{"rand": true, "random": true, "rand_r": true, "time": true, "clock": true,
	"getpid": true,
	"fopen":  true, "open": true, "open64": true, "isatty": true, "setlocale": true, "strerror": true}

// modelOf finds the model of a function, nil if it has none.
func (ex *Engine) modelOf(fn *code.Func) *model {
	m, differs := modelFor(fn)
	if differs {
		ex.incomplete("%s may give other results natively", fn.Name)
	}
	return m
}

// modelFor is modelOf without a word; differs says that the library's code for it
// is not what runs natively.
func modelFor(fn *code.Func) (m *model, differs bool) {
	switch m := fn.Native().(type) {
	case *model:
		return m, false
	case noModel:
		return nil, m.approximate
	}
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
	} else if strings.HasPrefix(fn.Name, "__VERIFIER_nondet_") && fn.Name != "__VERIFIER_nondet_memory" {
		m = &model{run: nondet}
	} else if k := ubsanKind(fn.Name); k != nil {
		m = &model{run: k.report}
	}
	if m == nil {
		var none noModel
		if fn.Library {
			none = noModel{approximate[fn.Name], summaries[fn.Name]}
		}
		fn.SetNative(none)
		return modelFor(fn)
	}
	fn.SetNative(m)
	return m, false
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
		"klabel_gap_if":        known(gapIf),
		"klabel_compares":      known(compares),
		"klabel_starved":       known(starved),
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
		"klabel_main_end":  {run: mainEnd, always: true},
		"nop":              known(nothing),
	}
	addMath(models)
	for _, n := range []string{"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp"} {
		models[n] = known(setjmp)
	}
	for _, n := range []string{"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"} {
		models[n] = known(longjmp)
	}
	for at, names := range map[int][]string{
		-1: {"printf", "vprintf", "puts", "putchar", "__printf_chk", "__vprintf_chk", "perror"},
		0:  {"fprintf", "vfprintf", "__fprintf_chk", "__vfprintf_chk", "fflush"},
		1:  {"fputs", "putc", "fputc"},
	} {
		for _, n := range names {
			format := 0
			if strings.Contains(n, "printf") {
				format = at + 2
			}
			if strings.HasSuffix(n, "_chk") {
				format++
			}
			models[n] = model{run: andErrno(nothing), prints: true, stream: at, format: format}
		}
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

// gapIf is klabel_gap where its condition may hold; the path does not fork for it.
func gapIf(ex *Engine, st *State, c *callContext) {
	if v := c.arg(0); v.E != nil {
		if r, _ := ex.s.Check(ex.ctx, st.cons, ex.b.Ne(v.E, ex.b.Const(v.E.Width(), 0))); r == solver.Unsat {
			return
		}
	} else if v.C == 0 {
		return
	}
	ex.lost(st, ex.text(st, c.arg(1)))
}

// compares is klabel_compares: what a comparison is asked, how often and in which order,
// is the library's affair, and replays ask more (AddressSanitizer has qsort ask for all
// neighbours first). So what stands in it is open; where it leaves something, all is.
func compares(ex *Engine, st *State, c *callContext) {
	v := c.arg(0)
	if v.E != nil {
		ex.lost(st, otherComparisons)
	} else if fn := ex.p.FuncAt(v.C); fn != nil && ex.p.Effects(fn) {
		ex.lost(st, otherComparisons)
	} else if fn != nil && st.role.explores() {
		ex.whys[otherComparisons] = true
		ex.startMissed()
		ex.leadsTo(fn, 0)
	}
}

const otherComparisons = "other comparisons of the same elements were not tried"

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
