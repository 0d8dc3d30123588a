package code

import (
	"strings"

	"klabel/engine/native/ir"
)

// A vector occupies a register for each element, so most operations on vectors
// are operations on their elements, one after the other.

// vectorOp decodes an operation of ir up to BitCast on vectors.
func (d *decoder) vectorOp(c Inst, in *ir.Instr) {
	if in.Op == ir.BitCast {
		d.reinterpret(c.Dst, in.Ops[0], in.Type)
		return
	}
	var ops [][]int32
	for _, o := range in.Ops {
		ops = append(ops, d.operands(o))
	}
	from, to := element(in.Ops[0].Type), element(in.Type)
	for i := range in.Type.Leaves() {
		n := c
		n.Dst, n.A, n.W, n.RW = c.Dst+int32(i), ops[0][i], uint8(d.width(from)), uint8(d.width(to))
		n.Mask = mask(int(n.W))
		if len(ops) > 1 {
			n.B = ops[1][i]
		}
		if in.Op >= ir.Trunc {
			d.emitCast(n)
		} else {
			d.emit(n)
		}
	}
}

func element(t *ir.Type) *ir.Type {
	if t.Kind == ir.Vector {
		return t.Elem
	}
	return t
}

// Bits is a value whose bits are taken for a value of other scalars.
type Bits struct {
	From   []int32
	W, Res []uint8 // widths of what is read and of what is made
}

func (d *decoder) reinterpret(dst int32, v *ir.Value, t *ir.Type) {
	x := &Bits{From: d.operands(v)}
	have, want := 0, 0
	for range x.From {
		w := d.width(element(v.Type))
		x.W, have = append(x.W, uint8(w)), have+w
	}
	for range t.Leaves() {
		w := d.width(element(t))
		x.Res, want = append(x.Res, uint8(w)), want+w
	}
	if have != want {
		d.fail("cast from %s to %s", v.Type, t)
	}
	d.emit(Inst{Op: Reinterpret, Dst: dst, X: x})
}

// selectOp decodes a select, of a vector of conditions too.
func (d *decoder) selectOp(c Inst, in *ir.Instr) {
	conds := d.operands(in.Ops[0])
	x, y := d.operands(in.Ops[1]), d.operands(in.Ops[2])
	types, _ := in.Type.AppendLeaves(nil, nil, 0)
	for i := range x {
		n := c
		n.A = conds[0]
		if in.Ops[0].Type.Kind == ir.Vector {
			n.A = conds[i]
		}
		n.Dst, n.B, n.C, n.W = c.Dst+int32(i), x[i], y[i], uint8(types[i].Width())
		d.emit(n)
	}
}

// Elements are the registers of a vector that is indexed by a variable.
type Elements struct {
	Regs []int32
	W    uint8
	IW   uint8 // width of the index
}

// vector decodes extractelement, insertelement and shufflevector.
func (d *decoder) vector(c Inst, in *ir.Instr) {
	src := d.operands(in.Ops[0])
	if in.Op == ir.ShuffleVector {
		d.shuffle(c.Dst, append(src, d.operands(in.Ops[1])...), in.Ops[2])
		return
	}
	idx := in.Ops[len(in.Ops)-1]
	if idx.Kind == ir.IntConst && idx.Lo < uint64(len(src)) {
		if in.Op == ir.ExtractElement {
			d.emit(Inst{Op: Move, Dst: c.Dst, A: src[idx.Lo], Imm: 1})
		} else {
			d.insert(c.Dst, src, d.operands(in.Ops[1]), int(idx.Lo))
		}
		return
	}
	c.X = &Elements{Regs: src, W: uint8(d.width(in.Ops[0].Type.Elem)), IW: uint8(d.width(idx.Type))}
	c.B = d.scalar(idx)
	if in.Op == ir.InsertElement {
		c.A = d.scalar(in.Ops[1])
	}
	d.emit(c)
}

func (d *decoder) shuffle(dst int32, src []int32, pattern *ir.Value) {
	for i := range int(pattern.Type.Len) {
		from := d.constant(Value{})
		switch pattern.Kind {
		case ir.Zero:
			from = src[0]
		case ir.Undef:
		case ir.AggregateConst:
			if e := pattern.Elems[i]; e.Kind == ir.IntConst && e.Lo < uint64(len(src)) {
				from = src[e.Lo]
			} else if e.Kind != ir.Undef {
				d.fail("shufflevector with an unknown pattern")
			}
		default:
			d.fail("shufflevector with an unknown pattern")
		}
		d.emit(Inst{Op: Move, Dst: dst + int32(i), A: from, Imm: 1})
	}
}

// vectorCall decodes a call of an llvm function on vectors as calls of its
// scalar form, or as a chain of operations for a reduction.
func (d *decoder) vectorCall(c Inst, in *ir.Instr, name string) bool {
	if rest, ok := strings.CutPrefix(name, "llvm.vector.reduce."); ok {
		op, _, _ := strings.Cut(rest, ".")
		d.reduce(c, in, op)
		return true
	}
	if in.Type.Kind != ir.Vector || !strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "llvm.x86.") {
		return false // instructions of a processor are not those of each element
	}
	base := strings.TrimSuffix(name, "."+vectorSuffix(name))
	for i := range in.Type.Leaves() {
		s := &CallSite{Simple: true, Used: true, RetTypes: []*ir.Type{in.Type.Elem}}
		f := &ir.Function{Module: d.m, Name: base + "." + strings.ReplaceAll(in.Type.Elem.String(), "float", "f32"),
			Ret: in.Type.Elem, Dbg: -1}
		for _, a := range in.Ops[1:] {
			t, r := element(a.Type), d.operands(a)
			k := 0
			if a.Type.Kind == ir.Vector {
				k = i
			}
			f.Params = append(f.Params, ir.Param{Type: t})
			s.Args = append(s.Args, Arg{Type: t, Regs: r[k : k+1], Leaf: d.leaves(t)})
			s.Regs, s.Widths = append(s.Regs, r[k]), append(s.Widths, uint8(t.Width()))
		}
		s.Callee = d.p.intrinsic(f)
		n := c
		n.Dst, n.X = c.Dst+int32(i), s
		d.emit(n)
	}
	return true
}

// vectorSuffix is the type in an intrinsic's name: v4i32 in llvm.smax.v4i32.
func vectorSuffix(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// intrinsic returns the function of a name that the program does not declare.
func (p *Program) intrinsic(f *ir.Function) *Func {
	for _, g := range p.Funcs {
		if g.Name == f.Name {
			return g
		}
	}
	return p.FuncOf(f)
}

var reductions = map[string]ir.Op{"add": ir.Add, "mul": ir.Mul, "and": ir.And, "or": ir.Or, "xor": ir.Xor}

// orders are the reductions to an extreme: which of two to keep.
var orders = map[string]ir.Pred{"smax": ir.SGT, "smin": ir.SLT, "umax": ir.UGT, "umin": ir.ULT}

func (d *decoder) reduce(c Inst, in *ir.Instr, op string) {
	v := in.Ops[1]
	if v.Type.Kind != ir.Vector || v.Type.Elem.Kind != ir.Int {
		d.fail("reduction of %s", v.Type)
	}
	w := uint8(d.width(v.Type.Elem))
	regs := d.operands(v)
	d.emit(Inst{Op: Move, Dst: c.Dst, A: regs[0], Imm: 1})
	for _, r := range regs[1:] {
		if o, ok := reductions[op]; ok {
			d.emit(Inst{Op: o, Dst: c.Dst, A: c.Dst, B: r, W: w, RW: w, Mask: mask(int(w))})
			continue
		}
		pred, ok := orders[op]
		if !ok {
			d.fail("reduction %s", op)
		}
		t := d.temporary()
		d.emit(Inst{Op: ir.ICmp, Pred: pred, Dst: t, A: c.Dst, B: r, W: w, RW: 1})
		d.emit(Inst{Op: ir.Select, Dst: c.Dst, A: t, B: c.Dst, C: r, W: w})
	}
}

// temporary returns a register of its own.
func (d *decoder) temporary() int32 {
	d.f.NumRegs++
	return int32(d.f.NumRegs - 1)
}
