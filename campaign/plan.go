package campaign

import (
	"maps"
	"math"
	"slices"
	"sync/atomic"
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
	passed int   // turns that a patient one was to have
	// shared says that both work from the beginning, and whether the one beside can work on
	// a way now; nil: it has turns of ways, or there is none.
	shared func(*way) bool
	left   time.Duration // when it was asked last
	cores  int           // at work at a time

	groups map[int][]*way
	// What was open when the plan looked last, by label; the round changes where that does.
	opens  []openness
	ids    []label.ID // that some way is near to
	halved map[label.ID]bool
	round  uint64
}

// openness is what the plan knows of a label.
type openness uint8

const (
	unasked openness = iota // no way is near to it
	notOpen
	isOpen
)

// way is an entry as the plan sees it.
type way struct {
	entry entry
	group int     // ways of one function have one
	rank  int     // among those of the group, the plainest is 0
	near  *nearby // labels that it may reach

	slices   int
	spent    time.Duration
	barren   int              // slices since something new was found
	ended    int              // slices of the campaign's own engine in vain that ended by themselves, not all explored
	complete bool             // explored to the end
	failed   bool             // the engine cannot run it
	settled  bool             // an earlier run has done all that this one would do
	running  [2]bool          // by the campaign's own engine, by the one beside
	given    [2]time.Duration // what these slices may take
	// likely is the longest first slice in the group; 0: there was none. It says
	// something of the next one where all were explored to their ends.
	likely time.Duration
	long   bool // one of them was not

	pace turnPace // of its explorations
	turns
}

// slice is a turn of an entry.
type slice struct {
	way    *way
	number int // of the slices of this way, from 0
	budget time.Duration
	beside bool // of the engine beside, where two share the plan
}

// The least and the longest first slice.
const (
	minSlice   = 300 * time.Millisecond
	maxSlice   = 3 * time.Second
	firstShare = 5 // the first round gets 1 of so many parts of the time
)

// vain is how many slices of a way may end by themselves without a find: what they
// leave out no further one explores.
const vain = 1

// newPlan makes a plan for so much processor time. A single way gets all at once,
// unless something else is to come.
func newPlan(ways []*way, time, limit time.Duration, patience int) *plan {
	p := &plan{limit: limit, patience: patience, inVain: map[int]int{}, groups: map[int][]*way{}}
	p.take(ways)
	p.first = firstSlice(time, len(p.groups))
	if len(ways) == 1 && patience == 0 {
		p.first = time
	}
	return p
}

// take makes ways the plan's.
func (p *plan) take(ways []*way) {
	p.ways = append(p.ways, ways...)
	for _, w := range ways {
		p.groups[w.group] = append(p.groups[w.group], w)
		for _, l := range w.near.all() {
			if more := int(l.id) + 1 - len(p.opens); more > 0 {
				p.opens = append(p.opens, make([]openness, more)...)
			}
			if p.opens[l.id] == unasked {
				p.opens[l.id], p.ids = isOpen, append(p.ids, l.id)
			}
		}
	}
	p.round = rounds.Add(1)
}

// rounds numbers what plans have seen: labels near to a function are those of every plan.
var rounds atomic.Uint64

// look asks what is open, once for all ways.
func (p *plan) look(open func(label.ID) bool) {
	changed := !maps.Equal(p.halves, p.halved)
	for _, id := range p.ids {
		is := notOpen
		if open(id) {
			is = isOpen
		}
		if is != p.opens[id] {
			p.opens[id], changed = is, true
		}
	}
	if changed {
		p.halved = maps.Clone(p.halves)
		p.round = rounds.Add(1)
	}
}

// firstSlice is how long the first slices of so many groups are.
func firstSlice(of time.Duration, groups int) time.Duration {
	return min(max(of/firstShare/time.Duration(max(1, groups)), minSlice), maxSlice)
}

// next returns the slice to run now, of at most left; false: there is nothing to
// do, unless one of those that run opens something.
func (p *plan) next(left time.Duration, open func(label.ID) bool) (slice, bool) {
	p.look(open)
	if p.left = left; left <= 0 {
		return slice{}, false
	}
	s, ok := p.nextAlone()
	if p.shared != nil {
		s, ok = p.nextShared()
	}
	if !ok {
		return slice{}, false
	}
	s.budget = min(s.budget, left)
	if p.limit > 0 {
		s.budget = min(s.budget, p.limit-p.spentBy(s.way.group))
	}
	s.way.running[seat(s.beside)], s.way.given[seat(s.beside)] = true, s.budget
	p.score.gets(s.beside, s.budget)
	return s, true
}

// nextAlone is next for a single engine.
func (p *plan) nextAlone() (s slice, ok bool) {
	most := 0.0
	for _, w := range p.ways {
		impatient := p.patience > 0 && w.barren >= p.patience
		over := w.settled || w.ended >= vain && w.barren-vain >= p.alone
		if w.busy() || w.complete || w.failed || over || impatient || !p.due(w) {
			continue
		}
		if v := p.worth(w); v > most {
			s, most = slice{way: w, number: w.slices, budget: p.length(w)}, v
		}
	}
	return s, s.way != nil
}

// firstTurns reports whether an entry has its first turn now.
func (p *plan) firstTurns() bool {
	return slices.ContainsFunc(p.ways, func(w *way) bool { return w.busy() && w.rank == 0 && w.slices == 0 })
}

// add takes further ways, which know what is known of others of their groups.
func (p *plan) add(ways []*way) {
	for _, w := range ways {
		for _, o := range p.groups[w.group] {
			if o.slices > 0 {
				w.likely, w.long = max(w.likely, o.likely), w.long || o.long
			}
		}
	}
	p.take(ways)
}

// last is told that no further ways come, and how much processor time is left: nobody
// need be impatient, slices are as long as they may be for those that have open labels, and
// what was tried in vain, beside compilers, is worth as much as before. A single way gets all.
func (p *plan) last(left time.Duration, open func(label.ID) bool) {
	p.patience = 0
	groups := map[int]bool{}
	p.look(open)
	for _, w := range p.ways {
		if !w.complete && !w.failed && !w.settled && p.worth(w) > 0 {
			groups[w.group] = true
			w.barren = w.ended
			w.by[0].barren, w.by[1].barren = max(w.ended, min(w.by[0].barren, 1)), 0
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
	w.running[seat(s.beside)], w.given[seat(s.beside)] = false, 0
	w.slices++
	w.spent += spent
	w.complete = w.complete || complete
	w.came(s.beside, found)
	if p.shared != nil || w.slices > 1 { // a patient one has no part in what is easy
		p.score.add(s.beside, s.budget, spent, found)
	}
	for _, o := range p.groups[w.group] {
		if !s.beside && w.by[0].slices == 1 {
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
		if !complete && !s.beside && spent < s.budget/2 {
			w.ended++
		}
	}
}

// due reports whether a way's turn has come: those before it in its group have
// been tried, and the group has time left.
func (p *plan) due(w *way) bool {
	for _, o := range p.groups[w.group] {
		if o.rank < w.rank && o.slices == 0 && !o.failed && !o.settled {
			return false
		}
	}
	return p.limit == 0 || p.limit-p.spentBy(w.group) >= minSlice/2
}

// spentBy is what the ways of a group have taken, and what those of its slices that run may take.
func (p *plan) spentBy(group int) (sum time.Duration) {
	for _, w := range p.groups[group] {
		sum += w.spent + w.given[0] + w.given[1]
	}
	return sum
}

// length is that of a way's next slice.
func (p *plan) length(w *way) time.Duration { return p.lengthOf(w.slices) }

// worth is the value of a slice for its time, of what was open when the plan looked. First
// turns come before all others: a variant is worth something when its function has open
// labels or, of a function that has none, what it calls first.
func (p *plan) worth(w *way) float64 {
	value, own := p.value(w.near)
	if w.slices == 0 && w.rank == 0 && (value > 0 || p.seek) {
		return firstWorth + value
	}
	if value == 0 || w.rank > 0 && !own {
		return 0
	}
	return value / (1 + float64(w.barren)) / (1 + float64(p.inVain[w.group])) / p.takes(w).Seconds()
}

// value sums up what the open ones of labels count for, and says whether the closest
// are among them.
func (p *plan) value(n *nearby) (value float64, own bool) {
	if n == nil {
		return 0, false
	}
	if n.round == p.round {
		return n.value, n.own
	}
	for _, l := range n.labels {
		if p.opens[l.id] == isOpen {
			value += p.part(l.id) * farther(l.calls)
			own = own || int(l.calls) == n.least
		}
	}
	n.round, n.value, n.own = p.round, value, own
	return value, own
}

// firstWorth is what the first turn of a function is worth besides.
const firstWorth = 1e6

// farther is what a label counts for in so many calls.
func farther(calls int32) float64 { return byCalls[min(int(calls), len(byCalls)-1)] }

// byCalls ends where what is farther counts for as good as nothing.
var byCalls = func() (out [64]float64) {
	for i := range out {
		out[i] = math.Pow(0.4, float64(i))
	}
	return out
}()

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
