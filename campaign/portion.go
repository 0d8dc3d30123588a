package campaign

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"klabel/drivers"
	"klabel/engine"
)

// Of functions the first image has the plainest entries. The other variants, of the
// functions whose labels are open then, come in portions: images of their own, so that
// engines work on some while others are compiled. What most functions need comes first,
// those with most open labels before the others. A small program has one portion.

// A portion may take portionShare of the budget to compile, more where there would
// be too many of them: each has all of the program in it.
const (
	portionShare = 0.25
	mostPortions = 5
	leastPortion = 80 // entries that are wanted; some of them will add nothing
	furtherTimes = 3  // so much longer than a plain entry another one takes
	besideTimes  = 2  // and so much longer beside engines
	baseEntries  = 40 // so many entries' time the program alone takes
)

// turnsShare of the time is waited for first turns of all functions before the first
// portion is made.
const turnsShare = 0.2

// portions knows what is still to be compiled.
type portions struct {
	*session
	end    time.Time       // of the engines' time
	asked  map[string]bool // entries that some image has, or was to have, by name
	each   time.Duration   // what an entry takes to compile, as far as that is known
	number int             // of portions so far
}

func (c *session) newPortions(end time.Time) *portions {
	p := &portions{session: c, end: end, asked: map[string]bool{}}
	p.each = besideTimes * c.firstTook / time.Duration(len(c.prog.image.entries)/furtherTimes+baseEntries)
	for _, e := range c.prog.all() {
		p.asked[e.name] = true
		for _, v := range drivers.Variants {
			if e.ownMain() && c.joined { // in place of a driver of main
				p.asked[e.target+v.String()] = true
			}
		}
	}
	return p
}

// wish is what a portion shall have of a function.
type wish struct {
	target target
	names  []string // of entries
	open   int      // labels
	late   int      // 1: others come first; -1: these are a function's first
}

// isLate says which variants wait until those that find more are there.
var isLate = map[drivers.Variant]int{drivers.Sequences: 1, drivers.Failing: 1, drivers.Sharing: 1, drivers.Widest: 1}

// wishes are those of all functions with open labels, most of these first.
func (p *portions) wishes() (out []wish, entries int) {
	cramped := p.cramped()
	fresh := map[string]bool{}
	for _, t := range p.prog.without() {
		fresh[t.name] = true
	}
	for _, t := range p.prog.asked {
		open := p.opened(t)
		if p.prog.leftOut[t.name] != "" || open == 0 {
			continue
		}
		of := []wish{{target: t, open: open}, {target: t, open: open, late: 1}, {target: t, open: open, late: -1}}
		for _, v := range drivers.Variants {
			name := t.name + v.String()
			p.mu.Lock()
			skip := p.asked[name] || p.explored[name]
			p.mu.Unlock()
			if v == drivers.Room && !cramped[t.name] { // it would find nothing as yet
				skip = true
			}
			switch {
			case skip:
			case fresh[t.name] && isFirst(p.prog.units, t, v):
				of[2].names = append(of[2].names, name)
			default:
				of[isLate[v]].names = append(of[isLate[v]].names, name)
			}
		}
		for _, w := range of {
			if entries += len(w.names); len(w.names) > 0 {
				out = append(out, w)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b wish) int { return cmp.Or(a.late-b.late, b.open-a.open) })
	return out, entries
}

// next chooses what the next portion has; nothing, if there is no more, or no time
// for it. late says that it is the time.
func (p *portions) next() (of []target, late bool) {
	list, entries := p.wishes()
	if len(list) == 0 || p.number >= mostPortions && list[0].late >= 0 {
		return nil, false
	}
	size := entries
	if p.number < mostPortions-1 {
		size = entries/(mostPortions-p.number) + 1
	}
	left := time.Until(p.end)
	if left < p.firstTook {
		return nil, true
	}
	if p.each > 0 {
		size = max(size, int(portionShare*float64(p.job.Budget)/float64(p.each))-baseEntries)
		size = min(size, int(left/2/p.each)-baseEntries) // what is compiled shall be explored, too
	}
	size = max(size, leastPortion)
	n := 0
	for _, w := range list {
		if n > 0 && n+len(w.names) > size {
			break
		}
		n += len(w.names)
		if !slices.ContainsFunc(of, func(t target) bool { return t.name == w.target.name }) {
			of = append(of, w.target)
		}
		for _, name := range w.names {
			p.asked[name] = true
		}
	}
	return of, false
}

// compile makes portions one after the other, and hands over the ways of each.
func (p *portions) compile(ctx context.Context, take func(engine.Program, []*way)) {
	for ctx.Err() == nil && p.judge.failed() == nil && !p.satisfied() {
		before := maps.Clone(p.asked)
		of, late := p.next()
		p.unfinished = p.unfinished || late
		if len(of) == 0 {
			return
		}
		log.Debugf("a portion with up to %d entries of %d functions is begun after %v", len(p.asked)-len(before),
			len(of), time.Since(p.began))
		m, err := p.makeFurther(ctx, of, func(t target, v drivers.Variant) bool {
			name := t.name + v.String()
			return p.asked[name] && !before[name]
		})
		p.number++
		switch {
		case err != nil:
			p.unfinished = true
			if ctx.Err() == nil {
				p.note(fmt.Sprintf("further entries cannot be made: %v", err)) // what was found stays
			}
			return
		case m == nil: // they rest, or add nothing
			continue
		}
		p.each = m.took / time.Duration(len(m.image.entries)+baseEntries)
		ways, err := p.adopt(m)
		if err != nil {
			p.judge.fail(err)
			return
		}
		if !p.job.NoRandom {
			p.sample(ctx, ways)
		}
		take(m.program, ways)
	}
}

// portioned lets a follower have portions, beside what it does, once every function
// has had a turn, or when it is time. The result ends that, and returns when nothing
// is compiled any more.
func (f *follower) portioned(ctx context.Context, end time.Time) (stop func()) {
	ctx, cancel := context.WithDeadline(ctx, end)
	p := f.newPortions(end)
	done := make(chan struct{})
	f.coming = true
	f.tried = sync.OnceFunc(func() {
		go func() {
			defer close(done)
			p.compile(ctx, f.add)
			f.noMore()
		}()
	})
	if len(f.prog.without()) > 0 {
		f.tried()
	}
	soon := time.AfterFunc(time.Duration(turnsShare*float64(time.Until(end))), f.tried)
	return func() {
		soon.Stop()
		cancel()
		f.tried()
		<-done
	}
}

// add gives the plan the ways of a further image.
func (f *follower) add(p engine.Program, ways []*way) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.programs[len(f.programs)] = p
	f.plan.add(ways)
	f.changed.Broadcast()
}

// noMore says that all ways are there.
func (f *follower) noMore() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.coming = false
	f.plan.last(time.Until(f.deadline)*time.Duration(f.cores), f.open)
	f.changed.Broadcast()
}
