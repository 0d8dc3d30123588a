package annotate

import "klabel/annotate/logic"

// inactiveClause: GICC, every atom does not decide the outcome, with both its
// signs and both outcomes.
type inactiveClause struct{}

func (inactiveClause) mark(f *function, tag string) {
	f.eachDecision(func(d *decision, l *logic.Decision) []logic.Want {
		if l.Atoms < 2 { // the only atom always decides
			return nil
		}
		if l.Guarded != 0 && l.Atoms > logic.MaxAtoms {
			f.p.warnAt(d.core.Span.Start, "%s of %d atoms that may only be evaluated in their turn; each atom is "+
				"true and false instead (CC)", tag, l.Atoms)
		}
		return l.GICC()
	}, tag)
}
