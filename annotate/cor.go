package annotate

import (
	"klabel/annotate/ctree"
	"klabel/annotate/logic"
)

// conditionalOperator: WM COR, && is replaced by || (and the reverse), and by
// each of its operands. Where the right side may not be evaluated without the
// left one, the mutants that would need it there are not asked for.
type conditionalOperator struct{}

func (conditionalOperator) mark(f *function, tag string) {
	for _, e := range f.exprs {
		if e.Kind != ctree.Logic || len(e.Kids) != 2 || e.Kids[0].Const || e.Kids[1].Const {
			continue
		}
		a, b := logic.Atom(0), logic.Atom(1)
		form, other := logic.And(a, b), logic.Or(a, b)
		if e.Op == "||" {
			form, other = other, form
		}
		d := &decision{core: e, vars: e.Kids, form: form}
		d.pure = e.Kids[0].Pure && e.Kids[1].Pure && !e.Jumps
		l := d.logic()
		s, text := f.placeSides(d)
		if s == nil {
			continue
		}
		for _, m := range []*logic.Form{other, a, b} {
			p := l.Render(logic.Want{Cond: logic.Neq(form, m), Quant: logic.ForSure})
			if p.Op != logic.OpFalse {
				s.add(p.C(text), tag)
			}
		}
	}
}

// placeSides is place for the two sides of && or ||, which may be decisions
// themselves.
func (f *function) placeSides(d *decision) (*site, func(int) string) {
	if d.pure {
		return f.place(d)
	}
	if !d.usable() || d.vars[0].NoTemp || d.vars[1].NoTemp {
		return nil, nil
	}
	s, fresh := f.p.site(siteKey{sides, d.core.Span.Start, d.core.Span.End}, f.Func)
	if fresh {
		s.expr, s.name, s.atoms = d.core, f.p.temp(), d.vars
	}
	return s, func(i int) string { return s.name + "_" + itoa(i+1) }
}
