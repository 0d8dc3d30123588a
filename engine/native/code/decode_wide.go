package code

import "klabel/engine/native/ir"

// wide decodes what clang writes for bit-fields in units of more than 128 bits:
// bitwise operations, shifts, extensions and truncations.
func (d *decoder) wide(c Inst, in *ir.Instr) {
	w := &Wide{Op: in.Op, Pred: in.Pred, A: d.operands(in.Ops[0]), From: in.Ops[0].Type.Bits, To: in.Type.Bits}
	switch in.Op {
	case ir.And, ir.Or, ir.Xor, ir.Shl, ir.LShr, ir.AShr, ir.ICmp:
		w.B = d.operands(in.Ops[1])
	case ir.Trunc, ir.ZExt, ir.SExt:
	default:
		d.fail("arithmetic on type %s", in.Ops[0].Type)
	}
	c.Op, c.X = WideOp, w
	d.emit(c)
}
