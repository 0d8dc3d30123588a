package exec

import (
	"fmt"

	"klabel/engine/native/code"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// maxFrames bounds recursion, as the native stack would.
const maxFrames = 20000

// call executes a call instruction.
func (ex *Engine) call(st *State, in *code.Inst) {
	s := in.X.(*code.CallSite)
	if s.Callee != nil {
		ex.callFunc(st, in, s, s.Callee)
		return
	}
	p := st.top.val(in.A)
	if p.E != nil {
		at := st.top.pc - 1
		v, ok := ex.enumerate(st, p, 64, at)
		if !ok {
			return
		}
		p = Value{C: v.Lo}
	}
	fn := ex.p.FuncAt(p.C)
	if fn == nil {
		ex.errorAt(st, "invalid function pointer", "ptr.err", fmt.Sprintf("\taddress: %d\n", p.C))
		return
	}
	ex.callFunc(st, in, s, fn)
}

func (ex *Engine) callFunc(st *State, in *code.Inst, s *code.CallSite, fn *code.Func) {
	m := ex.modelOf(fn)
	if m != nil && (!m.unused || !s.Used || !fn.IR.Defined) {
		ex.callModel(st, in, s, fn, m)
		return
	}
	if err := ex.p.Decode(fn); err != nil {
		if !fn.IR.Defined {
			ex.incomplete("call of the unknown function %s", fn.Name)
			ex.warnOnce("calling external: " + fn.Name + " (unknown)")
			ex.errorAt(st, "failed external call: "+fn.Name, "external.err", "")
			return
		}
		ex.incomplete("%v", err)
		ex.errorAt(st, err.Error(), "unsupported.err", "")
		return
	}
	ex.enter(st, in, s, fn)
}

// enter pushes a frame and passes the arguments.
func (ex *Engine) enter(st *State, in *code.Inst, s *code.CallSite, fn *code.Func) {
	caller := st.top
	if caller.depth >= maxFrames {
		ex.errorAt(st, "stack overflow: recursion too deep", "ptr.err", "")
		return
	}
	f := &frame{owner: st.mem.Owner(), fn: fn, regs: make([]Value, fn.NumRegs), parent: caller, depth: caller.depth + 1}
	if s.Simple && len(s.Regs) == fn.NumParam && !fn.IR.Variadic {
		for i, r := range s.Regs {
			f.regs[i] = caller.val(r)
			if w := fn.Params[i].Width(); w != int(s.Widths[i]) {
				f.regs[i] = ex.resize(f.regs[i], int(s.Widths[i]), w)
			}
		}
	} else {
		ex.passArgs(st, f, caller, s)
		if st.done {
			return
		}
	}
	st.top = f
	if !fn.Covered[0] && st.conc == nil && st.side == nil {
		ex.covered(st, fn, 0)
	}
}

// resize fits a value to another width, for calls whose prototype is wrong.
func (ex *Engine) resize(v Value, from, to int) Value {
	if v.E == nil && to <= 64 {
		if to < 64 {
			v.C &= 1<<to - 1
		}
		return v
	}
	e := ex.expr(v, from)
	if to <= from {
		return fromExpr(ex.b.Extract(e, 0, to))
	}
	return fromExpr(ex.b.ZExt(e, to))
}

// passArgs handles byval copies, variable arguments and calls that do not fit
// the callee's parameters.
func (ex *Engine) passArgs(st *State, f, caller *frame, s *code.CallSite) {
	at := 0
	named := len(f.fn.IR.Params)
	for i, a := range s.Args {
		vals := make([]Value, len(a.Regs))
		for k, r := range a.Regs {
			vals[k] = caller.val(r)
		}
		if a.ByVal != nil {
			p, ok := ex.copyArg(st, f, vals[0], a.ByVal)
			if !ok {
				return
			}
			vals[0] = p
		}
		if i >= named || at+len(vals) > f.fn.NumParam {
			va := vaArg{vals: vals, typ: a.Type}
			if a.ByVal != nil {
				va.typ, va.byval = a.ByVal, true
			}
			f.va = append(f.va, va)
			continue
		}
		for k, v := range vals {
			if w, from := f.fn.Params[at].Width(), a.Leaf.Types[k].Width(); w != from {
				v = ex.resize(v, from, w)
			}
			f.regs[at] = v
			at++
		}
	}
}

// copyArg copies a struct that is passed by value into an object of the new
// frame and returns its address.
func (ex *Engine) copyArg(st *State, f *frame, p Value, t *ir.Type) (Value, bool) {
	v, ok := ex.concretise(st, p, 64, "the address of a struct passed by value")
	if !ok {
		return Value{}, false
	}
	src := ex.find(st, v.Lo)
	n := t.Size()
	if src == nil || v.Lo-src.Base+n > src.Size {
		ex.badPointer(st, Value{C: v.Lo}, src)
		return Value{}, false
	}
	o := st.mem.Alloc(n, memory.Stack, "byval argument of "+f.fn.Name)
	o.Copy(0, src, v.Lo-src.Base, n)
	f.stack = append(f.stack, o.Base)
	return Value{C: o.Base}, true
}

// ret leaves a function.
func (ex *Engine) ret(st *State, in *code.Inst) {
	f := st.top
	regs := in.X.([]int32)
	if f.parent == nil {
		ex.exit(st)
		return
	}
	var buf [4]Value
	vals := buf[:0]
	for _, r := range regs {
		vals = append(vals, f.val(r))
	}
	for _, a := range f.stack {
		if o := st.mem.Find(a); o != nil {
			st.mem.Free(o)
			ex.forget(o)
		}
	}
	st.top = f.parent
	if st.side != nil && f.depth == st.side.depth {
		ex.sideLost(st, "its predicate leaves the function")
		return
	}
	caller := st.own()
	if caller.pc == 0 { // from a constructor
		return
	}
	ci := &caller.fn.Code[caller.pc-1]
	if ci.Op != ir.Call || ci.Dst < 0 {
		return
	}
	want := ci.X.(*code.CallSite).RetTypes
	for i := range want {
		if i < len(vals) {
			v := vals[i]
			caller.regs[ci.Dst+int32(i)] = v
		} else {
			caller.regs[ci.Dst+int32(i)] = Value{}
		}
	}
}

// alloca makes a stack object.
func (ex *Engine) alloca(st *State, in *code.Inst) {
	count := st.top.val(in.A)
	n := count.C
	if count.E != nil {
		at := st.top.pc - 1
		v, ok := ex.enumerate(st, count, int(in.W), at)
		if !ok {
			return
		}
		n = v.Lo
	}
	if in.Imm != 0 && n > 1<<32/in.Imm {
		ex.errorAt(st, "stack overflow: object too large", "ptr.err", "")
		return
	}
	f := st.own()
	o := st.mem.Alloc(in.Imm*n, memory.Stack, f.fn.Name)
	f.stack = append(f.stack, o.Base)
	f.regs[in.Dst] = Value{C: o.Base}
}

// vaStart builds what clang's code for va_arg reads on x86-64: a register save
// area of 48 bytes for integers and 128 for floating-point numbers, and an
// overflow area for what did not fit or is passed in memory.
func (ex *Engine) vaStart(st *State, list Value) {
	f := st.top
	gp, fp := uint64(0), uint64(0)
	for _, a := range f.fn.IR.Params {
		switch {
		case a.ByVal != nil || a.Type.Kind == ir.X86FP80:
		case a.Type.Kind == ir.Float || a.Type.Kind == ir.Double || a.Type.Kind == ir.Vector:
			fp = min(fp+16, 128)
		case a.Type.Kind == ir.Int && a.Type.Bits > 64:
			gp = min(gp+16, 48)
		default:
			gp = min(gp+8, 48)
		}
	}
	size := uint64(0)
	for _, a := range f.va {
		size += (a.typ.Size()+15)/16*16 + 16
	}
	save := st.mem.Alloc(176, memory.Stack, "register save area of "+f.fn.Name)
	over := st.mem.Alloc(size, memory.Stack, "variable arguments of "+f.fn.Name)
	f = st.own()
	f.stack = append(f.stack, save.Base, over.Base)
	g, x, top := gp, fp+48, uint64(0)
	for _, a := range f.va {
		t := a.typ
		switch {
		case a.byval:
			top = roundUp(top, max(8, min(16, t.Align())))
			if src := st.mem.Find(a.vals[0].C); src != nil {
				over.Copy(top, src, a.vals[0].C-src.Base, t.Size())
			}
			top += roundUp(t.Size(), 8)
		case t.Kind == ir.X86FP80:
			top = roundUp(top, 16)
			ex.poke(st, over, top, a)
			top += 16
		case t.Kind == ir.Float || t.Kind == ir.Double || t.Kind == ir.Vector:
			if x < 176 {
				ex.poke(st, save, x, a)
				x += 16
			} else {
				ex.poke(st, over, top, a)
				top += 8
			}
		default:
			n := roundUp(max(8, t.Size()), 8)
			if g+n <= 48 {
				ex.poke(st, save, g, a)
				g += n
			} else {
				g = 48
				ex.poke(st, over, top, a)
				top += n
			}
		}
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

func roundUp(n, a uint64) uint64 { return (n + a - 1) / a * a }

// poke writes an argument at a concrete place.
func (ex *Engine) poke(st *State, o *memory.Object, at uint64, a vaArg) {
	types, offs := a.typ.AppendLeaves(nil, nil, 0)
	o = ex.writable(st, o)
	for i, t := range types {
		ex.write(st, o, Value{C: at + offs[i]}, a.vals[i], uint8(t.Width()), int(t.StoreSize()))
	}
}
