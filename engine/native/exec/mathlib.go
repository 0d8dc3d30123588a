package exec

import (
	"math"
	"strings"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Functions of math.h, and the intrinsics that clang makes of them. Those with
// exact results are expressions; the others are sampled: their arguments are
// made concrete, and the exploration is incomplete, also because another C
// library may give another last digit.

// exactMath computes a function on operands of one format.
type exactMath func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr

func rounding(m ieee.Mode) exactMath {
	return func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FRint(f, m, x[0]) }
}

// roundTo is a function that rounds and returns a long.
func roundTo(m ieee.Mode) exactMath {
	return func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr {
		return b.FToInt(f, b.FRint(f, m, x[0]), 64, true)
	}
}

// classOf is a function that returns an int: whether x is in some classes.
func classOf(classes uint64) exactMath {
	return func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr {
		return b.ZExt(b.FClass(f, x[0], classes), 32)
	}
}

// Bits of FClass.
const (
	classNaN      = 0x003
	classInf      = 0x204
	classZero     = 0x060
	classDenormal = 0x090
	classNormal   = 0x108
)

var exactFunctions = map[string]exactMath{
	"sqrt":  func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FSqrt(f, x[0]) },
	"fabs":  func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FAbs(f, x[0]) },
	"floor": rounding(ieee.Down), "ceil": rounding(ieee.Up), "trunc": rounding(ieee.TowardZero),
	"round": rounding(ieee.NearestAway),
	"rint":  rounding(ieee.NearestEven), "nearbyint": rounding(ieee.NearestEven),
	"roundeven": rounding(ieee.NearestEven),
	"lround":    roundTo(ieee.NearestAway), "llround": roundTo(ieee.NearestAway),
	"lrint": roundTo(ieee.NearestEven), "llrint": roundTo(ieee.NearestEven),
	"copysign": func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FCopySign(f, x[0], x[1]) },
	"fmod":     func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FRem(f, x[0], x[1]) },
	"fmin":     func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FMin(f, x[0], x[1]) },
	"fmax":     func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FMax(f, x[0], x[1]) },
	"fdim": func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr {
		zero := b.ConstValue(f.Width(), expr.Value(f.Zero(false)))
		return b.Ite(b.FLessEq(f, x[0], x[1]), zero, b.FSub(f, x[0], x[1]))
	},
	"fma": func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { return b.FMA(f, x[0], x[1], x[2]) },
	"fmuladd": func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr { // x86-64 without FMA rounds twice
		return b.FAdd(f, b.FMul(f, x[0], x[1]), x[2])
	},
	"__isnan": classOf(classNaN), "isnan": classOf(classNaN),
	"__isinf": isInf, "isinf": isInf,
	"__finite": classOf(classZero | classDenormal | classNormal),
	"finite":   classOf(classZero | classDenormal | classNormal),
	"__signbit": func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr {
		return b.ZExt(b.Extract(x[0], f.Width()-1, 1), 32)
	},
	"__fpclassify": func(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr {
		r := b.Const(32, 4) // FP_NORMAL
		for i, class := range []uint64{classNaN, classInf, classZero, classDenormal} {
			r = b.Ite(b.FClass(f, x[0], class), b.Const(32, uint64(i)), r)
		}
		return r
	},
}

func isInf(b *expr.Builder, f ieee.Format, x []*expr.Expr) *expr.Expr {
	sign := b.Ite(b.Extract(x[0], f.Width()-1, 1), b.ConstSigned(32, -1), b.Const(32, 1))
	return b.Ite(b.FClass(f, x[0], classInf), sign, b.Const(32, 0))
}

// mathErrno are those that have an error to tell.
var mathErrno = map[string]bool{"sqrt": true, "fmod": true, "fdim": true, "lround": true, "llround": true,
	"lrint": true, "llrint": true}

// sampledFunctions are those whose results depend on the library.
var sampledFunctions = map[string]func(x, y float64) float64{
	"sin": one(math.Sin), "cos": one(math.Cos), "tan": one(math.Tan), "asin": one(math.Asin), "acos": one(math.Acos),
	"atan": one(math.Atan), "sinh": one(math.Sinh), "cosh": one(math.Cosh), "tanh": one(math.Tanh),
	"asinh": one(math.Asinh),
	"acosh": one(math.Acosh), "atanh": one(math.Atanh), "exp": one(math.Exp), "exp2": one(math.Exp2),
	"expm1": one(math.Expm1),
	"log":   one(math.Log), "log2": one(math.Log2), "log10": one(math.Log10), "log1p": one(math.Log1p),
	"cbrt":   one(math.Cbrt),
	"lgamma": one(func(x float64) float64 { r, _ := math.Lgamma(x); return r }),
	"exp10":  one(func(x float64) float64 { return math.Pow(10, x) }),
	"j0":     one(math.J0), "j1": one(math.J1), "y0": one(math.Y0), "y1": one(math.Y1),
	"erf": one(math.Erf), "erfc": one(math.Erfc), "tgamma": one(math.Gamma),
	"atan2": math.Atan2, "pow": math.Pow, "hypot": math.Hypot, "remainder": math.Remainder,
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

// mathName returns the function's name as the tables above have it: without
// the suffix for float or long double, and for intrinsics without the type.
func mathName(name string) string {
	if strings.HasPrefix(name, "llvm.") {
		name, _, _ = strings.Cut(name[len("llvm."):], ".")
		switch name {
		case "minnum":
			return "fmin"
		case "maxnum":
			return "fmax"
		}
		return name
	}
	for _, suffix := range []string{"", "f", "l"} {
		if base, ok := strings.CutSuffix(name, suffix); ok &&
			(exactFunctions[base] != nil || sampledFunctions[base] != nil) {
			return base
		}
	}
	return name
}

// mathCall runs a function of math.h.
func mathCall(ex *Engine, st *State, c *callContext) {
	name := mathName(c.fn.Name)
	f, ok := ieee.OfWidth(c.width(0))
	if mathErrno[name] || sampledFunctions[name] != nil {
		touchesErrno(st) // whether it does depends on the argument
	}
	if sample := sampledFunctions[name]; ok && sample != nil {
		ex.sampled(st, c, name, f, sample)
		return
	}
	run := exactFunctions[name]
	if !ok || run == nil {
		ex.unsupported(st, name+" on this type")
		return
	}
	var x []*expr.Expr
	for i := 0; i < c.count(); i++ {
		x = append(x, c.expr(ex, i))
	}
	c.set(ex, fromExpr(run(ex.b, f, x)))
}

func (ex *Engine) sampled(st *State, c *callContext, name string, f ieee.Format, compute func(x, y float64) float64) {
	var v [2]float64
	for i := 0; i < c.count() && i < 2; i++ {
		x, ok := ex.concretise(st, c.arg(i), c.width(i), "the argument of "+name)
		if !ok {
			return
		}
		v[i] = math.Float64frombits(f.Convert(ieee.Bits(x), ieee.Double).Lo)
	}
	ex.lost(st, name+" is computed by samples")
	r := ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(compute(v[0], v[1]))}, f)
	c.set(ex, ex.constant(expr.Value(r), f.Width()))
}

// isFPClass is llvm.is.fpclass: its second argument is a constant.
func isFPClass(ex *Engine, st *State, c *callContext) {
	f, ok := ieee.OfWidth(c.width(0))
	classes, known := concreteValue(c.arg(1))
	if !ok || !known {
		ex.unsupported(st, "llvm.is.fpclass on this type")
		return
	}
	c.set(ex, fromExpr(ex.b.FClass(f, c.expr(ex, 0), classes.Lo)))
}

// setRounding is fesetround: only rounding to nearest is known.
func setRounding(ex *Engine, st *State, c *callContext) {
	if v, ok := concreteValue(c.arg(0)); !ok || v.Lo != 0 {
		ex.lost(st, "a rounding direction other than to nearest")
	}
	c.set(ex, Value{})
}

// testExceptions is fetestexcept: flags are not kept.
func testExceptions(ex *Engine, st *State, c *callContext) {
	ex.lost(st, "floating-point exception flags are not kept")
	c.set(ex, Value{})
}

// addMath puts the functions of math.h among the models.
func addMath(models map[string]model) {
	add := func(base string) {
		for _, suffix := range []string{"", "f", "l"} {
			models[base+suffix] = model{run: mathCall}
		}
	}
	for n := range exactFunctions {
		if n != "fmuladd" {
			add(n)
		}
	}
	for n := range sampledFunctions {
		add(n)
	}
	models["fesetround"] = model{run: setRounding}
	models["fegetround"] = model{run: zero}
	models["feclearexcept"] = model{run: zero}
	models["fetestexcept"] = model{run: testExceptions}
}
