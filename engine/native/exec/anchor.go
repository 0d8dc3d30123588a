package exec

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
)

// An address that is computed with an index leads into one object, the one that it was
// computed from: what is out of its bounds is an error wherever it lands.

// number is a constant as wide as an address.
func (ex *Engine) number(n uint64) *expr.Expr { return ex.b.Const(int(ex.ptr), n) }

func (ex *Engine) addressSize() int { return int(ex.space.AddressSize) }

// anchor finds the object that a symbolic address was computed from: the one
// constant term of its sum that is an address, or what originates has noted.
func (ex *Engine) anchor(st *State, e *expr.Expr) *memory.Object {
	if base, ok := ex.origins[e]; ok {
		if base == ambiguous {
			return nil
		}
		return ex.find(st, base)
	}
	c, ok := ex.constantOf(e)
	if !ok {
		return nil
	}
	if o := ex.find(st, c); o != nil {
		return o
	}
	return ex.find(st, c+ex.space.Guard) // a base and a negative constant offset
}

// isInput reports whether an address is made of inputs alone: no address of an object is in it. What
// lies where it leads is another thing in each replay, so that none of the objects that it
// may reach by chance is worth a path.
func (ex *Engine) isInput(e *expr.Expr) bool {
	const deepest = 8
	var within func(e *expr.Expr, depth int) bool
	within = func(e *expr.Expr, depth int) bool {
		switch e.Op() {
		case expr.OpLeaf:
			return true
		case expr.OpConst: // a byte, or two, may be a part of an address
			c := e.Uint64()
			return c == 0 || e.Width() >= 32 && (c < 1<<20 || e.Width() == int(ex.ptr) &&
				(c < ex.space.Low-ex.space.Guard || c >= ex.space.Limit))
		case expr.OpAdd, expr.OpSub, expr.OpMul, expr.OpConcat, expr.OpExtract, expr.OpZExt, expr.OpSExt, expr.OpIte:
			from := 0
			if e.Op() == expr.OpIte {
				from = 1 // whatever decides
			}
			for i := from; i < e.NumKids(); i++ {
				if depth == 0 || !within(e.Kid(i), depth-1) {
					return false
				}
			}
			return true
		}
		return false
	}
	return within(e, deepest)
}

// constantOf is the constant term of a sum, where it may be an address.
func (ex *Engine) constantOf(e *expr.Expr) (c uint64, ok bool) {
	switch { // the builder keeps the constant of a sum outermost
	case e.Width() != int(ex.ptr):
		return 0, false
	case e.Op() == expr.OpAdd && e.Kid(1).IsConst():
		c = e.Kid(1).Uint64()
	case e.Op() == expr.OpSub && e.Kid(0).IsConst():
		c = e.Kid(0).Uint64()
	default:
		return 0, false
	}
	return c, c >= ex.space.Low-ex.space.Guard && c < ex.space.Limit
}

// ambiguous is the origin of an address that may have been computed from several objects.
const ambiguous = 0

// originates notes what an address e was computed from, base, where the sum does not
// show it: what is subtracted from an index may make the constant an address of the
// object before.
func (ex *Engine) originates(st *State, e *expr.Expr, base Value) {
	c, ok := ex.constantOf(e)
	old, noted := ex.origins[e]
	if !ok && !noted {
		return
	}
	from := ex.objectOf(st, base)
	if from == nil {
		return
	}
	if noted {
		if old != from.Base {
			ex.origins[e] = ambiguous
		}
		return
	}
	switch o := ex.find(st, c); {
	case o != nil && o.Base == from.Base:
	case o != nil && c-o.Base <= o.Size:
		ex.origins[e] = ambiguous
	default:
		ex.origins[e] = from.Base
	}
}

// derive notes that an expression is another form of an address.
func (ex *Engine) derive(e, address *expr.Expr) {
	if base, ok := ex.origins[address]; ok && e != address {
		if old, noted := ex.origins[e]; noted && old != base {
			base = ambiguous
		}
		ex.origins[e] = base
	}
}
