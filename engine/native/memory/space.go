package memory

// Layout of the address space. Regions never meet: each could hold more slots
// than a run can allocate.
const (
	SlotBits   = 16
	Slot       = 1 << SlotBits
	Guard      = 4096
	GlobalBase = 1 << 40
	HeapBase   = 1 << 44
	StackBase  = 1 << 46
	limit      = 1 << 62
)

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

type region struct {
	base  uint64
	next  uint64 // slots handed out
	root  *node
	level int // of root; its capacity is fan^(level+1) slots
}

// Space is the address space of one state.
type Space struct {
	owner   uint64
	owners  *uint64 // the last owner number given out, shared by all forks
	regions [3]region
	serial  uint64
	bytes   uint64
}

func (s *Space) newOwner() uint64 { *s.owners++; return *s.owners }

// NewSpace returns an empty space.
func NewSpace() *Space {
	s := &Space{owners: new(uint64)}
	s.owner = s.newOwner()
	for i, b := range [3]uint64{GlobalBase, HeapBase, StackBase} {
		s.regions[i].base = b
	}
	return s
}

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

func (s *Space) regionOf(k Kind) *region {
	switch k {
	case Heap:
		return &s.regions[1]
	case Stack:
		return &s.regions[2]
	}
	return &s.regions[0]
}

func (s *Space) regionAt(addr uint64) *region {
	switch {
	case addr >= StackBase && addr < limit:
		return &s.regions[2]
	case addr >= HeapBase && addr < StackBase:
		return &s.regions[1]
	case addr >= GlobalBase && addr < HeapBase:
		return &s.regions[0]
	}
	return nil
}

// Alloc makes a zeroed object. nil means that it is larger than the region.
func (s *Space) Alloc(size uint64, k Kind, name string) *Object {
	if size > 1<<42 {
		return nil
	}
	r := s.regionOf(k)
	info := &Info{Base: r.base + r.next<<SlotBits, Size: size, Kind: k, Name: name, Serial: s.serial}
	s.serial++
	if k != Global && k != Code {
		s.bytes += size
	}
	o := newObject(info, s.owner)
	n := (size + Guard + Slot - 1) >> SlotBits
	for i := uint64(0); i == 0 || i<<SlotBits < size; i++ {
		s.set(r, r.next+i, o)
	}
	r.next += n
	return o
}

func slotsOf(o *Object) uint64 { return max(1, (o.Size+Slot-1)>>SlotBits) }

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
	if o := r.get((addr - r.base) >> SlotBits); o != nil {
		return o
	}
	return nil
}

// Writable returns a version of the object that this space alone holds.
func (s *Space) Writable(o *Object) *Object {
	if o.owner == s.owner {
		return o
	}
	c := o.clone(s.owner)
	r := s.regionAt(o.Base)
	first := (o.Base - r.base) >> SlotBits
	for i := uint64(0); i < slotsOf(o); i++ {
		s.set(r, first+i, c)
	}
	return c
}

// Free removes an object.
func (s *Space) Free(o *Object) {
	r := s.regionAt(o.Base)
	first := (o.Base - r.base) >> SlotBits
	for i := uint64(0); i < slotsOf(o); i++ {
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
	if r == nil || (addr-r.base)>>SlotBits >= r.next || r.get((addr-r.base)>>SlotBits) != nil {
		return 0, false
	}
	switch r.base {
	case HeapBase:
		return Heap, true
	case StackBase:
		return Stack, true
	}
	return 0, false
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
