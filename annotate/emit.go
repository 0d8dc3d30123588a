package annotate

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"klabel/annotate/ctree"
	"klabel/csource"
	"klabel/label"
	"klabel/runtime_c"
)

func itoa(i int) string { return strconv.Itoa(i) }

// prelude makes labelled text compile by itself: labels do nothing until a
// tool defines what they do. Warnings about the text have been given for the
// source already; a build that takes them for errors must not stop on them.
func prelude() string { return runtime_c.Piece("annotate/prelude.h") }

// order sorts the sites as they stand in the text.
func (p *plan) order() {
	sort.SliceStable(p.sites, func(i, j int) bool {
		a, b := p.sites[i], p.sites[j]
		if a.at != b.at {
			return a.at < b.at
		}
		return a.kind < b.kind
	})
}

// marks lists the labels of a site in the order of their numbers.
func (s *site) marks() []*mark {
	return append(s.labels[:len(s.labels):len(s.labels)], s.after...)
}

// statement writes a label, or something in its place.
type statement func(b *strings.Builder, m *mark)

func covLabel(b *strings.Builder, m *mark) {
	b.WriteString("cov_label(")
	b.WriteString(m.pred)
	b.WriteString(", ")
	b.WriteString(m.id.String())
	b.WriteString(", \"")
	b.WriteString(strings.Join(m.tags, ","))
	b.WriteString("\");")
}

func list(ms []*mark, st statement) string {
	size := 0
	for _, m := range ms {
		size += len(m.pred) + len(`cov_label(, 12345678, "WM AOR,WM COR");`)
	}
	var b strings.Builder
	b.Grow(size)
	for _, m := range ms {
		st(&b, m)
	}
	return b.String()
}

// edits turns the sites into insertions. Wraps of one span nest in the order
// of the passes, the later outside.
func (p *plan) edits(st statement) *csource.Edits {
	return p.someEdits(func(*site) bool { return true }, st)
}

func (p *plan) someEdits(want func(*site) bool, st statement) *csource.Edits {
	e := p.unit.Edits()
	braces := map[*ctree.Stmt]bool{}
	for _, k := range []siteKind{fileScope, definesVar, operands, value, sides, record, pre, atStmt, atStart, outside} {
		for _, s := range p.sites {
			if s.kind == k && want(s) {
				p.emit(e, s, st, braces)
			}
		}
	}
	var outer []*ctree.Stmt
	for o := range braces {
		outer = append(outer, o)
	}
	sort.Slice(outer, func(i, j int) bool { return outer[i].Span.Start < outer[j].Span.Start })
	for _, o := range outer {
		e.Wrap(o.Span, "{", "}")
	}
	return e
}

func (p *plan) emit(e *csource.Edits, s *site, st statement, braces map[*ctree.Stmt]bool) {
	labels := list(s.labels, st)
	if s.kind == pre {
		for _, r := range s.runs {
			if len(r.labels) > 0 {
				labels = r.name + "();" + labels
			}
		}
	}
	if labels == "" && s.setup == "" && len(s.after) == 0 {
		return
	}
	switch s.kind {
	case atStart, fileScope:
		e.Insert(s.at, s.setup+labels)
	case atStmt:
		after := list(s.after, st)
		if s.stmt.Span.Len() == 0 {
			e.Insert(s.at, s.setup+labels+after)
			return
		}
		e.Wrap(s.stmt.Span, s.setup+labels, after)
		if o := outermost(s.stmt); !o.InList {
			braces[o] = true
		}
	case pre:
		e.Wrap(s.expr.Span, "(({"+labels+"}),(", "))")
	case value:
		plus := ""
		if _, ok := s.expr.Int(); ok {
			plus = "+" // promotes, and takes bit-fields
		}
		e.Wrap(s.expr.Span, "({__auto_type "+s.name+"="+plus+"(", ");"+labels+s.name+";})")
	case operands:
		p.emitOperands(e, s, labels)
	case record, sides:
		var decl []string
		for i, a := range s.atoms {
			t := s.name + "_" + itoa(i+1)
			decl = append(decl, t+"=0")
			e.Wrap(a.Span, "("+t+"=!!(", "))")
		}
		e.Wrap(s.expr.Span, "({int "+strings.Join(decl, ",")+";_Bool "+s.name+"=(", ");"+labels+s.name+";})")
	case outside:
		e.Insert(s.fn.Span.Start, fmt.Sprintf("static void %s(void){%s} ", s.name, labels))
	case definesVar:
		e.Wrap(s.expr.Span, "({__typeof__("+s.left+") "+s.name+"=(", ");"+s.setup+s.name+";})")
	}
}

// outermost is the statement with all its labels and cases.
func outermost(s *ctree.Stmt) *ctree.Stmt {
	for s.Parent != nil && (s.Parent.Kind == ctree.Labelled || s.Parent.Kind == ctree.Case) && s.Parent.Body == s {
		s = s.Parent
	}
	return s
}

// emitOperands takes the operands' values apart from the operation:
// ({__auto_type l=+(A); __typeof__(+(B)) r; __auto_type v=l op (r=(B)); ... v;}).
func (p *plan) emitOperands(e *csource.Edits, s *site, labels string) {
	a, b := s.expr.Kids[0], s.expr.Kids[1]
	before, mid, right, end := "({", "", "", ""
	if !b.Const {
		text := string(flat(p.unit.Text[b.Span.Start:b.Span.End]))
		if _, ok := b.Num(); ok {
			before += "__typeof__(+(" + text + ")) " + s.right + ";"
		} else {
			before += "__typeof__(1?(" + text + "):(" + text + ")) " + s.right + ";"
		}
		right, end = "("+s.right+"=(", "))"
	}
	if a.Const {
		before += "__auto_type " + s.name + "="
	} else {
		plus := ""
		if _, ok := a.Num(); ok {
			plus = "+"
		}
		before += "__auto_type " + s.left + "=" + plus + "("
		mid = ");__auto_type " + s.name + "=" + s.left + " "
	}
	e.Wrap(s.expr.Span, before, end+";"+labels+s.name+";})")
	if mid != "" {
		e.Insert(s.expr.OpAt, mid)
	}
	if right != "" {
		e.Insert(s.expr.OpAt+len(s.expr.Op), right)
	}
}

// number gives labels their IDs in the order of the text, from first on,
// leaving out those in use.
func (p *plan) number(first label.ID, used map[label.ID]bool) (label.ID, error) {
	id := first
	for _, s := range p.sites {
		for _, m := range s.marks() {
			for used[id] {
				id++
			}
			if id > label.MaxID {
				return id, fmt.Errorf("%s: the labels need numbers beyond %d; label fewer functions (--functions, "+
					"--files) or criteria at once", p.unit.Path, label.MaxID)
			}
			m.id = id
			id++
		}
	}
	return id, nil
}

// drop removes labels for which keep is false.
func (p *plan) drop(keep func(*mark) bool) {
	gone := func(m *mark) bool { return !keep(m) }
	for _, s := range p.sites {
		s.labels, s.after = slices.DeleteFunc(s.labels, gone), slices.DeleteFunc(s.after, gone)
	}
}
