package exec

import (
	"slices"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// Seeds are inputs that others have found: a fuzzer, say. Paths part the inputs
// among themselves, so that a seed belongs to one state at most. That one is led
// along the seed's path at once: at a fork the seed shows one side without a
// question, and predicates of labels are asked for on the way, as on any path.
// The states that it leaves beside get turns soon. Nothing is explored twice, and
// nothing less: a seed changes the order alone.

const (
	seedShare   = 3               // seeds are followed in 1 of so many parts of the time
	longestSeed = 2 * time.Second // that one is followed
	besideEvery = 3               // turns from one of a state beside to the next
	besideTurns = 6               // of a state beside, with what it begets
	maxBeside   = 512
	maxAside    = 64
)

type seeding struct {
	spent  time.Duration
	beside []besideState
	turn   besideState // that runs now
	picks  uint64
	aside  []*State // see setAside
}

// besideState is a state that a seed has passed by.
type besideState struct {
	st   *State
	left int // turns
}

// takeSeed follows the next seed, if there is one and, unless there is nothing else
// to do, its time has come. It reports whether it took one.
func (ex *Engine) takeSeed(now bool) bool {
	if ex.o.Seeds == nil || !now && ex.seeding.spent*seedShare > time.Since(ex.start) {
		return false
	}
	select {
	case s, ok := <-ex.o.Seeds:
		if !ok {
			ex.o.Seeds = nil
			return false
		}
		begin := time.Now()
		ex.follow(ex.seedModel(s), begin.Add(ex.seedLimit()))
		ex.seeding.spent += time.Since(begin)
		return true
	default:
		return false
	}
}

func (ex *Engine) seedLimit() time.Duration {
	if ex.o.MaxTime > 0 {
		return min(longestSeed, ex.o.MaxTime/4)
	}
	return longestSeed
}

// seedModel gives the inputs of a test their values.
func (ex *Engine) seedModel(inputs []Object) *expr.Model {
	m, seen := &expr.Model{}, map[string]int{}
	for _, o := range inputs {
		v := ex.b.Var(nthName(o.Name, seen[o.Name]), len(o.Data))
		seen[o.Name]++
		for i, x := range o.Data {
			m.Set(v, i, x)
		}
	}
	return m
}

// follow leads the state that a seed belongs to along its path, until it ends or
// the time is up. Where there is none, its path was seen.
func (ex *Engine) follow(m *expr.Model, end time.Time) {
	st := ex.search.find(func(s *State) bool { return s.cons.Admits(ex.b, m) })
	if st == nil {
		st = ex.revive(m)
	}
	if st == nil {
		return
	}
	ex.stats.Seeds++
	st.seed = m
	for _, g := range st.cons.Groups() {
		if g.Model() == nil {
			g.SetModel(m) // it satisfies all of them
		}
	}
	for st != nil && !ex.halt && time.Now().Before(end) {
		ex.runProtected(st)
		var next *State
		for _, s := range append([]*State{st}, ex.added...) {
			switch {
			case s.done:
			case s.seed == m:
				next = s
			default:
				ex.passBy(s, besideTurns)
			}
		}
		ex.settle(st)
		ex.checkLimits()
		st = next
	}
}

// setAside keeps a side of a branch that the solver cannot tell to be possible: a
// seed may show that it is.
func (ex *Engine) setAside(st *State, cond *expr.Expr) {
	f, g := st.top, &ex.seeding
	if ex.o.Seeds == nil || !st.role.explores() || len(g.aside) == maxAside || f.pc == 0 {
		return
	}
	if op := f.fn.Code[f.pc-1].Op; op != ir.CondBr && op != ir.Switch {
		return // what cannot be executed again
	}
	c := ex.clone(st)
	c.seed = nil
	c.own().pc--
	c.cons = c.cons.Add(ex.b, cond, nil)
	g.aside = append(g.aside, c)
}

// revive takes up the state that a seed has shown to be possible.
func (ex *Engine) revive(m *expr.Model) *State {
	g := &ex.seeding
	i := slices.IndexFunc(g.aside, func(s *State) bool { return s.cons.Admits(ex.b, m) })
	if i < 0 {
		return nil
	}
	st := g.aside[i]
	g.aside = slices.Delete(g.aside, i, i+1)
	ex.live++
	ex.search.join(st)
	return st
}

func (ex *Engine) passBy(st *State, turns int) {
	if turns <= 0 {
		return
	}
	g := &ex.seeding
	if len(g.beside) == maxBeside {
		g.beside = append(g.beside[:0], g.beside[maxBeside/4:]...)
	}
	g.beside = append(g.beside, besideState{st, turns})
}

// pick chooses the state to run next: the searcher's, and now and then one beside
// a seed, the latest first.
func (ex *Engine) pick() *State {
	g := &ex.seeding
	if g.picks++; g.picks%besideEvery != 0 {
		return ex.next()
	}
	for len(g.beside) > 0 {
		last := len(g.beside) - 1
		s := g.beside[last]
		g.beside = g.beside[:last]
		if s.st.done || s.st.index < 0 { // dropped, or at its end
			continue
		}
		g.turn = s
		return s.st
	}
	return ex.next()
}

// ranBeside gives what a state beside a seed begot its turns.
func (ex *Engine) ranBeside(st *State) {
	g := &ex.seeding
	if g.turn.st != st {
		return
	}
	left := g.turn.left - 1
	g.turn = besideState{}
	for _, s := range ex.added {
		if !s.done {
			ex.passBy(s, left)
		}
	}
	if !st.done {
		ex.passBy(st, left)
	}
}
