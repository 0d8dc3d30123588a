package code

import (
	"klabel/engine/native/ir"
)

// instr decodes one instruction. One that is merely not supported becomes an
// Unsupported, so that the paths which avoid it can be explored.
func (d *decoder) instr(b *ir.Block, in *ir.Instr) {
	if in.Op == ir.Phi {
		return
	}
	at, fx := len(d.f.Code), len(d.fixups)
	defer func() {
		e := recover()
		if de, ok := e.(decodeError); ok {
			d.f.Code, d.fixups = d.f.Code[:at], d.fixups[:fx]
			d.emit(Inst{Op: Unsupported, Dst: -1, X: de.err.Error()})
			return
		}
		if e != nil {
			panic(e)
		}
	}()
	dst := int32(-1)
	if in.Name != "" && in.Type != nil {
		dst = d.regs[in.Name].reg
	}
	if in.Op == ir.BadOp {
		d.fail("%s", in.What)
	}
	c := Inst{Op: in.Op, Pred: in.Pred, Dst: dst}
	if in.Op <= ir.SExt && (in.Type.IsWide() || in.Ops[0].Type.IsWide()) {
		d.wide(c, in)
		return
	}
	if in.Op <= ir.BitCast && (in.Type.Kind == ir.Vector || in.Ops[0].Type.Kind == ir.Vector) {
		d.vectorOp(c, in)
		return
	}
	switch op := in.Op; {
	case op <= ir.FRem || op == ir.ICmp || op == ir.FCmp:
		c.A, c.B = d.scalar(in.Ops[0]), d.scalar(in.Ops[1])
		c.W, c.RW = uint8(in.Ops[0].Type.Width()), uint8(in.Type.Width())
		c.Mask = mask(int(c.W))
		d.emit(c)
	case op == ir.FNeg:
		c.A = d.scalar(in.Ops[0])
		c.W = uint8(in.Type.Width())
		d.emit(c)
	case op >= ir.Trunc && op <= ir.BitCast:
		d.cast(c, in)
	case op == ir.Freeze:
		d.copyValue(dst, in.Ops[0])
	default:
		d.other(c, b, in)
	}
}

func (d *decoder) copyValue(dst int32, v *ir.Value) {
	for i, r := range d.operands(v) {
		d.emit(Inst{Op: Move, Dst: dst + int32(i), A: r, Imm: 1})
	}
}

func (d *decoder) cast(c Inst, in *ir.Instr) {
	from, to := in.Ops[0].Type, in.Type
	if from.IsAggregate() || to.IsAggregate() {
		d.fail("cast from %s to %s", from, to)
	}
	c.A = d.scalar(in.Ops[0])
	c.W, c.RW = uint8(from.Width()), uint8(to.Width())
	if in.Op == ir.BitCast && c.W != c.RW {
		d.fail("cast from %s to %s", from, to)
	}
	d.emitCast(c)
}

func (d *decoder) emitCast(c Inst) {
	c.Mask = mask(int(c.RW))
	switch c.Op {
	case ir.PtrToInt, ir.IntToPtr:
		c.Op = ir.ZExt
		if c.RW < c.W {
			c.Op = ir.Trunc
		}
	case ir.BitCast:
		c.Op, c.Imm = Move, 1
	}
	if c.Op == ir.ZExt && c.W == c.RW {
		c.Op, c.Imm = Move, 1
	}
	d.emit(c)
}

func (d *decoder) leaves(t *ir.Type) *Leaves {
	l := &Leaves{Size: t.Size()}
	if t.IsWide() {
		l.Size = t.StoreSize()
	}
	if t.Kind == ir.Vector { // three of them do not fill the fourth's place
		l.Size = t.Len * t.Elem.StoreSize()
	}
	if t.Leaves() > 1<<14 {
		d.fail("value of type %s is too large for a register", t)
	}
	l.Types, l.Offs = t.AppendLeaves(nil, nil, 0)
	for _, x := range l.Types {
		if w := x.Width(); w == 0 || w > 128 {
			d.fail("value of type %s", x)
		}
	}
	if t.Kind == ir.Vector && t.Elem.Kind == ir.Int && t.Elem.Bits%8 != 0 {
		d.fail("value of type %s", t)
	}
	return l
}

func (d *decoder) other(c Inst, b *ir.Block, in *ir.Instr) {
	switch in.Op {
	case ir.Alloca:
		c.Imm = in.SrcType.Size()
		c.A = d.constant(Value{C: 1})
		if len(in.Ops) > 0 {
			c.A = d.scalar(in.Ops[0])
			c.W = uint8(in.Ops[0].Type.Width())
		}
		c.X = in.SrcType
		d.emit(c)
	case ir.Load:
		c.A = d.scalar(in.Ops[0])
		if in.Type.IsAggregate() {
			c.Op, c.X = LoadN, d.leaves(in.Type)
		} else {
			c.W = uint8(d.width(in.Type))
			c.Imm = in.Type.StoreSize()
		}
		d.emit(c)
	case ir.Store:
		c.B = d.scalar(in.Ops[1])
		if t := in.Ops[0].Type; t.IsAggregate() {
			l := d.leaves(t)
			c.Op, c.X = StoreN, &storeN{l, d.operands(in.Ops[0])}
		} else {
			c.A, c.W, c.Imm = d.scalar(in.Ops[0]), uint8(d.width(t)), t.StoreSize()
		}
		d.emit(c)
	case ir.GEP:
		d.gep(c, in)
	case ir.Select:
		d.selectOp(c, in)
	case ir.ExtractValue:
		src := d.operands(in.Ops[0])
		at := leafIndex(in.Ops[0].Type, in.Indices)
		for i := 0; i < in.Type.Leaves(); i++ {
			d.emit(Inst{Op: Move, Dst: c.Dst + int32(i), A: src[at+i], Imm: 1})
		}
	case ir.InsertValue:
		d.insert(c.Dst, d.operands(in.Ops[0]), d.operands(in.Ops[1]), leafIndex(in.Type, in.Indices))
	case ir.ExtractElement, ir.InsertElement, ir.ShuffleVector:
		d.vector(c, in)
	case ir.Call:
		d.call(c, in)
	case ir.CmpXchg, ir.AtomicRMW:
		c.A, c.B, c.W, c.Imm = d.scalar(in.Ops[0]), d.scalar(in.Ops[1]), uint8(d.width(in.Ops[1].Type)),
			in.Ops[1].Type.StoreSize()
		if in.Op == ir.CmpXchg {
			c.C = d.scalar(in.Ops[2])
		} else {
			c.X = in.What
		}
		d.emit(c)
	case ir.Fence:
	case ir.VAArg:
		d.fail("va_arg instruction")
	default:
		d.terminator(c, b, in)
	}
}

type storeN struct {
	*Leaves
	Regs []int32
}

// StoreLeaves returns the layout and the registers of a StoreN.
func (c *Inst) StoreLeaves() (*Leaves, []int32) { s := c.X.(*storeN); return s.Leaves, s.Regs }

func (d *decoder) width(t *ir.Type) int {
	w := t.Width()
	if w == 0 || w > 128 {
		d.fail("value of type %s", t)
	}
	return w
}

func leafIndex(t *ir.Type, path []int) int {
	at := 0
	for _, i := range path {
		switch t.Kind {
		case ir.Struct:
			for _, f := range t.Fields[:i] {
				at += f.Leaves()
			}
			t = t.Fields[i]
		case ir.Array, ir.Vector:
			at += i * t.Elem.Leaves()
			t = t.Elem
		}
	}
	return at
}

func (d *decoder) insert(dst int32, whole, part []int32, at int) {
	for i := range whole {
		if i < at || i >= at+len(part) {
			d.emit(Inst{Op: Move, Dst: dst + int32(i), A: whole[i], Imm: 1})
		}
	}
	for i, r := range part {
		d.emit(Inst{Op: Move, Dst: dst + int32(at+i), A: r, Imm: 1})
	}
}

func (d *decoder) gep(c Inst, in *ir.Instr) {
	c.A = d.scalar(in.Ops[0])
	t := in.SrcType
	var terms []Term
	for i, o := range in.Ops[1:] {
		scale, elem := t.Size(), t
		if i > 0 {
			switch t.Kind {
			case ir.Array, ir.Vector:
				scale, elem = t.Elem.Size(), t.Elem
			case ir.Struct:
				if o.Kind != ir.IntConst {
					d.fail("variable index into %s", t)
				}
				off, e, err := step(t, int64(o.Lo))
				if err != nil {
					d.fail("%v", err)
				}
				c.Imm += off
				t = e
				continue
			default:
				d.fail("index into %s", t)
			}
		}
		t = elem
		r := d.scalar(o)
		if r < 0 {
			c.Imm += uint64(signed(d.f.Consts[^r].C, o.Type.Width())) * scale
		} else if scale != 0 {
			if o.Type.Width() > 64 {
				d.fail("index of type %s", o.Type)
			}
			terms = append(terms, Term{r, uint8(o.Type.Width()), scale})
		}
	}
	switch len(terms) {
	case 0:
		c.Op = ConstAddr
	case 1:
		c.Op, c.B, c.W, c.Mask = IndexAddr, terms[0].Reg, terms[0].Width, terms[0].Scale
	default:
		c.X = terms
	}
	d.emit(c)
}
