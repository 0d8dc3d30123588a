package annotate

import "klabel/annotate/logic"

// implicantCoverage: IC, every implicant of a minimal DNF of the decision and
// of one of its negation.
type implicantCoverage struct{}

func (implicantCoverage) mark(f *function, tag string) {
	f.eachDecision(f.dnf(tag, (*logic.Decision).IC), tag)
}

// uniqueTruePoint: UTPC, every implicant of these by itself.
type uniqueTruePoint struct{}

func (uniqueTruePoint) mark(f *function, tag string) {
	f.eachDecision(f.dnf(tag, (*logic.Decision).UTPC), tag)
}

// dnf bounds criteria that need a minimal DNF; beyond it they become GACC.
func (f *function) dnf(tag string, wants func(*logic.Decision) []logic.Want) func(*decision,
	*logic.Decision) []logic.Want {
	return func(d *decision, l *logic.Decision) []logic.Want {
		if l.Atoms > min(f.p.opts.MCCLimit, logic.MaxAtoms) {
			f.p.warnAt(d.core.Span.Start, "%s of %d atoms needs a minimal DNF of up to 2^%d points; GACC is used "+
				"instead", tag, l.Atoms, l.Atoms)
			return l.GACC()
		}
		return wants(l)
	}
}
