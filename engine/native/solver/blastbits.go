package solver

import (
	"klabel/engine/native/expr"
)

func constBits(v expr.Value, w int) []lit {
	out := make([]lit, w)
	for i := range out {
		out[i] = litFalse
		if v.Bit(i) {
			out[i] = litTrue
		}
	}
	return out
}

func notBits(x []lit) []lit {
	out := make([]lit, len(x))
	for i, l := range x {
		out[i] = l.not()
	}
	return out
}

func extend(x []lit, w int, fill lit) []lit {
	out := append(make([]lit, 0, w), x...)
	for len(out) < w {
		out = append(out, fill)
	}
	return out
}

func reverse(x []lit) []lit {
	out := make([]lit, len(x))
	for i, l := range x {
		out[len(x)-1-i] = l
	}
	return out
}

func flipTop(x []lit) []lit {
	out := append([]lit(nil), x...)
	out[len(out)-1] ^= 1
	return out
}

func (t *blaster) zip(x, y []lit, f func(a, b lit) lit) []lit {
	out := make([]lit, len(x))
	for i := range out {
		out[i] = f(x[i], y[i])
	}
	return out
}

func (t *blaster) muxBits(c lit, x, y []lit) []lit {
	out := make([]lit, len(x))
	for i := range out {
		out[i] = t.g.mux(c, x[i], y[i])
	}
	return out
}

func (t *blaster) equal(x, y []lit) lit {
	all := litTrue
	for i := range x {
		all = t.g.and(all, t.g.xor(x[i], y[i]).not())
	}
	return all
}

// less is x < y, unsigned: the borrow of x - y.
func (t *blaster) less(x, y []lit) lit {
	b := litFalse
	for i := range x {
		b = t.g.maj(x[i].not(), y[i], b)
	}
	return b
}

// addBits is a ripple-carry adder.
func (t *blaster) addBits(x, y []lit, carry lit) ([]lit, lit) {
	out := make([]lit, len(x))
	for i := range out {
		out[i], carry = t.g.fullAdder(x[i], y[i], carry)
	}
	return out, carry
}

// shiftRight is a barrel shifter; what comes in at the top is fill.
func (t *blaster) shiftRight(x, y []lit, fill lit) []lit {
	w := len(x)
	out := x
	over := litFalse
	for k, c := range y {
		if k >= 31 || 1<<k >= w {
			over = t.g.or(over, c)
			continue
		}
		n := 1 << k
		next := make([]lit, w)
		for i := range next {
			from := fill
			if i+n < w {
				from = out[i+n]
			}
			next[i] = t.g.mux(c, from, out[i])
		}
		out = next
	}
	if over == litFalse {
		return out
	}
	next := make([]lit, w)
	for i := range next {
		next[i] = t.g.mux(over, fill, out[i])
	}
	return next
}
