package exec

import (
	"slices"
	"strings"

	"klabel/engine/native/code"
	"klabel/engine/native/ieee"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// read reads memory as an arm sees it.
func (m *merger) read(base, off uint64, w uint8, n int) (Value, bool) {
	x := write{base: base, off: off, n: n, w: w}
	for i := range m.log {
		if y := &m.log[i]; y.same(&x) {
			return y.v, true
		} else if y.overlaps(&x) {
			return Value{}, false
		}
	}
	o := m.ex.find(m.st, base)
	if m.ex.mixes(m.st, o, off, n) {
		return Value{}, false
	}
	v := m.ex.read(m.st, o, Value{C: off}, w, n)
	return v, v.E == nil || !m.ex.neverSet(v.E)
}

// place is the object and the offset that an arm reaches at an address.
func (m *merger) place(p Value, n uint64) (*memory.Object, uint64) {
	if p.E != nil {
		return nil, 0
	}
	o := m.ex.find(m.st, p.C)
	if o == nil || p.C-o.Base > o.Size || p.C-o.Base+n > o.Size {
		return nil, 0
	}
	return o, p.C - o.Base
}

// step executes an instruction of an arm; false if it is more than that.
func (m *merger) step(in *code.Inst) bool {
	ex, f := m.ex, m.f
	switch in.Op {
	case ir.Add, ir.Mul, ir.And, ir.Or, ir.Xor, ir.ZExt, ir.Trunc, ir.SExt, ir.Select, ir.GEP, code.Move,
		code.ConstAddr, code.IndexAddr:
	case ir.Sub, ir.ICmp:
		if in.W == ex.ptr && (in.Op == ir.Sub || in.Pred != ir.EQ && in.Pred != ir.NE) {
			x, y := ex.objectOf(m.st, f.val(in.A)), ex.objectOf(m.st, f.val(in.B))
			if x != nil && y != nil && x.Base != y.Base {
				return false
			}
		}
		if in.Op == ir.ICmp && in.W == ex.ptr && m.st.fresh != nil {
			ex.compared(m.st, f.val(in.A))
			ex.compared(m.st, f.val(in.B))
		}
	case ir.UDiv, ir.SDiv, ir.URem, ir.SRem:
		if b := f.val(in.B); b.E != nil || b.C == 0 || b.C == in.Mask {
			return false
		}
	case ir.Shl, ir.LShr, ir.AShr:
		if b := f.val(in.B); b.E != nil || b.C >= uint64(in.W) {
			return false
		}
	case ir.FAdd, ir.FSub, ir.FMul, ir.FDiv, ir.FNeg, ir.FCmp, ir.FPTrunc, ir.FPExt:
		_, ok := ieee.OfWidth(int(in.W))
		if _, to := ieee.OfWidth(int(in.RW)); !ok || !to && (in.Op == ir.FPTrunc || in.Op == ir.FPExt) {
			return false
		}
	case ir.SIToFP, ir.UIToFP:
		if _, ok := ieee.OfWidth(int(in.RW)); !ok {
			return false
		}
	case ir.Load:
		o, off := m.place(f.val(in.A), in.Imm)
		if o == nil {
			return m.lookup(in)
		}
		v, ok := m.read(o.Base, off, in.W, int(in.Imm))
		f.regs[in.Dst] = v
		return ok
	case ir.Store:
		return m.store(in)
	case ir.Call:
		return m.call(in)
	default:
		return false
	}
	ex.interpret(m.st, 1)
	return !m.st.done
}

// store keeps what an arm stores.
func (m *merger) store(in *code.Inst) bool {
	o, off := m.place(m.f.val(in.B), in.Imm)
	if o == nil || o.ReadOnly {
		return false
	}
	x := write{base: o.Base, off: off, n: int(in.Imm), w: in.W, v: m.f.val(in.A), plain: m.f.fn.Plain(m.f.pc)}
	for i := range m.log {
		if y := &m.log[i]; y.same(&x) {
			x.plain = x.plain && y.plain
			*y = x
			return true
		} else if y.overlaps(&x) {
			return false
		}
	}
	m.log = append(m.log, x)
	return true
}

// maxLookup bounds the bytes of a table that an arm reads at an index.
const maxLookup = 1024

// lookup is a load at an index that cannot be out of bounds.
func (m *merger) lookup(in *code.Inst) bool {
	ex, p := m.ex, m.f.val(in.A)
	if p.E == nil {
		return false
	}
	o := ex.anchor(m.st, p.E)
	if o == nil || o.Size > maxLookup || !ex.inBounds(p.E, o, in.Imm).IsTrue() || o.Unwritten(0, o.Size) > 0 ||
		slices.ContainsFunc(m.log, func(x write) bool { return x.base == o.Base }) {
		return false
	}
	v := ex.readSymbolic(m.st, o, ex.b.Sub(p.E, ex.number(o.Base)), in.W, int(in.Imm))
	m.f.regs[in.Dst] = v
	return !m.st.done && m.st.top == m.f && (v.E == nil || !ex.neverSet(v.E))
}

// pureCalls are the intrinsics that compute, and nothing else. Those that are true do so
// with floating-point numbers.
var pureCalls = map[string]bool{"dbg": false, "lifetime": false, "donothing": false, "expect": false, "sadd": false,
	"uadd": false, "ssub": false, "usub": false, "smul": false, "umul": false, "ctpop": false, "ctlz": false,
	"cttz": false, "bswap": false, "bitreverse": false, "abs": false, "smax": false, "smin": false, "umax": false,
	"umin": false, "fshl": false, "fshr": false, "fabs": true, "floor": true, "ceil": true, "trunc": true,
	"copysign": true, "fmuladd": true, "minnum": true, "maxnum": true}

// call is a call of an intrinsic, or of klabel_wants for a label that is not open.
func (m *merger) call(in *code.Inst) bool {
	ex := m.ex
	s := in.X.(*code.CallSite)
	if s.Callee == nil || !s.Named {
		return false
	}
	c := &callContext{st: m.st, in: in, site: s, fn: s.Callee}
	if s.Callee.Name == "klabel_wants" {
		v, ok := concreteValue(c.arg(0))
		if !ok {
			return false
		}
		if asks(m.st) && ex.wanted(uint32(v.Lo)) {
			if len(m.asks) == maxAsks {
				return false
			}
			m.asks = append(m.asks, armLabel{uint32(v.Lo), m.save(), m.guard, m.f.pc})
		}
		c.set(ex, Value{})
		return true
	}
	name, intrinsic := strings.CutPrefix(s.Callee.Name, "llvm.")
	name, _, _ = strings.Cut(name, ".")
	float, pure := pureCalls[name]
	if !intrinsic || !pure {
		return false
	}
	if _, ok := ieee.OfWidth(c.width(0)); float && !ok {
		return false
	}
	model := ex.modelOf(s.Callee)
	if model == nil {
		return false
	}
	model.run(ex, m.st, c)
	return !m.st.done
}
