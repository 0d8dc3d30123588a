package exec

// A program that reads on where nothing can be read, a menu at the end of its
// input, does so for ever, most likely. Such a path is not followed: it takes the
// time of all others. Some tests of what it has met are written all the same: whoever
// replays them may know how the program is left.
const (
	mostFruitless  = 1024 // reads in a row on a path,
	leastFruitless = 64   // once many paths have ended so
)

// starved is klabel_starved of the library: n reads in a row have got nothing.
func starved(ex *Engine, st *State, c *callContext) {
	n, ok := concreteValue(c.arg(0))
	if !ok || n.Lo <= ex.fruitless {
		return
	}
	ex.fruitless = max(leastFruitless, ex.fruitless-ex.fruitless/4)
	const why = "the program reads on at the end of its input"
	switch st.role.(type) {
	case *concreteRun:
		ex.giveUp(st, why)
		return
	case path:
		ex.hopes(st)
	}
	ex.lost(st, why)
	ex.reject(st)
}
