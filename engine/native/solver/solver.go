// Package solver answers questions about bit-vector expressions under the
// constraints of a path: can this hold, must it, which values does it take.
//
// It exists because most questions of a symbolic execution need no SAT solver.
// A question is cut to the groups of constraints that share variables with it,
// then simplified, then tried on the model that the groups carry, on recent
// models, on recorded answers and on recorded contradictions; what is left is
// bit-blasted, the cone of the question alone, into a small CNF that a CDCL core
// decides. Conditions on floating-point numbers are first asked of ranges of
// their inputs, which prove what holds for reasons of size, and of a local search;
// ranges are cut backwards from what must hold, sums are seen as sums of inputs,
// products by what they share with other numbers, what lies between two numbers as
// such, all that is linear as one program of inequalities, and choices are taken apart. So is
// what one constraint asks of many bytes that no other reads, a checksum: of it a model with most
// of them zero is tried.
// Ranges of bits do their work before: the Builder keeps one for each node, and
// bits that a range fixes are constants in the whole question.
//
// Promises: Sat comes with a model that was checked by evaluating every
// constraint involved and the question; a model that fails the check is counted
// (Stats.BadModels) and the answer is Unknown. Unsat is the core's word, checked
// in tests against enumeration and z3. A question that exceeds its time is
// Unknown.
//
// Limits: fmod of double and long double has no circuit; its results are only
// bounded, so that such a question may stay Unknown. A Solver belongs to one
// goroutine, as its Builder does. Constraints
// passed in must be satisfiable (an engine adds only what it asked before):
// groups that the question does not touch are not looked at.
package solver

import (
	"context"
	"time"

	"klabel/engine/native/expr"
)

// Result is an answer.
type Result int8

// The answers.
const (
	Unknown Result = iota
	Sat
	Unsat
)

// String names the answer as SMT-LIB does.
func (r Result) String() string { return [...]string{"unknown", "sat", "unsat"}[r] }

// DefaultTimeout is the time of a question where nobody says.
const DefaultTimeout = 10 * time.Second

// Options tune a Solver. Zero values are the defaults.
type Options struct {
	Timeout time.Duration // of a question; default DefaultTimeout
	// Gini takes gini as the SAT core instead of the own one, to compare.
	Gini bool
	// Record, when not nil, sees every question that reaches the SAT core.
	Record func(constraints []*expr.Expr, r Result, took time.Duration)
}

// Stats count what a Solver did.
type Stats struct {
	Questions uint64 // Check and everything built on it
	ByShape   uint64 // decided by simplification
	ByModel   uint64 // by the model that the groups carry
	ByCache   uint64 // by a recorded answer, model or contradiction
	ByBox     uint64 // by ranges of floating-point numbers
	BySeek    uint64 // by local search on them
	BySAT     uint64 // by the SAT core
	Timeouts  uint64
	BadModels uint64 // models that failed their check: internal errors
	SATTime   time.Duration
	Clauses   uint64
}

// Solver answers questions. Make one with New.
type Solver struct {
	b     *expr.Builder
	o     Options
	ev    expr.Evaluator
	cache cache
	bl    *blaster
	Stats Stats
}

// New returns a solver for the expressions of b.
func New(b *expr.Builder, o Options) *Solver {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	s := &Solver{b: b, o: o}
	if o.Gini {
		s.bl = newBlaster(newGiniCore())
	} else {
		s.bl = newBlaster(newCDCL())
	}
	s.cache.init()
	return s
}

// SetTimeout sets the time of a question from now on; 0: the default.
func (s *Solver) SetTimeout(d time.Duration) {
	if d > 0 {
		s.o.Timeout = d
	}
}

// Forget drops all recorded answers, to free their memory.
func (s *Solver) Forget() { s.cache.init() }

// Check decides whether q can hold together with c. The model gives values to
// the variables of q and of the groups of c that q touches, and to fixed bytes;
// overlay it on a model of c for a complete one. It is the hint that c.Add
// wants. Unknown comes from the time limit or from ctx.
func (s *Solver) Check(ctx context.Context, c *expr.Constraints, q *expr.Expr) (Result, *expr.Model) {
	s.Stats.Questions++
	if c.Failed() {
		s.Stats.ByShape++
		return Unsat, nil
	}
	q = c.Simplify(s.b, q)
	if q.IsConst() {
		s.Stats.ByShape++
		if q.IsFalse() {
			return Unsat, nil
		}
		return Sat, c.Complete(nil)
	}
	groups := c.Relevant(q.Vars())
	base, known := groupModel(groups)
	if known && s.ev.Holds(q, base) {
		s.Stats.ByModel++
		return Sat, s.complete(c, base, q, groups)
	}
	r, m := s.decide(ctx, q, groups)
	if r != Sat {
		return r, nil
	}
	return Sat, s.complete(c, m, q, groups)
}

// complete cuts a model to the variables that the question concerned, adds the
// bytes that the constraints fix, and decides every byte.
func (s *Solver) complete(c *expr.Constraints, m *expr.Model, q *expr.Expr, groups []*expr.Group) *expr.Model {
	out := m.Restrict(q.Vars())
	for _, g := range groups {
		out = out.Overlay(m.Restrict(g.Vars()))
	}
	return c.Complete(out)
}

// groupModel joins the models of groups; ok is false when one has none.
func groupModel(groups []*expr.Group) (m *expr.Model, ok bool) {
	for _, g := range groups {
		if g.Model() == nil {
			return nil, false
		}
		m = m.Overlay(g.Model())
	}
	return m, true
}

// Branches is the answer about both sides of a condition.
type Branches struct {
	True, False         Result
	WhenTrue, WhenFalse *expr.Model // as Check returns them; nil unless Sat
}

// Fork decides whether cond can be true and whether it can be false. When the
// groups carry models one of the sides costs nothing.
func (s *Solver) Fork(ctx context.Context, c *expr.Constraints, cond *expr.Expr) Branches {
	var r Branches
	cond = c.Simplify(s.b, cond)
	not := s.b.Not(cond)
	if base, known := groupModel(c.Relevant(cond.Vars())); known && !s.ev.Holds(cond, base) {
		r.False, r.WhenFalse = s.Check(ctx, c, not)
		r.True, r.WhenTrue = s.Check(ctx, c, cond)
		return r
	}
	r.True, r.WhenTrue = s.Check(ctx, c, cond)
	r.False, r.WhenFalse = s.Check(ctx, c, not)
	return r
}

// ForkWith is Fork for constraints that a model satisfies: the side that it takes
// costs no question. m may be nil.
func (s *Solver) ForkWith(ctx context.Context, c *expr.Constraints, cond *expr.Expr, m *expr.Model) Branches {
	if m == nil {
		return s.Fork(ctx, c, cond)
	}
	var r Branches
	cond = c.Simplify(s.b, cond)
	not := s.b.Not(cond)
	if s.ev.Holds(cond, m) {
		r.True, r.WhenTrue = s.checkWith(ctx, c, cond, m)
		r.False, r.WhenFalse = s.Check(ctx, c, not)
	} else {
		r.False, r.WhenFalse = s.checkWith(ctx, c, not, m)
		r.True, r.WhenTrue = s.Check(ctx, c, cond)
	}
	return r
}

// checkWith is Check of what m is said to satisfy.
func (s *Solver) checkWith(ctx context.Context, c *expr.Constraints, q *expr.Expr, m *expr.Model) (Result,
	*expr.Model) {
	groups := c.Relevant(q.Vars())
	for _, g := range groups {
		if !g.Admits(s.b, m) {
			return s.Check(ctx, c, q)
		}
	}
	s.Stats.Questions++
	s.Stats.ByModel++
	return Sat, s.complete(c, m, q, groups)
}

// MayBeTrue reports whether e can hold under c; known is false on a time-out.
func (s *Solver) MayBeTrue(ctx context.Context, c *expr.Constraints, e *expr.Expr) (yes, known bool) {
	r, _ := s.Check(ctx, c, e)
	return r == Sat, r != Unknown
}

// MustBeTrue reports whether e always holds under c; known is false on a time-out.
func (s *Solver) MustBeTrue(ctx context.Context, c *expr.Constraints, e *expr.Expr) (yes, known bool) {
	r, _ := s.Check(ctx, c, s.b.Not(e))
	return r == Unsat, r != Unknown
}

// Model returns values for all variables of c that satisfy it, from the models
// of the groups where they are known.
func (s *Solver) Model(ctx context.Context, c *expr.Constraints) (Result, *expr.Model) {
	if c.Failed() {
		return Unsat, nil
	}
	for _, g := range c.Groups() {
		if r := s.groupReady(ctx, g); r != Sat {
			return r, nil
		}
	}
	m, _ := c.Model()
	return Sat, m
}

// groupReady sees to it that a group carries a model.
func (s *Solver) groupReady(ctx context.Context, g *expr.Group) Result {
	if g.Model() != nil {
		return Sat
	}
	s.Stats.Questions++
	r, m := s.decide(ctx, s.b.True(), []*expr.Group{g})
	if r == Sat {
		g.SetModel(m)
	}
	return r
}

// Value returns a value that e can take under c.
func (s *Solver) Value(ctx context.Context, c *expr.Constraints, e *expr.Expr) (expr.Value, Result) {
	e = c.Simplify(s.b, e)
	if e.IsConst() {
		return e.Value(), Sat
	}
	groups := c.Relevant(e.Vars())
	for _, g := range groups {
		if r := s.groupReady(ctx, g); r != Sat {
			return expr.Value{}, r
		}
	}
	base, _ := groupModel(groups)
	return s.ev.Eval(e, base), Sat
}

// Unique returns the value of e under c if it has only one; ok is false when it
// has several or when that is not known.
func (s *Solver) Unique(ctx context.Context, c *expr.Constraints, e *expr.Expr) (v expr.Value, ok bool) {
	e = c.Simplify(s.b, e)
	if e.IsConst() {
		return e.Value(), true
	}
	v, r := s.Value(ctx, c, e)
	if r != Sat {
		return v, false
	}
	yes, known := s.MustBeTrue(ctx, c, s.b.Eq(e, s.b.ConstValue(e.Width(), v)))
	return v, yes && known
}

// Range returns the least and greatest value, unsigned, that e can take under c,
// by bisection.
func (s *Solver) Range(ctx context.Context, c *expr.Constraints, e *expr.Expr) (min, max expr.Value, r Result) {
	e = c.Simplify(s.b, e)
	if e.IsConst() {
		return e.Value(), e.Value(), Sat
	}
	v, r := s.Value(ctx, c, e)
	if r != Sat {
		return v, v, r
	}
	w := e.Width()
	low, high := expr.Value{}, expr.Ones(w)
	if l, h, ok := e.URange(); ok {
		low, high = expr.Value{Lo: l}, expr.Value{Lo: h}
	}
	if min, r = s.bound(ctx, c, e, low, v, true); r != Sat {
		return v, v, r
	}
	max, r = s.bound(ctx, c, e, v, high, false)
	return min, max, r
}

// bound bisects towards the least (or greatest) value of e in [low, high]; the
// other end is known to be taken.
func (s *Solver) bound(ctx context.Context, c *expr.Constraints, e *expr.Expr, low, high expr.Value,
	least bool) (expr.Value, Result) {
	w := e.Width()
	for first := true; low != high; first = false {
		mid := expr.Apply(expr.OpAdd, w, low, expr.Apply(expr.OpLShr, w, expr.Apply(expr.OpSub, w, high, low),
			expr.Value{Lo: 1}))
		if first && least { // the extreme itself is the most likely answer
			mid = low
		} else if first {
			mid = expr.Apply(expr.OpSub, w, high, expr.Value{Lo: 1})
		}
		k := s.b.ConstValue(w, mid)
		q := s.b.Ule(e, k)
		if !least {
			q = s.b.Ult(k, e)
		}
		r, m := s.Check(ctx, c, q)
		switch {
		case r == Unknown:
			return low, Unknown
		case (r == Sat) == least:
			high = mid
			if r == Sat {
				high = s.ev.Eval(e, m)
			}
		default:
			low = expr.Apply(expr.OpAdd, w, mid, expr.Value{Lo: 1})
			if r == Sat {
				low = s.ev.Eval(e, m)
			}
		}
	}
	return low, Sat
}
