package exec

import (
	"strings"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Instructions of SSE and SSE2 on vectors for which clang has no operation of
// LLVM's own. The others of emmintrin.h are plain operations on elements.

// lanes are the elements of one argument of a call.
func (c *callContext) lanes(ex *Engine, i int) []*expr.Expr {
	if i >= len(c.site.Args) {
		return nil
	}
	a := c.site.Args[i]
	var out []*expr.Expr
	for k, reg := range a.Regs {
		out = append(out, ex.expr(c.st.top.val(reg), a.Leaf.Types[k].Width()))
	}
	return out
}

// x86Call runs llvm.x86.sse.NAME and llvm.x86.sse2.NAME. Most take two vectors.
func x86Call(ex *Engine, st *State, c *callContext) {
	name := strings.TrimPrefix(strings.TrimPrefix(c.fn.Name, "llvm.x86.sse."), "llvm.x86.sse2.")
	x, y := c.lanes(ex, 0), c.lanes(ex, 1)
	name, kind, _ := strings.Cut(name, ".")
	var out []*expr.Expr
	switch {
	case strings.HasPrefix(name, "psll"), strings.HasPrefix(name, "psrl"), strings.HasPrefix(name, "psra"):
		out = shiftLanes(ex.b, name, x, y)
	case strings.HasPrefix(name, "pack"):
		out = packLanes(ex.b, name, append(x, y...))
	case name == "max" || name == "min":
		out = extremes(ex.b, name, kind, x, y)
	case name == "cmp":
		out = compareLanes(ex.b, kind, x, y, c.lanes(ex, 2))
	case strings.HasPrefix(name, "comi"), strings.HasPrefix(name, "ucomi"):
		out = compareFirst(ex.b, strings.TrimPrefix(name, "u")[4:], x[0], y[0])
	case strings.HasPrefix(name, "cvt"):
		out = convertLanes(ex.b, name, x, len(c.site.RetTypes))
	default:
		out = multiplyLanes(ex.b, name, x, y)
	}
	if len(out) == 0 {
		ex.unsupported(st, c.fn.Name)
		return
	}
	for i, e := range out {
		c.setAt(i, fromExpr(e))
	}
}

// shiftLanes shifts every element by one count: a number (pslli), or the lower
// half of a vector. Too many places leave nothing, or the sign.
func shiftLanes(b *expr.Builder, name string, x, count []*expr.Expr) (out []*expr.Expr) {
	n := b.ZExt(count[0], 64)
	for i := 1; i < len(count) && n.Width() == 64 && i*count[0].Width() < 64; i++ {
		w := count[0].Width()
		n = b.Or(n, b.Shl(b.ZExt(count[i], 64), b.Const(64, uint64(i*w))))
	}
	w := x[0].Width()
	most := b.Const(64, uint64(w))
	if strings.HasPrefix(name, "psra") {
		most = b.Const(64, uint64(w-1))
	}
	by := b.Extract(b.Ite(b.Ult(n, most), n, most), 0, w)
	for _, e := range x {
		switch name[:4] {
		case "psll":
			out = append(out, b.Shl(e, by))
		case "psrl":
			out = append(out, b.LShr(e, by))
		default:
			out = append(out, b.AShr(e, by))
		}
	}
	return out
}

// packLanes halves the elements; what does not fit becomes the nearest that does.
func packLanes(b *expr.Builder, name string, x []*expr.Expr) (out []*expr.Expr) {
	w := x[0].Width()
	low, high := -(int64(1) << (w/2 - 1)), int64(1)<<(w/2-1)-1
	if strings.HasPrefix(name, "packus") {
		low, high = 0, int64(1)<<(w/2)-1
	}
	least, most := b.ConstSigned(w, low), b.ConstSigned(w, high)
	for _, e := range x {
		e = b.Ite(b.Slt(e, least), least, b.Ite(b.Sgt(e, most), most, e))
		out = append(out, b.Extract(e, 0, w/2))
	}
	return out
}

func formatOf(x *expr.Expr) ieee.Format {
	f, _ := ieee.OfWidth(x.Width())
	return f
}

// extremes are the larger or smaller elements: the second one where they are
// equal or one is no number. Of "ss" and "sd" only the first counts.
func extremes(b *expr.Builder, name, kind string, x, y []*expr.Expr) (out []*expr.Expr) {
	f := formatOf(x[0])
	for i := range x {
		less := b.FLess(f, x[i], y[i])
		if name == "max" {
			less = b.FLess(f, y[i], x[i])
		}
		e := b.Ite(less, x[i], y[i])
		if i > 0 && strings.HasPrefix(kind, "s") {
			e = x[i]
		}
		out = append(out, e)
	}
	return out
}

// comparison is one of the eight of cmpps.
func comparison(b *expr.Builder, k uint64, x, y *expr.Expr) *expr.Expr {
	f := formatOf(x)
	var r *expr.Expr
	switch k & 3 {
	case 0:
		r = b.FEqual(f, x, y)
	case 1:
		r = b.FLess(f, x, y)
	case 2:
		r = b.FLessEq(f, x, y)
	default:
		r = b.Or(b.FIsNaN(f, x), b.FIsNaN(f, y))
	}
	if k&4 != 0 {
		r = b.Not(r)
	}
	return r
}

func compareLanes(b *expr.Builder, kind string, x, y, how []*expr.Expr) (out []*expr.Expr) {
	if len(how) != 1 || !how[0].IsConst() || how[0].Value().Lo > 7 {
		return nil
	}
	for i := range x {
		e := x[i]
		if i == 0 || !strings.HasPrefix(kind, "s") {
			e = b.SExt(comparison(b, how[0].Value().Lo, x[i], y[i]), e.Width())
		}
		out = append(out, e)
	}
	return out
}

// compareFirst is comiss: only "neq" holds where one is no number.
func compareFirst(b *expr.Builder, how string, x, y *expr.Expr) []*expr.Expr {
	var r *expr.Expr
	switch how {
	case "eq":
		r = comparison(b, 0, x, y)
	case "lt":
		r = comparison(b, 1, x, y)
	case "le":
		r = comparison(b, 2, x, y)
	case "gt":
		r = comparison(b, 1, y, x)
	case "ge":
		r = comparison(b, 2, y, x)
	case "neq":
		r = comparison(b, 4, x, y)
	default:
		return nil
	}
	return []*expr.Expr{b.ZExt(r, 32)}
}

// convertLanes makes integers of numbers: rounded, or cut off in cvtt. What does
// not fit becomes the least integer.
func convertLanes(b *expr.Builder, name string, x []*expr.Expr, n int) (out []*expr.Expr) {
	w := 32
	if strings.HasSuffix(name, "64") {
		w = 64
	}
	if !strings.Contains(name, "2si") && !strings.HasSuffix(name, "2dq") {
		return nil
	}
	for i := range n {
		if i >= len(x) { // of two, four are made
			out = append(out, b.Const(w, 0))
			continue
		}
		f, e := formatOf(x[i]), x[i]
		if !strings.HasPrefix(name, "cvtt") {
			e = b.FRint(f, ieee.NearestEven, e)
		}
		out = append(out, b.FToInt(f, e, w, true))
	}
	return out
}

// multiplyLanes are pmulh, pmulhu, pmadd, psad, and pavg of older clangs.
func multiplyLanes(b *expr.Builder, name string, x, y []*expr.Expr) (out []*expr.Expr) {
	switch name {
	case "pmulh", "pmulhu":
		ext := b.SExt
		if name == "pmulhu" {
			ext = b.ZExt
		}
		for i := range x {
			out = append(out, b.Extract(b.Mul(ext(x[i], 32), ext(y[i], 32)), 16, 16))
		}
	case "pavg":
		w := x[0].Width()
		for i := range x {
			sum := b.Add(b.ZExt(x[i], w+1), b.ZExt(y[i], w+1))
			out = append(out, b.Extract(b.Add(sum, b.Const(w+1, 1)), 1, w))
		}
	case "pmadd":
		for i := 0; i < len(x); i += 2 {
			out = append(out, b.Add(b.Mul(b.SExt(x[i], 32), b.SExt(y[i], 32)),
				b.Mul(b.SExt(x[i+1], 32), b.SExt(y[i+1], 32))))
		}
	case "psad":
		for i := 0; i < len(x); i += 8 {
			sum := b.Const(64, 0)
			for k := i; k < i+8; k++ {
				d := b.Ite(b.Ult(x[k], y[k]), b.Sub(y[k], x[k]), b.Sub(x[k], y[k]))
				sum = b.Add(sum, b.ZExt(d, 64))
			}
			out = append(out, sum)
		}
	}
	return out
}
