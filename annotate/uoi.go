package annotate

import (
	"fmt"

	"klabel/annotate/ctree"
)

// unaryInsertion: WM UOI, an operand gets a unary operator: -a, ~a, !a, a+1,
// a-1.
type unaryInsertion struct{}

func (unaryInsertion) mark(f *function, tag string) {
	for _, e := range f.exprs {
		b, ok := binary(e)
		if !ok {
			continue
		}
		s, l, r := b.place(f)
		if s == nil {
			continue
		}
		if !e.Kids[0].Const {
			for _, m := range unaryMutants(l, b.lt) {
				text, guard := b.apply(b.op, m, r, true)
				if b.op == "/" || b.op == "%" || b.op == "<<" || b.op == ">>" {
					guard = "" // the right side is the program's own
				}
				s.add(differ(b.original(l, r), b.stored(text), b.within(text, guard)), tag)
			}
		}
		if !e.Kids[1].Const {
			for _, m := range unaryMutants(r, b.rt) {
				text, guard := b.apply(b.op, l, m, false)
				s.add(differ(b.original(l, r), b.stored(text), b.within(text, guard)), tag)
			}
		}
	}
}

// unaryMutants are the operand's mutants, in its promoted type and without
// overflow.
func unaryMutants(a string, n ctree.Num) []string {
	if n.Float {
		return []string{"(-" + a + ")", "(" + n.C + ")!" + a, "(" + a + " + 1)", "(" + a + " - 1)"}
	}
	p := n.Promote()
	return []string{
		fmt.Sprintf("(%s)(0 - (%s)%s)", p.C, p.U, a),
		fmt.Sprintf("(~%s)", a),
		fmt.Sprintf("(%s)!%s", p.C, a),
		fmt.Sprintf("(%s)((%s)%s + 1)", p.C, p.U, a),
		fmt.Sprintf("(%s)((%s)%s - 1)", p.C, p.U, a),
	}
}
