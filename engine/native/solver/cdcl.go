package solver

// cdcl is a small conflict-driven clause learning solver made for many short
// instances: resetting it keeps all its memory, clauses live in one arena
// without pointers, and binary clauses are answered from the watch lists.
// bench/solver/results.md compares it with gini and SMT solvers on recorded
// questions.
type cdcl struct {
	arena   []uint32  // clauses: header, score, literals
	learnts []cref    // learnt clauses longer than two
	watches [][]watch // by literal: clauses to look at when it becomes false
	val     []int8    // by literal: 1 true, -1 false, 0 open
	level   []int32   // by variable
	reason  []cref    // by variable
	phase   []bool    // by variable: last value was false
	act     []float64 // by variable
	heap    []int32   // open variables by activity
	place   []int32   // by variable: where in heap, -1 when out
	trail   []lit
	lims    []int32 // trail length at each decision
	head    int
	inc     float64
	unsat   bool
	wasted  int // words of the arena that belong to removed clauses

	seen    []bool
	stack   []lit
	toClear []lit
	learnt  []lit
	levels  []uint32 // by level: stamp for counting distinct levels
	stamp   uint32

	conflict  []lit // failed assumptions, after Unsat
	model     []int8
	conflicts uint64
	fast      float64 // running averages of learnt clauses' level counts
	slow      float64
}

type cref uint32

// Reasons that are no position in the arena: none, and binary clauses, which
// carry their other literal.
const (
	noReason   cref = 0
	binaryFlag cref = 1 << 31
)

const (
	headLearnt = 1 << 31
	headDead   = 1 << 30
	headSize   = headDead - 1
)

// watch is a clause with a literal that, when true, saves looking at it. A
// binary clause is its watch alone: the other literal is the blocker.
type watch struct {
	c       cref
	blocker lit
}

func newCDCL() *cdcl { return &cdcl{} }

func (s *cdcl) reset() {
	s.arena = append(s.arena[:0], 0, 0) // position 0 is no clause
	s.learnts = s.learnts[:0]
	s.watches = s.watches[:0]
	s.val = s.val[:0]
	s.level = s.level[:0]
	s.reason = s.reason[:0]
	s.phase = s.phase[:0]
	s.act = s.act[:0]
	s.heap = s.heap[:0]
	s.place = s.place[:0]
	s.trail = s.trail[:0]
	s.lims = s.lims[:0]
	s.seen = s.seen[:0]
	s.head, s.inc, s.unsat, s.wasted = 0, 1, false, 0
	s.conflicts, s.fast, s.slow = 0, 0, 0
}

func (s *cdcl) newVar() lit {
	v := int32(len(s.level))
	for i := 0; i < 2; i++ { // lists left from before an earlier reset are used again
		if n := len(s.watches); n < cap(s.watches) {
			s.watches = s.watches[:n+1]
			s.watches[n] = s.watches[n][:0]
		} else {
			s.watches = append(s.watches, nil)
		}
	}
	s.val = append(s.val, 0, 0)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, noReason)
	s.phase = append(s.phase, true)
	s.act = append(s.act, 0)
	s.seen = append(s.seen, false)
	s.place = append(s.place, int32(len(s.heap)))
	s.heap = append(s.heap, v)
	return lit(2 * v)
}

// prefer makes a variable be decided before others that no conflict involved.
func (s *cdcl) prefer(l lit, weight float64) {
	v := l >> 1
	s.act[v] = weight
	s.heapUp(int(s.place[v]))
}

// add adds a clause; only between questions.
func (s *cdcl) add(c ...lit) {
	if s.unsat {
		return
	}
	n := 0
	var buf [8]lit
	out := buf[:0]
	for _, l := range c {
		switch {
		case s.val[l] > 0:
			return
		case s.val[l] < 0:
			continue
		}
		dup := false
		for _, k := range out[:n] {
			if k == l.not() {
				return
			}
			dup = dup || k == l
		}
		if !dup {
			out = append(out, l)
			n++
		}
	}
	switch n {
	case 0:
		s.unsat = true
	case 1:
		s.assign(out[0], noReason)
		s.unsat = s.propagate() != noConflict
	case 2:
		s.watchBinary(out[0], out[1])
	default:
		s.attach(s.store(out, false))
	}
}

// addGate2 and addGate add clauses of different variables.
func (s *cdcl) addGate2(a, b lit) {
	if s.val[a] != 0 || s.val[b] != 0 {
		s.add(a, b)
		return
	}
	s.watchBinary(a, b)
}

func (s *cdcl) addGate(c []lit) {
	for _, l := range c {
		if s.val[l] != 0 {
			s.add(c...)
			return
		}
	}
	s.attach(s.store(c, false))
}

func (s *cdcl) watchBinary(a, b lit) {
	s.watches[a] = append(s.watches[a], watch{binaryFlag, b})
	s.watches[b] = append(s.watches[b], watch{binaryFlag, a})
}

func (s *cdcl) store(ls []lit, learnt bool) cref {
	c := cref(len(s.arena))
	h := uint32(len(ls))
	if learnt {
		h |= headLearnt
	}
	s.arena = append(s.arena, h, 0)
	for _, l := range ls {
		s.arena = append(s.arena, uint32(l))
	}
	return c
}

func (s *cdcl) lits(c cref) []uint32 {
	n := cref(s.arena[c] & headSize)
	return s.arena[c+2 : c+2+n : c+2+n]
}

func (s *cdcl) attach(c cref) {
	ls := s.lits(c)
	a, b := lit(ls[0]), lit(ls[1])
	s.watches[a] = append(s.watches[a], watch{c, b})
	s.watches[b] = append(s.watches[b], watch{c, a})
}

// solve decides the clauses under assumptions. stop is asked now and then.
func (s *cdcl) solve(assumptions []lit, stop func() bool) Result {
	s.conflict = s.conflict[:0]
	s.backtrack(0)
	if s.unsat || s.propagate() != noConflict {
		s.unsat = true
		return Unsat
	}
	limit := 2000 + len(s.arena)/40
	steps := 0
	pause := 0
	for {
		c := s.propagate()
		if c != noConflict {
			if len(s.lims) == 0 {
				s.unsat = true
				return Unsat
			}
			s.conflicts++
			s.resolve(c)
			pause++
			if s.conflicts%64 == 0 && stop() {
				s.backtrack(0)
				return Unknown
			}
			continue
		}
		if steps++; steps%1024 == 0 && stop() {
			s.backtrack(0)
			return Unknown
		}
		if pause > 50 && s.fast > 1.2*s.slow { // restart: the search got worse
			pause = 0
			s.fast = s.slow
			s.backtrack(min(len(assumptions), len(s.lims)))
		}
		if len(s.learnts) > limit+len(s.trail) {
			limit += 500
			s.reduce()
		}
		next := litTrue
		for len(s.lims) < len(assumptions) {
			a := assumptions[len(s.lims)]
			if s.val[a] < 0 {
				s.explain(a)
				s.backtrack(0)
				return Unsat
			}
			if s.val[a] == 0 {
				next = a
				break
			}
			s.lims = append(s.lims, int32(len(s.trail))) // holds already: an empty level
		}
		if next == litTrue {
			v := s.pick()
			if v < 0 {
				s.model = append(s.model[:0], s.val...)
				s.backtrack(0)
				return Sat
			}
			next = lit(2 * v)
			if s.phase[v] {
				next ^= 1
			}
		}
		s.lims = append(s.lims, int32(len(s.trail)))
		s.assign(next, noReason)
	}
}

func (s *cdcl) value(l lit) bool { return s.model[l] > 0 }

func (s *cdcl) failed() []lit { return s.conflict }

// pick returns the open variable with the highest activity, -1 when all have values.
func (s *cdcl) pick() int32 {
	for len(s.heap) > 0 {
		v := s.heapPop()
		if s.val[2*v] == 0 {
			return v
		}
	}
	return -1
}
