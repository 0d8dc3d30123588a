package solver

import (
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Where branches were merged a number is a choice between others, and what the arms
// have in common with the rest of a question is lost to sums and ranges. split takes
// the choices apart, one after the other, and asks of ranges what is left: as many
// questions as there are paths, but small ones.

const (
	splitMost = 400   // questions
	splitEach = 4_000 // evaluated nodes, while choices are left
	splitLast = 400_000
)

// splitter is a search through the choices of a question.
type splitter struct {
	s     *Solver
	until time.Time
	asked int
}

// split decides a question with choices between numbers; Unknown where it has none.
func (s *Solver) split(cs []*expr.Expr, until time.Time) (Result, *expr.Model) {
	if choiceIn(cs) == nil {
		return Unknown, nil
	}
	x := &splitter{s: s, until: until}
	r, m := x.decide(cs)
	if r == Sat && !s.ev.All(cs, m) {
		s.Stats.BadModels++
		return Unknown, nil
	}
	return r, m
}

func (x *splitter) decide(cs []*expr.Expr) (Result, *expr.Model) {
	if x.asked++; x.asked > splitMost || time.Now().After(x.until) {
		return Unknown, nil
	}
	c, most := choiceIn(cs), splitLast
	if c != nil {
		most = splitEach
	}
	r, m, _ := x.s.prove(x.s.newSeeker(cs, x.until), most, x.until)
	if r != Unknown || c == nil {
		return r, m
	}
	for _, arm := range [2]bool{true, false} {
		if r, m := x.take(cs, c, arm); r != Unsat {
			return r, m
		}
	}
	return Unsat, nil
}

// take decides what is left where a condition is known.
func (x *splitter) take(cs []*expr.Expr, c *expr.Expr, arm bool) (Result, *expr.Model) {
	b, memo := x.s.b, map[*expr.Expr]*expr.Expr{c: x.s.b.Bool(arm)}
	known := c
	if !arm {
		known = b.Not(c)
	}
	rest := []*expr.Expr{known}
	for _, e := range cs {
		switch e = replaced(b, e, memo); {
		case e.IsFalse():
			return Unsat, nil
		case !e.IsTrue():
			rest = append(rest, e)
		}
	}
	return x.decide(rest)
}

// choiceIn finds the first condition of a choice between numbers in which there is none.
func choiceIn(cs []*expr.Expr) *expr.Expr {
	seen := map[operand]bool{}
	for _, c := range cs {
		if e := choiceOf(operand{c, false}, seen); e != nil {
			return e
		}
	}
	return nil
}

// operand is an expression, and whether it is used as a floating-point number.
type operand struct {
	e      *expr.Expr
	number bool
}

func choiceOf(o operand, seen map[operand]bool) *expr.Expr {
	e := o.e
	if seen[o] || !o.number && !e.HasFloat() {
		return nil
	}
	seen[o] = true
	f, ok := ieee.OfWidth(e.Width())
	choice := e.Op() == expr.OpIte && ok && partsOf(e, f, ok).kind == compute
	for i := range e.NumKids() {
		number := e.IsFloat() && e.Op() != expr.OpIntToF || o.number && choice && i > 0
		if c := choiceOf(operand{e.Kid(i), number}, seen); c != nil {
			return c
		}
	}
	if !choice {
		return nil
	}
	return e.Kid(0)
}

// replaced is e with the expressions of memo replaced.
func replaced(b *expr.Builder, e *expr.Expr, memo map[*expr.Expr]*expr.Expr) *expr.Expr {
	if r := memo[e]; r != nil {
		return r
	}
	var kids [3]*expr.Expr
	same := true
	for i := range e.NumKids() {
		kids[i] = replaced(b, e.Kid(i), memo)
		same = same && kids[i] == e.Kid(i)
	}
	r := e
	if !same {
		r = b.Make(e, kids[0], kids[1], kids[2])
	}
	memo[e] = r
	return r
}
