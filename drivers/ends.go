package drivers

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// endsDepth is how many calls a pointer and its end are followed.
const endsDepth = 3

// relation says what a function does with two pointers.
type relation uint8

const (
	compared   relation = 1 << iota // one is held against the other by order
	subtracted                      // their distance is taken: they lead into one array
)

// pairs are pointers by what they are compared with, or subtracted from.
type pairs map[string]map[string]relation

// pair notes that a pointer lies before another.
func (s *sizes) pair(begin, end cc.ExpressionNode, r relation) {
	a, b := pointerOf(begin), pointerOf(end)
	if a == "" || b == "" || a == b {
		return
	}
	if s.pairs[a] == nil {
		s.pairs[a] = map[string]relation{}
	}
	s.pairs[a][b] |= r
}

// pointerOf is the name of the pointer that a pointer is computed from, by sums and steps; "" for anything else.
func pointerOf(e cc.ExpressionNode) string {
	if _, ok := e.Type().(*cc.PointerType); !ok {
		return ""
	}
	if name := nameOf(e); name != "" {
		return name
	}
	switch x := plainer(e).(type) {
	case *cc.AdditiveExpression:
		if name := pointerOf(x.AdditiveExpression); name != "" {
			return name
		}
		return pointerOf(x.MultiplicativeExpression)
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			return pointerOf(x.UnaryExpression)
		}
		if name, _ := offsetOf(x); name != "" {
			return name
		}
	}
	return ""
}

// cursors are the names that a pointer goes to in a function, with something added or not, and its own.
func (s *sizes) cursors(name string) []string {
	out := []string{name}
	for i := 0; i < len(out) && i < maxKnown; i++ {
		for _, to := range s.derived[out[i]] {
			if !slices.Contains(out, to) {
				out = append(out, to)
			}
		}
	}
	return out
}

// endsAt reports whether a pointer tells a function, or what that hands both on to, the end of what another one
// leads to: their distance is taken, or they are compared and nothing is read or written where the end is.
func (a *analysis) endsAt(f *csource.Function, begin, end string, depth int) bool {
	return a.once(question{"ends", f.Name, begin + " " + end, depth}, func() bool {
		return a.endsThere(f, begin, end, depth)
	})
}

// endsIn are the functions of the unit in which endsAt holds of two fields: most often none. Objects with many pointers
// ask it of each two of them, in every entry.
func (a *analysis) endsIn(begin, end string) []*csource.Function {
	key := [2]string{begin, end}
	in, known := a.fieldEnds[key]
	if !known {
		for _, f := range a.unit.Functions() {
			if a.endsAt(f, begin, end, endsDepth) {
				in = append(in, f)
			}
		}
		a.fieldEnds[key] = in
	}
	return in
}

// endsThere is endsAt, asked once.
func (a *analysis) endsThere(f *csource.Function, begin, end string, depth int) bool {
	s := a.of(f.Name).sizes
	begins, ends := s.cursors(begin), s.cursors(end)
	var r relation
	reached := false
	for _, e := range ends {
		reached = reached || s.reached[e]
		for _, b := range begins {
			r |= s.pairs[b][e]
		}
	}
	if r&subtracted != 0 || r&compared != 0 && !reached {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, b := range begins {
		plain, moved := strings.CutPrefix(b, "*") // a pointer that the function moves for its caller
		for _, to := range s.passed[plain] {
			g := a.funcs[to.function]
			if g == nil || to.index >= len(g.Params) {
				continue
			}
			there := g.Params[to.index].Name()
			if moved {
				there = "*" + there
			}
			if strings.HasPrefix(end, ".") && a.endsAt(g, there, end, depth-1) {
				return true
			}
			for _, e := range ends {
				for _, with := range s.passed[e] {
					if with.function == to.function && with.index < len(g.Params) && with.index != to.index &&
						a.endsAt(g, there, g.Params[with.index].Name(), depth-1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// beginOf is the pointer of which another one, of the same type, tells where its items end. What unrelated
// pointers are to each other is no program's business: where they lie decides.
func (b *builder) beginOf(name string, s *shape) (partner, bool) {
	if b.fn == nil || b.variant == Sharing || s.single || s.bytes || s.beyond || isRecord(s.elem) ||
		pointsAnywhere(s.elem) || len(b.rel.aliasesOf(name)) > 0 {
		return partner{}, false
	}
	typ, err := b.targetType(s.elem)
	if err != nil {
		return partner{}, false
	}
	own, end := b.nameOf(name)
	ends := func(begin string) bool {
		only, n := b.nameOf(begin)
		switch {
		case n == "" || end == "":
			return false
		case only == nil && own == nil:
			return slices.ContainsFunc(b.an.endsIn(n, end), func(f *csource.Function) bool {
				return slices.Contains(b.reach.funcs, f)
			})
		case only != nil && own != nil:
			return only == own && b.an.endsAt(own, n, end, endsDepth)
		}
		f := cmp.Or(only, own)
		return slices.Contains(b.reach.funcs, f) && b.an.endsAt(f, n, end, endsDepth)
	}
	for _, p := range slices.Concat(b.beside, b.moving) {
		if p.typ == typ && p.items > 0 && ends(p.name) {
			return p, true
		}
	}
	return b.beginByName(name, typ)
}

var endName = regexp.MustCompile(`(?i)^(\w*_)?end(_?ptr)?$|[a-z0-9]End(Ptr)?$`)

// handsOut reports whether a pointer moves through memory that is handed out: a function asks how far it is from
// another one, and none reads or writes where it leads, or what goes on from it. There is more of it than of what is
// read, and entries with wider bounds give all of it.
func (b *builder) handsOut(name string) bool {
	measured := false
	touched := b.inFunctions(name, func(f *csource.Function, n string) bool {
		s := b.an.of(f.Name).sizes
		return slices.ContainsFunc(s.cursors(n), func(c string) bool {
			for _, r := range s.pairs[c] {
				measured = measured || r&subtracted != 0
			}
			return s.reached[c]
		})
	})
	return measured && !touched
}

// beginByName is beginOf where what the function hands both on to is not known, and tells nothing: a parameter that is
// called an end and comes right after one of its type. A function that reads where it leads says otherwise.
func (b *builder) beginByName(name, typ string) (partner, bool) {
	at := slices.IndexFunc(b.fn.Params, func(p *cc.Parameter) bool { return p.Name() == name })
	if b.o.NoGuess || at < 1 || !endName.MatchString(name) || endName.MatchString(b.fn.Params[at-1].Name()) ||
		b.an.of(b.fn.Name).sizes.reached[name] {
		return partner{}, false
	}
	for _, p := range b.beside {
		if p.name == b.fn.Params[at-1].Name() && p.typ == typ && p.items > 0 {
			b.warn("%s: %s is taken for the end of what %s leads to", b.fn.Name, name, p.name)
			return p, true
		}
	}
	return partner{}, false
}

// beginsFirst lists the fields of a structure as they are built: one that tells where the items of another end comes
// after it, as what beginOf looks for must be there.
func (s *shared) beginsFirst(x *cc.StructType) []*cc.Field {
	if out, known := s.fieldOrder[x]; known {
		return out
	}
	var fields, out []*cc.Field
	for i := 0; i < x.NumFields(); i++ {
		if f := x.FieldByIndex(i); f != nil {
			fields = append(fields, f)
		}
	}
	ends := map[*cc.Field][]*cc.Field{} // by where the items begin
	late := map[*cc.Field]bool{}
	for i, f := range fields {
		for _, g := range fields[i+1:] {
			if !late[f] && s.sameItems(f, g) && s.an.endsAnywhere(g, f) && !s.an.endsAnywhere(f, g) {
				ends[g], late[f] = append(ends[g], f), true
			}
		}
	}
	var add func(f *cc.Field)
	add = func(f *cc.Field) {
		out = append(out, f)
		for _, e := range ends[f] {
			add(e)
		}
	}
	for _, f := range fields {
		if !late[f] {
			add(f)
		}
	}
	s.fieldOrder[x] = out
	return out
}

// sameItems reports whether two fields are pointers to plain items of one type.
func (s *shared) sameItems(f, g *cc.Field) bool {
	p, ok := f.Type().(*cc.PointerType)
	q, also := g.Type().(*cc.PointerType)
	if !ok || !also || isRecord(p.Elem()) || pointsAnywhere(p.Elem()) || p.Elem().Kind() == cc.Function {
		return false
	}
	a, err := s.ts.declare(p.Elem(), "@", true)
	b, berr := s.ts.declare(q.Elem(), "@", true)
	return err == nil && berr == nil && a == b
}

// endsAnywhere reports whether a function of the unit takes a field for the end of what another leads to.
func (a *analysis) endsAnywhere(begin, end *cc.Field) bool {
	return slices.ContainsFunc(a.unit.Functions(), func(f *csource.Function) bool {
		s := a.of(f.Name).sizes
		return len(s.pairs) > 0 && a.endsThere(f, "."+begin.Name(), "."+end.Name(), 0)
	})
}
