package solver

import "klabel/engine/native/expr"

// Rounding keeps the order: x + t is not above x where t is not above 0, however
// they are rounded, and a - x is not above a - y where y is not above x. So the
// sign of a difference may be known where the ranges of its operands are one.

const orderDepth = 4

// atMost reports that node i is not above node k for sure; both are numbers.
func (x *boxes) atMost(i, k int32, depth int) bool {
	p, q := &x.vals[i], &x.vals[k]
	if i == k {
		return true
	}
	if !p.float || !q.float || p.nan || q.nan {
		return false
	}
	if p.f1 <= q.f0 {
		return true
	}
	m, n := &x.nodes[i], &x.nodes[k]
	if depth == 0 || m.f != n.f {
		return false
	}
	if x.stepped(m, k, false) || x.stepped(n, i, true) { // down from k, or up from i
		return true
	}
	if m.kind == negated && n.kind == negated {
		return x.atMost(n.kids[0], m.kids[0], depth-1)
	}
	if m.kind != compute || n.kind != compute || m.e.Op() != n.e.Op() || !m.e.IsFloat() {
		return false
	}
	depth--
	a, b := m.kids, n.kids
	left := func() bool { return x.atMost(a[0], b[0], depth) }
	right := func() bool { return x.atMost(a[1], b[1], depth) }
	switch m.e.Op() {
	case expr.OpFAdd:
		return left() && right() || x.atMost(a[0], b[1], depth) && x.atMost(a[1], b[0], depth)
	case expr.OpFSub:
		return left() && x.atMost(b[1], a[1], depth)
	case expr.OpFMul, expr.OpFDiv:
		if d := x.vals[a[1]].asFloat(x.nodes[a[1]].f); m.e.Op() == expr.OpFDiv && d.has(0) {
			return false // a zero may have a sign that its range does not tell
		}
		if a[1] == b[1] {
			return x.sign(a[1], true) && left() || x.sign(a[1], false) && x.atMost(b[0], a[0], depth)
		}
		if m.e.Op() == expr.OpFMul && a[0] == b[0] {
			return x.sign(a[0], true) && right() || x.sign(a[0], false) && x.atMost(b[1], a[1], depth)
		}
	case expr.OpFSqrt:
		return left()
	}
	return false
}

// stepped reports that a node is a sum of node k and what is not below 0 (up), or
// not above it.
func (x *boxes) stepped(n *node, k int32, up bool) bool {
	switch {
	case n.does(expr.OpFAdd):
		return n.kids[0] == k && x.sign(n.kids[1], up) || n.kids[1] == k && x.sign(n.kids[0], up)
	case n.does(expr.OpFSub):
		return n.kids[0] == k && x.sign(n.kids[1], !up)
	}
	return false
}

// does reports that a node is an operation of floating point.
func (n *node) does(op expr.Op) bool { return n.kind == compute && n.e.Op() == op }

// sign reports that a node is a number that is not below 0, or not above it.
func (x *boxes) sign(i int32, up bool) bool {
	v := x.vals[i].asFloat(x.nodes[i].f)
	if v.nan || v.none() {
		return false
	}
	return up && v.f0 >= 0 || !up && v.f1 <= 0
}

// mixed bounds a + t (b - a) for a t from 0 to 1: it lies between a and b, however the
// product and the sum are rounded, if the difference is not. (Were it, it may be too large.)
func (x *boxes) mixed(n *node, v bound) bound {
	for k := range 2 {
		a, s := n.kids[k], &x.nodes[n.kids[1-k]]
		if !s.does(expr.OpFMul) {
			continue
		}
		for l := range 2 {
			d, t := s.kids[l], x.vals[s.kids[1-l]].asFloat(n.f)
			diff := &x.nodes[d]
			if !diff.does(expr.OpFSub) || diff.kids[1] != a || t.nan || t.f0 < 0 || t.f1 > rankOf(n.f, n.f.One()) {
				continue
			}
			lo, hi, ok := x.interval(d)
			p, q := x.vals[a].asFloat(n.f), x.vals[diff.kids[0]].asFloat(n.f)
			if !ok || p.nan || q.nan || !x.exact(diff, lo, hi) {
				continue
			}
			v.f0, v.f1 = max(v.f0, min(p.f0, q.f0)), min(v.f1, max(p.f1, q.f1))
		}
	}
	return v
}

// ordered bounds a sum, or an order of numbers, by what rounding keeps.
func (x *boxes) ordered(n *node, v bound) bound {
	if n.kind != compute {
		return v
	}
	i, k := n.kids[0], n.kids[1]
	switch n.e.Op() {
	case expr.OpFAdd:
		if v.float && !v.nan && n.number {
			return x.mixed(n, v)
		}
	case expr.OpFSub:
		if v.float && !v.nan && v.f0 < 0 && v.f1 > 0 {
			if x.atMost(i, k, orderDepth) {
				v.f1 = 0
			} else if x.atMost(k, i, orderDepth) {
				v.f0 = 0
			}
		}
	case expr.OpSlt, expr.OpSle:
		p, q := &x.nodes[i], &x.nodes[k]
		if v.u0 == v.u1 || p.kind != ranks || q.kind != ranks || p.minus || q.minus || p.f != q.f {
			return v
		}
		if n.e.Op() == expr.OpSlt && x.atMost(q.kids[0], p.kids[0], orderDepth) {
			return isFalse
		}
		if n.e.Op() == expr.OpSle && x.atMost(p.kids[0], q.kids[0], orderDepth) {
			return isTrue
		}
	}
	return v
}
