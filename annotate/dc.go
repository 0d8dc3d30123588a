package annotate

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
)

// decisionCoverage: DC, every decision is true and false, every case of a
// switch is taken.
type decisionCoverage struct{}

func (decisionCoverage) mark(f *function, tag string) {
	for _, d := range f.decisions {
		if d.cond && d.usable() {
			yes, no := f.bothWays(d.core, d.constant, tag)
			if v, ok := d.form.Const(); ok && yes != nil { // a && 0
				yes.fixed, no.fixed = fixedAs(v), fixedAs(!v)
			}
		}
	}
	for _, s := range f.stmts {
		if s.Kind == ctree.Switch {
			f.switchLabels(s, tag)
		}
	}
}

// bothWays puts e and !e where e is evaluated.
func (f *function) bothWays(e *ctree.Expr, fold bool, tag string) (yes, no *mark) {
	s, text := f.value(e)
	if s == nil {
		return nil, nil
	}
	s.fold = s.fold || fold
	return s.add(text, tag), s.add("!"+text, tag)
}

// switchLabels puts a label a case on the value of a switch, and one for what
// no case catches. The value is taken once, promoted as switch does.
func (f *function) switchLabels(s *ctree.Stmt, tag string) {
	e := s.Cond
	if e == nil || e.NoTemp || e.Closed && e.Kind != ctree.Call || e.Span.Start < 0 || len(s.Cases) == 0 {
		return
	}
	st, fresh := f.p.site(siteKey{value, e.Span.Start, e.Span.End}, f.Func)
	if fresh {
		st.expr, st.name = e, f.p.temp()
	}
	st.fold = st.fold || e.Const
	conv := func(n cc.Node) string {
		return "(__typeof__(" + st.name + "))(" + flat([]byte(f.Unit.Source(n))) + ")"
	}
	var none []string
	for _, c := range s.Cases {
		if c.IsDefault {
			continue
		}
		pred := st.name + " == " + conv(c.Low)
		not := st.name + " != " + conv(c.Low)
		if c.High != nil {
			pred = st.name + " >= " + conv(c.Low) + " && " + st.name + " <= " + conv(c.High)
			not = "!(" + pred + ")"
		}
		st.add(pred, tag)
		none = append(none, not)
	}
	if len(none) == 0 {
		none = []string{"1"}
	}
	st.add(strings.Join(none, " && "), tag)
}
