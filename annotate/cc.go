package annotate

// conditionCoverage: CC, every atom of every decision is true and false, each
// time it is evaluated.
type conditionCoverage struct{}

func (conditionCoverage) mark(f *function, tag string) {
	for _, d := range f.decisions {
		for _, a := range d.atoms {
			if a.Scalar() {
				f.bothWays(a, a.Const, tag)
			}
		}
	}
}

// decisionCondition: DCC, DC and CC.
type decisionCondition struct{}

func (decisionCondition) mark(f *function, tag string) {
	decisionCoverage{}.mark(f, tag)
	conditionCoverage{}.mark(f, tag)
}
