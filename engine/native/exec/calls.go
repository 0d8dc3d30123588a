package exec

import (
	"fmt"
	"strings"

	"klabel/engine/native/code"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// maxFrames bounds recursion. What the native stack holds is another matter.
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
		v, ok := ex.enumerate(st, p, int(ex.ptr), at)
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
	if m != nil && (!m.prints || !fn.IR.Defined || !s.Used && ex.toWorld(st, s, m) && !ex.counts(st, s, m)) {
		ex.callModel(st, in, s, fn, m)
		return
	}
	if none, ok := fn.Native().(noModel); ok && none.summary != nil &&
		none.summary(ex, st, &callContext{st: st, in: in, site: s, fn: fn}) {
		return
	}
	if err := ex.p.Decode(fn); err != nil {
		if !fn.IR.Defined {
			ex.callUnknown(st, &callContext{st: st, in: in, site: s, fn: fn})
			return
		}
		ex.giveUp(st, "%v", err)
		return
	}
	if !ex.wholly(st, &callContext{st: st, in: in, site: s, fn: fn}) {
		ex.enter(st, in, s, fn)
	}
}

// toWorld reports whether a call prints to the world, and not into a file that the
// program can read again.
func (ex *Engine) toWorld(st *State, s *code.CallSite, m *model) bool {
	if m.stream < 0 || m.stream >= len(s.Regs) {
		return true
	}
	v := st.top.val(s.Regs[m.stream])
	if v.E != nil {
		return false
	}
	o := ex.find(st, v.C)
	return o != nil && (o.Name == "klabel_out_file" || o.Name == "klabel_err_file")
}

// counts reports whether a call that prints also writes to memory how much, by %n.
func (ex *Engine) counts(st *State, s *code.CallSite, m *model) bool {
	if m.format <= 0 || m.format > len(s.Regs) {
		return false
	}
	_, more, found := strings.Cut(ex.text(st, st.top.val(s.Regs[m.format-1])), "%")
	for found {
		more = strings.TrimLeft(more, "0123456789.*-+ #'$hlqjzt")
		if strings.HasPrefix(more, "n") {
			return true
		}
		_, more, found = strings.Cut(more[min(1, len(more)):], "%")
	}
	return false
}

// enter pushes a frame and passes the arguments.
func (ex *Engine) enter(st *State, in *code.Inst, s *code.CallSite, fn *code.Func) {
	caller := st.top
	if caller.depth >= maxFrames {
		ex.giveUp(st, "recursion deeper than %d calls", maxFrames)
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
	if fn.Undefined != nil {
		ex.refers(fn)
	}
	ex.begins(st, fn)
	if !fn.Covered[0] && st.role.explores() {
		ex.covered(st, fn, 0)
	}
}

// begins notes what a function computes that is not, or not always, the same natively.
func (ex *Engine) begins(st *State, fn *code.Func) {
	if !st.role.explores() {
		return
	}
	if fn.Numbers {
		ex.lost(st, fn.Name+" uses an address as a number")
	}
	if fn.X87 {
		ex.lost(st, "float and double are computed by the x87, which rounds otherwise (-msse2 -mfpmath=sse: as here)")
	}
}

// refers notes the undefined variables that a function's code names.
func (ex *Engine) refers(fn *code.Func) {
	for _, name := range fn.Undefined {
		ex.missing[name] = true
	}
}

// fits is a result as the caller's prototype has it, which may be wrong.
func (ex *Engine) fits(v Value, w int) Value {
	switch {
	case v.E != nil && v.E.Width() != w:
		return ex.resize(v, v.E.Width(), w)
	case v.E == nil && w < 64:
		v.C &= 1<<w - 1
	}
	return v
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
	v, ok := ex.concretise(st, p, int(ex.ptr), "the address of a struct passed by value")
	if !ok {
		return Value{}, false
	}
	src := ex.find(st, v.Lo)
	n := t.Size()
	if src == nil || v.Lo-src.Base+n > src.Size {
		ex.badPointer(st, Value{C: v.Lo}, src)
		return Value{}, false
	}
	o := ex.onStack(st, n, "byval argument of "+f.fn.Name)
	if o == nil {
		return Value{}, false
	}
	o.Copy(0, src, v.Lo-src.Base, n)
	f.stack = append(f.stack, o.Base)
	return Value{C: o.Base}, true
}

// ret leaves a function.
func (ex *Engine) ret(st *State, in *code.Inst) {
	f := st.top
	regs := in.X.([]int32)
	if f.parent == nil || f.handler {
		if f.handler {
			ex.freeFrame(st, f)
		}
		ex.exit(st)
		return
	}
	var buf [4]Value
	vals := buf[:0]
	for _, r := range regs {
		vals = append(vals, f.val(r))
	}
	ex.throughX87(st, f.fn, vals)
	ex.freeFrame(st, f)
	st.top = f.parent
	if p, is := st.role.(*inCall); is && f.depth == p.depth {
		p.returned(ex, st, vals)
		return
	}
	if st.role.left(ex, st, f.depth); st.done {
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
			caller.regs[ci.Dst+int32(i)] = ex.fits(vals[i], want[i].Width())
		} else {
			caller.regs[ci.Dst+int32(i)] = Value{}
		}
	}
}

// freeFrame removes the objects that die with a frame.
func (ex *Engine) freeFrame(st *State, f *frame) {
	for _, a := range f.stack {
		if o := st.mem.Find(a); o != nil {
			st.mem.Free(o)
			ex.forget(o)
		}
	}
}

// onStack makes an object of a stack frame; nil where there is no room: the state has
// ended.
func (ex *Engine) onStack(st *State, size uint64, name string) *memory.Object {
	o := ex.object(st, size, memory.Stack, name)
	if o == nil {
		ex.giveUp(st, "a stack object that addresses of %d bits have no room for", ex.ptr)
	}
	return o
}

// object makes an object, nil where there is no room for it. In 32 bits addresses are
// given again when there are no others: a pointer to what is gone may then lead to
// something else.
func (ex *Engine) object(st *State, size uint64, k memory.Kind, name string) *memory.Object {
	o := st.mem.Alloc(size, k, name)
	if !st.again && st.mem.Again() {
		st.again = true
		ex.lost(st, "addresses of what is gone were given again")
	}
	return o
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
		ex.giveUp(st, "a stack object of more than 4 GiB")
		return
	}
	f := st.own()
	o := ex.onStack(st, in.Imm*n, f.fn.Name)
	if o == nil {
		return
	}
	ex.unset(st, o)
	f.stack = append(f.stack, o.Base)
	f.regs[in.Dst] = Value{C: o.Base}
}
