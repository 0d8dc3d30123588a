package solver

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Sums of products with constants are one sum of their atoms, up to what rounding
// adds: seen so, what two of them share falls away (set - (x + d) is nearly
// (set - x) - d), which ranges of single operations never see. Rounding is bounded
// by the ranges of the results, and the sums here, which are computed in double,
// by more than their own rounding.

// term is a part of a sum: the coefficient is within e of c, the atom a node; -1 is 1.
type term struct {
	atom int32
	c, e float64
}

// row says that a node is a sum of terms, up to its error and that of another one.
type row struct {
	node  int32
	terms []term
	other int32 // -1: none
	scale float64
}

const (
	maxTerms   = 24
	maxRows    = 300
	maxRelated = 60
	tiny       = 0x1p-1070
)

// linear makes the rows of all nodes from what is known of them: of the first box, and
// again when it is cut to what may hold a model. A choice of which the arm is known there is that arm.
func (x *boxes) linear() {
	x.sums, x.rows = make([][]term, len(x.nodes)), make([][]row, len(x.nodes))
	count, uses := 0, map[int32]int{}
	var long []int32
	for i := range x.nodes {
		x.choose(int32(i))
		s := x.sum(int32(i))
		if len(s) == 0 || len(s) > maxTerms {
			s = []term{{atom: int32(i), c: 1}}
		}
		x.sums[i] = s
		if len(s) < 2 && s[0].atom == int32(i) || count > maxRows {
			continue
		}
		if x.nodes[i].kind == compute && (x.nodes[i].e.IsFloat() || x.arms[i] > 0) {
			x.rows[i] = append(x.rows[i], row{node: int32(i), terms: s, other: -1})
			count++
			long = append(long, int32(i))
		}
	}
	for i := range x.nodes {
		if x.nodes[i].number {
			x.errs[i] = x.rounding(int32(i))
		}
	}
	for n, j := range long[:min(len(long), maxRelated)] {
		for _, i := range long[:n] {
			if r, ok := x.relate(i, j); ok && count < maxRows {
				x.rows[j] = append(x.rows[j], r)
				count++
				uses[i]++
			}
		}
	}
	x.bases = slices.SortedFunc(maps.Keys(uses), func(i, k int32) int {
		return cmp.Or(cmp.Compare(uses[k], uses[i]), cmp.Compare(i, k))
	})
}

// choose notes the arm that a choice between numbers takes in the whole box.
func (x *boxes) choose(i int32) {
	n := &x.nodes[i]
	if n.kind != compute || !n.number || n.e.Op() != expr.OpIte {
		return
	}
	switch c := x.vals[n.kids[0]]; {
	case c.open:
	case c.u0 == 1:
		x.arms[i] = 1
	case c.u1 == 0:
		x.arms[i] = 2
	}
}

// sum lists the terms of a node; none if it is an atom.
func (x *boxes) sum(i int32) []term {
	n := &x.nodes[i]
	e := n.e
	switch {
	case n.kind == fixed && e.Width() <= 64:
		f, ok := ieee.OfWidth(e.Width())
		if !ok || !ranked(f) {
			return nil
		}
		if v := asDouble(f, ieee.Bits(e.Value())); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return []term{{atom: -1, c: v}}
		}
		return nil
	case n.kind == negated:
		return scaled(x.sums[n.kids[0]], -1)
	case x.arms[i] > 0:
		return x.sums[n.kids[x.arms[i]]]
	case n.kind != compute || !e.IsFloat() || !ranked(e.Format()):
		return nil
	}
	p := x.sums[n.kids[0]]
	switch e.Op() {
	case expr.OpFAdd:
		return merged(p, x.sums[n.kids[1]], 1)
	case expr.OpFSub:
		return merged(p, x.sums[n.kids[1]], -1)
	case expr.OpFMul:
		if q := x.sums[n.kids[1]]; x.nodes[n.kids[1]].kind == fixed && q[0].atom == -1 && q[0].c != 0 {
			return scaled(p, q[0].c)
		}
	case expr.OpFConvert:
		if ranked(e.To()) {
			return p
		}
	}
	return nil
}

func scaled(s []term, k float64) []term {
	var out []term
	for _, t := range s {
		c := t.c * k
		e := t.e * math.Abs(k)
		if k != 1 && k != -1 {
			e += e*0x1p-50 + math.Abs(c)*0x1p-52 + tiny
		}
		out = append(out, term{t.atom, c, e})
	}
	return out
}

// merged is p + k q, for a k that is 1 or -1, or p and q whose errors allow for it.
func merged(p, q []term, k float64) []term {
	out := append(slices.Clone(p), scaled(q, k)...)
	slices.SortStableFunc(out, func(a, b term) int { return cmp.Compare(a.atom, b.atom) })
	n := 0
	for _, t := range out {
		if n > 0 && out[n-1].atom == t.atom {
			l := &out[n-1]
			c := l.c + t.c
			e := l.e + t.e
			if c != 0 { // else exact
				e += e*0x1p-50 + math.Abs(c)*0x1p-52
			}
			l.c, l.e = c, e
			continue
		}
		out[n] = t
		n++
	}
	return slices.DeleteFunc(out[:n], func(t term) bool { return t.c == 0 && t.e == 0 })
}

// relate writes node j by node i, if that leaves out at least two atoms.
func (x *boxes) relate(i, j int32) (row, bool) {
	p, q := x.sums[i], x.sums[j]
	for _, t := range p {
		at := slices.IndexFunc(q, func(s term) bool { return s.atom == t.atom })
		if t.atom < 0 || at < 0 || t.c == 0 {
			continue
		}
		k := q[at].c / t.c
		if k == 0 || math.IsInf(k, 0) || math.IsNaN(k) {
			return row{}, false
		}
		d := merged(q, p, -k)
		left := 0
		for _, t := range d {
			if math.Abs(t.c) > 8*t.e {
				left++
			}
		}
		return row{node: j, terms: append(d, term{atom: i, c: k}), other: i, scale: math.Abs(k)}, left <= len(q)-2
	}
	return row{}, false
}

// interval is what an atom lies between; ok is false if it may be infinite or a NaN.
func (x *boxes) interval(i int32) (lo, hi float64, ok bool) {
	if i < 0 {
		return 1, 1, true
	}
	n := &x.nodes[i]
	v := x.vals[i].asFloat(n.f)
	if !n.number || v.nan || v.none() || v.hasInfinity(n.f) {
		return 0, 0, false
	}
	return valueOf(n.f, v.f0), valueOf(n.f, v.f1), true
}

// rounding bounds how far a node's value is from the sum of its terms.
func (x *boxes) rounding(i int32) float64 {
	n := &x.nodes[i]
	if s := x.sums[i]; len(s) == 1 && s[0].atom == i || n.kind == fixed {
		return 0
	}
	if arm := x.arms[i]; arm > 0 {
		return x.errs[n.kids[arm]]
	}
	err := x.errs[n.kids[0]]
	switch {
	case n.kind == negated:
		return err
	case n.e.Op() == expr.OpFMul:
		c := math.Abs(x.sums[n.kids[1]][0].c)
		err = err*c + tiny
	case n.e.Op() == expr.OpFConvert:
		if from := n.e.Format(); from.Precision() <= n.f.Precision() && from.Exp() <= n.f.Exp() {
			return err
		}
	default:
		err += x.errs[n.kids[1]]
	}
	lo, hi, ok := x.interval(i)
	if !ok {
		return math.Inf(1)
	}
	if x.exact(n, lo, hi) {
		return err * (1 + 0x1p-40)
	}
	least := valueOf(n.f, 1) // the smallest number
	return (err + math.Ldexp(max(-lo, hi), -n.f.Precision()) + least) * (1 + 0x1p-40)
}

// exact reports that a sum or difference between lo and hi is not rounded: a 0 is added, or
// it has no bit beyond the last one of its operands'.
func (x *boxes) exact(n *node, lo, hi float64) bool {
	if n.kind != compute || n.e.Op() != expr.OpFAdd && n.e.Op() != expr.OpFSub {
		return false
	}
	a, b := x.vals[n.kids[0]].asFloat(n.f), x.vals[n.kids[1]].asFloat(n.f)
	most := math.Ldexp(valueOf(n.f, grain(n.f, a, b)), n.f.Precision())
	return max(-lo, hi) < most || a.f0 == 0 && a.f1 == 0 || b.f0 == 0 && b.f1 == 0
}

// along narrows the node of a row by its terms and, backwards, the terms' atoms.
func (x *boxes) along(r *row, backwards bool) bool {
	err := x.errs[r.node]
	if r.other >= 0 {
		err += r.scale * x.errs[r.other] * (1 + 0x1p-40)
	}
	if math.IsInf(err, 0) || math.IsNaN(err) {
		return true
	}
	var lo, hi, size [2*maxTerms + 2]float64
	low, high, all := 0.0, 0.0, 0.0
	for i, t := range r.terms {
		a, b, ok := x.interval(t.atom)
		if !ok {
			return true
		}
		m := max(-a, b)
		extra := m*t.e + math.Abs(t.c)*m*0x1p-51 + tiny
		if t.c < 0 {
			a, b = b, a
		}
		lo[i], hi[i], size[i] = t.c*a-extra, t.c*b+extra, m
		low, high = low+lo[i], high+hi[i]
		all += max(math.Abs(lo[i]), math.Abs(hi[i]))
	}
	slack := err + all*0x1p-46 + tiny
	if !x.between(r.node, low-slack, high+slack) {
		return false
	}
	if !backwards {
		return true
	}
	v0, v1, ok := x.interval(r.node)
	if !ok {
		return true
	}
	slack += max(-v0, v1) * 0x1p-46
	for i, t := range r.terms { // what is left for a term when all others are at their ends
		if t.atom < 0 || math.Abs(t.c) <= 8*t.e || r.other >= 0 && len(r.terms) == 1 {
			continue
		}
		restLow, restHigh := 0.0, 0.0
		for j := range r.terms {
			if j != i {
				restLow, restHigh = restLow+lo[j], restHigh+hi[j]
			}
		}
		extra := (slack + size[i]*t.e) * (1 + 0x1p-40)
		a, b := (v0-restHigh-extra)/t.c, (v1-restLow+extra)/t.c
		if t.c < 0 {
			a, b = b, a
		}
		if !x.between(t.atom, a-math.Abs(a)*0x1p-50-tiny, b+math.Abs(b)*0x1p-50+tiny) {
			return false
		}
	}
	return true
}

// between narrows a node that is a number to a range of doubles.
func (x *boxes) between(i int32, lo, hi float64) bool {
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return true
	}
	f := x.nodes[i].f
	rank := func(v float64) int64 {
		return rankOf(f, ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(v)}, f))
	}
	return x.narrowFloat(i, f, rank(lo)-1, rank(hi)+1, false)
}
