package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// Value is a register's content.
type Value = code.Value

// frame is an activation of a function. Frames are shared between states until
// they are written to, as memory is.
type frame struct {
	owner   uint64
	fn      *code.Func
	regs    []Value
	pc      int32
	parent  *frame
	depth   int
	stack   []uint64 // addresses of the objects that die with the frame
	va      []vaArg
	handler bool // called by the program's end, not by its parent
}

// vaArg is an argument beyond the named parameters.
type vaArg struct {
	vals  []Value
	typ   *ir.Type
	byval bool // vals holds the address of the copy
}

// symbolic is an input that the path has asked for. The list is shared.
type symbolic struct {
	prev  *symbolic
	v     *expr.Var
	name  string
	n     int
	bytes []byte // in a concrete run: its values
}

// deferredLabel is a label that some continuation of the path may still cover.
type deferredLabel struct {
	prev    *deferredLabel
	id      uint32
	formula *expr.Expr
	where   place
}

// State is a path under exploration.
type State struct {
	ID     uint64
	mem    *memory.Space
	top    *frame
	cons   *expr.Constraints
	syms   *symbolic
	names  *nameCount
	depth  int
	instrs uint64

	seed     *expr.Model // of others, that satisfies cons; nil: none
	role     role
	deferred *deferredLabel
	jumps    *jumpPoint

	exiting bool     // destructors run, or did
	silent  bool     // its normal end makes no test
	atExit  *handler // what atexit registered
	again   bool     // addresses of what is gone were given again
	errno   bool     // natively a function may have set it meanwhile
	fresh   *freshBlock
	assumed string // a call that was taken for one that changes nothing; "": none

	node   *treeNode // random-path
	near   near      // to labels that are wanted
	rounds struct {  // when it came round a loop last
		cons   *expr.Constraints
		syms   *symbolic
		instrs uint64
	}
	index     int    // in the searcher's lists
	newCover  uint64 // instructions at which it last covered new code
	coversNew bool   // it did, since it was forked off
	done      bool
}

// nameCount counts the symbolic objects of each name on the path.
type nameCount struct {
	prev *nameCount
	name string
	n    int
}

func (st *State) occurrence(name string) int {
	n := 0
	for c := st.names; c != nil; c = c.prev {
		if c.name == name {
			n = c.n
			break
		}
	}
	st.names = &nameCount{prev: st.names, name: name, n: n + 1}
	return n
}

// clone makes a second state that goes on from here.
func (ex *Engine) clone(st *State) *State {
	c := new(State)
	*c = *st
	c.mem = st.mem.Fork()
	ex.nextID++
	c.ID = ex.nextID
	c.node, c.index, c.coversNew, c.near = nil, -1, false, near{}
	ex.found = [cacheSize]*memory.Object{}
	return c
}

// own makes the top frame writable.
func (st *State) own() *frame {
	f := st.top
	if f.owner == st.mem.Owner() {
		return f
	}
	g := new(frame)
	*g = *f
	g.owner = st.mem.Owner()
	g.regs = append(make([]Value, 0, len(f.regs)), f.regs...)
	g.stack = append([]uint64(nil), f.stack...)
	st.top = g
	return g
}

func (f *frame) val(i int32) Value {
	if i >= 0 {
		return f.regs[i]
	}
	return f.fn.Consts[^i]
}

// width-aware conversions between registers and expressions

func (ex *Engine) expr(v Value, w int) *expr.Expr {
	if v.E != nil {
		return v.E
	}
	return ex.b.Const(w, v.C)
}

func fromExpr(e *expr.Expr) Value {
	if e.IsConst() && e.Width() <= 64 {
		return Value{C: e.Uint64()}
	}
	return Value{E: e}
}

// concreteValue returns a register's value if it is concrete.
func concreteValue(v Value) (expr.Value, bool) {
	if v.E == nil {
		return expr.Value{Lo: v.C}, true
	}
	if v.E.IsConst() {
		return v.E.Value(), true
	}
	return expr.Value{}, false
}
