package solver

import (
	"context"
	"slices"
	"time"

	"klabel/engine/native/expr"
)

// decide answers whether q holds with the groups, from caches and at last the
// SAT core.
func (s *Solver) decide(ctx context.Context, q *expr.Expr, groups []*expr.Group) (Result, *expr.Model) {
	cs, key := conjunction(q, groups)
	if r, m := s.cache.exact(key, cs); r != Unknown {
		s.Stats.ByCache++
		return r, m
	}
	if m := s.cache.tryModels(&s.ev, q, cs); m != nil {
		s.Stats.ByCache++
		return Sat, m
	}
	if s.cache.contradicts(cs) {
		s.Stats.ByCache++
		return Unsat, nil
	}
	r, m, core := s.search(ctx, cs)
	switch r {
	case Sat:
		s.cache.addSat(key, cs, m)
	case Unsat:
		s.cache.addUnsat(key, cs, core)
	}
	return r, m
}

// Decide answers a conjunction as it stands, without caches: for measurements.
func (s *Solver) Decide(ctx context.Context, cs []*expr.Expr) (Result, *expr.Model) {
	r, m, _ := s.search(ctx, cs)
	return r, m
}

// conjunction lists what has to hold, the question first, with a key.
func conjunction(q *expr.Expr, groups []*expr.Group) ([]*expr.Expr, uint64) {
	n := 1
	for _, g := range groups {
		n += g.Len()
	}
	cs := make([]*expr.Expr, 0, n)
	key := q.ID() * 0x9e3779b97f4a7c15
	if !q.IsTrue() {
		cs = append(cs, q)
	}
	for _, g := range groups {
		g.Each(func(e *expr.Expr) { cs = append(cs, e) })
		key += g.Key()
	}
	return cs, key
}

// blast asks the own core: with floating-point operations in rounds, from
// results that are only bounded to exact ones.
func (s *Solver) blast(cs []*expr.Expr, deadline time.Time) (Result, *expr.Model, []*expr.Expr) {
	if hasFloat(cs) {
		s.bl.lemmas = true
		for d := bounded; d < exact; d++ {
			s.bl.depth = d
			r, m, core := s.bl.check(cs, time.Now().Add(time.Until(deadline)/16))
			if r == Unsat || r == Sat && s.ev.All(cs, m) {
				s.bl.depth = exact
				return r, m, core
			}
		}
		s.bl.depth = exact
	}
	return s.bl.check(cs, deadline)
}

// byFloats answers a question about floating-point numbers, by ranges, by local
// search, or in circuits. Each of them answers some questions at once for which the
// others take for ever, so each gets a little first.
func (s *Solver) byFloats(cs []*expr.Expr, begin, deadline time.Time) (r Result, m *expr.Model, core []*expr.Expr) {
	k := s.newSeeker(cs, begin.Add(time.Until(deadline)/2))
	if r, m, core = s.bySize(k, proveFirst, seekFirst); r != Unknown {
		return r, m, core
	}
	if r, m := s.split(cs, k.until); r != Unknown {
		s.Stats.ByBox++
		return r, m, cs
	}
	r, m, core = s.blast(cs, begin.Add(time.Until(deadline)/4))
	if r == Unsat || r == Sat && s.ev.All(cs, m) {
		s.Stats.BySAT++
		return r, m, core
	}
	return s.bySize(k, proveMost, seekWork)
}

// bySize looks for a proof or a model in ranges, and for a model by local search.
func (s *Solver) bySize(k *seeker, prove, seek int) (Result, *expr.Model, []*expr.Expr) {
	if r, m, core := s.prove(k, prove, k.until); r != Unknown {
		s.Stats.ByBox++
		return r, m, core
	}
	if m := s.seek(k, seek); m != nil {
		s.Stats.BySeek++
		return Sat, m, nil
	}
	return Unknown, nil, nil
}

func hasFloat(cs []*expr.Expr) bool {
	for _, c := range cs {
		if c.HasFloat() {
			return true
		}
	}
	return false
}

// search asks the SAT core, and the fallback if that takes too long. core holds
// constraints that contradict each other when the answer is Unsat.
func (s *Solver) search(ctx context.Context, cs []*expr.Expr) (r Result, m *expr.Model, core []*expr.Expr) {
	begin := time.Now()
	deadline := begin.Add(s.o.Timeout)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	if ctx.Err() != nil {
		s.Stats.Timeouts++
		return Unknown, nil, nil
	}
	if hasFloat(cs) {
		if r, m, core := s.byFloats(cs, begin, deadline); r != Unknown {
			return r, m, core
		}
	}
	if r, m, core := s.few(cs, deadline); r != Unknown {
		s.Stats.BySAT++
		s.Stats.SATTime += time.Since(begin)
		return r, m, core
	}
	shared, from := s.byCommonModulus(cs)
	r, m, core = s.blast(shared, deadline)
	if from != nil {
		core = slices.Clone(core)
		for i, e := range core {
			core[i] = from[e]
		}
	}
	took := time.Since(begin)
	s.Stats.SATTime += took
	s.Stats.Clauses += uint64(s.bl.clauses)
	if s.o.Record != nil {
		s.o.Record(cs, r, took)
	}
	s.Stats.BySAT++
	if r == Sat && !s.ev.All(cs, m) {
		if s.bl.relaxed {
			s.Stats.Timeouts++
		} else {
			s.Stats.BadModels++
		}
		return Unknown, nil, nil
	}
	if r == Unknown {
		s.Stats.Timeouts++
	}
	return r, m, core
}
