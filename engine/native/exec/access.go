package exec

import (
	"fmt"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

// find returns the object whose slots hold a concrete address. The small cache
// holds objects of the space that was asked last.
func (ex *Engine) find(st *State, addr uint64) *memory.Object {
	if ex.cached != st.mem {
		ex.cached = st.mem
		ex.found = [cacheSize]*memory.Object{}
	}
	slot := ex.space.SlotBits
	i := addr >> slot % cacheSize
	if o := ex.found[i]; o != nil && (addr-o.Base)>>slot == 0 {
		return o
	}
	o := st.mem.Find(addr)
	if o != nil && (addr-o.Base)>>slot == 0 {
		ex.found[i] = o
	}
	return o
}

// writable returns a version of the object that the state alone holds.
func (ex *Engine) writable(st *State, o *memory.Object) *memory.Object {
	n := st.mem.Writable(o)
	if n != o {
		ex.found[n.Base>>ex.space.SlotBits%cacheSize] = n
	}
	return n
}

func (ex *Engine) forget(o *memory.Object) {
	ex.found[o.Base>>ex.space.SlotBits%cacheSize] = nil
}

// access is one load or store of n bytes.
type access struct {
	n     uint64
	write bool
}

// load executes Load and LoadN.
func (ex *Engine) load(st *State, in *code.Inst) {
	p := st.top.val(in.A)
	if in.Op == ir.Load {
		ex.resolve(st, p, access{n: in.Imm}, func(st *State, o *memory.Object, off Value) {
			st.own().regs[in.Dst] = ex.loaded(st, o, off, in.W, int(in.Imm))
		})
		return
	}
	l := in.X.(*code.Leaves)
	ex.resolve(st, p, access{n: l.Size}, func(st *State, o *memory.Object, off Value) {
		f := st.own()
		for i, t := range l.Types {
			at := ex.plus(off, l.Offs[i])
			f.regs[in.Dst+int32(i)] = ex.loaded(st, o, at, uint8(t.Width()), int(t.StoreSize()))
		}
	})
}

// loaded is what a load reads; parts of addresses are noted.
func (ex *Engine) loaded(st *State, o *memory.Object, off Value, w uint8, n int) Value {
	v := ex.read(st, o, off, w, n)
	if n != ex.addressSize() && off.E == nil {
		ex.piece(st, o, off.C, n)
	}
	if n < ex.addressSize() && v.E != nil {
		ex.pieceOf(st, v.E)
	}
	return v
}

// store executes Store and StoreN.
func (ex *Engine) store(st *State, in *code.Inst) {
	p := st.top.val(in.B)
	if in.Op == ir.Store {
		v := st.top.val(in.A)
		ex.resolve(st, p, access{n: in.Imm, write: true}, func(st *State, o *memory.Object, off Value) {
			ex.write(st, o, off, v, in.W, int(in.Imm))
		})
		return
	}
	l, regs := in.StoreLeaves()
	ex.resolve(st, p, access{n: l.Size, write: true}, func(st *State, o *memory.Object, off Value) {
		for i, t := range l.Types {
			o = st.mem.Find(o.Base)
			ex.write(st, o, ex.plus(off, l.Offs[i]), st.top.val(regs[i]), uint8(t.Width()), int(t.StoreSize()))
		}
	})
}

func (ex *Engine) plus(v Value, n uint64) Value {
	if v.E == nil {
		return Value{C: v.C + n}
	}
	return fromExpr(ex.b.Add(v.E, ex.number(n)))
}

// resolve finds the object that a pointer reaches and runs then with it and the
// offset, which is in bounds. A pointer that may reach several objects, or none,
// forks the state; then is run in each part that is fine.
func (ex *Engine) resolve(st *State, p Value, a access, then func(*State, *memory.Object, Value)) {
	if p.E != nil {
		e := st.cons.Simplify(ex.b, p.E)
		if !e.IsConst() {
			ex.derive(e, p.E)
			ex.resolveSymbolic(st, e, a, then)
			return
		}
		p = Value{C: e.Uint64()}
	}
	o := ex.find(st, p.C)
	if o == nil || p.C-o.Base > o.Size || p.C-o.Base+a.n > o.Size {
		ex.badPointer(st, p, o)
		return
	}
	if a.write && o.ReadOnly {
		ex.errorAt(st, "memory error: object read only", "read_only.err", ex.addressInfo(st, p, o))
		return
	}
	if st.fresh != nil && a.n > 0 {
		st.reached(o.Base)
	}
	then(st, o, Value{C: p.C - o.Base})
}

// badPointer ends a state whose concrete address is wrong.
func (ex *Engine) badPointer(st *State, p Value, o *memory.Object) {
	reason := ""
	if p.E == nil {
		if _, ok := st.mem.Gone(p.C); ok && o == nil {
			reason = "use after free"
			if k, _ := st.mem.Gone(p.C); k == memory.Stack {
				reason = "use after return"
			}
		} else if p.C < 4096 {
			reason = "null pointer exception"
		}
	}
	// KLEE knows one message for all of these.
	info := ex.addressInfo(st, p, o)
	if reason != "" {
		info += "\treason: " + reason + "\n"
	}
	if !st.done {
		st.role.failed(ex, st, programError{"memory error: out of bound pointer", "ptr.err", info, reason})
	}
}

func (ex *Engine) addressInfo(st *State, p Value, o *memory.Object) string {
	s := ""
	if p.E == nil {
		s = fmt.Sprintf("\taddress: %d\n", p.C)
	} else {
		s = "\taddress: symbolic\n"
		if v, r := ex.s.Value(ex.ctx, st.cons, p.E); r == solver.Sat {
			s += fmt.Sprintf("\texample: %d\n", v.Lo)
		}
	}
	if o != nil {
		s += fmt.Sprintf("\tnext: object at %d of size %d (%s)\n", o.Base, o.Size, o.Name)
	}
	return s
}

// inBounds says that n bytes at e lie in the object.
func (ex *Engine) inBounds(e *expr.Expr, o *memory.Object, n uint64) *expr.Expr {
	if n > o.Size {
		return ex.b.False()
	}
	off := ex.b.Sub(e, ex.number(o.Base))
	return ex.b.Ule(off, ex.number(o.Size-n))
}

// maxResolve bounds the objects that one pointer is resolved to at once. What leads to
// others is a state of its own, which executes the instruction again in its turn.
const maxResolve = 64

func (ex *Engine) resolveSymbolic(st *State, e *expr.Expr, a access, then func(*State, *memory.Object, Value)) {
	if ex.neverSet(e) && ex.anchor(st, e) == nil {
		ex.giveUp(st, "a pointer that was never set is followed")
		return
	}
	if o := ex.anchor(st, e); o != nil {
		// Pointer arithmetic may not leave its object: what is out of bounds
		// here is an error wherever it lands.
		yes, no := ex.fork(st, ex.inBounds(e, o, a.n))
		if no != nil {
			ex.badPointer(no, Value{E: e}, o)
		}
		if yes != nil {
			ex.inObject(yes, e, o, a, then)
		}
		return
	}
	for i := 0; i < maxResolve; i++ {
		v, r := ex.s.Value(ex.ctx, st.cons, e)
		if r != solver.Sat {
			ex.noAnswer(st)
			return
		}
		o := ex.find(st, v.Lo)
		if o == nil || ex.inBounds(ex.number(v.Lo), o, a.n).IsFalse() {
			if ex.isInput(e) {
				ex.lost(st, "an input is followed as a pointer")
				ex.badPointer(st, Value{E: e}, nil)
				return
			}
			if o = ex.anyObject(st, e, a.n); o == nil {
				if !st.done {
					ex.badPointer(st, Value{E: e}, nil)
				}
				return
			}
		}
		yes, no := ex.fork(st, ex.inBounds(e, o, a.n))
		if yes != nil {
			ex.inObject(yes, e, o, a, then)
		}
		if no == nil {
			return
		}
		st = no
	}
	st.own().pc--
}

// maxAsked bounds the objects that one question is about.
const maxAsked = 1000

// anyObject finds some object that e can reach.
func (ex *Engine) anyObject(st *State, e *expr.Expr, n uint64) (found *memory.Object) {
	q, asked := ex.b.False(), 0
	ask := func() (goOn bool) {
		r, m := ex.s.Check(ex.ctx, st.cons, q)
		switch r {
		case solver.Unknown:
			ex.noAnswer(st)
		case solver.Sat:
			found = ex.find(st, ex.b.Eval(e, m).Lo)
		}
		q, asked = ex.b.False(), 0
		return r == solver.Unsat
	}
	goOn := true
	st.mem.Each(func(o *memory.Object) bool {
		if o.Size < n {
			return true
		}
		q = ex.b.Or(q, ex.inBounds(e, o, n))
		if asked++; asked == maxAsked {
			goOn = ask()
		}
		return goOn
	})
	if goOn && asked > 0 {
		ask()
	}
	return found
}

func (ex *Engine) inObject(st *State, e *expr.Expr, o *memory.Object, a access,
	then func(*State, *memory.Object, Value)) {
	if a.write && o.ReadOnly {
		ex.errorAt(st, "memory error: object read only", "read_only.err", ex.addressInfo(st, Value{E: e}, o))
		return
	}
	off := st.cons.Simplify(ex.b, ex.b.Sub(e, ex.number(o.Base)))
	then(st, o, fromExpr(off))
}

// read reads a value of w bits from n bytes at an offset that is in bounds.
func (ex *Engine) read(st *State, o *memory.Object, off Value, w uint8, n int) Value {
	if off.E != nil {
		return ex.readSymbolic(st, o, off.E, w, n)
	}
	if n <= 8 {
		if v, ok := o.Uint(off.C, n); ok {
			if w < 64 {
				v &= 1<<w - 1
			}
			return Value{C: v}
		}
	}
	e := o.Expr(ex.b, off.C, n)
	if int(w) < e.Width() {
		e = ex.b.Extract(e, 0, int(w))
	}
	return fromExpr(e)
}

func (ex *Engine) write(st *State, o *memory.Object, off, v Value, w uint8, n int) {
	if off.E != nil {
		ex.writeSymbolic(st, o, off.E, v, w, n)
		return
	}
	o = ex.writable(st, o)
	if v.E == nil && n <= 8 {
		o.SetUint(off.C, n, v.C)
		return
	}
	e := ex.expr(v, int(w))
	if e.Width() < 8*n {
		e = ex.b.ZExt(e, 8*n)
	}
	o.SetExpr(off.C, e)
}
