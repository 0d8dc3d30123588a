package annotate

import "klabel/annotate/ctree"

// relationalOperator: WM ROR, a relation is replaced by each of the others; of
// pointers by == and != alone.
type relationalOperator struct{}

var relations = [][]string{{"<", "<=", ">", ">=", "==", "!="}}

func (relationalOperator) mark(f *function, tag string) {
	for _, e := range f.exprs {
		if e.Kind != ctree.Compare || e.Const {
			continue
		}
		_, n1 := e.Kids[0].Num()
		_, n2 := e.Kids[1].Num()
		pointers := !n1 || !n2
		if pointers && !(e.Kids[0].Scalar() && e.Kids[1].Scalar()) {
			continue
		}
		s, l, r := f.operands(e)
		if s == nil {
			continue
		}
		for _, op := range others(relations, e.Op) {
			if pointers && op != "==" && op != "!=" {
				continue
			}
			s.add("("+l+" "+e.Op+" "+r+") != ("+l+" "+op+" "+r+")", tag)
		}
	}
}
