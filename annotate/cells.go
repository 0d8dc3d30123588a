package annotate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
	"klabel/csource"
)

// cell is what a definition sets: a variable, or a member of one by its path. A
// variable of the file is its name; several declarations may name it.
type cell struct {
	decl   *cc.Declarator
	static string
	path   string // ".a.b"
}

// cellOf is what an expression names, without pointers or indices; false for others.
func cellOf(e *ctree.Expr) (cell, bool) {
	switch e.Kind {
	case ctree.Ident:
		d := e.Declarator()
		if d == nil {
			return cell{}, false
		}
		if ofFile(d) {
			return cell{static: d.Name()}, true
		}
		return cell{decl: d}, true
	case ctree.Member:
		c, ok := cellOf(e.Kids[0])
		p, isPost := e.Node.(*cc.PostfixExpression)
		if !ok || !isPost || p.Field() == nil {
			return cell{}, false
		}
		c.path += "." + p.Field().Name()
		return c, true
	}
	return cell{}, false
}

// ofFile reports whether a declarator is a variable of the file, wherever it stands.
func ofFile(d *cc.Declarator) bool {
	if d.Linkage() == cc.External {
		return d.Type() != nil && d.Type().Kind() != cc.Function
	}
	return d.Linkage() == cc.Internal && d.LexicalScope() != nil && d.LexicalScope().Parent == nil
}

// scalarCell reports whether a type can be remembered.
func scalarCell(u *csource.Unit, t cc.Type) bool {
	if t == nil || u.Restless(t) {
		return false
	}
	_, ok := ctree.NumOf(t)
	return ok || t.Kind() == cc.Ptr
}

// steady reports whether nothing but the program's own statements sets a variable.
func steady(u *csource.Unit, d *cc.Declarator) bool {
	return d.Type() != nil && !d.IsTypename() && !d.IsVolatile() && !d.IsAtomic() && !d.IsThreadLocal() &&
		!u.Restless(d.Type())
}

// member climbs from a variable to the member of it that is meant.
func member(e *ctree.Expr) *ctree.Expr {
	for e.Parent != nil && e.Parent.Kind == ctree.Member && e.Parent.Kids[0] == e {
		e = e.Parent
	}
	return e
}

// members finds the scalar members of structures that are known by name: wherever
// the variable stands, one of its members is meant, and its address is not taken.
// It returns the paths of each variable, none of one that is set as a whole.
func members(f *function, wanted func(cell, *cc.Declarator) bool) (paths map[cell][]string, whole map[cell]bool) {
	paths, whole = map[cell][]string{}, map[cell]bool{}
	f.Root.WalkExprs(func(e *ctree.Expr) {
		d := e.Declarator()
		if d == nil || d.Type() == nil || d.Type().Kind() != cc.Struct {
			return
		}
		base, ok := cellOf(e)
		if !ok || !wanted(base, d) {
			return
		}
		top := member(e)
		c, ok := cellOf(top)
		if !ok || top == e || top.Type == nil || e.Closed {
			whole[base] = true
			return
		}
		for x := e; x != top; x = x.Parent {
			if p, ok := x.Parent.Node.(*cc.PostfixExpression); ok && (p.Field().IsBitfield() ||
				x.Type != nil && x.Type.Kind() == cc.Union) {
				return // looked at by nobody: shares its bytes with others
			}
		}
		switch {
		case top.Type.Kind() == cc.Struct || top.Type.Kind() == cc.Union:
			whole[base] = true // several at once
		case top.Parent != nil && top.Parent.Kind == ctree.AddrOf:
			whole[base] = true
		case scalarCell(f.p.unit, top.Type) && !slices.Contains(paths[base], c.path):
			paths[base] = append(paths[base], c.path)
		}
	})
	return paths, whole
}

// statics are the variables of the unit that keep their values from one call to the
// next and that its own functions alone can set: statics of the file and of
// functions, and globals that no other unit speaks of. A definition may reach a use
// of another call, in the same function or another: where it reaches a call or the
// function's end, and nothing sets the
// variable anew between the beginning of a function, or a call, and the use.
func (p *plan) statics() []*variable {
	if p.lookedStatics {
		return p.shared
	}
	p.lookedStatics = true
	of, escaped := p.flows()
	for c, v := range of {
		pairs, arriving := 0, escaped[v]
		if v.decl.Linkage() == cc.External && c.path == "" {
			v.across = p.opts.Shared[c.static]
		}
		if v.across != nil {
			arriving = v.arrive(arriving)
		}
		for i := range v.uses {
			u := &v.uses[i]
			if has(u.reach, 0) {
				u.reach = union(u.reach, arriving)
				u.reach[0] &^= 1
			}
			for n := range v.defs {
				if has(u.reach, n) {
					pairs++
				}
			}
		}
		if v.lost || pairs == 0 && (v.across == nil || len(v.defs) == 1) {
			continue
		}
		if pairs > maxSharedPairs && v.across == nil {
			p.warnAt(v.uses[0].expr.Span.Start, "dataflow: %s has more than %d pairs of definitions and uses; it is "+
				"left out", v.name, maxSharedPairs)
			continue
		}
		p.shared = append(p.shared, v)
	}
	slices.SortFunc(p.shared, func(a, b *variable) int {
		return cmp.Or(cmp.Compare(a.defs[1].at, b.defs[1].at), strings.Compare(a.name, b.name))
	})
	for _, v := range p.shared {
		p.rememberStatic(v)
	}
	return p.shared
}

// flows finds which definitions of which candidates reach their uses within a
// function, and which are in force where one calls or ends.
func (p *plan) flows() (of map[cell]*variable, escaped map[*variable][]uint64) {
	of, fs := p.staticCells()
	numbers := map[*function]map[*ctree.Expr]int{}
	for _, f := range fs {
		r := &reaching{f: f, of: of, number: map[*ctree.Expr]int{}}
		r.numberDefinitions()
		numbers[f] = r.number
	}
	escaped = map[*variable][]uint64{}
	for _, f := range fs {
		r := &reaching{f: f, of: of, number: numbers[f], escaped: escaped}
		r.run()
	}
	return of, escaped
}

// maxSharedPairs bounds the labels of one static.
const maxSharedPairs = 2000

func union(a, b []uint64) []uint64 {
	out := slices.Clone(a)
	for i, w := range b {
		if i == len(out) {
			out = append(out, 0)
		}
		out[i] |= w
	}
	return out
}

// staticCells finds the candidates, and the functions that speak of them.
func (p *plan) staticCells() (of map[cell]*variable, fs []*function) {
	of = map[cell]*variable{}
	lost := map[cell]bool{}
	decls := map[cell]*cc.Declarator{}
	static := func(_ cell, d *cc.Declarator) bool {
		if d.Linkage() == cc.External && !p.opts.Globals[d.Name()] {
			return false
		}
		return (ofFile(d) || d.IsStatic() && d.Linkage() == cc.None) && steady(p.unit, d)
	}
	var closed []string // texts that are not looked into
	var inside []csource.Span
	for _, fn := range p.unit.Functions() {
		f := &function{Func: ctree.Build(p.unit, fn, p.opts.LabelMacros), p: p}
		inside = append(inside, fn.Span)
		mentions, unseen := false, false
		f.Root.Walk(func(s *ctree.Stmt) {
			f.stmts = append(f.stmts, s)
			unseen = unseen || s.Kind == ctree.Asm
		})
		paths, whole := members(f, static)
		for c := range whole {
			lost[c] = true
		}
		for c, list := range paths {
			for _, path := range list {
				of[cell{c.decl, c.static, path}] = nil
			}
		}
		f.Root.WalkExprs(func(e *ctree.Expr) {
			unseen = unseen || e.Kind == ctree.Call && e.NoTemp
			if e.Closed || e.Kind == ctree.Leaf && strings.ContainsAny(f.src(e), "=+-") {
				closed = append(closed, f.src(e))
				return
			}
			d := e.Declarator()
			c, ok := cellOf(e)
			if d == nil || !ok || !static(c, d) {
				return
			}
			mentions = true
			decls[c] = d
			if e.Parent != nil && e.Parent.Kind == ctree.AddrOf {
				lost[c] = true
			} else if scalarCell(p.unit, d.Type()) {
				of[c] = nil
			}
		})
		if unseen { // what it does is not all seen
			closed = append(closed, string(p.unit.Text[fn.Span.Start:fn.Span.End]))
		}
		if mentions {
			fs = append(fs, f)
		}
	}
	closed = append(closed, p.addressesOutside(inside)...)
	for c := range of {
		base := cell{c.decl, c.static, ""}
		d := decls[base]
		if lost[base] || d == nil ||
			slices.ContainsFunc(closed, func(t string) bool { return mentionsWord(t, d.Name()) }) {
			delete(of, c)
			continue
		}
		of[c] = &variable{decl: d, name: d.Name() + c.path, defs: []definition{{at: -1}}}
	}
	return of, fs
}

var takesAddress = regexp.MustCompile(`&[\s(]*\w+`)

// addressesOutside are the places outside of functions where an address is taken.
func (p *plan) addressesOutside(inside []csource.Span) (out []string) {
	at := 0
	for _, s := range append(slices.Clone(inside), csource.Span{Start: len(p.unit.Text)}) {
		if s.Start > at {
			for _, m := range takesAddress.FindAll(p.unit.Text[at:s.Start], -1) {
				out = append(out, string(m))
			}
		}
		at = max(at, s.End)
	}
	return out
}

func mentionsWord(text, name string) bool {
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && word(text[j]) {
			j++
		}
		if text[i:j] == name {
			return true
		}
		i = max(j, i+1)
	}
	return false
}

// rememberStatic writes what sets the variable that remembers, which stands before
// the first function that speaks of it. What the variable starts with, or a driver
// sets, is no definition.
func (p *plan) rememberStatic(v *variable) {
	declared := "static int"
	if v.across == nil {
		p.temps++
		v.mark = fmt.Sprintf("klb_set_%s_%d", strings.ReplaceAll(v.name, ".", "_"), p.temps)
		v.numberValues(p)
	} else {
		v.mark, declared = v.across.mark(v.name), v.across.declared()
		v.numberAcross(p, v.across.base)
	}
	var first *function
	for _, f := range v.functions() {
		if first == nil || f.Span.Start < first.Span.Start {
			first = f
		}
	}
	s, _ := p.site(siteKey{fileScope, first.Span.Start, 0}, first.Func)
	s.setup += fmt.Sprintf("%s %s; ", declared, v.mark)
	for _, d := range v.defs[1:] {
		if d.f != nil {
			d.f.setAt(d, v)
		}
	}
}

// functions are those of this unit that define or use a variable.
func (v *variable) functions() (out []*function) {
	for _, u := range v.uses {
		out = append(out, u.f)
	}
	for _, d := range v.defs[1:] {
		if d.f != nil {
			out = append(out, d.f)
		}
	}
	return out
}
