package solver

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// unit is a part of the inputs that moves as one number.
type unit struct {
	pos    uint64 // in bits
	width  int
	float  bool
	format ieee.Format
	seeds  []expr.Value // values of interest: constants of the formula
}

// rank maps the unit's numbers to integers that grow with them; the integer bit
// of the x87 is left out, for it follows from the exponent.
func (u *unit) rank(v expr.Value) expr.Value {
	if !u.float {
		return v
	}
	w := u.width
	neg := v.Bit(w - 1)
	m := expr.Apply(expr.OpAnd, 128, v, expr.Ones(w-1))
	if u.format.Explicit() {
		p := u.format.Precision() - 1
		low := expr.Apply(expr.OpAnd, 128, m, expr.Ones(p))
		high := expr.Apply(expr.OpLShr, 128, m, expr.Value{Lo: uint64(p + 1)})
		m = expr.Apply(expr.OpOr, 128, low, expr.Apply(expr.OpShl, 128, high, expr.Value{Lo: uint64(p)}))
	}
	if neg {
		m = expr.Apply(expr.OpSub, w, expr.Value{}, m)
	}
	return m
}

// unrank is the number of a rank.
func (u *unit) unrank(r expr.Value) expr.Value {
	if !u.float {
		return r
	}
	w := u.width
	neg := r.Bit(w - 1)
	if neg {
		r = expr.Apply(expr.OpSub, w, expr.Value{}, r)
	}
	m := expr.Apply(expr.OpAnd, 128, r, expr.Ones(w-1))
	if u.format.Explicit() {
		p := u.format.Precision() - 1
		low := expr.Apply(expr.OpAnd, 128, m, expr.Ones(p))
		high := expr.Apply(expr.OpLShr, 128, m, expr.Value{Lo: uint64(p)})
		high = expr.Apply(expr.OpAnd, 128, high, expr.Ones(u.format.Exp()))
		if !high.IsZero() {
			low = expr.Apply(expr.OpOr, 128, low, expr.Apply(expr.OpShl, 128, expr.Value{Lo: 1},
				expr.Value{Lo: uint64(p)}))
		}
		m = expr.Apply(expr.OpOr, 128, low, expr.Apply(expr.OpShl, 128, high, expr.Value{Lo: uint64(p + 1)}))
	}
	if neg {
		m = expr.Apply(expr.OpOr, 128, m, expr.Apply(expr.OpShl, 128, expr.Value{Lo: 1}, expr.Value{Lo: uint64(w - 1)}))
	}
	return m
}

// value reads a unit from a model.
func (u *unit) value(m *expr.Model) expr.Value {
	var v expr.Value
	for i := range (u.width + 7) / 8 {
		b, _ := m.At(u.pos/8 + uint64(i))
		if i < 8 {
			v.Lo |= uint64(b) << (8 * i)
		} else {
			v.Hi |= uint64(b) << (8 * (i - 8))
		}
	}
	return v
}

// with returns m with another value of a unit.
func (u *unit) with(m *expr.Model, v expr.Value) *expr.Model {
	over := &expr.Model{}
	for i := range (u.width + 7) / 8 {
		b := byte(v.Lo >> (8 * (i & 7)))
		if i >= 8 {
			b = byte(v.Hi >> (8 * (i - 8)))
		}
		over.SetAt(u.pos/8+uint64(i), b)
	}
	return m.Overlay(over)
}
