package memory

// Layout says where the objects of an address space stand. Regions never meet. In 64
// bits each could hold more objects than a run can allocate; in 32 bits a path may
// need more: then addresses of objects that are gone are given again.
type Layout struct {
	AddressSize uint64 // in bytes
	CodeBase    uint64 // of functions; below all addresses
	LabelBase   uint64 // of labels (&&label)
	Low, Limit  uint64 // of objects
	SlotBits    uint   // of the smallest slots
	Guard       uint64 // the fewest bytes behind an object that belong to nothing

	places []place
}

// place is a region: objects of a kind of up to most bytes. Each begins a slot, and
// guard bytes behind it belong to nothing.
type place struct {
	kind      Kind
	base, end uint64
	slotBits  uint
	guard     uint64
	most      uint64
}

// maxRegions is the most places that a layout has.
const maxRegions = 6

// Wide is the layout of 64-bit addresses.
var Wide = &Layout{AddressSize: 8, CodeBase: 1 << 39, LabelBase: 1<<39 + 1<<38, Low: 1 << 40, Limit: 1 << 62,
	SlotBits: 16, Guard: 4096, places: []place{
		{Stack, 1 << 46, 1 << 62, 16, 4096, 1 << 42},
		{Heap, 1 << 44, 1 << 46, 16, 4096, 1 << 42},
		{Global, 1 << 40, 1 << 44, 16, 4096, 1 << 42},
	}}

// Narrow is the layout of 32-bit addresses. Small objects stand closer together, so
// that there is room for a million of them. Regions begin at numbers that programs
// seldom use for anything else.
var Narrow = &Layout{AddressSize: 4, CodeBase: 0x0804_9120, LabelBase: 0x0904_9120, Low: 0x0a35_9000,
	Limit: 0xfff0_0000, SlotBits: 10, Guard: 512, places: []place{
		{Stack, 0xa035_9400, 0xf000_0000, 10, 512, smallObject},
		{Stack, 0xf035_0000, 0xfff0_0000, 16, 4096, 0x0f00_0000},
		{Heap, 0x4035_9400, 0x6000_0000, 10, 512, smallObject},
		{Heap, 0x6035_0000, 0xa000_0000, 16, 4096, 0x3f00_0000},
		{Global, 0x0a35_9400, 0x1400_0000, 10, 512, smallObject},
		{Global, 0x1435_0000, 0x4000_0000, 16, 4096, 0x2b00_0000},
	}}

// smallObject is the most bytes of what stands in small slots.
const smallObject = 32 << 10

// For is the layout of addresses of so many bits.
func For(bits int) *Layout {
	if bits == 32 {
		return Narrow
	}
	return Wide
}

// IsObject reports whether an address is one of objects.
func (l *Layout) IsObject(addr uint64) bool { return addr >= l.Low && addr < l.Limit }
