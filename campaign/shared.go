package campaign

import (
	"context"
	"math"
	"slices"
	"time"
)

// share makes a slice the turn of one of the two engines, as the plan says, or of a patient
// one if its time has come. It is called with the lock held, and gives it away while a patient
// one, alone by then, waits for its program.
func (f *follower) share(ctx context.Context, r turn, s *slice) turn {
	beside := s.beside
	if f.plan.shared == nil {
		beside = f.plan.forBeside(s.way)
		// A further image is not compiled for one that finds less.
		if beside && s.way.ended < vain && f.plan.score.behind(true) > 1 && !f.besideOf(r.entry).begun.Load() {
			beside = false
		}
	}
	if beside {
		end := f.deadline
		if s.way.ended < vain {
			end = time.Time{} // nobody waits
		}
		f.mu.Unlock()
		r, beside = f.turnBeside(ctx, r, end)
		f.mu.Lock()
		f.plan.alone = f.besideAlone()
	}
	if beside != s.beside {
		f.plan.goes(s, beside)
	}
	return r
}

// openShared lets the engine beside have its part of a plan.
func (f *follower) openShared(ctx context.Context) {
	if f.beside == nil {
		return
	}
	if !f.beside.patient {
		f.plan.shared = func(w *way) bool { return f.besideReady(ctx, w.entry) }
	}
	if len(f.plan.ways) == 1 {
		f.plan.first = maxSlice // both shall have turns
	}
}

// dearPart of the time for the engines is what compiling may take before a further program
// is one that a campaign must be able to afford; ofFirst of what the first image took, for engine
// and replays, is what the fuzzer's takes, which is neither optimised nor full of checks.
const (
	dearPart = 10
	ofFirst  = 4
)

// dear reports whether to compile the program of the engine beside costs so much of the time
// that more is found without it at first.
func (c *session) dear() bool { return dearPart*c.firstTook/ofFirst > c.left() }

// besideReady reports whether the engine beside can work on an entry now. Its program is
// compiled from the first time on that this is asked, or, if that is dear, once every function
// has had a turn; one of a further image only if it finds as much as the other, and none where
// little would be left of the time. It is called with the lock held.
func (f *follower) besideReady(ctx context.Context, e entry) bool {
	b := f.besideOf(e)
	if !b.begun.Load() {
		if e.image > 0 && f.plan.score.behind(true) > 1 || e.image == 0 && f.plan.untouched() > 0 && f.dear() ||
			time.Until(f.deadline) < f.firstTook {
			return false
		}
		b.compile(ctx)
	}
	if !b.ready() {
		f.wakeAfter(b)
		return false
	}
	if b.err != nil {
		f.plan.shared = func(*way) bool { return false }
		if ctx.Err() == nil {
			f.besideFails(b.err)
		}
	}
	return b.err == nil
}

// wakeAfter lets the follower look again when a program is compiled.
func (f *follower) wakeAfter(b *besideProgram) {
	if f.awaited[b] {
		return
	}
	if f.awaited == nil {
		f.awaited = map[*besideProgram]bool{}
	}
	f.awaited[b] = true
	go func() {
		<-b.done
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	}()
}

// besideComing reports whether what would go on where the other engine has come to its end
// is being compiled.
func (f *follower) besideComing() bool {
	if f.beside == nil || f.plan.shared == nil || !f.plan.hopes() {
		return false
	}
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	return !f.besideFailed && slices.ContainsFunc(f.beside.programs, func(b *besideProgram) bool {
		return b.begun.Load() && !b.ready()
	})
}

// besideAlone is how many slices in vain an entry gets after the engine has come to
// an end that is not that of all paths: the one beside goes on.
func (c *session) besideAlone() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.beside == nil || c.besideFailed:
		return 0
	case c.beside.patient:
		return 3
	}
	return math.MaxInt
}
