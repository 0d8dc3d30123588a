package exec

import (
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// vaStart builds what clang's code for va_arg reads on x86-64: a register save
// area of 48 bytes for integers and 128 for floating-point numbers, and an
// overflow area for what did not fit or is passed in memory.
func (ex *Engine) vaStart(st *State, list Value) {
	if ex.ptr == 32 {
		ex.vaStartNarrow(st, list)
		return
	}
	f := st.top
	gp, fp := uint64(0), uint64(0)
	for _, a := range f.fn.IR.Params {
		switch {
		case a.ByVal != nil || a.Type.Kind == ir.X86FP80:
		case a.Type.IsFloat() || a.Type.Kind == ir.Vector:
			fp = min(fp+16, 128)
		case a.Type.Kind == ir.Int && a.Type.Bits > 64:
			gp = min(gp+16, 48)
		default:
			gp = min(gp+8, 48)
		}
	}
	save := ex.onStack(st, 176, "register save area of "+f.fn.Name)
	places, size := vaPlaces(f.va, gp, fp+48)
	over := ex.onStack(st, size, "variable arguments of "+f.fn.Name)
	if save == nil || over == nil {
		return
	}
	f = st.own()
	f.stack = append(f.stack, save.Base, over.Base)
	for i, a := range f.va {
		o, at := over, places[i].at
		if places[i].saved {
			o = save
		}
		ex.putArg(st, o.Base, at, a)
	}
	ex.resolve(st, list, access{n: 24, write: true}, func(st *State, o *memory.Object, off Value) {
		for i, w := range []struct {
			at, n int
			v     uint64
		}{{0, 4, gp}, {4, 4, fp + 48}, {8, 8, over.Base}, {16, 8, save.Base}} {
			_ = i
			o = st.mem.Find(o.Base)
			ex.write(st, o, ex.plus(off, uint64(w.at)), Value{C: w.v}, uint8(8*w.n), w.n)
		}
	})
}

// putArg writes an argument at an offset of the object at base.
func (ex *Engine) putArg(st *State, base, at uint64, a vaArg) {
	o := st.mem.Find(base)
	if !a.byval {
		ex.poke(st, o, at, a)
	} else if src := st.mem.Find(a.vals[0].C); src != nil {
		ex.writable(st, o).Copy(at, src, a.vals[0].C-src.Base, a.typ.Size())
	}
}

// vaStartNarrow is vaStart on i386: all arguments stand in memory, one behind the
// other, and the list is the address of the next.
func (ex *Engine) vaStartNarrow(st *State, list Value) {
	f := st.top
	var places []uint64
	size := uint64(0)
	for _, a := range f.va {
		if a.typ.Kind == ir.Vector && a.typ.Align() >= 16 || a.byval && a.typ.Align() >= 16 {
			size = roundUp(size, 16)
		}
		places = append(places, size)
		size += roundUp(a.typ.Size(), 4)
	}
	area := ex.onStack(st, size, "variable arguments of "+f.fn.Name)
	if area == nil {
		return
	}
	f = st.own()
	f.stack = append(f.stack, area.Base)
	for i, a := range f.va {
		ex.putArg(st, area.Base, places[i], a)
	}
	ex.resolve(st, list, access{n: 4, write: true}, func(st *State, o *memory.Object, off Value) {
		ex.write(st, o, off, Value{C: area.Base}, 32, 4)
	})
}

// vaListSize is the size of a va_list in bytes.
func (ex *Engine) vaListSize() Value {
	if ex.ptr == 32 {
		return Value{C: 4}
	}
	return Value{C: 24}
}

// vaPlace is where an argument stands: in the register save area, or in the
// overflow area.
type vaPlace struct {
	at    uint64
	saved bool
}

// vaPlaces lays the arguments out; gp and fp are the free registers' offsets in
// the save area, size is the overflow area's.
func vaPlaces(va []vaArg, gp, fp uint64) (places []vaPlace, size uint64) {
	for _, a := range va {
		t := a.typ
		n, align := roundUp(max(8, t.Size()), 8), uint64(8)
		var p vaPlace
		switch {
		case a.byval:
			n, align = roundUp(t.Size(), 8), max(8, min(16, t.Align()))
		case t.Kind == ir.X86FP80:
			n, align = 16, 16
		case t.IsFloat() || t.Kind == ir.Vector:
			if fp < 176 {
				p, fp = vaPlace{fp, true}, fp+16
			} else if t.Kind != ir.Float && t.Kind != ir.Double {
				align = min(16, max(8, t.Align()))
			}
		case gp+n <= 48:
			p, gp = vaPlace{gp, true}, gp+n
		default: // in memory; a smaller one may still find a register
			if t.Kind == ir.Int && t.Bits > 64 {
				align = 16
			}
		}
		if !p.saved {
			size = roundUp(size, align)
			p.at = size
			size += n
		}
		places = append(places, p)
	}
	return places, size
}

func roundUp(n, a uint64) uint64 { return (n + a - 1) / a * a }

// poke writes an argument at a concrete place.
func (ex *Engine) poke(st *State, o *memory.Object, at uint64, a vaArg) {
	types, offs := a.typ.AppendLeaves(nil, nil, 0)
	o = ex.writable(st, o)
	for i, t := range types {
		ex.write(st, o, Value{C: at + offs[i]}, a.vals[i], uint8(t.Width()), int(t.StoreSize()))
	}
}
