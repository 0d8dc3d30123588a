package campaign

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

// forBeside says whose the next slice is. Both have turn by turn, but one that has
// just found something goes on where the other found nothing when it was last tried. A
// patient one waits until the other has found nothing; and where the other has come
// to its end it is alone.
func (w *way) forBeside(patient bool) bool {
	switch {
	case w.ended >= vain:
		return true
	case patient:
		return w.barren%2 == 1
	case w.slices == 0:
		return false
	}
	last, before := w.own, w.other
	if w.beside {
		last, before = before, last
	}
	if last == foundSome && before == foundNone && w.row < mostTurns {
		return w.beside
	}
	return !w.beside
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
