package annotate

import "klabel/annotate/logic"

// activeClause: GACC, every atom decides the outcome, true and false (weak
// MC/DC).
type activeClause struct{}

func (activeClause) mark(f *function, tag string) {
	f.eachDecision(func(d *decision, l *logic.Decision) []logic.Want {
		if l.Guarded != 0 && l.Atoms > logic.MaxAtoms {
			f.p.warnAt(d.core.Span.Start, "%s of %d atoms that may only be evaluated in their turn; each atom is "+
				"true and false instead (CC)", tag, l.Atoms)
		}
		return l.GACC()
	}, tag)
}
