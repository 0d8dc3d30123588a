package code

import (
	"fmt"

	"klabel/engine/native/ir"
)

func (d *decoder) terminator(c Inst, b *ir.Block, in *ir.Instr) {
	switch in.Op {
	case ir.Ret:
		var regs []int32
		if len(in.Ops) > 0 {
			regs = d.operands(in.Ops[0])
		}
		c.X = regs
	case ir.Br:
		c.X = d.newEdge(b, in.Blocks[0])
	case ir.CondBr:
		c.A = d.scalar(in.Ops[0])
		c.X = [2]*Edge{d.newEdge(b, in.Blocks[1]), d.newEdge(b, in.Blocks[0])}
	case ir.Switch:
		c.A, c.W = d.scalar(in.Ops[0]), uint8(in.Ops[0].Type.Width())
		if c.W > 64 {
			d.fail("switch on %s", in.Ops[0].Type)
		}
		t := &SwitchTable{index: map[uint64]int{}, Edges: make([]Edge, len(in.Blocks)-1)}
		d.fixups = append(d.fixups, fixup{&t.Default, b.Name, in.Blocks[0]})
		for i, v := range in.Ops[1:] {
			x := d.f.Consts[^d.scalar(v)].C
			t.Values = append(t.Values, x)
			t.index[x] = i
			d.fixups = append(d.fixups, fixup{&t.Edges[i], b.Name, in.Blocks[i+1]})
		}
		c.X = t
	case ir.IndirectBr:
		c.A, c.W = d.scalar(in.Ops[0]), uint8(in.Ops[0].Type.Width())
		t := &SwitchTable{index: map[uint64]int{}, Edges: make([]Edge, len(in.Blocks))}
		for i, to := range in.Blocks {
			a := d.p.label(d.f.IR, to)
			t.Values = append(t.Values, a)
			t.index[a] = i
			d.fixups = append(d.fixups, fixup{&t.Edges[i], b.Name, to})
		}
		c.X = t
	case ir.Unreachable:
	default:
		d.fail("%s", fmt.Sprintf("instruction %d", in.Op))
	}
	d.emit(c)
}

func (d *decoder) call(c Inst, in *ir.Instr) {
	callee := in.Ops[0]
	s := &CallSite{Simple: true, Used: in.Name != "" && d.uses[in.Name]}
	switch callee.Kind {
	case ir.InlineAsm:
		d.asm(c, in)
		return
	case ir.GlobalRef:
		if f := d.p.Link.Lookup(d.m, callee.Name).Func; f != nil {
			s.Callee, s.Named = d.p.FuncOf(f), true
			if d.vectorCall(c, in, f.Name) {
				return
			}
		}
	case ir.ExprConst:
		x, err := d.p.Const(d.m, callee)
		if err != nil {
			d.fail("%v", err)
		}
		s.Callee = d.p.FuncAt(x[0].C)
	}
	if s.Callee == nil {
		c.A = d.scalar(callee)
	}
	if in.Type.Kind != ir.Void {
		s.RetTypes = d.leaves(in.Type).Types
	}
	for i, a := range in.Ops[1:] {
		if a.Kind == ir.MetadataValue {
			continue
		}
		arg := Arg{Type: a.Type, Regs: d.operands(a)}
		if in.ByVal != nil && in.ByVal[i] != nil {
			arg.ByVal, s.Simple = in.ByVal[i], false
		}
		arg.Leaf = d.leaves(a.Type)
		s.Args = append(s.Args, arg)
		s.Regs = append(s.Regs, arg.Regs...)
		for _, t := range arg.Leaf.Types {
			s.Widths = append(s.Widths, uint8(t.Width()))
		}
	}
	c.X = s
	d.emit(c)
}
