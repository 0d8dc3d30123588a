package annotate

import "math/big"

// differences are comparisons of integers with each other and with constants: each
// says of two of them that their difference is at most, or is not, some number.
// Whether integers are so is decided exactly, but for many inequations at once.
type differences struct {
	nodes map[string]int
	count int
	most  []difference // from - to <= k
	not   []difference // from - to != k
}

// difference is between two nodes; node 0 is the number 0.
type difference struct {
	from, to int
	k        *big.Int
}

// mostSplits bounds the inequations that are looked at as "less or greater".
const mostSplits = 10

func newDifferences() *differences { return &differences{nodes: map[string]int{}, count: 1} }

// node is that of an integer, with what its type says of it; 0 for none.
func (d *differences) node(s *subject) int {
	if s == nil {
		return 0
	}
	n, ok := d.nodes[s.name]
	if !ok {
		n = d.count
		d.count++
		d.nodes[s.name] = n
		d.compare(n, 0, "<=", s.high)
		d.compare(n, 0, ">=", s.low)
	}
	return n
}

var one = big.NewInt(1)

// compare adds a - b op k.
func (d *differences) compare(a, b int, op string, k *big.Int) {
	switch op {
	case "<":
		d.most = append(d.most, difference{a, b, new(big.Int).Sub(k, one)})
	case "<=":
		d.most = append(d.most, difference{a, b, k})
	case ">", ">=":
		d.compare(b, a, mirrored[op], new(big.Int).Neg(k))
	case "==":
		d.compare(a, b, "<=", k)
		d.compare(a, b, ">=", k)
	case "!=":
		d.not = append(d.not, difference{a, b, k})
	}
}

// possible reports whether there may be such integers; an inequation that the
// values found do not satisfy is tried both ways, so often at most.
func (d *differences) possible(splits int) bool {
	at, ok := d.solve()
	if !ok {
		return false
	}
	for _, x := range d.not {
		if new(big.Int).Sub(at[x.from], at[x.to]).Cmp(x.k) != 0 {
			continue
		}
		if splits == 0 {
			return true // nothing is known
		}
		n := len(d.most)
		for _, op := range []string{"<", ">"} {
			d.compare(x.from, x.to, op, x.k)
			found := d.possible(splits - 1)
			d.most = d.most[:n]
			if found {
				return true
			}
		}
		return false
	}
	return true
}

// solve finds integers, inequations aside: the lengths of shortest ways, where
// "a - b <= k" is a way from b to a of length k. There are none if some way in a
// circle is shorter than 0.
func (d *differences) solve() ([]*big.Int, bool) {
	at := make([]*big.Int, d.count)
	for i := range at {
		at[i] = new(big.Int)
	}
	for range d.count + 1 {
		changed := false
		for _, x := range d.most {
			if way := new(big.Int).Add(at[x.to], x.k); way.Cmp(at[x.from]) < 0 {
				at[x.from], changed = way, true
			}
		}
		if !changed {
			return at, true
		}
	}
	return nil, false
}
