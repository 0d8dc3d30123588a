package solver

import (
	"time"

	"klabel/engine/native/expr"
)

// A checksum is a sum of all that was read, and a SAT core that is asked for one tries bytes which all say the same.
// So where one constraint reads many bytes that no other does, all but a few of these are zero at first: with the
// rest there is mostly still a solution, and if there is none the question is asked as a whole.

const (
	fewLeast = 24 // bytes that one constraint alone reads
	fewLeft  = 4  // of them that stay open, at either end
	fewShare = 4  // of the time
)

// few looks for a proof by ranges where one constraint alone reads many bytes, which a SAT core does not see, and
// for a model in which most of these are zero.
func (s *Solver) few(cs []*expr.Expr, deadline time.Time) (Result, *expr.Model, []*expr.Expr) {
	parts := conjuncts(cs)
	fixed := aloneRead(parts)
	if fixed == nil {
		return Unknown, nil, nil
	}
	until := time.Now().Add(time.Until(deadline) / fewShare)
	switch r, m, _ := s.prove(s.newSeeker(parts, until), proveFirst, until); {
	case r == Unsat:
		return Unsat, nil, cs
	case r == Sat && s.ev.All(cs, m):
		return Sat, m, nil
	}
	if m := s.mostlyZero(parts, fixed, until); m != nil {
		return Sat, m, nil
	}
	return Unknown, nil, nil
}

// conjuncts takes conjunctions apart, each once: what branches have in common they share.
func conjuncts(cs []*expr.Expr) (out []*expr.Expr) {
	seen := map[*expr.Expr]bool{}
	var take func(c *expr.Expr)
	take = func(c *expr.Expr) {
		switch {
		case seen[c]:
			return
		case c.Op() == expr.OpAnd && c.Width() == 1:
			take(c.Kid(0))
			take(c.Kid(1))
		default:
			out = append(out, c)
		}
		seen[c] = true
	}
	for _, c := range cs {
		take(c)
	}
	return out
}

// mostlyZero looks for a model with these bytes; nil where it finds none.
func (s *Solver) mostlyZero(cs []*expr.Expr, fixed *expr.Model, until time.Time) *expr.Model {
	rest := make([]*expr.Expr, 0, len(cs))
	for _, c := range cs {
		switch c = s.b.Substitute(c, fixed); {
		case c.IsFalse():
			return nil
		case !c.IsTrue():
			rest = append(rest, c)
		}
	}
	m := (*expr.Model)(nil)
	if len(rest) > 0 {
		r := Unknown
		if r, m, _ = s.bl.check(rest, until); r != Sat {
			return nil
		}
	}
	if m = fixed.Overlay(m); !s.ev.All(cs, m) {
		return nil
	}
	return m
}

// aloneRead has most of the bytes that the constraint with the most of them alone reads, as zero; nil where they
// are no more than a few.
func aloneRead(cs []*expr.Expr) *expr.Model {
	largest := 0
	for i, c := range cs {
		if c.Vars().Bytes() > cs[largest].Vars().Bytes() {
			largest = i
		}
	}
	if len(cs) == 0 || cs[largest].Vars().Bytes() < fewLeast {
		return nil
	}
	others := map[uint64]bool{}
	for i, c := range cs {
		if i != largest {
			c.Vars().Each(func(from, to uint64) {
				for at := from; at < to; at++ {
					others[at] = true
				}
			})
		}
	}
	var alone []uint64
	cs[largest].Vars().Each(func(from, to uint64) {
		for at := from; at < to; at++ {
			if !others[at] {
				alone = append(alone, at)
			}
		}
	})
	if len(alone) < fewLeast {
		return nil
	}
	out := &expr.Model{}
	for _, at := range alone[fewLeft : len(alone)-fewLeft] {
		out.SetAt(at, 0)
	}
	return out
}
