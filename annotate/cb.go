package annotate

import "klabel/annotate/ctree"

// conditionBoundary: CB, the variables of a condition are at the limits of
// their types, and the operands of its comparisons are equal and different.
type conditionBoundary struct{}

func (conditionBoundary) mark(f *function, tag string) {
	for _, d := range f.decisions {
		for _, a := range d.atoms {
			if a.Const {
				continue
			}
			if a.Kind == ctree.Compare && a.Kids[0].Scalar() && a.Kids[1].Scalar() {
				if s, l, r := f.operands(a); s != nil {
					s.add(l+" == "+r, tag)
					s.add(l+" != "+r, tag)
				}
			}
			f.boundaries(a, tag)
		}
	}
}

// boundaries looks for the variables that an atom reads. They stand at the
// variable's own place where the atom has side effects.
func (f *function) boundaries(a *ctree.Expr, tag string) {
	a.Walk(func(e *ctree.Expr) {
		n, ok := e.Int()
		if !ok || !e.Variable() || !e.Pure || e.Const {
			return
		}
		at := a
		if !a.Pure {
			at = e
		}
		if s := f.pre(at); s != nil {
			limits(s, f.src(e), n, tag)
		}
	})
}
