package solver

import (
	"math"
	"math/rand/v2"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// seek looks for a model of constraints with floating-point arithmetic by local
// search: how far values are from satisfying the constraints is measured in
// representable numbers, and one input after the other moves, faster and faster,
// while that helps (the alternating variable method: Korel, Automated Software
// Test Data Generation, 1990; on floats: Souza et al., CORAL, 2011). It finds in
// milliseconds what a circuit of multiplications hides from the SAT core, and
// proves nothing. Its steps are counted, not timed, so that runs repeat; time
// only ends it early.

const (
	seekWork   = 2_000_000 // nodes that may be evaluated
	seekFirst  = 100_000   // at first
	seekStalls = 60        // restarts
	lastBit    = 3         // distance: what is missing is hardly more than the last bit
	lossyTries = 500
)

type seeker struct {
	ev    *expr.Evaluator
	cs    []*expr.Expr
	units []unit
	rng   *rand.Rand
	work  int
	most  int
	size  int
	until time.Time
	near  *expr.Model // comes near to a model, or nil

	products bool // of numbers, not constants
}

func (s *Solver) newSeeker(cs []*expr.Expr, until time.Time) *seeker {
	k := &seeker{ev: &s.ev, cs: cs, rng: rand.New(rand.NewPCG(7, uint64(len(cs)))), until: until}
	k.collect()
	return k
}

// seek returns a model, or nil after a number of evaluated nodes.
func (s *Solver) seek(k *seeker, most int) *expr.Model {
	if len(k.units) == 0 {
		return nil
	}
	k.work, k.most = 0, most
	var start *expr.Model
	least := math.Inf(1)
	for _, m := range append(s.cache.models[:], &expr.Model{}, k.near) { // from the recent model that comes closest
		if m == nil {
			continue
		}
		if d := k.distance(m); d < least {
			start, least = m, d
		}
	}
	for n := 0; n < seekStalls && k.work < k.most && time.Now().Before(k.until); n++ {
		if n > 0 && n%2 == 0 || start == nil {
			start = k.random()
		} else if n > 0 {
			start = k.shake(start)
		}
		m, d := k.climb(start)
		if d == 0 {
			return m
		}
		if d <= lastBit && k.products {
			k.products = false // once
			if m := k.lossy(m); m != nil {
				return m
			}
		}
		if d <= least {
			start, least = m, d
		}
	}
	return nil
}

// collect finds the inputs' units and the constants that they may be set to.
func (k *seeker) collect() {
	seen := map[*expr.Expr]bool{}
	owner := map[uint64]int{} // byte: its unit + 1
	var leaves []*expr.Expr
	consts := map[int][]expr.Value{}
	claim := func(u unit) {
		u.pos = u.pos / 8 * 8
		for p := u.pos / 8; p < (u.pos+uint64(u.width)+7)/8; p++ {
			if owner[p] != 0 {
				return
			}
		}
		k.units = append(k.units, u)
		for p := u.pos / 8; p < (u.pos+uint64(u.width)+7)/8; p++ {
			owner[p] = len(k.units)
		}
	}
	var walk func(e *expr.Expr)
	walk = func(e *expr.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		k.size++
		k.products = k.products || e.Op() == expr.OpFMul && !e.Kid(0).IsConst() && !e.Kid(1).IsConst()
		switch {
		case e.IsConst():
			if c := consts[e.Width()]; len(c) < 16 {
				consts[e.Width()] = append(c, e.Value())
			}
		case e.Op() == expr.OpLeaf:
			leaves = append(leaves, e)
		}
		for i := range e.NumKids() {
			if x := e.Kid(i); e.IsFloat() && x.Op() == expr.OpLeaf && e.Op() != expr.OpIntToF &&
				x.Width() == e.Format().Width() {
				claim(unit{pos: x.LeafPos(), width: x.Width(), float: true, format: e.Format()})
			}
			walk(e.Kid(i))
		}
	}
	for _, c := range k.cs {
		walk(c)
	}
	for pass := range 3 { // magnitudes are of floats; then integers; then what is left
		for _, l := range leaves {
			switch f, ok := ieee.OfWidth(l.Width() + 1); {
			case pass == 0 && ok && l.LeafPos()%8 == 0:
				claim(unit{pos: l.LeafPos(), width: l.Width() + 1, float: true, format: f})
			case pass == 1 && l.Width() > 8 && l.LeafPos()%8 == 0 && l.Width() <= 64:
				claim(unit{pos: l.LeafPos(), width: l.Width()})
			case pass == 2:
				for p := l.LeafPos() / 8; p < (l.LeafPos()+uint64(l.Width())+7)/8; p++ {
					claim(unit{pos: p * 8, width: 8})
				}
			}
		}
	}
	for i := range k.units {
		u := &k.units[i]
		u.seeds = consts[u.width]
		if u.float {
			for _, c := range u.seeds { // a constant may be a rank
				u.seeds = append(u.seeds, u.unrank(c))
			}
			f := u.format
			for _, d := range []float64{0, 1, -1, 0.5, 2, 10, -10, 100, 1000, 1e-9, math.Inf(1)} {
				u.seeds = append(u.seeds, expr.Value(ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(d)}, f)))
			}
			u.seeds = append(u.seeds, expr.Value(f.NaN()), expr.Value(f.Zero(true)))
		} else {
			u.seeds = append(u.seeds, expr.Value{}, expr.Value{Lo: 1}, expr.Ones(u.width))
		}
	}
}

func (k *seeker) random() *expr.Model {
	m := &expr.Model{}
	for i := range k.units {
		m = k.units[i].with(m, k.randomValue(&k.units[i]))
	}
	return m
}

// lossy draws numbers so small that their products lose bits: there a sum of squares may
// be below a product, which sums of larger numbers show for no other reason.
func (k *seeker) lossy(m *expr.Model) *expr.Model {
	for try := range lossyTries {
		n, size := m, math.Ldexp(1, try%4-2)
		for i := range k.units {
			if u := &k.units[i]; u.float && ranked(u.format) {
				d := (k.rng.Float64() - 0.5) * size * math.Sqrt(valueOf(u.format, 1))
				n = u.with(n, expr.Value(ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(d)}, u.format)))
			}
		}
		if k.distance(n) == 0 {
			return n
		}
		if k.over() {
			break
		}
	}
	return nil
}

func (k *seeker) randomValue(u *unit) expr.Value {
	if k.rng.IntN(3) > 0 {
		return u.seeds[k.rng.IntN(len(u.seeds))]
	}
	if u.float && k.rng.IntN(2) == 0 { // a number of everyday size
		d := (k.rng.Float64() - 0.5) * math.Pow(10, float64(k.rng.IntN(8)))
		return expr.Value(ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(d)}, u.format))
	}
	return expr.Value{Lo: k.rng.Uint64(), Hi: k.rng.Uint64()}.Mask(u.width)
}

// shake changes some units of a model.
func (k *seeker) shake(m *expr.Model) *expr.Model {
	for range 1 + k.rng.IntN(2) {
		u := &k.units[k.rng.IntN(len(k.units))]
		m = u.with(m, k.randomValue(u))
	}
	return m
}

// climb improves a model until no move of one unit does.
func (k *seeker) climb(m *expr.Model) (*expr.Model, float64) {
	d := k.distance(m)
	for better := true; better && d > 0; {
		better = false
		for i := range k.units {
			u := &k.units[i]
			for _, dir := range []expr.Op{expr.OpAdd, expr.OpSub} {
				for first := 0; first < u.width-1; first += 1 + u.width/12 {
					moved := false
					for s := first; s < u.width-1; s++ {
						step := expr.Apply(expr.OpShl, 128, expr.Value{Lo: 1}, expr.Value{Lo: uint64(s)})
						n := u.with(m, u.unrank(expr.Apply(dir, u.width, u.rank(u.value(m)), step)))
						nd := k.distance(n)
						if nd >= d {
							break
						}
						m, d, better, moved = n, nd, true, true
						if d == 0 {
							return m, 0
						}
					}
					if moved && first > 0 {
						first = -1 - u.width/12 // finer again
					}
					if k.over() {
						return m, d
					}
				}
			}
			for _, v := range u.seeds {
				if n := u.with(m, v); k.distance(n) < d {
					m, d, better = n, k.distance(n), true
				}
			}
			if d == 0 || k.over() {
				return m, d
			}
		}
	}
	return m, d
}

func (k *seeker) over() bool { return k.work > k.most || time.Now().After(k.until) }

// distance is 0 where all constraints hold, and smaller the nearer they are.
func (k *seeker) distance(m *expr.Model) float64 {
	k.work += k.size
	sum := 0.0
	k.ev.Begin(m)
	for _, c := range k.cs {
		sum += k.far(c, true, 0)
	}
	return sum
}

const farDepth = 12

// far is the distance of a condition from being want, under the evaluator's model.
func (k *seeker) far(e *expr.Expr, want bool, depth int) float64 {
	if (k.ev.Value(e).Lo == 1) == want {
		return 0
	}
	if depth > farDepth {
		return 1
	}
	op := e.Op()
	switch op {
	case expr.OpNot:
		return k.far(e.Kid(0), !want, depth+1)
	case expr.OpAnd, expr.OpOr:
		x, y := k.far(e.Kid(0), want, depth+1), k.far(e.Kid(1), want, depth+1)
		if (op == expr.OpAnd) == want {
			return x + y
		}
		return min(x, y)
	case expr.OpIte:
		c := e.Kid(0)
		x := k.far(c, true, depth+1) + k.far(e.Kid(1), want, depth+1)
		return min(x, k.far(c, false, depth+1)+k.far(e.Kid(2), want, depth+1))
	case expr.OpEq:
		if e.Kid(0).Width() == 1 || !want {
			return 1
		}
	case expr.OpUlt, expr.OpUle, expr.OpSlt, expr.OpSle:
	default:
		return 1
	}
	x, y := k.ev.Value(e.Kid(0)), k.ev.Value(e.Kid(1))
	w := e.Kid(0).Width()
	d := expr.Apply(expr.OpSub, w, x, y)
	if op == expr.OpEq {
		if n := expr.Apply(expr.OpSub, w, y, x); n.Cmp(d) < 0 {
			d = n
		}
	} else if x.Cmp(y) < 0 && (op == expr.OpUlt || op == expr.OpUle) || x.SCmp(y, w) < 0 &&
		(op == expr.OpSlt || op == expr.OpSle) {
		d = expr.Apply(expr.OpSub, w, y, x)
	}
	return 1 + math.Log2(1+float64(d.Lo)+float64(d.Hi)*0x1p64)
}
