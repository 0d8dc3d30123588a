package annotate

import (
	"fmt"
	"math"

	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
)

// Mutants are computed so that they never fail: in unsigned arithmetic where
// the signed operator could overflow, and behind a guard where no value exists
// (division by zero, a shift by too much). A mutant that the guard excludes is
// not asked for.

// apply is `l op r` in C for (mutated) operands of b. guard is the condition
// under which it has a value, "" if always. own says that r is the program's
// own operand: then a constant needs no guard.
func (b *binaryOp) apply(op, l, r string, own bool) (text, guard string) {
	t := b.t
	harmless := own && b.harmless
	if t.Float {
		if op == "/" && !harmless {
			guard = r + " != 0"
		}
		return l + " " + op + " " + r, guard
	}
	switch op {
	case "+", "-", "*":
		return fmt.Sprintf("(%s)((%s)%s %s (%s)%s)", t.C, t.U, l, op, t.U, r), ""
	case "/", "%":
		text = fmt.Sprintf("(%s)%s %s (%s)%s", t.C, l, op, t.C, r)
		if harmless {
			return text, ""
		}
		guard = r + " != 0"
		if t.Signed && (b.rt.Signed || !own) {
			special := "0"
			if op == "/" {
				special = fmt.Sprintf("(%s)(0 - (%s)%s)", t.C, t.U, l)
			}
			text = fmt.Sprintf("(%s == -1 ? %s : %s)", r, special, text)
		}
		return text, guard
	case "<<", ">>":
		p := b.lt.Promote()
		guard = fmt.Sprintf("(unsigned long long)%s < %d", r, p.Bits)
		if op == "<<" {
			return fmt.Sprintf("(%s)((%s)%s << %s)", p.C, p.U, l, r), guard
		}
		return fmt.Sprintf("(%s)%s >> %s", p.C, l, r), guard
	case "&", "|", "^":
		return fmt.Sprintf("(%s)%s %s (%s)%s", t.C, l, op, t.C, r), ""
	}
	return l + " " + op + " " + r, ""
}

// differ is the predicate that original and mutant have different values.
func differ(original, mutant, guard string) string {
	p := "(" + original + ") != (" + mutant + ")"
	if guard != "" {
		p = guard + " && " + p
	}
	return p
}

// binaryOp is an arithmetic, bitwise or shift operation, written as an operator
// or as a compound assignment.
type binaryOp struct {
	e      *ctree.Expr
	op     string
	lt, rt ctree.Num
	t      ctree.Num // common type; of a shift, the promoted left operand's
	// harmless: the right side is a constant that divides without a fault.
	harmless bool
	// store turns a value into what a compound assignment stores of it.
	store func(string) string
}

// binary describes e, or reports false if mutation leaves it alone: pointers
// and constants.
func binary(e *ctree.Expr) (b binaryOp, ok bool) {
	if e.Const || len(e.Kids) != 2 {
		return b, false
	}
	b = binaryOp{e: e, op: e.Op}
	switch e.Kind {
	case ctree.Binary, ctree.Compare:
	case ctree.Assign:
		if e.Op == "=" {
			return b, false
		}
		b.op = e.Op[:len(e.Op)-1]
	default:
		return b, false
	}
	var ok1, ok2 bool
	b.lt, ok1 = e.Kids[0].Num()
	b.rt, ok2 = e.Kids[1].Num()
	if !ok1 || !ok2 {
		return b, false
	}
	b.t = ctree.Common(b.lt, b.rt)
	if v, known := constTruth(e.Kids[1]); known && v {
		i, isInt := e.Kids[1].Node.Value().(cc.Int64Value)
		b.harmless = !isInt || i != -1
	}
	if b.op == "<<" || b.op == ">>" {
		b.t = b.lt.Promote()
	}
	return b, true
}

// place is the site of the operation and the texts of its operands.
func (b *binaryOp) place(f *function) (*site, string, string) {
	s, l, r := f.operands(b.e)
	if s != nil && b.e.Kind == ctree.Assign {
		b.store = func(v string) string { return converted(f, b.e.Kids[0], "("+v+")", b.t.Float) }
	}
	return s, l, r
}

// within adds to a guard that a floating mutant has a value of the integer type
// that a compound assignment stores it in.
func (b *binaryOp) within(mutant, guard string) string {
	if b.store == nil || !b.t.Float || b.lt.Float || b.lt.Bool {
		return guard
	}
	low, bits := "-1.0", b.lt.Bits
	if b.lt.Signed {
		bits--
		low = fmt.Sprintf("%.1f", -math.Ldexp(1, bits)-1)
	}
	fits := fmt.Sprintf("(%s) > %s && (%s) < %.1f", mutant, low, mutant, math.Ldexp(1, bits))
	if guard != "" {
		return guard + " && " + fits
	}
	return fits
}

func paren(s string) string {
	if s != "" && s[0] == '(' {
		return s
	}
	return "(" + s + ")"
}

// original and mutant are the values to compare; of a compound assignment,
// those that it would store.
func (b *binaryOp) original(l, r string) string { return b.stored(l + " " + b.op + " " + r) }

func (b *binaryOp) stored(v string) string {
	if b.store == nil {
		return v
	}
	return b.store(v)
}
