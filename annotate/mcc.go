package annotate

import "klabel/annotate/logic"

// multipleCondition: MCC, every combination of signs of the atoms of a
// decision. Beyond the limit it becomes 2-CC: every combination of each two.
type multipleCondition struct{}

func (multipleCondition) mark(f *function, tag string) {
	f.eachDecision(func(d *decision, l *logic.Decision) []logic.Want {
		if l.Atoms > f.p.opts.MCCLimit {
			f.p.warnAt(d.core.Span.Start, "%s of %d atoms would take up to 2^%d labels; every two atoms are combined "+
				"instead (2-CC)", tag, l.Atoms, l.Atoms)
			return f.pairs(d, l, 2, tag)
		}
		return l.MCC()
	}, tag)
}

// nCondition: n-CC, every combination of signs of each n atoms.
type nCondition struct{ n int }

func (c nCondition) mark(f *function, tag string) {
	if c.n == 1 {
		conditionCoverage{}.mark(f, tag)
		return
	}
	f.eachDecision(func(d *decision, l *logic.Decision) []logic.Want {
		return f.pairs(d, l, c.n, tag)
	}, tag)
}

// maxCombinations bounds the labels of n-CC at one decision.
const maxCombinations = 4096

func (f *function) pairs(d *decision, l *logic.Decision, n int, tag string) []logic.Want {
	if count := combinations(l.Atoms, n); count > maxCombinations || l.Guarded != 0 && l.Atoms > logic.MaxAtoms {
		f.p.warnAt(d.core.Span.Start, "%s of %d atoms is too large here; each atom is true and false instead (CC)", tag,
			l.Atoms)
		return l.NCC(1)
	}
	return l.NCC(n)
}

// combinations is the number of labels of n-CC over k atoms.
func combinations(k, n int) int {
	n = min(n, k)
	c := 1
	for i := range n {
		c = c * (k - i) / (i + 1)
		if c > maxCombinations {
			return c
		}
	}
	return c << min(n, 20)
}

// eachDecision renders what a criterion wants of every decision.
func (f *function) eachDecision(wants func(*decision, *logic.Decision) []logic.Want, tag string) {
	for _, d := range f.decisions {
		if len(d.vars) == 0 || !d.usable() {
			continue
		}
		l := d.logic()
		if l.Atoms > 60 {
			f.p.warnAt(d.core.Span.Start, "%s: the decision has %d atoms, more than 60; it is left out", tag, l.Atoms)
			continue
		}
		if l.Guarded != 0 && l.Atoms > logic.MaxAtoms {
			wants(d, l) // for its warnings
			// The tests from left to right may grow exponentially: observe each
			// atom by itself, where it is evaluated.
			for _, a := range d.vars {
				f.bothWays(a, a.Const, tag)
			}
			continue
		}
		forms := f.p.forms(d, l, wants, tag)
		if s, text := f.place(d); s != nil {
			for _, form := range forms {
				s.add(form.C(text), tag)
			}
		}
	}
}

// shape is all that the predicates of a criterion depend on, but for the texts
// of the atoms.
type shape struct {
	tag, form string
	atoms     int
	guarded   uint64
}

// forms renders what a criterion wants of a decision. Most decisions of a
// program are of the same few shapes, so that is kept; for small ones only,
// since there are warnings to give about others.
func (p *plan) forms(d *decision, l *logic.Decision, wants func(*decision, *logic.Decision) []logic.Want,
	tag string) []*logic.Form {
	var key shape
	small := l.Atoms <= min(p.opts.MCCLimit, 8)
	if small {
		key = shape{tag, d.shape(), l.Atoms, l.Guarded}
		if forms, ok := p.shapes[key]; ok {
			return forms
		}
	}
	var forms []*logic.Form
	for _, w := range wants(d, l) {
		forms = append(forms, l.Render(w))
	}
	if small {
		p.shapes[key] = forms
	}
	return forms
}
