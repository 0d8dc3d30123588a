package exec

import (
	"fmt"
	"strings"

	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

// What C leaves open is a value that nobody knows: symbolic, but no input, so
// that tests do not hold it. A path explores all of its values, and no claim
// rests on one of them.

// unknown is a value of n bytes that nobody knows.
func (ex *Engine) unknown(st *State, n int) Value {
	name := unknownName(n)
	v := ex.b.Var(fmt.Sprintf("%s#%d", name, st.occurrence(name)), n)
	if bytes := st.role.bytes(v); bytes != nil {
		x := uint64(0)
		for i := n - 1; i >= 0; i-- {
			x = x<<8 | uint64(bytes[i])
		}
		return Value{C: x}
	}
	return Value{E: ex.b.Read(v, 0, n)}
}

func unknownName(n int) string { return fmt.Sprintf("klabel unknown %d", n) }

const (
	unsetPrefix = "klabel unset"
	unsetHeap   = unsetPrefix + " heap"
)

// mostUsual bounds the bytes of which usual says what they hold.
const mostUsual = 64

// usual is a model of a condition, of which m is one, in which memory that nobody wrote
// holds what a replay mostly finds there: AddressSanitizer's filling in a block, else 0. A
// test that wants something else there would not be confirmed. It is m if there is none.
func (ex *Engine) usual(st *State, cond *expr.Expr, m *expr.Model) *expr.Model {
	all, n := cond, 0
	cond.Vars().Each(func(from, to uint64) {
		v, at := ex.b.VarAt(from)
		if !strings.HasPrefix(v.Name, unsetPrefix) {
			return
		}
		filling := uint64(0)
		if strings.HasPrefix(v.Name, unsetHeap) {
			filling = 0xbe
		}
		for ; from < to && n <= mostUsual && at < v.Size; from++ {
			all = ex.b.And(all, ex.b.Eq(ex.b.Read(v, at, 1), ex.b.Const(8, filling)))
			at++
			n++
		}
	})
	if n == 0 || n > mostUsual {
		return m
	}
	if r, found := ex.s.Check(ex.ctx, st.cons, all); r == solver.Sat {
		return found
	}
	return m
}

// needsUnset reports whether a condition that can be true is so only where local variables
// that nobody has set hold something else than zeros: in no replay, though in some run.
func (ex *Engine) needsUnset(st *State, cond *expr.Expr) bool {
	all, n := cond, 0
	cond.Vars().Each(func(from, to uint64) {
		v, at := ex.b.VarAt(from)
		if !strings.HasPrefix(v.Name, unsetPrefix) || strings.HasPrefix(v.Name, unsetHeap) {
			return
		}
		for ; from < to && n <= mostUsual && at < v.Size; from++ {
			all = ex.b.And(all, ex.b.Eq(ex.b.Read(v, at, 1), ex.b.Const(8, 0)))
			at++
			n++
		}
	})
	if n == 0 || n > mostUsual {
		return false
	}
	r, _ := ex.s.Check(ex.ctx, st.cons, all)
	return r == solver.Unsat
}

// unset makes what was never written in an object unknown. Objects with the
// same number on a path and in a run with values of its inputs share it.
func (ex *Engine) unset(st *State, o *memory.Object) {
	run, ok := st.role.(*concreteRun)
	if !ok {
		o.Unset = ex.asUnset
		return
	}
	var values []byte
	o.Unset = func(info *memory.Info, off uint64) (byte, memory.Cell) {
		if values == nil {
			values = run.bytes(ex.unsetVar(info))
		}
		return values[off], memory.Cell{}
	}
}

func (ex *Engine) unsetByte(info *memory.Info, off uint64) (byte, memory.Cell) {
	return 0, memory.Cell{E: ex.b.Read(ex.unsetVar(info), int(off), 1)}
}

func (ex *Engine) unsetVar(info *memory.Info) *expr.Var {
	if info.Var == nil {
		prefix := unsetPrefix
		if info.Kind == memory.Heap {
			prefix = unsetHeap
		}
		info.Var = ex.b.Var(fmt.Sprintf("%s %d %s", prefix, info.Serial, info.Name), int(info.Size))
	}
	return info.Var
}

// neverSet reports whether a value depends on memory that was never written.
func (ex *Engine) neverSet(e *expr.Expr) (yes bool) {
	e.Vars().Each(func(from, _ uint64) {
		v, _ := ex.b.VarAt(from)
		yes = yes || strings.HasPrefix(v.Name, unsetPrefix)
	})
	return yes
}

// anyCall is klabel_any of the library.
func anyCall(ex *Engine, st *State, c *callContext) { c.set(ex, ex.unknown(st, 4)) }

// signCall is klabel_sign of the library: any number with the sign of its
// argument, as the functions that compare return one.
func signCall(ex *Engine, st *State, c *callContext) { c.set(ex, ex.sign(st, c.expr(ex, 0))) }

// sign is any number with the sign of x. Each call has an unknown value of its own, even
// where it needs none: those that follow are then the same ones whatever x is.
func (ex *Engine) sign(st *State, x *expr.Expr) Value {
	b := ex.b
	zero := b.Const(32, 0)
	if x == zero {
		st.occurrence(unknownName(4))
		return Value{}
	}
	size := b.And(ex.expr(ex.unknown(st, 4), 32), b.Const(32, 1<<31-1))
	size = b.Ite(b.Eq(size, zero), b.Const(32, 1), size)
	// Not the negated size: one bit says what is less than zero, and no solver is asked.
	less := b.Or(size, b.Const(32, 1<<31))
	return fromExpr(b.Ite(b.Eq(x, zero), zero, b.Ite(b.Slt(x, zero), less, size)))
}

// touchesErrno notes that natively a function may leave a number in errno: what
// it holds is unknown until the program writes it.
func touchesErrno(st *State) { st.errno = true }

// errnoTouched is klabel_errno_touched of the library.
func errnoTouched(ex *Engine, st *State, c *callContext) {
	v := uint64(0)
	if st.errno {
		v = 1
	}
	st.errno = false
	c.set(ex, Value{C: v})
}

// andErrno is a model of a function that may also set errno.
func andErrno(run func(*Engine, *State, *callContext)) func(*Engine, *State, *callContext) {
	return func(ex *Engine, st *State, c *callContext) {
		touchesErrno(st)
		run(ex, st, c)
	}
}

// inOrder notes that the program asks which of two objects comes first in
// memory: natively they may stand the other way round.
func (ex *Engine) inOrder(st *State, a, b Value) {
	x, y := ex.objectOf(st, a), ex.objectOf(st, b)
	if ex.isCompared(st, x, b) || ex.isCompared(st, y, a) {
		return
	}
	functions := a.E == nil && b.E == nil && a.C != b.C && ex.p.FuncAt(a.C) != nil && ex.p.FuncAt(b.C) != nil
	if functions || x != nil && y != nil && x.Base != y.Base {
		ex.lost(st, "the order of two objects in memory matters")
	}
}

// mayCoincide is told of two addresses, not the same here, that the program compares for
// being equal. Natively the end of an object may be where another begins, what was
// freed may be given again, and texts may share their memory.
func (ex *Engine) mayCoincide(st *State, a, b Value) {
	if st.top.fn.Library {
		return
	}
	x, y := ex.objectOf(st, a), ex.objectOf(st, b)
	switch {
	case ex.isCompared(st, x, b), ex.isCompared(st, y, a):
	case x == nil || y == nil:
		if ex.gone(st, a) || ex.gone(st, b) {
			ex.lost(st, "memory that was given back may be given again")
		}
	case x.Base == y.Base:
	case a.E != nil || b.E != nil || a.C == x.Base+x.Size && b.C == y.Base || b.C == y.Base+y.Size && a.C == x.Base:
		ex.lost(st, "objects may stand side by side in memory")
	case x.ReadOnly && y.ReadOnly && (isLiteral(x) || isLiteral(y)):
		ex.lost(st, "constants may share their memory")
	}
}

// No object is within so many bytes of NULL, on either side, nor as far up in 64 bits.
const nearNull, userSpace = 1 << 16, 1 << 47

// isCompared notes that the address of an object is compared with a number that may be
// one, as a union shows it; not with what is never an address, such as an error's number.
func (ex *Engine) isCompared(st *State, o *memory.Object, with Value) bool {
	if o == nil || st.top.fn.Library {
		return false
	}
	is := with.E != nil && ex.isInput(with.E)
	if with.E == nil {
		far := uint64(signed(with.C, ex.ptr))
		is = ex.objectOf(st, with) == nil && !ex.gone(st, with) && ex.p.FuncAt(with.C) == nil &&
			far >= nearNull && -far >= nearNull &&
			(ex.ptr < 64 || with.C < userSpace)
	}
	if is {
		ex.lost(st, "an address is compared with a number")
	}
	return is
}

// isLiteral reports whether clang made an object of a string or compound literal.
func isLiteral(o *memory.Object) bool {
	return strings.HasPrefix(o.Name, ".str") || strings.HasPrefix(o.Name, ".compoundliteral")
}

func (ex *Engine) gone(st *State, v Value) bool {
	if v.E != nil {
		return false
	}
	_, gone := st.mem.Gone(v.C)
	return gone
}

// asNumber is told of what an operation computes with that addresses are not for. A
// conversion is seen where the code is read; an address also becomes a number in a
// union, or copied as bytes.
func (ex *Engine) asNumber(st *State, a, b Value) {
	if !st.top.fn.Library && (ex.objectOf(st, a) != nil || ex.objectOf(st, b) != nil) {
		ex.lost(st, "an address is used as a number")
	}
}

// objectOf is the object that a value is an address of, nil if none.
func (ex *Engine) objectOf(st *State, v Value) *memory.Object {
	if v.E != nil {
		return ex.anchor(st, v.E)
	}
	if !ex.space.IsObject(v.C) {
		return nil
	}
	return ex.find(st, v.C)
}
