package campaign

import "time"

// Two engines share an entry: the campaign's own and the one beside it.

// mostTurns is how many turns one after the other an engine gets while it finds
// labels and the other one does not.
const mostTurns = 3

// turns is what a way knows of the two.
type turns struct {
	besides int  // slices of the engine beside
	beside  bool // the last slice was its
	row     int  // turns one after the other
	// what the last turn of each has come to
	own, other came
}

// came is what a turn has come to.
type came int

const (
	untried came = iota
	foundNone
	foundSome
)

// forBeside says whose the next slice is. Both have turn by turn, and of second slices
// as many, but one that has just found something goes on where the other found nothing when
// it was last tried, and one that finds less in this program has some of its turns only. A
// patient one waits until the other has found nothing; and where the other has come to its
// end it is alone.
func (p *plan) forBeside(w *way, patient bool) bool {
	switch {
	case w.ended >= vain:
		return true
	case patient && w.barren == 0, !patient && w.slices == 0:
		return false
	}
	last, before := w.own, w.other
	if w.beside {
		last, before = before, last
	}
	next := !w.beside
	switch {
	case patient:
		next = w.barren%2 == 1
	case w.besides == 0:
		next = p.score.other.turns <= p.score.own.turns // as often as the other goes on, in all ways
	case last == foundSome && before == foundNone && w.row < mostTurns:
		return w.beside
	}
	if p.score.behind(next) > 1 && p.score.passesOver(next) {
		return !next
	}
	return next
}

// score is what the two have come to in all ways, but for the first slices of these, which
// cover what is easy.
type score struct {
	own, other engineScore
	passed     int // turns that the one behind was to have
}

type engineScore struct {
	turns, found int
	spent        time.Duration
}

const (
	leastTurns = 4 // of each before they are compared
	mostBehind = 5 // one of so many turns the one behind has in any case
)

func (s *score) add(beside bool, spent time.Duration, found int) {
	e := &s.own
	if beside {
		e = &s.other
	}
	e.turns++
	e.found += found
	e.spent += spent
}

// behind is how many times less an engine finds in the same time than the other, 1 if not
// less, or if that is not known.
func (s *score) behind(beside bool) int {
	this, other := s.own, s.other
	if beside {
		this, other = other, this
	}
	if this.turns < leastTurns || other.turns < leastTurns {
		return 1
	}
	// One more found by each: who has found nothing as yet may find something.
	times := float64(other.found+1) / float64(this.found+1) * this.spent.Seconds() / max(other.spent.Seconds(), 1e-3)
	return int(min(max(times, 1), mostBehind))
}

// passesOver reports whether a turn of the one that is behind goes to the other.
func (s *score) passesOver(beside bool) bool {
	s.passed++
	return s.passed%s.behind(beside) != 0
}

// begin notes whose turn begins, and returns its number among those of that engine.
func (w *way) begin(beside bool) (number int) {
	if beside != w.beside {
		w.row = 0
	}
	w.beside = beside
	w.row++
	if !beside {
		return w.slices - w.besides
	}
	w.besides++
	return w.besides - 1
}

// cameTo notes what a turn has come to.
func (w *way) cameTo(found int) {
	c := foundNone
	if found > 0 {
		c = foundSome
	}
	if w.beside {
		w.other = c
	} else {
		w.own = c
	}
}
