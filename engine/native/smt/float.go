package smt

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Floating-point operations in SMT-LIB. There a number has no bits, only bits
// have a number: a result is a new constant that stands for the right number.
// So all NaNs are one, and a model may choose bits that the machine would not;
// its check by evaluation finds that out.

// errNoFormat says that SMT-LIB has no such numbers.
var errNoFormat = errors.New("long double and fmod have no counterpart in SMT-LIB")

var smtFloatOps = map[expr.Op]string{expr.OpFAdd: "fp.add RNE", expr.OpFSub: "fp.sub RNE", expr.OpFMul: "fp.mul RNE",
	expr.OpFDiv: "fp.div RNE", expr.OpFMA: "fp.fma RNE", expr.OpFSqrt: "fp.sqrt RNE"}

var smtModes = [...]string{ieee.NearestEven: "RNE", ieee.NearestAway: "RNA", ieee.TowardZero: "RTZ", ieee.Up: "RTP",
	ieee.Down: "RTN"}

func smtFormat(f ieee.Format) string { return fmt.Sprintf("(_ to_fp %d %d)", f.Exp(), f.Precision()) }

// float writes what is known of the constant name, the result of e on kids.
func (w *smtWriter) float(e *expr.Expr, name string, kids []string) {
	f := e.Format()
	to := f
	if e.Op() == expr.OpFConvert {
		to = e.To()
	}
	if f.Explicit() || to.Explicit() || e.Op() == expr.OpFRem {
		w.err = errNoFormat
	}
	fmt.Fprintf(&w.out, "(declare-fun %s () (_ BitVec %d))\n", name, e.Width())
	num := make([]string, len(kids))
	for i, k := range kids {
		num[i] = fmt.Sprintf("(%s %s)", smtFormat(f), k)
	}
	var value string
	switch e.Op() {
	case expr.OpFToInt:
		w.toInt(e, name, num[0])
		return
	case expr.OpIntToF:
		value = fmt.Sprintf("(%s RNE %s)", smtFormat(f), kids[0])
		if !e.Signed() {
			value = strings.Replace(value, "to_fp", "to_fp_unsigned", 1)
		}
	case expr.OpFConvert:
		value = fmt.Sprintf("(%s RNE %s)", smtFormat(to), num[0])
	case expr.OpFRint:
		value = fmt.Sprintf("(fp.roundToIntegral %s %s)", smtModes[e.Mode()], num[0])
	default:
		value = fmt.Sprintf("(%s %s)", smtFloatOps[e.Op()], strings.Join(num, " "))
	}
	fmt.Fprintf(&w.out, "(assert (= (%s %s) %s))\n", smtFormat(to), name, value)
}

// toInt writes a conversion to an integer; out of range SMT-LIB says nothing,
// and nothing is asserted for negative numbers that become unsigned.
func (w *smtWriter) toInt(e *expr.Expr, name, num string) {
	f := e.Format()
	bits, op := e.Width(), "fp.to_ubv"
	if e.Signed() {
		bits, op = bits-1, "fp.to_sbv"
	}
	limit := fmt.Sprintf("(%s RNE %s.0)", smtFormat(f), new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	whole := fmt.Sprintf("(fp.roundToIntegral RTZ %s)", num)
	in := fmt.Sprintf("(and (fp.lt %s %s) (not (fp.isInfinite %s)) (fp.geq %s ", whole, limit, num, whole)
	if e.Signed() {
		in += fmt.Sprintf("(fp.neg %s)))", limit)
	} else {
		in += fmt.Sprintf("(%s RNE 0.0)))", smtFormat(f))
	}
	fmt.Fprintf(&w.out, "(assert (=> %s (= %s ((_ %s %d) RTZ %s))))\n", in, name, op, e.Width(), num)
	if e.Signed() {
		fmt.Fprintf(&w.out, "(assert (or %s (= %s #b1%s)))\n", in, name, strings.Repeat("0", e.Width()-1))
	}
}
