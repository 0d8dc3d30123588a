package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// maxCounted bounds the items that an integer may tell the number of because it is
// compared with constants.
const maxCounted = 512

// maxCountedBytes bounds those that are structures.
const maxCountedBytes = 4096

// limitDepth is how many calls a number of items is followed to what compares it with constants: what packs bytes
// hands them on from one function to the next.
const limitDepth = 6

// guessCounts finds the integers that tell how many items there are behind
// pointers, among the parameters: those that the code compares with indexes of
// the pointer, then "T *p, ..., int n", where the code does not speak against it.
func (b *builder) guessCounts(params []param) (notes []string) {
	r := b.rel
	for i, p := range params {
		pt, ok := p.typ.(*cc.PointerType)
		_, isGrid := b.grids[p.name]
		if !ok || isGrid || b.flat[p.name] > 0 || r.counts[p.name] != "" || contains(b.o.Strings, p.name) ||
			isRecord(pt.Elem()) &&
				pt.Elem().IsIncomplete() {
			continue
		}
		if _, isFunc := pt.Elem().(*cc.FunctionType); isFunc {
			continue
		}
		if a, ok := pt.Undecay().(*cc.ArrayType); ok && a.Len() > 0 {
			continue
		}
		if isRecord(pt.Elem()) && !b.uses[p.name].indexed {
			continue // one item, whatever follows it
		}
		if pt.Elem().Kind() == cc.Void && !b.isArray(p.name) {
			if t := b.an.viewOf(b.fn, p.name, 3); t != nil && isRecord(t) {
				continue // the context of a callback(const char *text, int len, void *context)
			}
		}
		if u := b.uses[p.name]; u.followed && !u.indexed && !u.handed || b.far(p.name, pt.Elem(), 0) > 0 {
			continue // *p alone, or a table of a size that the code says
		}
		n := b.sizeOfItem(params, p.name, b.countOf(b.fn, params, i))
		if n == "" {
			continue
		}
		r.counts[p.name], r.guess[p.name] = n, true
		text := pt.Elem().Kind() == cc.Char && b.ends(p.name)
		// What is called a number is one: an index that comes to it is a finding.
		r.upTo[p.name] = !text && !countName.MatchString(n) && b.an.comesTo(b.fn, params, i, n)
		what := "an array of at most %d items"
		if text {
			what = "a text of at most %d characters"
		}
		if r.upTo[p.name] {
			notes = append(notes, fmt.Sprintf("%s is taken for an array of at most %d items, of which %s "+
				"tells the last", p.name, b.capacity(pt.Elem(), p.name, n, 0)+1, n))
			continue
		}
		notes = append(notes, fmt.Sprintf("%s is taken for "+what+" of which %s tells the number, as with "+
			"--array %s:%s", p.name, b.capacity(pt.Elem(), p.name, n, 0), n, p.name, n))
	}
	return notes
}

// countOf is the parameter of a function that tells how many items there are
// behind another.
func (b *builder) countOf(fn *csource.Function, params []param, i int) string {
	if n, _ := b.an.countIn(fn, params, i, countDepth); n != "" {
		return n
	}
	n := countBeside(params, i)
	if ofAnother(params, params[i].name, n) || b.an.saysSizeOf(fn, n) > 0 || b.an.apart(fn, params, i, n) ||
		b.ignores(fn, n) {
		return ""
	}
	return n
}

// ignores reports whether a function never mentions a parameter: it bounds nothing.
func (s *shared) ignores(fn *csource.Function, name string) bool {
	if fn.Def == nil || name == "" {
		return false
	}
	return !slices.Contains(word.FindAllString(s.unit.Source(fn.Def.CompoundStatement), -1), name)
}

// apart reports whether a function only hands a pointer on, and a number not with it but with another one: find(s,
// len, path) and copy(to, n) of a path that was given before to and n. A text that ends with NUL needs no number.
func (a *analysis) apart(fn *csource.Function, params []param, i int, n string) bool {
	f := a.of(fn.Name)
	if f == nil || n == "" {
		return false
	}
	p, s := params[i].name, f.sizes
	goes := s.handedTo(p)
	if len(goes) == 0 || s.moved[p] || s.reached[p] || len(s.flows[p]) > 0 {
		return false
	}
	with := s.handedTo(n)
	for g := range goes {
		if with[g] {
			return false
		}
	}
	return a.ends(fn, p, endsDepth) || slices.ContainsFunc(params, func(q param) bool {
		if _, isPtr := q.typ.(*cc.PointerType); !isPtr || q.name == p {
			return false
		}
		for g := range s.handedTo(q.name) {
			if with[g] {
				return true
			}
		}
		return s.counted(q.name, n)
	})
}

// handedTo are the functions that a value is given to.
func (s *sizes) handedTo(name string) map[string]bool {
	out := map[string]bool{}
	for _, to := range s.passed[name] {
		out[to.function] = true
	}
	return out
}

// saysSizeOf is the size of a structure that caller and function know, where a parameter, or what it is handed
// on as, tells that: nothing of pointers beside it, whatever its name. It is 0 for others.
func (a *analysis) saysSizeOf(fn *csource.Function, n string) (size int64) {
	if a.of(fn.Name) != nil {
		a.followNumber(fn, n, 3, func(s *sizes, name string) { size = max(size, s.sizeOf[name]) })
	}
	return size
}

// capacity is how many items there are at least behind a pointer of which an
// integer tells the number: it shall pass the constants that it is compared with.
func (b *builder) capacity(elem cc.Type, p, n string, depth int) int64 {
	items := int64(b.o.MaxArray)
	if elem.Kind() == cc.Char {
		items = int64(b.o.MaxString) // as many as a text has that ends by itself
	}
	if b.fn == nil || depth > 0 || strings.ContainsAny(p+n, ".>[") || pointsAnywhere(elem) {
		return items
	}
	most := int64(maxCounted)
	if isRecord(elem) {
		most = min(most, maxCountedBytes/max(elem.Size(), 1))
	}
	return max(items, min(b.an.limitOf(b.fn, n, limitDepth), most))
}

func plainInteger(t cc.Type) bool {
	return cc.IsIntegerType(t) && t.Kind() != cc.Enum && t.Kind() != cc.Bool
}

// countedWith is how far behind a pointer stands a number of the items behind it and others.
const countedWith = 3

// countBeside is the integer that follows a pointer, or comes before it, and is
// called like a number of items.
func countBeside(params []param, i int) string {
	if n := countInTurn(params, i); n != "" {
		return n
	}
	for _, q := range params[i+1 : min(len(params), i+1+countedWith)] {
		if cc.IsIntegerType(q.typ) && q.typ.Kind() != cc.Enum {
			if countName.MatchString(q.name) {
				return q.name
			}
			break
		}
		if next, isPtr := q.typ.(*cc.PointerType); !isPtr || nearer(params[i].typ, next) {
			break
		}
	}
	if pt, ok := params[i].typ.(*cc.PointerType); ok && i > 0 && plainInteger(params[i-1].typ) &&
		params[i-1].name == "argc" && pt.Elem().Kind() == cc.Ptr {
		return "argc"
	}
	if i > 0 && cc.IsIntegerType(params[i-1].typ) && countName.MatchString(params[i-1].name) &&
		(i == 1 || params[i-2].typ.Kind() != cc.Ptr) { // else it is that one's
		return params[i-1].name
	}
	return ""
}

// countInTurn is the number of items where several pointers are followed by as many numbers, each in its turn:
// int pack(const char *from, char *to, int fromSize, int toSize).
func countInTurn(params []param, i int) string {
	first, end := i, i
	for first > 0 && leadsToPlain(params[first-1].typ) {
		first--
	}
	for end < len(params) && leadsToPlain(params[end].typ) {
		end++
	}
	n := end - first
	if n < 2 || end+n > len(params) || !slices.ContainsFunc(params[first:end], func(p param) bool {
		return !isConst(p.typ.(*cc.PointerType).Elem())
	}) {
		return ""
	}
	for k, q := range params[end : end+n] {
		if !plainInteger(q.typ) || !countName.MatchString(q.name) ||
			ofAnother(params[first:end], params[first+k].name, q.name) {
			return ""
		}
	}
	return params[end+i-first].name
}

// nearer reports whether a number of items behind two pointers is that of the next one
// alone: a text has not as many characters as there are structures or pointers.
func nearer(p cc.Type, next *cc.PointerType) bool {
	pt, ok := p.(*cc.PointerType)
	return ok && pt.Elem().Kind() == cc.Char && (isRecord(next.Elem()) || next.Elem().Kind() == cc.Ptr)
}

// ofAnother reports whether the name of a number of items begins with that of
// another pointer: key_len is that of key.
func ofAnother(params []param, p, n string) bool {
	if strings.HasPrefix(n, p) {
		return false
	}
	return slices.ContainsFunc(params, func(q param) bool {
		_, isPtr := q.typ.(*cc.PointerType)
		return isPtr && q.name != p && (len(q.name) > 1 && strings.HasPrefix(n, q.name) ||
			strings.HasPrefix(n, q.name+"_"))
	})
}
