package drivers

import "modernc.org/cc/v4"

// The variant Room is for functions whose runs die in the memory behind their
// pointers: an output is longer than the input of which a number tells, an index is
// computed from what no analysis follows. There is more than they will come to,
// and when a test is replayed, too.

// roomBytes is how many bytes there are behind a pointer, and roomShare which part
// of the items a number may tell of.
const (
	roomBytes = 1024
	roomShare = 4
)

// makeRoom gives a shape more items. Those that are pointers, or hold them, stay as
// few as they are, and so does a text that nobody writes.
func (b *builder) makeRoom(s *shape, p *cc.PointerType) {
	if a, ok := p.Undecay().(*cc.ArrayType); ok && a.Len() > 0 || s.single || s.beyond || pointsAnywhere(s.elem) ||
		s.text && isConst(s.elem) {
		return
	}
	each := int64(1)
	if !s.bytes {
		each = max(s.elem.Size(), 1)
	}
	room := roomBytes / each
	if room <= s.items {
		return
	}
	b.roomy = true
	if s.most == 0 { // else there is room for what is written already
		s.most = s.items
	}
	if !s.text {
		s.most = max(s.items, room/roomShare)
	}
	s.items = room
}
