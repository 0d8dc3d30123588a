package solver

import (
	"math"
	"slices"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Filters and controllers with constant factors are linear in what they read, and a path
// through one is a system of inequalities. Ranges look at one of them at a time; a linear
// program (Dantzig's simplex method) looks at all: what it finds to contradict each other
// is a sum of inequalities that no point of the box satisfies (Farkas), and that sum is
// checked with more than the error of computing it, so that the proof does not rest on the
// method. Where there is no contradiction, its point is the farthest from all of them.

// inequality says that the sum of the terms is at most this; atoms are columns.
type inequality struct {
	terms []term
	most  float64
}

const (
	maxInequalities = 120
	maxColumns      = 40
	maxPivots       = 400
	perPivot        = 40 // cells of a pivot that cost as much as an evaluated node
	straightTries   = 8  // boxes in vain before only one in so many is looked at
)

// program is the inequalities of a box.
type program struct {
	rows   []inequality
	atoms  []int32 // by column
	lo, hi []float64
}

// inequalities lists what a contracted box says of sums.
func (x *boxes) inequalities() *program {
	p := &program{}
	for i := range x.nodes {
		if len(p.rows) > maxInequalities {
			break
		}
		n := &x.nodes[i]
		if left, right, ok := x.compared(int32(i)); ok {
			v := x.vals[i]
			if v.open || v.u0 != v.u1 || len(x.sums[left]) == 1 && x.sums[left][0].atom < 0 ||
				len(x.sums[right]) == 1 && x.sums[right][0].atom < 0 {
				continue // a comparison with a constant is in the range of the other number
			}
			d := merged(x.sums[left], x.sums[right], -1)
			if v.u0 == 0 {
				d = scaled(d, -1)
			}
			if x.isNumber(left) && x.isNumber(right) {
				x.inequality(p, d, 0, x.errs[left]+x.errs[right])
			}
			continue
		}
		if s := x.sums[i]; n.number && n.kind == compute && (len(s) > 1 || s[0].atom != int32(i)) {
			if lo, hi, ok := x.interval(int32(i)); ok {
				x.inequality(p, s, hi, x.errs[i])
				x.inequality(p, scaled(s, -1), -lo, x.errs[i])
			}
		}
	}
	return p
}

func (x *boxes) isNumber(i int32) bool {
	_, _, ok := x.interval(i)
	return ok
}

// inequality adds a row, if the ranges do not imply it.
func (x *boxes) inequality(p *program, sum []term, most, err float64) {
	r := inequality{most: most}
	high, size := 0.0, math.Abs(most)
	for _, t := range sum {
		if t.atom < 0 {
			r.most -= t.c
			err += t.e
			size += math.Abs(t.c)
			continue
		}
		lo, hi, ok := x.interval(t.atom)
		if !ok {
			return
		}
		m := max(-lo, hi)
		err += m * t.e
		size += math.Abs(t.c) * m
		high += max(t.c*lo, t.c*hi)
		r.terms = append(r.terms, t)
	}
	r.most += err*(1+0x1p-40) + size*0x1p-46 + tiny
	if !(high > r.most) || math.IsInf(high-r.most, 0) || math.IsInf(size, 0) || math.IsNaN(r.most) {
		return
	}
	for i, t := range r.terms {
		at := slices.Index(p.atoms, t.atom)
		if at < 0 {
			if len(p.atoms) == maxColumns {
				return
			}
			lo, hi, _ := x.interval(t.atom)
			at = len(p.atoms)
			p.atoms, p.lo, p.hi = append(p.atoms, t.atom), append(p.lo, lo), append(p.hi, hi)
		}
		r.terms[i].atom = int32(at)
	}
	p.rows = append(p.rows, r)
}

// simplex looks for the point that is farthest from all inequalities, in parts of the
// ranges and of the largest term of each. weights are those of the sum of inequalities that
// bounds how far that is; pivots is the work.
func (p *program) simplex() (point, weights []float64, pivots int) {
	m, n := len(p.rows), len(p.atoms)
	// Each line: what is basic is the last cell less the sum of the others times what is
	// not. Columns 0 to n-1 are the atoms, as parts of their ranges; n is the distance, less
	// the least one.
	lines := make([][]float64, m+n+1)
	scale := make([]float64, m)
	least := 0.0
	for i, r := range p.rows {
		line := make([]float64, n+2)
		rest, largest := r.most, 0.0
		for _, t := range r.terms {
			line[t.atom] = t.c * (p.hi[t.atom] - p.lo[t.atom])
			rest -= t.c * p.lo[t.atom]
			largest = max(largest, math.Abs(line[t.atom]))
		}
		scale[i] = 1 / max(largest, 0x1p-1000)
		for k := range n {
			line[k] *= scale[i]
		}
		line[n], line[n+1] = 1, rest*scale[i]
		least = min(least, line[n+1])
		lines[i] = line
	}
	for i := range m {
		lines[i][n+1] -= least
	}
	for k := range n + 1 {
		line := make([]float64, n+2)
		line[k], line[n+1] = 1, 1
		if k == n {
			line[n+1] -= least
		}
		lines[m+k] = line
	}
	goal := make([]float64, n+2) // the distance is the last cell less the others times what is not basic
	goal[n] = -1
	basic, outside := make([]int, len(lines)), make([]int, n+1) // variables: columns, then lines
	for k := range outside {
		outside[k] = k
	}
	for i := range basic {
		basic[i] = n + 1 + i
	}
	const eps = 1e-11
	for ; pivots < maxPivots; pivots++ {
		in, out := -1, -1
		for k := range n + 1 { // the steepest; at last the first, which never goes round
			if goal[k] < -eps && (in < 0 || pivots < maxPivots/2 && goal[k] < goal[in]) {
				in = k
			}
		}
		if in < 0 {
			break
		}
		for i, l := range lines {
			if l[in] > eps && (out < 0 || l[n+1]*lines[out][in] < lines[out][n+1]*l[in]) {
				out = i
			}
		}
		if out < 0 {
			break
		}
		pivot(lines, goal, out, in)
		basic[out], outside[in] = outside[in], basic[out]
	}
	part := make([]float64, n+1)
	for i, v := range basic {
		if v <= n {
			part[v] = lines[i][n+1]
		}
	}
	point, weights = make([]float64, n), make([]float64, m)
	for k := range point {
		point[k] = min(p.lo[k]+part[k]*(p.hi[k]-p.lo[k]), p.hi[k])
	}
	for k, v := range outside {
		if v -= n + 1; v >= 0 && v < m {
			weights[v] = max(goal[k], 0) * scale[v]
		}
	}
	return point, weights, pivots
}

func pivot(lines [][]float64, goal []float64, out, in int) {
	l := lines[out]
	by := 1 / l[in]
	for k := range l {
		l[k] *= by
	}
	l[in] = by
	for i := range len(lines) + 1 {
		o := goal
		if i < len(lines) {
			o = lines[i]
		}
		f := o[in]
		if i == out || f == 0 {
			continue
		}
		for k := range o {
			o[k] -= f * l[k]
		}
		o[in] = -f * by
	}
}

// contradictory checks that no point of the ranges satisfies the sum of the weighted
// inequalities.
func (p *program) contradictory(weights []float64) bool {
	sums := make([]float64, len(p.atoms))
	most, size := 0.0, 0.0
	for i, r := range p.rows {
		most += weights[i] * r.most
		size += math.Abs(weights[i] * r.most)
		for _, t := range r.terms {
			sums[t.atom] += weights[i] * t.c
			size += math.Abs(weights[i]*t.c) * max(-p.lo[t.atom], p.hi[t.atom])
		}
	}
	least := 0.0
	for k, c := range sums {
		least += min(c*p.lo[k], c*p.hi[k])
	}
	return least-most > size*0x1p-42+0x1p-1000 // false where one is no number
}

// straight decides a contracted box by its inequalities: some is false if it holds no
// model. What only comes near to one is kept for the local search.
func (x *boxes) straight(b *box) (m *expr.Model, some bool) {
	if x.vain++; x.vain > straightTries && x.vain%straightTries != 0 {
		return nil, true
	}
	p := x.inequalities()
	if len(p.rows) < 2 {
		return nil, true
	}
	point, weights, pivots := p.simplex()
	x.work += (pivots + 1) * (len(p.rows) + len(p.atoms)) * len(p.atoms) / perPivot
	if p.contradictory(weights) {
		x.vain = 0
		return nil, false
	}
	m = &expr.Model{}
	for i := range x.k.units {
		u := &x.k.units[i]
		r := x.middle(i, b)
		if k := slices.IndexFunc(p.atoms, func(a int32) bool { return x.unitBehind(a) == int32(i) }); k >= 0 {
			if u.float {
				r = rankOf(u.format, ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(point[k])}, u.format))
			} else {
				r = int64(math.Round(point[k]))
			}
			r = max(b.lo[i], min(b.hi[i], r))
		}
		m = u.with(m, u.unrank(expr.Value{Lo: uint64(r)}.Mask(u.width)))
	}
	x.work += len(x.nodes)
	if x.k.ev.All(x.k.cs, m) {
		return m, true
	}
	if x.k.near == nil {
		x.k.near = m
	}
	return nil, true
}

// unitBehind is the unit that an atom is, or that it is converted from; -1 if there is none.
func (x *boxes) unitBehind(i int32) int32 {
	for n := &x.nodes[i]; ; n = &x.nodes[n.kids[0]] {
		switch {
		case n.kind == input && n.low == 0:
			return n.unit
		case n.kind != compute:
			return -1
		}
		switch n.e.Op() {
		case expr.OpIntToF, expr.OpZExt, expr.OpSExt:
		default:
			return -1
		}
	}
}
