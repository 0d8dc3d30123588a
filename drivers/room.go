package drivers

import "modernc.org/cc/v4"

// The variant Room is for functions whose runs die in the memory behind their
// pointers: an output is longer than the input of which a number tells, an index is
// computed from what no analysis follows. There is more than they will come to,
// and when a test is replayed, too.

// roomBytes is how many bytes there are behind a pointer, roomShare which part of the items a number may tell of,
// zeroBytes how many with those behind that are 0, in which a function lays out its tables, and mostZeros
// how many at most where the code itself says how many items it wants.
const (
	roomBytes = 1024
	roomShare = 4
	zeroBytes = 1 << 16
	mostZeros = 1 << 20
)

// makeRoom gives a shape of what is no pointer, nor holds any, more items, but for a text that nobody writes.
func (b *builder) makeRoom(s *shape) {
	if s.text && isConst(s.elem) {
		return
	}
	if room := roomBytes / s.each(); room > s.items {
		b.roomy = true
		if s.most == 0 { // else there is room for what is written already
			s.most = s.items
		}
		if !s.text {
			s.most = max(s.items, room/roomShare)
		}
		s.items = room
	}
	if !isConst(s.elem) && !b.o.WholeArrays { // nobody lays out what he only reads
		b.roomy = true
		s.zeros = max(s.zeros, zeroBytes/s.each()-s.items)
	}
}

// far is how many items the code asks for behind a pointer where these are more than can be input; what is a constant
// nobody lays out, and it stays as short as others.
func (b *builder) far(name string, elem cc.Type, depth int) int64 {
	if isConst(elem) {
		return 0
	}
	return b.behind(name, depth, farItems)
}

// each is the size of an item.
func (s *shape) each() int64 {
	if s.bytes {
		return 1
	}
	return max(s.elem.Size(), 1)
}

// isSized reports whether a parameter is written as an array with its length.
func isSized(p *cc.PointerType) bool {
	a, ok := p.Undecay().(*cc.ArrayType)
	return ok && a.Len() > 0
}
