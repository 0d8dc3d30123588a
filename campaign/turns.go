package campaign

import (
	"math"
	"time"
)

// Two engines share a plan: the campaign's own and the one beside it. A patient one has turns of
// entries where the other finds nothing. Else it begins as soon as the other finds no more than a
// few labels in a second, or soon after, and each gets as much of the time as what it has found of
// late is of what both have, half of it at first. The campaign's own engine has the first turn of
// every function, which ends most of them or finds most of their labels, and those after it as long
// as they find something; the other one has a turn for each of them in vain, or goes anywhere, if it
// finds much more. Each goes where it hopes for most: what one has tried in vain the other has not.
// So neither engine's strength comes late, and one that finds nothing costs little.
//
// Where functions are many and the time is short there is little after the first turns. Then the
// one beside has the first turns of two functions; what it finds there says whether it has its part
// of the others, or none until they are fewer: what nobody has tried is worth most.

// turns is what a way knows of the two.
type turns struct {
	beside bool      // the last slice was of the engine beside
	by     [2]record // what they have come to: the campaign's own, and the one beside
}

// record is what an engine has come to on a way.
type record struct {
	slices int
	barren int // since it found something
}

// seat is an engine's place in what there is of both.
func seat(beside bool) int {
	if beside {
		return 1
	}
	return 0
}

// forBeside says whether the next slice is a patient engine's: it waits until the other has
// found nothing, and then both have turn by turn, but one that finds less in this program has
// some of its turns only; and where the other has come to its end it is alone.
func (p *plan) forBeside(w *way) bool {
	switch {
	case w.ended >= vain:
		return true
	case w.barren == 0:
		return false
	}
	next := w.barren%2 == 1
	if by := p.score.behind(next); by > 1 {
		if p.passed++; p.passed%by != 0 {
			return !next
		}
	}
	return next
}

// score is what two engines have come to in all ways.
type score struct {
	by   [2]engineScore
	owed float64 // seconds of its part that the one beside has not had; less than 0: it had more
}

// engineScore is of late: what was long ago decides nothing.
type engineScore struct {
	found, spent float64 // what it found, and how long that took
	turns        int
}

const (
	leastShare  = 1.0 / 16 // of the time, whatever an engine finds; less where the other finds several in a second
	fades       = 15       // seconds of an engine after which what it came to counts for a third
	leastTurns  = 4        // of each before they are compared
	trialTurns  = 2        // of the one beside where there is little time
	rushedPart  = 0.5      // of the time, which first turns take then
	mostBehind  = 5        // one of so many turns a patient one has in any case
	plentyRate  = 2        // finds in a second, for so many turns at most
	plentyTurns = 20
	mostOwed    = 20 // seconds: what an engine could not have it has not lost, nor all of it to get
	mostLent    = 60 // seconds
	othersOwn   = 2  // by so much less a way is worth to one where the other alone finds something
)

// gets notes that an engine is given time, of which the one beside has its part; that it gives some back, if less
// than 0.
func (s *score) gets(beside bool, time time.Duration) {
	s.owed += s.share() * time.Seconds()
	if beside {
		s.owed -= time.Seconds()
	}
	s.owed = min(max(s.owed, -mostLent), mostOwed)
}

// add notes what came of a turn, of so much time that was given.
func (s *score) add(beside bool, budget, spent time.Duration, found int) {
	s.gets(beside, spent-budget)
	e := &s.by[seat(beside)]
	e.turns++
	kept := math.Exp(-spent.Seconds() / fades)
	e.found = e.found*kept + float64(found)
	e.spent = e.spent*kept + spent.Seconds()
}

// rate is what an engine finds in a second. One more find is assumed: who has found nothing as
// yet may find something.
func (e engineScore) rate() float64 { return (e.found + 1) / max(e.spent, 1e-3) }

// share is what part of the time the engine beside shall have.
func (s *score) share() float64 {
	own, other := s.by[0], s.by[1]
	if own.turns < leastTurns || other.turns < leastTurns {
		return 0.5
	}
	a, b := own.rate(), other.rate()
	return min(max(b/(a+b), leastShare/max(a, 1)), 1-leastShare/max(b, 1))
}

// plenty reports whether the engine beside has not begun, and need not yet: its program costs time, too, and what
// it would find first the other finds as well. But it may find more: that is not put off for long.
func (s *score) plenty() bool {
	own := s.by[0]
	return s.by[1].turns == 0 && own.turns >= leastTurns && own.turns < plentyTurns && own.rate() >= plentyRate
}

// trusted reports whether the engine beside may have first turns where there is little time: those
// on trial, and further ones if it finds no less than the other.
func (s *score) trusted() bool {
	own, other := s.by[0], s.by[1]
	return own.turns >= leastTurns && (other.turns < trialTurns || other.rate() >= own.rate())
}

// due reports whether the engine beside has had less than its part of the time.
func (s *score) due() bool { return s.owed > 0 }

// behind is how many times less an engine finds in the same time than the other, 1 if not
// less, or if that is not known.
func (s *score) behind(beside bool) int {
	share := s.share()
	if !beside {
		share = 1 - share
	}
	return int(min(max((1-share)/share, 1), mostBehind))
}

// busy reports whether an engine works on it.
func (w *way) busy() bool { return w.running[0] || w.running[1] }

// came notes what a turn of a way has come to.
func (w *way) came(beside bool, found int) {
	r := &w.by[seat(beside)]
	w.beside = beside
	r.slices++
	r.barren++
	if found > 0 {
		r.barren = 0
	}
}

// bestOf is the way that is worth most to one of two engines that share the plan, nil if none is.
// Unless it is free to, the one beside goes only where the other one has been in vain more often
// since it found something or, where first turns take most of the time, to functions that nobody has
// tried.
func (p *plan) bestOf(beside, free bool) (best *way) {
	most := 0.0
	rushed := beside && !free && p.rushed()
	free = free || p.score.behind(false) > 1
	for _, w := range p.ways {
		r := w.by[seat(beside)]
		tired := p.patience > 0 && r.barren >= p.patience || !beside && w.ended >= vain
		switch {
		case rushed && (w.slices > 0 || w.busy() || !p.score.trusted()):
			continue
		case beside && !rushed && !free && w.by[1].barren >= w.by[0].barren && w.ended < vain:
			continue
		}
		if w.running[seat(beside)] || w.complete || w.failed || w.settled || tired || !p.due(w) {
			continue
		}
		if v := p.worthTo(w, beside); v > most && (!beside || p.shared(w)) {
			best, most = w, v
		}
	}
	return best
}

// hopes reports whether something is left that an engine may find, whoever has tried.
func (p *plan) hopes() bool {
	for _, w := range p.ways {
		if !w.complete && !w.failed && !w.settled && p.due(w) && p.worth(w) > 0 {
			return true
		}
	}
	return false
}

// untouched counts the functions that are worth a turn and have had none.
func (p *plan) untouched() (n int) {
	for _, w := range p.ways {
		if w.rank == 0 && w.slices == 0 && !w.failed && !w.settled && p.worth(w) > 0 {
			n++
		}
	}
	return n
}

// hadFirst reports of a slice whether all functions have had their first turns when it begins: of one engine
// these come before all others.
func (p *plan) hadFirst(s slice) bool {
	return (s.number > 0 || s.way.rank > 0) && (p.shared == nil || p.untouched() == 0)
}

// rushed reports whether first turns take most of the time that is left.
func (p *plan) rushed() bool {
	return float64(p.untouched())*p.first.Seconds() > rushedPart*p.left.Seconds()*float64(max(1, p.cores))
}

// worthTo is worth, to one of two engines.
func (p *plan) worthTo(w *way, beside bool) float64 {
	r, o := w.by[seat(beside)], w.by[seat(!beside)]
	if w.slices == 0 && !w.busy() {
		return p.worth(w)
	}
	value, own := p.value(w.near)
	if p.seek && !beside && w.rank == 0 && r.slices == 0 {
		return firstWorth + value // the fuzzer has not sought all failures
	}
	if value == 0 || w.rank > 0 && !own {
		return 0
	}
	if r.barren > 0 && o.slices > 0 && o.barren == 0 {
		value /= othersOwn
	}
	return value / (1 + float64(r.barren)) / (1 + float64(p.inVain[w.group])) / p.lengthOf(r.slices).Seconds()
}

// nextShared is the slice to run now where two engines share the plan: of the one whose turn it
// is, of the other one if that has nothing to do, or of both at once on one way.
func (p *plan) nextShared() (s slice, ok bool) {
	beside := p.score.due() && !p.score.plenty()
	w := p.bestOf(beside, false)
	if w == nil {
		beside = !beside
		w = p.bestOf(beside, false)
	}
	if w == nil {
		beside = true
		w = p.bestOf(beside, true)
	}
	if w == nil {
		return slice{}, false
	}
	return slice{way: w, number: w.slices, budget: p.lengthOf(w.by[seat(beside)].slices), beside: beside}, true
}

// lengthOf is that of the slice that comes after so many.
func (p *plan) lengthOf(slices int) time.Duration {
	if p.patience > 0 { // what is to come shall not wait for long
		return p.first << min(slices, 2)
	}
	return p.first << min(slices, 8)
}

// goes notes that a slice is the other engine's after all.
func (p *plan) goes(s *slice, beside bool) {
	s.way.running[seat(s.beside)], s.way.given[seat(s.beside)] = false, 0
	s.beside = beside
	s.way.running[seat(beside)], s.way.given[seat(beside)] = true, s.budget
}
