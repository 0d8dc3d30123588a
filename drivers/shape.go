package drivers

import (
	"slices"
	"strconv"

	"modernc.org/cc/v4"
)

// longText is how many characters a parameter has in the variant Widest: what programs
// allow a line, mostly 80, 100 or 200, is less. Where a function has a larger buffer of its own, there
// are so many, and a few more: what does not fit is a text, too. What is larger than largestBuffer, nobody
// passes soon.
const (
	longText      = 256
	aboveBuffer   = 16
	largestBuffer = 2048
)

// longest is how many characters a parameter has in the variant Widest.
func (b *builder) longest() int64 {
	n := int64(longText)
	for _, f := range b.reach.funcs {
		if size := b.an.of(f.Name).buffer; size <= largestBuffer {
			n = max(n, size+aboveBuffer)
		}
	}
	return n
}

// shape says what a pointer points to.
type shape struct {
	elem   cc.Type
	as     cc.Type // what it is declared to lead to, where that is a handle and elem what it stands for; else nil
	items  int64   // capacity
	zeros  int64   // further items behind them, which are 0
	most   int64   // items of which a number tells, or that a text has, where there is room for more; else 0
	single bool    // one item, not an array
	text   bool    // a C string
	bytes  bool    // untyped memory
	count  string  // Name of the integer that tells how many items there are
	guess  bool    // the count was guessed
	upTo   bool    // it is the last item's place
	never  bool    // never NULL
	beyond bool    // deeper than pointers are followed: nothing is built
	leaf   bool    // nearly: what it leads to leads nowhere
}

var variableArguments = map[string]bool{"va_list": true, "__builtin_va_list": true, "__gnuc_va_list": true}

// told is the largest number of items that there are by what tells it.
func (s *shape) told() int64 {
	if s.most > 0 {
		return s.most
	}
	return s.items
}

// setCount tells the number of items by an integer.
func (s *shape) setCount(r *relations, name, count string, guess bool) {
	s.count, s.guess, s.upTo = count, guess, guess && r.upTo[name]
	s.items += int64(boolean(s.upTo))
}

// shape decides what a pointer points to.
func (b *builder) shape(name string, p *cc.PointerType, depth int) (*shape, error) {
	s, err := b.usualShape(name, p, depth)
	if err != nil || s.single || s.beyond || pointsAnywhere(s.elem) || isSized(p) {
		return s, err
	}
	s.zeros = max(b.far(name, s.elem, depth)-s.items, 0)
	if s.count != "" || s.zeros*s.each() > mostZeros {
		s.zeros = 0
	}
	if b.variant == Room || b.variant >= Wider && b.handsOut(name) {
		b.makeRoom(s)
	}
	return s, nil
}

func (b *builder) usualShape(name string, p *cc.PointerType, depth int) (*shape, error) {
	for _, t := range []cc.Type{p, p.Undecay(), p.Elem()} {
		if d := t.Typedef(); d != nil && variableArguments[d.Name()] {
			return nil, &typeError{d.Name(), "a list of variable arguments"}
		}
	}
	s := &shape{elem: p.Elem(), items: int64(b.o.MaxArray), never: !b.mayBeNull(name)}
	if n := b.arrays[name]; n > 0 && depth == 0 {
		s.items, s.never = n, true
		s.count, s.guess, _ = b.rel.countOf(name)
		return s, nil
	}
	u, isParam := b.uses[name]
	isParam = isParam && depth == 0
	if a, ok := p.Undecay().(*cc.ArrayType); ok && depth == 0 {
		if a.Len() > 0 {
			s.items, s.never = a.Len(), true
			return s, b.buildable(s.elem)
		}
	}
	if n := b.flat[name]; n > 0 && depth == 0 {
		s.items, s.never = n, true
		return s, b.buildable(s.elem)
	}
	if g, ok := b.grids[name]; ok && depth == 0 {
		s.items, s.never, s.bytes = b.gridSide()*b.gridSide(), !u.nullTest, s.elem.Kind() == cc.Void
		if g.row {
			s.items += b.gridSide()
		}
		return s, nil
	}
	if a, ok := s.elem.(*cc.ArrayType); ok && (a.IsVLA() || a.Len() < 0) {
		return nil, &typeError{b.ts.name(p), "whose length varies"}
	}
	lent := b.lent(name, depth)
	if b.begins && depth == 0 && !isConst(s.elem) && (s.elem.Kind() == cc.Void || s.elem.Kind() == cc.UChar) {
		lent = max(lent, begunBytes)
	}
	asked := max(b.asked(name, depth), b.roomToAppend(name, s.elem), lent)
	if s.elem.Size() == 1 && cc.IsIntegerType(s.elem) {
		asked = max(asked, b.leapt(name))
	}
	switch {
	case pointsAnywhere(s.elem):
		asked = min(asked, 4*s.items)
	case isRecord(s.elem):
		asked = min(asked, max(4*s.items, maxCountedBytes/max(s.elem.Size(), 1)))
	}
	s.items = max(s.items, asked)
	if b.hasParts(s.elem) && b.variant > Sharing {
		s.items = min(s.items, 2*DefaultMaxArray) // each item is several forks
	}
	if b.o.sparse && depth > 0 && b.hasParts(s.elem) && asked <= int64(b.o.MaxArray) {
		s.items = min(s.items, sparseItems)
	}
	count, guess, err := b.rel.countOf(name)
	if err != nil {
		return nil, err
	}
	if s.elem.Kind() == cc.Void {
		// With a count, or where single bytes are looked at, it stays bytes.
		if t := b.view(name); t != nil && count == "" && b.buildable(t) == nil &&
			(t.Size() > 1 || t.Kind() == cc.Char) {
			s.elem = t
		}
	}
	if hides(s.elem) && count == "" && !b.isArray(name) {
		t := b.view(name)
		x, ok := t.(*cc.StructType)
		if t != nil && b.buildable(t) == nil && !(ok && x.HasFlexibleArrayMember()) && len(b.wholes(t)) == 0 {
			s.elem, s.as = t, s.elem
		}
	}
	if s.elem.Kind() == cc.Void {
		s.bytes = true
		s.items = max(voidBytes, asked)
		if guess {
			s.items = max(s.items, b.capacity(s.elem, name, count, depth))
		}
		s.setCount(b.rel, name, count, guess)
		return s, nil
	}
	if err := b.buildable(s.elem); err != nil {
		if s.single = len(b.wholes(s.elem)) > 0; !s.single {
			return nil, err
		}
		b.narrow("%s leading to what the file takes it for", name) // others may know it as something else
		s.items, s.beyond = 1, b.deep(depth)
		s.never = s.never && !s.beyond
		return s, nil
	}
	s.leaf = b.turnsBack(s.elem, depth)
	if !s.leaf && b.deep(depth) && (b.pointsOn(s.elem) ||
		slices.ContainsFunc(b.wholes(s.elem), func(w surrounding) bool { return b.pointsOn(w.typ) })) {
		s.beyond, s.never = true, false
		return s, nil
	}
	isText := s.elem.Kind() == cc.Char
	if b.rel.isString(name) {
		if !cc.IsIntegerType(s.elem) {
			return nil, &RelationError{Relation: "--string " + name, Reason: name + " is no pointer to characters"}
		}
		isText = true
	}
	switch {
	case count != "":
		if guess {
			s.items = max(s.items, b.capacity(s.elem, name, count, depth))
		}
		if n, err := strconv.ParseInt(count, 0, 32); err == nil {
			if n <= 0 {
				return nil, &RelationError{Relation: "--array " + name + ":" + count,
					Reason: "an array needs at least one item"}
			}
			s.items, count = n, ""
		}
		s.setCount(b.rel, name, count, guess)
		if guess && isText && b.ends(name) {
			s.text, s.items = true, s.items+1 // the number tells of the characters before its end
		}
	case isText:
		s.text = true
		s.items = int64(b.o.MaxString) + 1
		if b.o.MaxString == DefaultMaxString {
			s.items = max(s.items, b.leapt(name)+1, b.spelt(name, depth)+1)
		}
		if b.variant == Widest && depth == 0 && b.o.MaxString < longText {
			s.items = b.longest() + 1
		}
		if lent > 0 && !isConst(s.elem) {
			s.most, s.items = s.items, s.items+lent // what is written there, perhaps behind the text
		}
	case len(b.wholes(s.elem)) > 0: // steps from it lead to what it lies in
		s.single, s.items = true, 1
	case isRecord(s.elem) && b.isArray(name):
	case isParam && !u.indexed && (!u.handed || isRecord(s.elem)), !isParam && isRecord(s.elem):
		s.single = true
		s.items = 1
	case count == "" && depth > 0 && !b.hasParts(s.elem) && b.isGridField(name):
		s.items = max(s.items, min(s.items*s.items, mostGridItems))
	}
	return s, nil
}

// deep reports whether a pointer at a depth is followed no more.
func (b *builder) deep(depth int) bool { return depth > 0 && depth >= b.o.MaxDepth }

// turnsBack reports whether a pointer leads to a structure of a kind that there is above, and only one of them is
// built behind it.
func (b *builder) turnsBack(elem cc.Type, depth int) bool {
	if b.o.straight == 0 || depth < b.o.straight || depth > b.o.MaxDepth {
		return false
	}
	typ, err := b.targetType(elem)
	return err == nil && slices.ContainsFunc(b.above, func(p partner) bool { return p.typ == typ })
}

// hides reports whether a type is an untyped pointer: a pointer to such hides, in some libraries, a structure
// that only their own files know, "typedef void *server; server *server_new(void)".
func hides(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && p.Elem().Kind() == cc.Void
}

func isRecord(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

// buildable is the reason why no value of the type can be made, nil when one can.
func (b *builder) buildable(t cc.Type) error {
	if _, ok := t.(*cc.PointerType); ok {
		return nil
	}
	_, err := b.ts.of(t)
	return err
}
