package annotate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
	"klabel/objective"
)

// dataflow: a label of each pair of a definition of a variable and a use that it
// may reach. DUC wants every one; AUC, of every definition, all of its pairs that
// can be, and ADC one of them. A variable beside the program's own remembers where
// the value was defined, so that a pair is a label like any other: x was set in
// line 7, and is read here.
//
// Looked at are scalars of which all that defines them is known by name: locals
// and parameters whose address nobody takes, statics, members of structures.
type dataflow struct{ of want }

// want is what a criterion asks of the pairs of a definition.
type want uint8

const (
	eachPair want = iota // by itself
	onePair
	allPairs
)

// A variable, its definitions, and the uses that they may reach.
type variable struct {
	decl *cc.Declarator
	name string // x, s.a
	mark string // the variable that remembers
	defs []definition
	uses []use
	lost bool // something may define it that is not seen

	across *Across // a global that several units speak of
}

// definition is a place that gives a variable a value: an assignment, a
// declaration with an initialiser, or, for parameters, the call.
type definition struct {
	at    int         // offset
	expr  *ctree.Expr // Assign, IncDec
	stmt  *ctree.Stmt // a declaration, or the for that holds it
	value int         // what the variable that remembers is set to then
	f     *function
	from  *elsewhere // of another unit's; then there is nothing else but the value
}

// use is an evaluation of a variable.
type use struct {
	expr  *ctree.Expr // before which it is evaluated
	reach []uint64    // definitions, a bit each
	f     *function
}

func (c dataflow) mark(f *function, tag string) {
	for _, v := range f.variables() {
		c.variable(f, v, tag, 0)
	}
	for _, v := range f.p.statics() {
		c.variable(f, v, tag, 1)
	}
}

// pairsKey is a definition under a criterion.
type pairsKey struct {
	v   *variable
	i   int
	tag string
}

// variable puts the labels of the pairs of a variable before its uses in f.
func (c dataflow) variable(f *function, v *variable, tag string, from int) {
	uses := f.usesOf(v)
	for i, d := range v.defs {
		for _, u := range uses {
			if i < from || !has(u.reach, i) {
				continue
			}
			m := f.pre(u.expr).add(v.is(d), tag)
			if c.of == eachPair {
				continue
			}
			m.paired = true
			key := pairsKey{v, i, tag}
			o := f.p.pairsOf[key]
			if o == nil {
				name, at := d.place(f.p)
				o = &plannedPairs{want: c.of, text: objective.Decision{Hyper: true, Criterion: tag, Function: name,
					Position: at, Text: v.name + ", as it is set here"}}
				f.p.pairs = append(f.p.pairs, o)
				f.p.pairsOf[key] = o
			}
			o.marks = append(o.marks, m)
		}
	}
}

func (v *variable) is(d definition) string { return fmt.Sprintf("%s == %d", v.mark, d.value) }

// plannedPairs is what is wanted of a definition's pairs, before their labels have
// numbers.
type plannedPairs struct {
	want  want
	text  objective.Decision
	marks []*mark
}

// numbered gives it the numbers of its labels; false if none is left: lines outside
// of what is to be labelled.
func (o *plannedPairs) numbered() (objective.Decision, bool) {
	out := o.text
	var args []*objective.Expr
	for _, m := range o.marks {
		seen := slices.ContainsFunc(args, func(e *objective.Expr) bool { return e.ID == m.id })
		if !seen && slices.Contains(m.site.labels, m) {
			args = append(args, &objective.Expr{Op: objective.OpLabel, ID: m.id})
			out.Vectors = append(out.Vectors, objective.Vector{Label: m.id})
		}
	}
	if len(args) == 0 {
		return out, false
	}
	e := oneOf(args)
	if o.want == allPairs && len(args) > 1 {
		e.Op = objective.OpAnd
	}
	out.Conditions = []objective.Condition{{Text: e.String(), At: out.Position, Pairs: e, Each: o.want == allPairs}}
	return out, true
}

// variables finds what there is to say of a function's variables, and puts down
// the text that remembers; it does so once for all criteria.
func (f *function) variables() []*variable {
	if f.looked {
		return f.vars
	}
	f.looked = true
	of := f.candidates()
	r := &reaching{f: f, of: of}
	r.function()
	for _, v := range of {
		v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return empty(u.reach) || f.pre(u.expr) == nil })
		if !v.lost && len(v.uses) > 0 {
			f.vars = append(f.vars, v)
		}
	}
	slices.SortFunc(f.vars, func(a, b *variable) int { return cmp.Compare(a.defs[0].at, b.defs[0].at) })
	for _, v := range f.vars {
		f.remember(v)
	}
	return f.vars
}

// uses are those of a variable in this function, which can have a label.
func (f *function) usesOf(v *variable) []use {
	return slices.DeleteFunc(slices.Clone(v.uses), func(u use) bool {
		return u.f.Function != f.Function || f.pre(u.expr) == nil
	})
}

// candidates are the scalar variables of the function that only it can define, and
// members of its structures by name.
func (f *function) candidates() map[cell]*variable {
	of := map[cell]*variable{}
	own := func(d *cc.Declarator) bool { return d != nil && steady(f.p.unit, d) && !d.IsStatic() && !d.IsExtern() }
	local := map[*cc.Declarator]bool{}
	paths, whole := members(f, func(_ cell, d *cc.Declarator) bool { return own(d) && d.Linkage() == cc.None })
	add := func(d *cc.Declarator, def definition, lost bool) {
		if !own(d) {
			return
		}
		local[d] = true
		names := []string{""}
		if !scalarCell(f.p.unit, d.Type()) {
			if names = paths[cell{decl: d}]; whole[cell{decl: d}] {
				return
			}
		}
		for _, path := range names {
			v := &variable{decl: d, name: d.Name() + path, lost: lost}
			if def.at >= 0 {
				def.f = f
				v.defs = []definition{def}
			}
			of[cell{decl: d, path: path}] = v
		}
	}
	unseen := false
	for _, p := range f.Params {
		if p.Declarator != nil {
			at := f.Span.Start
			if sp, ok := f.p.unit.Span(p.Declarator); ok {
				at = sp.Start
			}
			add(p.Declarator, definition{at: at}, false)
		}
	}
	for _, s := range f.stmts {
		switch s.Kind {
		case ctree.Asm:
			unseen = true
		case ctree.Decl, ctree.For:
			if s.Kind == ctree.Decl && definesInBounds.Match(f.p.unit.Text[s.Span.Start:s.Span.End]) {
				unseen = true
			}
			for _, d := range declared(s) {
				def := definition{at: -1}
				if d.Initializer != nil {
					def = definition{at: f.offset(d, s), stmt: s}
				}
				add(d.Declarator, def, def.at < 0 && d.Initializer != nil)
			}
		}
	}
	names := map[string][]*variable{}
	for c, v := range of {
		names[c.decl.Name()] = append(names[c.decl.Name()], v)
	}
	f.Root.WalkExprs(func(e *ctree.Expr) {
		unseen = unseen || e.Kind == ctree.Call && e.NoTemp
		if e.Closed || e.Kind == ctree.Leaf && strings.ContainsAny(f.src(e), "=+-") {
			f.forget(e, names)
			return
		}
		if d := e.Declarator(); d != nil && e.Parent != nil && e.Parent.Kind == ctree.AddrOf {
			if v := of[cell{decl: d}]; v != nil {
				v.lost = true
			}
		}
	})
	if unseen {
		return nil
	}
	return of
}

// definesInBounds is a declaration of an array whose bound may have an effect.
var definesInBounds = regexp.MustCompile(`\[[^\]]*(\+\+|--|[^=!<>]=[^=])`)

// forget gives up the variables that stand in a text that is not looked into.
func (f *function) forget(e *ctree.Expr, names map[string][]*variable) {
	if e.Span.Start < 0 {
		for _, vs := range names {
			for _, v := range vs {
				v.lost = true
			}
		}
		return
	}
	text := f.p.unit.Text[e.Span.Start:e.Span.End]
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && word(text[j]) {
			j++
		}
		for _, v := range names[string(text[i:j])] {
			v.lost = true
		}
		i = max(j, i+1)
	}
}

// declared lists what a declaration, or that of a for, declares.
func declared(s *ctree.Stmt) (out []*cc.InitDeclarator) {
	var n *cc.Declaration
	switch x := s.Node.(type) {
	case *cc.Declaration:
		n = x
	case *cc.Statement:
		if x.IterationStatement != nil {
			n = x.IterationStatement.Declaration
		}
	}
	if n == nil {
		return nil
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if l.InitDeclarator != nil && l.InitDeclarator.Declarator != nil {
			out = append(out, l.InitDeclarator)
		}
	}
	return out
}

func (f *function) offset(n cc.Node, s *ctree.Stmt) int {
	if sp, ok := f.p.unit.Span(n); ok {
		return sp.Start
	}
	return s.Span.Start
}

// remember writes what sets the variable that remembers: 0 where nothing is
// known, else the line of the definition, or a hundred times the line and a
// number where a line has several.
func (f *function) remember(v *variable) {
	f.p.temps++
	v.mark = fmt.Sprintf("klb_set_%s_%d", strings.ReplaceAll(v.name, ".", "_"), f.p.temps)
	v.numberValues(f.p)
	first := 0
	if d := v.defs[0]; d.expr == nil && d.stmt == nil {
		first = d.value
	}
	f.entry().setup += fmt.Sprintf("int %s = %d; ", v.mark, first)
	for _, d := range v.defs {
		f.setAt(d, v)
	}
	for _, s := range f.stmts { // declared anew, it has no value
		for _, d := range declared(s) {
			if d.Declarator == v.decl && d.Initializer == nil {
				f.before(s).setup += v.mark + " = 0; "
			}
		}
	}
}

// numberValues says what the variable that remembers is set to at each definition.
func (v *variable) numberValues(p *plan) {
	lines := map[int]int{}
	known := 0
	for i, d := range v.defs {
		if d.at < 0 {
			continue
		}
		known++
		v.defs[i].value = p.unit.Origin(d.at).Position().Line
		lines[v.defs[i].value]++
	}
	if len(lines) == known && lines[0] == 0 {
		return
	}
	clear(lines)
	for i, d := range v.defs {
		if d.at >= 0 {
			l := d.value
			lines[l]++
			v.defs[i].value = l*100 + lines[l]
		}
	}
}

// setAt writes what remembers that v is set by a definition in f.
func (f *function) setAt(d definition, v *variable) {
	set := fmt.Sprintf("%s = %d; ", v.mark, d.value)
	switch {
	case d.expr != nil:
		s, fresh := f.p.site(siteKey{definesVar, d.expr.Span.Start, d.expr.Span.End}, f.Func)
		if fresh {
			s.expr, s.name, s.left = d.expr, f.p.temp(), v.name
		}
		s.setup += set
	case d.stmt != nil:
		f.before(d.stmt).setup += set
	}
}

func has(set []uint64, i int) bool { return i/64 < len(set) && set[i/64]>>(i%64)&1 != 0 }

func empty(set []uint64) bool {
	return !slices.ContainsFunc(set, func(w uint64) bool { return w != 0 })
}
