package exec

import (
	"strings"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
)

// intrinsic finds the model of an llvm.* function; nil if it has none.
func intrinsic(name string) func(*Engine, *State, *callContext) {
	base := strings.TrimPrefix(name, "llvm.")
	for _, i := range intrinsics {
		if base == i.prefix || strings.HasPrefix(base, i.prefix+".") {
			return i.run
		}
	}
	return nil
}

var intrinsics = []struct {
	prefix string
	run    func(*Engine, *State, *callContext)
}{
	{"memcpy", func(ex *Engine, st *State, c *callContext) {
		ex.copyMemory(st, c.arg(0), c.arg(1), c.arg(2), c.width(2))
	}},
	{"memmove", func(ex *Engine, st *State, c *callContext) {
		ex.copyMemory(st, c.arg(0), c.arg(1), c.arg(2), c.width(2))
	}},
	{"memset", func(ex *Engine, st *State, c *callContext) {
		ex.setMemory(st, c.arg(0), c.arg(1), c.arg(2), c.width(2))
	}},
	{"lifetime", nothing}, {"dbg", nothing}, {"assume", nothing}, {"va_end", nothing}, {"donothing", nothing},
	{"invariant", nothing}, {"prefetch", nothing}, {"experimental.noalias.scope.decl", nothing},
	{"var.annotation", nothing},
	{"readcyclecounter", clockCall}, {"readsteadycounter", clockCall}, {"x86.rdtsc", clockCall},
	{"frameaddress", unknownAddress}, {"returnaddress", unknownAddress}, {"addressofreturnaddress", unknownAddress},
	{"clear_cache", nothing}, {"fake.use", nothing}, {"allow.ubsan.check", alwaysTrue},
	{"allow.runtime.check", alwaysTrue},
	{"sideeffect", nothing}, {"pseudoprobe", nothing},
	{"get.rounding", toNearest}, {"flt.rounds", toNearest},
	{"va_start", func(ex *Engine, st *State, c *callContext) { ex.vaStart(st, c.arg(0)) }},
	{"va_copy", func(ex *Engine, st *State, c *callContext) {
		ex.copyMemory(st, c.arg(0), c.arg(1), ex.vaListSize(),
			64)
	}},
	{"stacksave", func(ex *Engine, st *State, c *callContext) { c.set(ex, Value{C: 8}) }},
	{"stackrestore", nothing},
	{"expect", func(ex *Engine, st *State, c *callContext) { c.set(ex, c.arg(0)) }},
	{"ptr.annotation", func(ex *Engine, st *State, c *callContext) { c.set(ex, c.arg(0)) }},
	{"ptrmask", func(ex *Engine, st *State, c *callContext) {
		c.set(ex, fromExpr(ex.b.And(c.expr(ex, 0), ex.b.ZExt(c.expr(ex, 1), int(ex.ptr)))))
	}},
	{"threadlocal.address", func(ex *Engine, st *State, c *callContext) { c.set(ex, c.arg(0)) }},
	{"strip.invariant.group", func(ex *Engine, st *State, c *callContext) { c.set(ex, c.arg(0)) }},
	{"launder.invariant.group", func(ex *Engine, st *State, c *callContext) { c.set(ex, c.arg(0)) }},
	{"objectsize", objectSize},
	{"is.constant", func(ex *Engine, st *State, c *callContext) { c.set(ex, Value{}) }},
	{"trap", func(ex *Engine, st *State, c *callContext) { ex.errorAt(st, "abort failure", "abort.err", "") }},
	{"debugtrap", func(ex *Engine, st *State, c *callContext) { ex.errorAt(st, "abort failure", "abort.err", "") }},
	{"ubsantrap", func(ex *Engine, st *State, c *callContext) { ex.errorAt(st, "abort failure", "abort.err", "") }},
	{"sadd.with.overflow", overflow}, {"uadd.with.overflow", overflow}, {"ssub.with.overflow", overflow},
	{"usub.with.overflow", overflow}, {"smul.with.overflow", overflow}, {"umul.with.overflow", overflow},
	{"sadd.sat", saturate}, {"uadd.sat", saturate}, {"ssub.sat", saturate}, {"usub.sat", saturate},
	{"sshl.sat", shiftSaturate}, {"ushl.sat", shiftSaturate},
	{"ctpop", bitCount}, {"ctlz", bitCount}, {"cttz", bitCount}, {"bswap", bitCount}, {"bitreverse", bitCount},
	{"abs", minMax}, {"smax", minMax}, {"smin", minMax}, {"umax", minMax}, {"umin", minMax},
	{"fshl", funnel}, {"fshr", funnel},
	{"x86.sse.movmsk", signMask}, {"x86.sse2.movmsk", signMask}, {"x86.sse2.pmovmskb", signMask},
	{"x86.avx.movmsk", signMask}, {"x86.avx2.pmovmskb", signMask},
	{"x86.sse", x86Call}, {"x86.sse2", x86Call},
	{"ucmp", threeWay}, {"scmp", threeWay},
	{"fabs", mathCall}, {"sqrt", mathCall}, {"floor", mathCall}, {"ceil", mathCall}, {"trunc", mathCall},
	{"rint", mathCall},
	{"nearbyint", mathCall}, {"round", mathCall}, {"roundeven", mathCall}, {"lround", mathCall}, {"llround", mathCall},
	{"lrint", mathCall}, {"llrint", mathCall}, {"copysign", mathCall}, {"fma", mathCall}, {"fmuladd", mathCall},
	{"minnum", mathCall}, {"maxnum", mathCall}, {"is.fpclass", isFPClass}, {"sin", mathCall}, {"cos", mathCall},
	{"exp", mathCall},
	{"exp2", mathCall}, {"log", mathCall}, {"log2", mathCall}, {"log10", mathCall}, {"pow", mathCall},
}

// clockCall is a look at the clock: natively it shows something else.
func clockCall(ex *Engine, st *State, c *callContext) {
	ex.lost(st, "the processor's clock may show other values")
	c.set(ex, Value{})
}

func unknownAddress(ex *Engine, st *State, c *callContext) {
	ex.lost(st, "an address on the stack may be another one")
	c.set(ex, Value{})
}

func alwaysTrue(ex *Engine, st *State, c *callContext) { c.set(ex, Value{C: 1}) }

// toNearest is how fractions are rounded where no library is asked to do it otherwise, as float.h has it.
func toNearest(ex *Engine, st *State, c *callContext) { c.set(ex, Value{C: 1}) }

func nothing(*Engine, *State, *callContext) {}

// kind is the intrinsic's name between "llvm." and the type.
func kind(c *callContext) string {
	k := strings.TrimPrefix(c.fn.Name, "llvm.")
	if i := strings.LastIndexByte(k, '.'); i > 0 {
		k = k[:i]
	}
	return k
}

func (c *callContext) expr(ex *Engine, i int) *expr.Expr { return ex.expr(c.arg(i), c.width(i)) }

func objectSize(ex *Engine, st *State, c *callContext) {
	v := Value{C: ^uint64(0)}
	if m := c.arg(1); m.E == nil && m.C != 0 {
		v.C = 0
	}
	if w := int(c.site.RetTypes[0].Width()); w < 64 {
		v.C &= 1<<w - 1
	}
	c.set(ex, v)
}

// wide computes the exact result of an arithmetic operation and whether it fits.
func wide(ex *Engine, op string, x, y *expr.Expr) (low *expr.Expr, over *expr.Expr) {
	b, w := ex.b, x.Width()
	sign := op[0] == 's'
	ext := func(e *expr.Expr, to int) *expr.Expr {
		if sign {
			return b.SExt(e, to)
		}
		return b.ZExt(e, to)
	}
	switch op[1:4] {
	case "add", "sub":
		low = b.Add(x, y)
		if op[1:4] == "sub" {
			low = b.Sub(x, y)
		}
		if w < 128 {
			full := b.Add(ext(x, w+1), ext(y, w+1))
			if op[1:4] == "sub" {
				full = b.Sub(ext(x, w+1), ext(y, w+1))
			}
			if sign {
				return low, b.Ne(full, b.SExt(low, w+1))
			}
			return low, b.Extract(full, w, 1)
		}
		zero := b.Const(w, 0)
		sx, sy, sl := b.Slt(x, zero), b.Slt(y, zero), b.Slt(low, zero)
		switch op[:4] {
		case "uadd":
			return low, b.Ult(low, x)
		case "usub":
			return low, b.Ult(x, y)
		case "sadd":
			return low, b.And(b.Eq(sx, sy), b.Ne(sx, sl))
		}
		return low, b.And(b.Ne(sx, sy), b.Ne(sx, sl))
	}
	low = b.Mul(x, y)
	if 2*w <= 128 {
		return low, b.Ne(b.Mul(ext(x, 2*w), ext(y, 2*w)), ext(low, 2*w))
	}
	// x*y overflows if x != 0 and (x*y)/x != y, or for MIN * -1.
	zero := b.Const(w, 0)
	if !sign {
		return low, b.And(b.Ne(x, zero), b.Ne(b.UDiv(low, x), y))
	}
	min := b.Shl(b.Const(w, 1), b.Const(w, uint64(w-1)))
	special := b.And(b.Eq(x, b.ConstSigned(w, -1)), b.Eq(y, min))
	return low, b.Or(special, b.And(b.Ne(x, zero), b.Ne(b.SDiv(low, x), y)))
}

func overflow(ex *Engine, st *State, c *callContext) {
	low, over := wide(ex, kind(c), c.expr(ex, 0), c.expr(ex, 1))
	c.setAt(0, fromExpr(low))
	c.setAt(1, fromExpr(over))
}

func saturate(ex *Engine, st *State, c *callContext) {
	b, k := ex.b, kind(c)
	x, y := c.expr(ex, 0), c.expr(ex, 1)
	w := x.Width()
	low, over := wide(ex, k, x, y)
	var limit *expr.Expr
	switch k[:4] {
	case "uadd":
		limit = b.ConstSigned(w, -1)
	case "usub":
		limit = b.Const(w, 0)
	default:
		min := b.Shl(b.Const(w, 1), b.Const(w, uint64(w-1)))
		limit = b.Ite(b.Slt(x, b.Const(w, 0)), min, b.Not(min))
	}
	c.set(ex, fromExpr(b.Ite(over, limit, low)))
}

func bitCount(ex *Engine, st *State, c *callContext) {
	b, x := ex.b, c.expr(ex, 0)
	w := x.Width()
	var r *expr.Expr
	switch kind(c) {
	case "ctpop":
		r = b.Const(w, 0)
		for i := 0; i < w; i++ {
			r = b.Add(r, b.ZExt(b.Extract(x, i, 1), w))
		}
	case "ctlz":
		r = b.Const(w, uint64(w))
		for i := 0; i < w; i++ {
			r = b.Ite(b.Extract(x, i, 1), b.Const(w, uint64(w-1-i)), r)
		}
	case "cttz":
		r = b.Const(w, uint64(w))
		for i := w - 1; i >= 0; i-- {
			r = b.Ite(b.Extract(x, i, 1), b.Const(w, uint64(i)), r)
		}
	case "bswap":
		r = b.Extract(x, 0, 8)
		for i := 8; i < w; i += 8 {
			r = b.Concat(r, b.Extract(x, i, 8))
		}
	default:
		r = b.Extract(x, 0, 1)
		for i := 1; i < w; i++ {
			r = b.Concat(r, b.Extract(x, i, 1))
		}
	}
	c.set(ex, fromExpr(r))
}

func minMax(ex *Engine, st *State, c *callContext) {
	b, x := ex.b, c.expr(ex, 0)
	if kind(c) == "abs" {
		c.set(ex, fromExpr(b.Ite(b.Slt(x, b.Const(x.Width(), 0)), b.Neg(x), x)))
		return
	}
	y := c.expr(ex, 1)
	var first *expr.Expr
	switch kind(c) {
	case "smax":
		first = b.Sgt(x, y)
	case "smin":
		first = b.Slt(x, y)
	case "umax":
		first = b.Ugt(x, y)
	default:
		first = b.Ult(x, y)
	}
	c.set(ex, fromExpr(b.Ite(first, x, y)))
}

func funnel(ex *Engine, st *State, c *callContext) {
	b := ex.b
	x, y, z := c.expr(ex, 0), c.expr(ex, 1), c.expr(ex, 2)
	w := x.Width()
	n := b.URem(z, b.Const(w, uint64(w)))
	back := b.Sub(b.Const(w, uint64(w)), n)
	var r *expr.Expr // a shift by w gives 0 in the builder, as wanted for n == 0
	if kind(c) == "fshl" {
		r = b.Or(b.Shl(x, n), b.LShr(y, back))
	} else {
		r = b.Or(b.Shl(x, back), b.LShr(y, n))
	}
	c.set(ex, fromExpr(r))
}

// shiftSaturate gives the nearest value when bits that matter are shifted out.
func shiftSaturate(ex *Engine, st *State, c *callContext) {
	b, x, n := ex.b, c.expr(ex, 0), c.expr(ex, 1)
	w := x.Width()
	r := b.Shl(x, n)
	limit, back := b.ConstSigned(w, -1), b.LShr(r, n)
	if strings.HasPrefix(c.fn.Name, "llvm.sshl") {
		lowest := b.Shl(b.Const(w, 1), b.Const(w, uint64(w-1)))
		limit, back = b.Ite(b.Slt(x, b.Const(w, 0)), lowest, b.Sub(lowest, b.Const(w, 1))), b.AShr(r, n)
	}
	c.set(ex, fromExpr(b.Ite(b.Eq(back, x), r, limit)))
}

func threeWay(ex *Engine, st *State, c *callContext) {
	b, x, y := ex.b, c.expr(ex, 0), c.expr(ex, 1)
	w := c.site.RetTypes[0].Width()
	less := b.Ult(x, y)
	if strings.HasPrefix(c.fn.Name, "llvm.scmp") {
		less = b.Slt(x, y)
	}
	c.set(ex, fromExpr(b.Ite(less, b.ConstSigned(w, -1), b.Ite(b.Eq(x, y), b.Const(w, 0), b.Const(w, 1)))))
}

// callContext is a call to a model.
type callContext struct {
	st   *State
	in   *code.Inst
	site *code.CallSite
	fn   *code.Func
}

func (c *callContext) count() int { return len(c.site.Regs) }

func (c *callContext) arg(i int) Value {
	if i >= len(c.site.Regs) {
		return Value{}
	}
	return c.st.top.val(c.site.Regs[i])
}

func (c *callContext) width(i int) int {
	if i >= len(c.site.Widths) {
		return 64
	}
	return int(c.site.Widths[i])
}

// set stores the result in the state that made the call.
func (c *callContext) set(ex *Engine, v Value) {
	if c.in.Dst < 0 || len(c.site.RetTypes) == 0 {
		return
	}
	c.setAt(0, ex.fits(v, c.site.RetTypes[0].Width()))
}

func (c *callContext) setAt(i int, v Value) {
	if c.in.Dst >= 0 && i < len(c.site.RetTypes) {
		c.st.own().regs[c.in.Dst+int32(i)] = v
	}
}
