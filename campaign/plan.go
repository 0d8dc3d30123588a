package campaign

import (
	"math"
	"slices"
	"time"

	"klabel/label"
)

// The plan decides which entry gets the next slice of time. It knows nothing of
// engines and clocks: it is asked, and told what came of it.
//
// Every function gets a little first, those that reach most open labels before
// the others: callers cover labels of what they call. Then the slice goes where
// it is worth most: to the entry with the most open labels, those in the function
// itself counting most, that found something when it was last tried, for the
// least time. An entry explores anew in each slice, so that each is longer than
// the one before. The next variant of an entry comes when the one before has had
// its turn and labels of the function stay open; it takes no longer, presumably, than
// those before it took to their ends.
type plan struct {
	ways  []*way
	first time.Duration // of a slice
	limit time.Duration // for all ways of a group; 0: none
	// patience is how many slices without a find a way gets; 0: any number. What
	// is to come may be worth more.
	patience int
	// alone is how many slices in vain a way gets after its engine has come to an end
	// that is not that of all paths: another one goes on.
	alone int
	// inVain counts, by group, the variants tried since one of them found something:
	// the more of them, the less is to be hoped for from another.
	inVain map[int]int
	seek   bool // every function gets its first slice, whatever is open
	// halves are open labels that show nothing but together with another open one.
	halves map[label.ID]bool
	score  score // of two engines that share the ways
}

// way is an entry as the plan sees it.
type way struct {
	entry entry
	group int              // ways of one function have one
	rank  int              // among those of the group, the plainest is 0
	near  map[label.ID]int // labels that it may reach, and in how many calls
	least int              // the fewest of these calls: 0 but for a function without labels of its own

	slices   int
	spent    time.Duration
	barren   int  // slices since something new was found
	ended    int  // slices of the campaign's own engine in vain that ended by themselves, not all explored
	complete bool // explored to the end
	failed   bool // the engine cannot run it
	settled  bool // an earlier run has done all that this one would do
	running  bool
	// likely is the longest first slice in the group; 0: there was none. It says
	// something of the next one where all were explored to their ends.
	likely time.Duration
	long   bool // one of them was not

	turns
}

// slice is a turn of an entry.
type slice struct {
	way    *way
	number int // of the slices of this way, from 0
	budget time.Duration
}

// The least and the longest first slice.
const (
	minSlice   = 300 * time.Millisecond
	maxSlice   = 3 * time.Second
	firstShare = 5 // the first round gets 1 of so many parts of the time
)

// vain is how many slices of a way may end by themselves without a find: what they
// leave out no further one explores.
const vain = 2

// newPlan makes a plan for so much processor time. A single way gets all at once,
// unless something else is to come.
func newPlan(ways []*way, time, limit time.Duration, patience int) *plan {
	groups := map[int]bool{}
	for _, w := range ways {
		groups[w.group] = true
	}
	p := &plan{ways: ways, limit: limit, patience: patience, inVain: map[int]int{}}
	p.first = firstSlice(time, len(groups))
	if len(ways) == 1 && patience == 0 {
		p.first = time
	}
	return p
}

// firstSlice is how long the first slices of so many groups are.
func firstSlice(of time.Duration, groups int) time.Duration {
	return min(max(of/firstShare/time.Duration(max(1, groups)), minSlice), maxSlice)
}

// next returns the slice to run now, of at most left; false: there is nothing to
// do, unless one of those that run opens something.
func (p *plan) next(left time.Duration, open func(label.ID) bool) (slice, bool) {
	var best *way
	most := 0.0
	for _, w := range p.ways {
		impatient := p.patience > 0 && w.barren >= p.patience
		over := w.settled || w.ended >= vain && w.barren-vain >= p.alone
		if w.running || w.complete || w.failed || over || impatient || !p.due(w) {
			continue
		}
		if v := p.worth(w, open); v > most {
			best, most = w, v
		}
	}
	if best == nil || left <= 0 {
		return slice{}, false
	}
	s := slice{way: best, number: best.slices, budget: min(p.length(best), left)}
	if p.limit > 0 {
		s.budget = min(s.budget, p.limit-p.spentBy(best.group))
	}
	best.running = true
	return s, true
}

// firstTurns reports whether an entry has its first turn now.
func (p *plan) firstTurns() bool {
	return slices.ContainsFunc(p.ways, func(w *way) bool { return w.running && w.rank == 0 && w.slices == 0 })
}

// add takes further ways, which know what is known of others of their groups.
func (p *plan) add(ways []*way) {
	for _, w := range ways {
		for _, o := range p.ways {
			if o.group == w.group && o.slices > 0 {
				w.likely, w.long = max(w.likely, o.likely), w.long || o.long
			}
		}
	}
	p.ways = append(p.ways, ways...)
}

// last is told that no further ways come, and how much processor time is left: nobody
// need be impatient, slices are as long as they may be for those that have open labels, and
// what was tried in vain, beside compilers, is worth as much as before. A single way gets all.
func (p *plan) last(left time.Duration, open func(label.ID) bool) {
	p.patience = 0
	groups := map[int]bool{}
	for _, w := range p.ways {
		if !w.complete && !w.failed && !w.settled && p.worth(w, open) > 0 {
			groups[w.group] = true
			w.barren = w.ended
		}
	}
	p.first = max(p.first, firstSlice(left, len(groups)))
	if len(p.ways) == 1 {
		p.first = max(p.first, left)
	}
}

// told takes what a slice came to: labels newly covered, and whether all of the
// entry was explored.
func (p *plan) told(s slice, spent time.Duration, found int, complete bool) {
	w := s.way
	w.running = false
	w.slices++
	w.spent += spent
	w.complete = complete
	w.cameTo(found)
	if w.slices > 1 {
		p.score.add(w.beside, spent, found)
	}
	for _, o := range p.ways {
		if o.group == w.group && w.slices == 1 {
			o.expect(spent, complete)
		}
	}
	if found > 0 {
		w.barren = 0
		delete(p.inVain, w.group)
	} else {
		if w.rank > 0 && w.slices == 1 {
			p.inVain[w.group]++
		}
		w.barren++
		if !complete && !w.beside && spent < s.budget/2 {
			w.ended++
		}
	}
}

// due reports whether a way's turn has come: those before it in its group have
// been tried, and the group has time left.
func (p *plan) due(w *way) bool {
	for _, o := range p.ways {
		if o.group == w.group && o.rank < w.rank && o.slices == 0 && !o.failed && !o.settled {
			return false
		}
	}
	return p.limit == 0 || p.limit-p.spentBy(w.group) >= minSlice/2
}

func (p *plan) spentBy(group int) (sum time.Duration) {
	for _, w := range p.ways {
		if w.group == group {
			sum += w.spent
		}
	}
	return sum
}

// length is that of a way's next slice.
func (p *plan) length(w *way) time.Duration {
	if p.patience > 0 { // what is to come shall not wait for long
		return p.first << min(w.slices, 2)
	}
	return p.first << min(w.slices, 8)
}

// worth is the value of a slice for its time. First turns come before all
// others: a variant is worth something when its function has open labels or, of a
// function that has none, what it calls first.
func (p *plan) worth(w *way, open func(label.ID) bool) float64 {
	value := 0.0
	own := false
	for id, calls := range w.near {
		if open(id) {
			value += p.part(id) * math.Pow(0.4, float64(calls))
			own = own || calls == w.least
		}
	}
	if w.slices == 0 && w.rank == 0 && (value > 0 || p.seek) {
		return 1e6 + value
	}
	if value == 0 || w.rank > 0 && !own {
		return 0
	}
	return value / (1 + float64(w.barren)) / (1 + float64(p.inVain[w.group])) / p.takes(w).Seconds()
}

// part is what a label counts for.
func (p *plan) part(id label.ID) float64 {
	if p.halves[id] {
		return halfWorth
	}
	return 1
}

// leastTime is what a slice takes at least, with all that is around it.
const leastTime = 20 * time.Millisecond

// takes is how long a way's next slice will take.
func (p *plan) takes(w *way) time.Duration {
	if w.slices == 0 && w.likely > 0 && !w.long {
		return min(max(2*w.likely, leastTime), p.length(w))
	}
	return p.length(w)
}

// expect takes what a way of the same group took in its first slice.
func (w *way) expect(spent time.Duration, complete bool) {
	w.likely = max(w.likely, spent)
	w.long = w.long || !complete
}
