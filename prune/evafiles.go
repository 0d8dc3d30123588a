package prune

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// evaFiles writes the texts for Eva: a check per question, and a look at the
// values of variables where functions and labels begin.
func (j *job) evaFiles() ([]string, []point, error) {
	pts := j.p.points()
	show := func(sel func(point) bool) string {
		var b strings.Builder
		for i, q := range pts {
			if sel(q) {
				fmt.Fprintf(&b, "Frama_C_show_each_klabel_%d(%s); ", i, q.expr)
			}
		}
		return b.String()
	}
	// Step 2 is the optimiser's, where there is one: each question costs states.
	asksAlways := !slices.Contains(j.Methods, Compiler) || j.Clang == nil
	wantsFacts := slices.Contains(j.Methods, EvaWP)
	inGroup := map[*labelSite]bool{}
	for _, g := range j.p.groups {
		for _, l := range g {
			inGroup[l] = true
		}
	}
	var files []string
	for i, u := range j.p.units {
		text := j.p.text(u, func(l *labelSite) string {
			open, always := j.open(l.ID), asksAlways && inGroup[l]
			if !open && !always {
				return ""
			}
			var b strings.Builder
			if open && wantsFacts {
				b.WriteString(show(func(q point) bool { return q.at == l }))
			}
			fmt.Fprintf(&b, "int klabel_l = !!(%s); ", l.Predicate)
			if open {
				fmt.Fprintf(&b, "%s/*@ check klabel_n%d: klabel_l == 0; */ ; ", newline, l.ID)
			}
			if always {
				fmt.Fprintf(&b, "%s/*@ check klabel_p%d: klabel_l != 0; */ ; ", newline, l.ID)
			}
			if l.mayFail { // what Eva then assumes shall hold for nothing that comes after
				return "if (klabel_aside) { " + b.String() + newline + "klabel_stop(); } "
			}
			return b.String() + newline
		}, func(e *csource.Edits) {
			for _, f := range j.p.order {
				if f.unit == u && len(f.labels) > 0 && wantsFacts {
					if s := show(func(q point) bool { return q.entry == f }); s != "" {
						e.Insert(f.Body.Start+1, " "+s)
					}
				}
			}
		})
		file := j.file(fmt.Sprintf("eva%d.i", i))
		if err := os.WriteFile(file, append([]byte(stopDecl+framacHead+"static volatile int klabel_aside;\n"),
			framacText(text)...), 0o666); err != nil {
			return nil, nil, err
		}
		files = append(files, file)
	}
	m, err := j.p.modelText("klabel_unknown")
	if err != nil {
		return nil, nil, err
	}
	file := j.file("evamodel.i")
	if err := os.WriteFile(file, []byte(m), 0o666); err != nil {
		return nil, nil, err
	}
	return append(files, file), pts, nil
}

// point is a place and an integer variable of which Eva is asked the values.
type point struct {
	entry *function  // at the start of this function
	at    *labelSite // or before this label
	expr  string
}

// points lists the places: parameters and global integers at the start of
// functions with labels, the variables of a predicate at its label.
func (p *program) points() []point {
	var out []point
	for _, f := range p.order {
		if len(f.labels) == 0 || f.Name == "main" {
			continue
		}
		for _, q := range f.Params {
			if q.Declarator != nil && q.Name() != "" && plainInt(q.Type()) {
				out = append(out, point{entry: f, expr: q.Name()})
			}
		}
		for _, g := range p.globalInts(f) {
			out = append(out, point{entry: f, expr: g})
		}
	}
	for _, l := range p.labels {
		seen := map[string]bool{}
		l.unit.Walk(l.PredExpr, func(n cc.Node) bool {
			x, ok := n.(*cc.PrimaryExpression)
			if !ok || x.Case != cc.PrimaryExpressionIdent {
				return true
			}
			if d, ok := x.ResolvedTo().(*cc.Declarator); ok && plainInt(d.Type()) && !d.IsVolatile() &&
				!seen[d.Name()] {
				seen[d.Name()] = true
				out = append(out, point{at: l, expr: d.Name()})
			}
			return true
		})
	}
	return out
}

// globalInts lists the integer variables of the file that a function uses by
// name and that no local one hides at its start.
func (p *program) globalInts(f *function) []string {
	var out []string
	params := map[string]bool{}
	for _, q := range f.Params {
		params[q.Name()] = true
	}
	seen := map[string]bool{}
	f.unit.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
		x, ok := n.(*cc.PrimaryExpression)
		if !ok || x.Case != cc.PrimaryExpressionIdent {
			return true
		}
		d, ok := x.ResolvedTo().(*cc.Declarator)
		if !ok || !plainInt(d.Type()) || d.IsVolatile() || seen[d.Name()] || params[d.Name()] {
			return true
		}
		if s, ok := f.unit.Span(d); ok && s.End < f.Span.Start { // declared before, outside
			seen[d.Name()] = true
			out = append(out, d.Name())
		}
		return true
	})
	return out
}

func plainInt(t cc.Type) bool {
	return t != nil && cc.IsIntegerType(t) && t.Kind() != cc.Bool && t.Size() <= 8 && !t.Attributes().IsVolatile()
}
