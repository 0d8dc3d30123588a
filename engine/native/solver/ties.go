package solver

import (
	"math"
	"slices"

	"klabel/engine/native/ieee"
)

// Ties: where two inputs are compared, up to a constant, the one is the other and a
// difference of known range (a zone: Miné, A new numerical abstract domain based on
// difference-bound matrices, 2001). Forms of both then share what they have in common.

// tie says that a comparison is about k (a - b) + c, within e and what rounds.
type tie struct {
	compare, left, right int32 // nodes: the comparison and the numbers
	a, b                 int32 // inputs, a listed before b
	k, c, e              float64
}

// tied is how far an input may be from one listed before it.
type tied struct {
	to     int32
	lo, hi float64
}

// findTies lists the comparisons of numbers whose difference is that of two inputs.
func (x *boxes) findTies() {
	for i := range x.nodes {
		left, right, ok := x.compared(int32(i))
		if !ok || len(x.ties) >= maxRelated {
			continue
		}
		t := tie{compare: int32(i), left: left, right: right, a: -1, b: -1}
		for _, d := range merged(x.sums[left], x.sums[right], -1) {
			switch {
			case d.atom < 0:
				t.c, t.e = d.c, d.e
			case x.nodes[d.atom].kind != input || d.e != 0 || t.b >= 0:
				ok = false
			case t.a < 0:
				t.a, t.k = d.atom, d.c
			default:
				t.b, ok = d.atom, ok && d.c == -t.k
			}
		}
		if ok && t.b >= 0 {
			x.ties = append(x.ties, t)
			if p := (pair{t.a, t.b}); !slices.Contains(x.pairs, p) && len(x.pairs) < maxExtra {
				x.pairs = append(x.pairs, p)
			}
		}
	}
}

// compared are the numbers that a comparison of ranks is about, the smaller one of a
// true one first.
func (x *boxes) compared(i int32) (left, right int32, ok bool) {
	n := &x.nodes[i]
	if n.kind != compute || !isOrder(n.e) {
		return 0, 0, false
	}
	a, b := &x.nodes[n.kids[0]], &x.nodes[n.kids[1]]
	if a.kind != ranks || b.kind != ranks || a.minus != b.minus || a.f != b.f {
		return 0, 0, false
	}
	if a.minus {
		a, b = b, a
	}
	return a.kids[0], b.kids[0], true
}

// pair is two inputs, as nodes.
type pair struct{ a, b int32 }

// tieAll finds what holds in this box: for each input the narrowest tie. It reports
// false when there is no model.
func (x *boxes) tieAll(b *box) bool {
	ranges := map[pair]tied{}
	for _, t := range x.ties {
		v := x.vals[t.compare]
		if v.open || v.u0 != v.u1 {
			continue
		}
		if _, _, ok := x.interval(t.left); !ok {
			continue
		}
		if _, _, ok := x.interval(t.right); !ok {
			continue
		}
		// left - right is at most 0, or at least: a - b lies below or above this.
		slack := (x.errs[t.left] + x.errs[t.right] + t.e + math.Abs(t.c)*0x1p-46) * (1 + 0x1p-40)
		below := (v.u0 == 1) == (t.k > 0)
		p := pair{t.a, t.b}
		r, ok := ranges[p]
		if !ok {
			r = tied{t.a, math.Inf(-1), math.Inf(1)}
		}
		at := -t.c / t.k
		slack = up(slack/math.Abs(t.k) + math.Abs(at)*0x1p-50)
		if below { // so that b - a is at least
			r.lo = max(r.lo, -at-slack)
		} else {
			r.hi = min(r.hi, -at+slack)
		}
		ranges[p] = r
	}
	clear(x.tiedTo)
	for i, p := range x.pairs {
		r, ok := ranges[p]
		if !ok {
			r = tied{p.a, math.Inf(-1), math.Inf(1)}
		}
		k := len(x.k.units) + len(x.extra) + i
		if k < len(b.lo) { // a difference need not be a double: it may lie between two sides
			r.lo, r.hi = max(r.lo, down(valueOf(ieee.Double, b.lo[k]))), min(r.hi, up(valueOf(ieee.Double, b.hi[k])))
		}
		if r.lo > r.hi {
			return false
		}
		if k < len(b.lo) {
			b.clip(k, doubleRank(r.lo), doubleRank(r.hi))
		}
		old, ok := x.tiedTo[p.b]
		if w := r.hi - r.lo; !math.IsInf(w, 0) && (!ok || w < old.hi-old.lo) {
			x.tiedTo[p.b] = r
		}
	}
	return true
}

func doubleRank(v float64) int64 { return rankOf(ieee.Double, ieee.Bits{Lo: math.Float64bits(v)}) }

// cutTies lets the differences of tied inputs be cut as inputs are.
func (x *boxes) cutTies(b *box) {
	for _, p := range x.pairs {
		lo, hi := math.Inf(-1), math.Inf(1)
		if r, ok := x.tiedTo[p.b]; ok && r.to == p.a {
			lo, hi = r.lo, r.hi
		}
		b.lo, b.hi, b.cuts = append(b.lo, doubleRank(lo)), append(b.hi, doubleRank(hi)), append(b.cuts, 0)
	}
}

// tieForm makes the form of an input out of the one that it is tied to.
func (x *boxes) tieForm(i int32, f *form) bool {
	t, ok := x.tiedTo[i]
	if !ok || !f.sum(&x.forms[t.to], 1, nil, 0) {
		return false
	}
	mid := t.lo/2 + t.hi/2
	f.mid += mid
	f.err = up(f.err + (math.Abs(mid)+math.Abs(f.mid))*0x1p-50)
	f.parts = append(f.parts, noise{i, up(max(t.hi-mid, mid-t.lo))})
	return true
}
