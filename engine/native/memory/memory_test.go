package memory

import (
	"math/rand"
	"runtime"
	"testing"

	"klabel/engine/native/expr"
)

// shadow is what a Space should hold, copied in full at every fork.
type shadow map[uint64][]uint64 // base -> bytes; 256 and above are symbolic

func (s shadow) clone() shadow {
	c := shadow{}
	for k, v := range s {
		c[k] = append([]uint64(nil), v...)
	}
	return c
}

// TestAgainstShadow performs random operations on a tree of forked spaces and
// on plain copies.
func TestAgainstShadow(t *testing.T) {
	againstShadow(t, Wide)
	againstShadow(t, Narrow)
}

func againstShadow(t *testing.T, layout *Layout) {
	rng := rand.New(rand.NewSource(3))
	b := expr.NewBuilder()
	v := b.Var("v", 200)
	type pair struct {
		space *Space
		is    shadow
	}
	all := []pair{{NewSpace(layout), shadow{}}}
	sizes := []uint64{1, 4, 8, 40, 64, 65, 1000, 1024, 1025, 5000, 70000}
	for step := 0; step < 20000; step++ {
		p := all[rng.Intn(len(all))]
		var bases []uint64
		p.space.Each(func(o *Object) bool { bases = append(bases, o.Base); return true })
		if len(bases) != len(p.is) {
			t.Fatalf("step %d: %d objects, want %d", step, len(bases), len(p.is))
		}
		switch k := rng.Intn(20); {
		case len(bases) == 0 || k == 0 && len(bases) < 12:
			size := sizes[rng.Intn(len(sizes))]
			o := p.space.Alloc(size, Kind(rng.Intn(3)), "x")
			p.is[o.Base] = make([]uint64, size)
			if rng.Intn(2) == 0 { // what was never written is a byte of v
				o.Unset = func(_ *Info, off uint64) (byte, Cell) { return 0, Cell{E: b.Read(v, int(off)%v.Size, 1)} }
				for i := range p.is[o.Base] {
					p.is[o.Base][i] = 256 + uint64(i%v.Size)
				}
			}
		case k == 1 && len(all) < 12:
			all = append(all, pair{p.space.Fork(), p.is.clone()})
		case k == 2:
			base := bases[rng.Intn(len(bases))]
			p.space.Free(p.space.Find(base))
			delete(p.is, base)
			if p.space.Find(base) != nil {
				t.Fatal("a freed object is found")
			}
		default:
			base := bases[rng.Intn(len(bases))]
			access(t, rng, b, v, p.space, base, p.is)
		}
	}
}

func access(t *testing.T, rng *rand.Rand, b *expr.Builder, v *expr.Var, s *Space, base uint64, is shadow) {
	want := is[base]
	n := min(1+rng.Intn(8), len(want))
	off := rng.Intn(len(want) - n + 1)
	o := s.Find(base + uint64(off))
	if o == nil || o.Base != base {
		t.Fatal("object is not found by an address inside")
	}
	switch rng.Intn(5) {
	case 0:
		x := rng.Uint64()
		s.Writable(o).SetUint(uint64(off), n, x)
		for i := 0; i < n; i++ {
			want[off+i] = x >> (8 * i) & 255
		}
	case 1:
		at := rng.Intn(v.Size - n)
		s.Writable(o).SetExpr(uint64(off), b.Read(v, at, n))
		for i := 0; i < n; i++ {
			want[off+i] = 256 + uint64(at+i)
		}
	case 2:
		w := s.Writable(o)
		m := 1 + rng.Intn(len(want))
		from, to := rng.Intn(len(want)-m+1), rng.Intn(len(want)-m+1)
		w.Copy(uint64(to), w, uint64(from), uint64(m))
		copy(want[to:to+m], append([]uint64(nil), want[from:from+m]...))
	case 3:
		m := 1 + rng.Intn(len(want))
		at := rng.Intn(len(want) - m + 1)
		x := byte(rng.Intn(2) * 7)
		s.Writable(o).Fill(uint64(at), uint64(m), x, Cell{})
		for i := at; i < at+m; i++ {
			want[i] = uint64(x)
		}
	}
	o = s.Find(base)
	model := new(expr.Model)
	for i := 0; i < v.Size; i++ {
		model.Set(v, i, byte(i*31+7))
	}
	var number uint64
	concrete := true
	for i := n - 1; i >= 0; i-- {
		x := want[off+i]
		if x >= 256 {
			concrete = false
			x = uint64(byte((x-256)*31 + 7))
		}
		number = number<<8 | x
	}
	if got, ok := o.Uint(uint64(off), n); ok != concrete || ok && got != number {
		t.Fatalf("Uint = %x %v, want %x %v", got, ok, number, concrete)
	}
	if got := b.Eval(o.Expr(b, uint64(off), n), model); got.Lo != number {
		t.Fatalf("Expr = %x, want %x", got.Lo, number)
	}
}

func TestAddresses(t *testing.T) {
	slot := uint64(1) << Wide.SlotBits
	s := NewSpace(Wide)
	a, c := s.Alloc(1<<Wide.SlotBits-Wide.Guard, Heap, "a"), s.Alloc(3<<Wide.SlotBits, Heap, "c")
	if s.Find(a.Base+slot-1) != a || s.Find(c.Base+3*slot-1) != c || s.Find(c.Base-1) != a {
		t.Error("objects are not found by their slots")
	}
	if s.Find(c.Base+3*slot) != nil || s.Find(0) != nil || s.Find(1<<46) != nil {
		t.Error("something is found where nothing is")
	}
	s.Free(a)
	if k, ok := s.Gone(a.Base); !ok || k != Heap {
		t.Error("a freed block is not known as such")
	}
	if _, ok := s.Gone(c.Base); ok {
		t.Error("a live block is gone")
	}
}

// TestWriteIsCheap holds what a state pays for its first byte in a large symbolic object:
// a page, whatever the object's size.
func TestWriteIsCheap(t *testing.T) {
	b := expr.NewBuilder()
	v := b.Var("v", 8192)
	s := NewSpace(Wide)
	o := s.Alloc(8192, Heap, "o")
	for i := range v.Size {
		o.SetExpr(uint64(i), b.Read(v, i, 1))
	}
	const forks = 100
	var kept []*Space
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range forks {
		f := s.Fork()
		f.Writable(f.Find(o.Base)).SetUint(uint64(i*64), 1, 7)
		kept = append(kept, f)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / forks; each > 2500 {
		t.Errorf("a fork that writes one byte takes %d bytes", each)
	}
	for i, f := range kept {
		if x, ok := f.Find(o.Base).Uint(uint64(i*64), 1); !ok || x != 7 {
			t.Fatalf("fork %d reads %d", i, x)
		}
		if _, ok := f.Find(o.Base).Uint(uint64(i*64+1), 1); ok {
			t.Fatalf("fork %d lost a symbolic byte", i)
		}
	}
}

// TestAddressesAgain: where a region has no slot left, those of objects that are gone
// are given again, never those of others.
func TestAddressesAgain(t *testing.T) {
	s := NewSpace(Narrow)
	place := &Narrow.places[0]
	kept := s.Alloc(100, Stack, "kept")
	slots := (place.end - place.base) >> place.slotBits
	at := map[uint64]bool{}
	for i := uint64(0); i < slots+100; i++ {
		o := s.Alloc(2000, Stack, "o")
		if o == nil || o.Base == kept.Base || o.Base+o.Size > place.end || s.Find(o.Base) != o {
			t.Fatalf("object %d: %+v", i, o)
		}
		at[o.Base] = true
		s.Free(o)
		if again := i >= slots/3; s.Again() && !again {
			t.Fatalf("object %d: addresses are given again", i)
		}
	}
	if !s.Again() || s.Find(kept.Base) != kept {
		t.Error("what is kept is gone, or nothing is given again")
	}
	s = NewSpace(Narrow)
	n := 0
	for s.Alloc(0x0f00_0000/2, Stack, "large") != nil {
		n++
	}
	if n < 1 || s.Again() == false {
		t.Errorf("%d large objects have room", n)
	}
	if s.Alloc(1<<32, Heap, "too large") != nil {
		t.Error("there is room for 4 GiB")
	}
}
