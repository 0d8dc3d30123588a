package solver

import (
	"math"
	"slices"

	"klabel/engine/native/ieee"
)

// Where a box is cut, and what is cut off its ends.

// next chooses the side to cut: the one that was cut the least.
func (x *boxes) next(b *box) int {
	best := -1
	for i := range b.lo {
		if b.hi[i] > b.lo[i] && (best >= 0 || i < len(x.k.units)) && (best < 0 || b.cuts[i] < b.cuts[best]) {
			best = i
		}
	}
	return best
}

// format is that of side i of a box; ok is false for integers.
func (x *boxes) format(i int) (f ieee.Format, ok bool) {
	if i < len(x.k.units) {
		return x.k.units[i].format, x.k.units[i].float
	}
	if i >= len(x.k.units)+len(x.extra) {
		return ieee.Double, true
	}
	return x.nodes[x.extra[i-len(x.k.units)]].f, true
}

// middle is where a unit is cut: the upper part begins after it.
func (x *boxes) middle(i int, b *box) int64 {
	lo, hi := b.lo[i], b.hi[i]
	f, float := x.format(i)
	mid := lo + int64(uint64(hi-lo)/2)
	if !float || b.cuts[i]%2 == 1 {
		return mid
	}
	inf := infinite(f)
	if lo < -inf || hi > inf { // NaNs first
		if hi > inf {
			return max(lo, inf)
		}
		return -inf - 1
	}
	v := (valueOf(f, lo) + valueOf(f, hi)) / 2
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return mid
	}
	r := rankOf(f, ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(v)}, f))
	if r < lo || r >= hi {
		return mid
	}
	return r
}

// valueOf is the number of a rank.
func valueOf(f ieee.Format, r int64) float64 {
	return math.Float64frombits(f.Convert(ofRank(f, r), ieee.Double).Lo)
}

// cut divides a box: unit i up to at, and above it.
func (b *box) cut(i int, at int64) (low, high box) {
	low, high = b.copy(), b.copy()
	low.hi[i], high.lo[i] = at, at+1
	low.cuts[i]++
	high.cuts[i]++
	return low, high
}

func (b *box) copy() box {
	return box{lo: slices.Clone(b.lo), hi: slices.Clone(b.hi), cuts: slices.Clone(b.cuts)}
}

// shave cuts refuted ends off the ranges: halves, then smaller parts.
func (x *boxes) shave(b *box, finest int) {
	for again := true; again && !x.over(); {
		again = false
		for i := range b.lo {
			for part := 1; part <= finest; part++ {
				for _, upper := range [2]bool{true, false} {
					for b.lo[i] < b.hi[i] && !x.over() {
						step := int64(uint64(b.hi[i]-b.lo[i]) >> part)
						low, high := b.cut(i, b.lo[i]+step)
						end, rest := &low, &high
						if upper {
							low, high = b.cut(i, b.hi[i]-step-1)
							end, rest = &high, &low
						}
						if x.contracted(end, 1) {
							break
						}
						clear(rest.cuts)
						*b, again = *rest, true
					}
				}
			}
		}
	}
}
