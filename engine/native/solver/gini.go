package solver

import (
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// giniCore is gini behind the core's interface: the measure that the own core
// has to beat, and a second opinion in tests.
type giniCore struct {
	g       *gini.Gini
	n       int32
	assumed []lit
}

func newGiniCore() *giniCore { return &giniCore{} }

func toGini(l lit) z.Lit {
	m := z.Var(l>>1 + 1).Pos()
	if l&1 == 1 {
		return m.Not()
	}
	return m
}

func (c *giniCore) reset() {
	c.g = gini.NewVc(256, 1024)
	c.n = 0
}

func (c *giniCore) newVar() lit {
	c.n++
	return lit(2 * (c.n - 1))
}

func (c *giniCore) add(ls ...lit) {
	for _, l := range ls {
		if l == litTrue && c.n > 1 {
			return
		}
	}
	for _, l := range ls {
		if l != litFalse {
			c.g.Add(toGini(l))
		}
	}
	c.g.Add(0)
}

func (c *giniCore) solve(assumptions []lit, stop func() bool) Result {
	c.assumed = assumptions
	for _, l := range assumptions {
		c.g.Assume(toGini(l))
	}
	s := c.g.GoSolve()
	for wait := 50 * time.Microsecond; ; {
		if r, ok := s.Test(); ok {
			return Result(map[int]Result{1: Sat, -1: Unsat}[r])
		}
		if stop() {
			s.Stop()
			return Unknown
		}
		time.Sleep(wait)
		wait = min(2*wait, time.Millisecond)
	}
}

func (c *giniCore) value(l lit) bool {
	return c.g.Value(toGini(l&^1)) != (l&1 == 1)
}

func (c *giniCore) failed() []lit {
	var out []lit
	for _, m := range c.g.Why(nil) {
		for _, l := range c.assumed {
			if toGini(l) == m || toGini(l) == m.Not() {
				out = append(out, l)
			}
		}
	}
	return out
}
