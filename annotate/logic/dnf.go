package logic

import (
	"math/bits"
	"sort"
)

// searchSteps bounds the search for a smallest cover; beyond it the best cover
// found so far is used, which is irredundant all the same.
const searchSteps = 20000

// PrimeImplicants are those of a form over n atoms (Quine-McCluskey), in a
// fixed order: fewer literals first, then positive literals of early atoms.
func PrimeImplicants(f *Form, n int) []Cube {
	full := uint64(1)<<n - 1
	cur := map[Cube]bool{}
	for b := uint64(0); b <= full; b++ {
		if f.Eval(b) {
			cur[Cube{full, b}] = true
		}
	}
	var primes []Cube
	for len(cur) > 0 {
		next := map[Cube]bool{}
		for c := range cur {
			merged := false
			for m := c.Mask; m != 0; m &= m - 1 {
				bit := m & -m
				if cur[Cube{c.Mask, c.Bits ^ bit}] {
					next[Cube{c.Mask &^ bit, c.Bits &^ bit}] = true
					merged = true
				}
			}
			if !merged {
				primes = append(primes, c)
			}
		}
		cur = next
	}
	sortCubes(primes)
	return primes
}

func sortCubes(cs []Cube) {
	sort.Slice(cs, func(i, j int) bool {
		a, b := cs[i], cs[j]
		if x, y := bits.OnesCount64(a.Mask), bits.OnesCount64(b.Mask); x != y {
			return x < y
		}
		if x, y := bits.Reverse64(a.Mask), bits.Reverse64(b.Mask); x != y {
			return x > y
		}
		return bits.Reverse64(a.Bits) > bits.Reverse64(b.Bits)
	})
}

// MinimalDNF is a smallest set of prime implicants whose disjunction is the
// form: as few implicants as possible, and irredundant if the search for the
// smallest set exceeds its bound.
func MinimalDNF(f *Form, n int) []Cube {
	primes := PrimeImplicants(f, n)
	var points []uint64
	for b := uint64(0); b < 1<<n; b++ {
		if f.Eval(b) {
			points = append(points, b)
		}
	}
	if len(points) == 0 {
		return nil
	}
	s := &coverSearch{primes: primes, steps: searchSteps}
	s.covers = make([][]int, len(points)) // by point: primes that cover it
	for i, p := range points {
		for j, c := range primes {
			if c.Holds(p) {
				s.covers[i] = append(s.covers[i], j)
			}
		}
	}
	s.greedy()
	s.search(make([]int, len(points)), nil)
	out := make([]Cube, len(s.best))
	for i, j := range s.best {
		out[i] = primes[j]
	}
	sortCubes(out)
	return out
}

type coverSearch struct {
	primes []Cube
	covers [][]int
	best   []int
	steps  int
}

// greedy finds a first cover and makes it irredundant.
func (s *coverSearch) greedy() {
	left := map[int]bool{}
	for i := range s.covers {
		left[i] = true
	}
	var chosen []int
	for len(left) > 0 {
		gain := make([]int, len(s.primes))
		for i := range left {
			for _, j := range s.covers[i] {
				gain[j]++
			}
		}
		best := 0
		for j := range gain {
			if gain[j] > gain[best] {
				best = j
			}
		}
		chosen = append(chosen, best)
		for i := range left {
			for _, j := range s.covers[i] {
				if j == best {
					delete(left, i)
					break
				}
			}
		}
	}
	for i := 0; i < len(chosen); {
		rest := append(append([]int(nil), chosen[:i]...), chosen[i+1:]...)
		if s.coversAll(rest) {
			chosen = rest
		} else {
			i++
		}
	}
	s.best = chosen
}

func (s *coverSearch) coversAll(chosen []int) bool {
	in := make([]bool, len(s.primes))
	for _, j := range chosen {
		in[j] = true
	}
	for _, c := range s.covers {
		ok := false
		for _, j := range c {
			ok = ok || in[j]
		}
		if !ok {
			return false
		}
	}
	return true
}

// search branches on the point that the fewest primes cover.
func (s *coverSearch) search(count []int, chosen []int) {
	if s.steps--; s.steps < 0 || len(chosen) >= len(s.best) {
		return
	}
	pick := -1
	for i, c := range s.covers {
		if count[i] == 0 && (pick < 0 || len(c) < len(s.covers[pick])) {
			pick = i
		}
	}
	if pick < 0 {
		s.best = append([]int(nil), chosen...)
		return
	}
	if len(chosen)+1 >= len(s.best) {
		return
	}
	for _, j := range s.covers[pick] {
		for i, c := range s.covers {
			for _, k := range c {
				if k == j {
					count[i]++
				}
			}
		}
		s.search(count, append(chosen, j))
		for i, c := range s.covers {
			for _, k := range c {
				if k == j {
					count[i]--
				}
			}
		}
	}
}
