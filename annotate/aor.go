package annotate

import "klabel/annotate/ctree"

// arithmeticOperator: WM AOR, the operator of an arithmetic operation is
// replaced by the others of its kind.
type arithmeticOperator struct{}

var operatorGroups = [][]string{{"+", "-", "*", "/", "%"}, {"&", "|", "^"}, {"<<", ">>"}}

func (arithmeticOperator) mark(f *function, tag string) {
	for _, e := range f.exprs {
		b, ok := binary(e)
		if !ok || e.Kind == ctree.Compare {
			continue
		}
		s, l, r := b.place(f)
		if s == nil {
			continue
		}
		for _, op := range others(operatorGroups, b.op) {
			if op == "%" && b.t.Float {
				continue
			}
			text, guard := b.apply(op, l, r, true)
			if op == "<<" || op == ">>" {
				guard = "" // the operation itself has the same bound
			}
			guard = b.within(text, guard)
			s.add(differ(b.original(l, r), b.stored(text), guard), tag)
		}
	}
}

// others lists the operators that stand in a group with op.
func others(groups [][]string, op string) []string {
	for _, g := range groups {
		for _, o := range g {
			if o != op {
				continue
			}
			var out []string
			for _, o := range g {
				if o != op {
					out = append(out, o)
				}
			}
			return out
		}
	}
	return nil
}
