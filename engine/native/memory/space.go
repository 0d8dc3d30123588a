package memory

const fanBits = 4
const fan = 1 << fanBits

// node is a node of the index from slot numbers to objects. Level 0 holds
// objects.
type node struct {
	owner uint64
	used  int
	kids  *[fan]*node
	objs  *[fan]*Object
}

// region is what a state has in a place of the layout.
type region struct {
	place *place
	again bool   // slots are given a second time
	next  uint64 // slots handed out
	root  *node
	level int // of root; its capacity is fan^(level+1) slots
}

// Space is the address space of one state.
type Space struct {
	owner   uint64
	owners  *uint64 // the last owner number given out, shared by all forks
	layout  *Layout
	regions [maxRegions]region
	serial  uint64
	bytes   uint64
}

func (s *Space) newOwner() uint64 { *s.owners++; return *s.owners }

// NewSpace returns an empty space.
func NewSpace(l *Layout) *Space {
	s := &Space{owners: new(uint64), layout: l}
	s.owner = s.newOwner()
	for i := range l.places {
		s.regions[i].place = &l.places[i]
	}
	return s
}

// Layout says where objects stand.
func (s *Space) Layout() *Layout { return s.layout }

// Fork returns a copy; what both hold is shared from now on.
func (s *Space) Fork() *Space {
	t := new(Space)
	*t = *s
	s.owner, t.owner = s.newOwner(), s.newOwner()
	return t
}

// TakeBack undoes a Fork of s, whose owner was this one, when nothing of what the
// fork made is left: what they shared is s's alone again.
func (s *Space) TakeBack(owner uint64) { s.owner = owner }

// Owner identifies this version of the space; it changes by Fork. Things
// attached to a state can use it for their own copying on write.
func (s *Space) Owner() uint64 { return s.owner }

// Bytes is the number of bytes in live heap and stack objects.
func (s *Space) Bytes() uint64 { return s.bytes }

// regionFor is where an object goes, nil if it is larger than any.
func (s *Space) regionFor(k Kind, size uint64) *region {
	if k == Code {
		k = Global
	}
	for i := range s.layout.places {
		if r := &s.regions[i]; r.place.kind == k && size <= r.place.most {
			return r
		}
	}
	return nil
}

// room makes next a slot with n free ones from it on; false if there are none.
func (r *region) room(n uint64) bool {
	slots := (r.place.end - r.place.base) >> r.place.slotBits
	if !r.again && r.next+n <= slots {
		return true
	}
	rounds := 0
	if !r.again {
		r.again, r.next, rounds = true, 0, 1
	}
	for free := uint64(0); free < n; free++ {
		if r.next+n > slots {
			if rounds++; rounds > 1 {
				return false
			}
			r.next, free = 0, 0
		}
		if r.get(r.next+free) != nil {
			r.next += free + 1
			free = ^uint64(0)
		}
	}
	return true
}

// Given is how far a space has come with giving out places.
type Given struct {
	serial uint64
	next   [maxRegions]uint64
}

// Given says what a space has given out.
func (s *Space) Given() Given {
	g := Given{serial: s.serial}
	for i := range s.regions {
		g.next[i] = s.regions[i].next
	}
	return g
}

// Skip has a space go on where another one stands that was a fork of it: what that one has
// made is gone, but objects to come have the same places.
func (s *Space) Skip(g Given) {
	s.serial = g.serial
	for i := range s.regions {
		s.regions[i].next = g.next[i]
	}
}

// Again reports whether addresses of objects that are gone have been given again.
func (s *Space) Again() bool {
	for i := range s.layout.places {
		if s.regions[i].again {
			return true
		}
	}
	return false
}

// slots is how many slots an object takes, with what is left free behind it.
func (p *place) slots(size uint64) uint64 { return (size + p.guard + 1<<p.slotBits - 1) >> p.slotBits }

func (s *Space) regionAt(addr uint64) *region {
	for i := range s.layout.places {
		if p := &s.layout.places[i]; addr >= p.base && addr < p.end {
			return &s.regions[i]
		}
	}
	return nil
}

// Alloc makes a zeroed object. nil means that there is no room for it.
func (s *Space) Alloc(size uint64, k Kind, name string) *Object {
	r := s.regionFor(k, size)
	if r == nil || !r.room(r.place.slots(size)) {
		return nil
	}
	p := r.place
	info := &Info{Base: p.base + r.next<<p.slotBits, Size: size, Kind: k, Name: name, Serial: s.serial,
		layout: s.layout}
	s.serial++
	if k != Global && k != Code {
		s.bytes += size
	}
	o := newObject(info, s.owner)
	for i := uint64(0); i < p.filled(size); i++ {
		s.set(r, r.next+i, o)
	}
	r.next += p.slots(size)
	return o
}

// filled is how many slots an object has bytes in.
func (p *place) filled(size uint64) uint64 { return max(1, (size+1<<p.slotBits-1)>>p.slotBits) }

func (s *Space) own(n *node) *node {
	if n.owner == s.owner {
		return n
	}
	c := &node{owner: s.owner, used: n.used}
	if n.kids != nil {
		k := *n.kids
		c.kids = &k
	} else {
		k := *n.objs
		c.objs = &k
	}
	return c
}

func (s *Space) newNode(level int) *node {
	n := &node{owner: s.owner}
	if level == 0 {
		n.objs = new([fan]*Object)
	} else {
		n.kids = new([fan]*node)
	}
	return n
}

// set binds a slot to an object; nil removes it.
func (s *Space) set(r *region, slot uint64, o *Object) {
	if r.root == nil {
		r.root = s.newNode(0)
		r.level = 0
	}
	for slot>>(uint(r.level+1)*fanBits) != 0 {
		n := s.newNode(r.level + 1)
		n.kids[0], n.used = r.root, 1
		r.root = n
		r.level++
	}
	r.root = s.put(r.root, r.level, slot, o)
	if r.root == nil {
		r.level = 0
	}
}

func (s *Space) put(n *node, level int, slot uint64, o *Object) *node {
	if n == nil {
		if o == nil {
			return nil
		}
		n = s.newNode(level)
	}
	n = s.own(n)
	i := slot >> (uint(level) * fanBits) & (fan - 1)
	if level == 0 {
		n.used += count(o != nil) - count(n.objs[i] != nil)
		n.objs[i] = o
	} else {
		kid := s.put(n.kids[i], level-1, slot, o)
		n.used += count(kid != nil) - count(n.kids[i] != nil)
		n.kids[i] = kid
	}
	if n.used == 0 {
		return nil
	}
	return n
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *region) get(slot uint64) *Object {
	if r.root == nil || slot>>(uint(r.level+1)*fanBits) != 0 {
		return nil
	}
	n := r.root
	for level := r.level; level > 0; level-- {
		if n = n.kids[slot>>(uint(level)*fanBits)&(fan-1)]; n == nil {
			return nil
		}
	}
	return n.objs[slot&(fan-1)]
}

// Find returns the object whose slots hold addr, which may still be out of its
// bounds; nil if there is none.
func (s *Space) Find(addr uint64) *Object {
	r := s.regionAt(addr)
	if r == nil {
		return nil
	}
	return r.get((addr - r.place.base) >> r.place.slotBits)
}

// Writable returns a version of the object that this space alone holds.
func (s *Space) Writable(o *Object) *Object {
	if o.owner == s.owner {
		return o
	}
	c := o.clone(s.owner)
	r := s.regionAt(o.Base)
	first := (o.Base - r.place.base) >> r.place.slotBits
	for i := uint64(0); i < r.place.filled(o.Size); i++ {
		s.set(r, first+i, c)
	}
	return c
}

// Free removes an object.
func (s *Space) Free(o *Object) {
	r := s.regionAt(o.Base)
	first := (o.Base - r.place.base) >> r.place.slotBits
	for i := uint64(0); i < r.place.filled(o.Size); i++ {
		s.set(r, first+i, nil)
	}
	if o.Kind != Global && o.Kind != Code {
		s.bytes -= o.Size
	}
}

// Gone says what kind of object once lived at an address where none is now;
// ok is false if there never was one.
func (s *Space) Gone(addr uint64) (k Kind, ok bool) {
	r := s.regionAt(addr)
	if r == nil || r.place.kind == Global {
		return 0, false
	}
	slot := (addr - r.place.base) >> r.place.slotBits
	if slot >= r.next && !r.again || r.get(slot) != nil {
		return 0, false
	}
	return r.place.kind, true
}

// Each calls f for every object, until f returns false.
func (s *Space) Each(f func(*Object) bool) {
	for i := range s.regions {
		r := &s.regions[i]
		var last *Object
		if r.root != nil && !each(r.root, r.level, func(o *Object) bool {
			if o == last {
				return true
			}
			last = o
			return f(o)
		}) {
			return
		}
	}
}

func each(n *node, level int, f func(*Object) bool) bool {
	for i := 0; i < fan; i++ {
		if level == 0 {
			if o := n.objs[i]; o != nil && !f(o) {
				return false
			}
		} else if k := n.kids[i]; k != nil && !each(k, level-1, f) {
			return false
		}
	}
	return true
}
