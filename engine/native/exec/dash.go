package exec

// Every order of states jumps from path to path. Where a loop goes over a text, each round
// begets paths, and each turn is another one's: thousands are in the loop at a time, and none
// comes to what stands behind it. So, when nothing new was met for a while, every second
// turn is that of one path, of which after each fork one side is followed, until it ends.
// Nothing is explored twice, and nothing less: dashes change the order alone. An order that the
// user names is as it is.

const (
	dashAfter = 256  // turns in which no path has met anything new
	dashTurns = 2048 // the most for one path: it may never end
)

type dashing struct {
	st    *State // whose turn comes next; nil: none is on its way
	had   int    // turns of its path
	quiet int    // turns since something new was met
	odd   bool
}

// next is the state that dashes or, every second time at least, the searcher's.
func (ex *Engine) next() *State {
	if st := ex.dash(); st != nil {
		return st
	}
	return ex.search.pick()
}

func (ex *Engine) dash() *State {
	d := &ex.dashing
	if d.quiet++; !ex.o.Greybox || len(ex.o.Searchers) > 0 {
		return nil
	}
	if d.odd = !d.odd; d.odd {
		return nil
	}
	if d.st == nil || d.st.done || d.st.index < 0 || d.had >= dashTurns {
		d.st, d.had = nil, 0
		if d.quiet > dashAfter {
			d.st = ex.search.pick()
		}
	}
	d.had++
	return d.st
}

// dashed is told which state has had its turn: one of what came of the path goes on.
func (ex *Engine) dashed(st *State) {
	d := &ex.dashing
	if d.st != st {
		return
	}
	sides := make([]*State, 0, 2)
	for _, s := range append(sides, ex.added...) {
		if !s.done {
			sides = append(sides, s)
		}
	}
	if !st.done {
		sides = append(sides, st)
	}
	if d.st = nil; len(sides) > 0 {
		d.st = sides[ex.rng.Intn(len(sides))]
	}
}
