package code

import "klabel/engine/native/ir"

// Flow is what is known of a block without executing it.
type Flow struct {
	Succ     []int32 // blocks that it may go on to
	Calls    []NamedCall
	Indirect bool // it also calls through pointers
}

// NamedCall is a call of a known function.
type NamedCall struct {
	Callee *Func
	Arg    uint64 // the only argument, where that is a constant
	Const  bool   // it is
}

// Flow returns the control flow graph of a decoded function, one element a
// block.
func (f *Func) Flow() []Flow {
	if f.flow != nil || len(f.Starts) == 0 {
		return f.flow
	}
	f.flow = make([]Flow, len(f.Starts))
	for pc := range f.Code {
		in, n := &f.Code[pc], &f.flow[f.BlockAt[pc]]
		switch in.Op {
		case ir.Br:
			n.Succ = append(n.Succ, in.X.(*Edge).Block)
		case ir.CondBr:
			e := in.X.([2]*Edge)
			n.Succ = append(n.Succ, e[0].Block, e[1].Block)
		case ir.Switch:
			t := in.X.(*SwitchTable)
			n.Succ = append(n.Succ, t.Default.Block)
			fallthrough
		case ir.IndirectBr:
			t := in.X.(*SwitchTable)
			for i := range t.Edges {
				n.Succ = append(n.Succ, t.Edges[i].Block)
			}
		case ir.Call:
			s := in.X.(*CallSite)
			if s.Callee == nil {
				n.Indirect = true
				break
			}
			c := NamedCall{Callee: s.Callee}
			if len(s.Regs) == 1 && s.Regs[0] < 0 {
				c.Arg, c.Const = f.Consts[^s.Regs[0]].C, true
			}
			n.Calls = append(n.Calls, c)
		}
	}
	return f.flow
}
