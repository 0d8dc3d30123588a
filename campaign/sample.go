package campaign

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/sample"
)

// The cheap pass before engines and provers: random and boundary inputs through
// the replay program. It covers the easy labels, so that dearer methods need
// not look at them (Bardin et al., ICST 2015, found this order best).
const (
	sampleTime = time.Second
	// The engine of a single entry waits until so long nothing has been drawn that brings something.
	sampleAlone = 300 * time.Millisecond

	// Of many entries all together get this share of the budget, and each at
	// least so much.
	sampleShare = 0.08
	sampleLeast = 30 * time.Millisecond

	// Conversations with a program go on as long as they bring something, for so much of
	// the budget.
	talkShare = 0.15

	// So long is waited for a replay that has begun; where entries are many, for so many
	// times an entry's share, for some hang with every input.
	samplePatience = 400 * time.Millisecond
	sampleShares   = 4
	sampleBriefest = 100 * time.Millisecond

	// The program's own main has this part of the budget for a run, where entries are many.
	mainShare = 4
)

// random is who makes the tests of this pass.
const random = "random"

// sample runs the pass: a single entry with all of the judge's workers, many
// side by side, each for a share of the time, those that reach most first.
func (c *session) sample(ctx context.Context, ways []*way) {
	workers := c.judge.pool.Workers()
	ways = slices.DeleteFunc(slices.Clone(ways), func(w *way) bool { return w.settled })
	slices.SortStableFunc(ways, func(a, b *way) int { return len(b.near.all()) - len(a.near.all()) })
	if len(ways) == 1 {
		c.sampleEntry(ctx, ways[0], workers, sampleAlone)
		return
	}
	each, all := sampleTimes(c.job.Budget, workers, len(ways), len(c.prog.all()))
	if c.job.FunctionBudget == 0 {
		all = min(all, max(time.Until(c.began.Add(c.job.Budget))/2, sampleTime)) // the engines' time, too
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, all)
	defer cancel()
	var g errgroup.Group
	g.SetLimit(workers)
	for _, w := range ways {
		ctx, limit := ctx, each
		if w.entry.ownMain() {
			ctx = outer
		} else if w.entry.program() && w.entry.rank == 0 && c.judge.talks(w.entry) { // what it shows takes many answers
			ctx, limit = outer, max(each, min(sampleTime, time.Duration(talkShare*float64(c.job.Budget))))
		}
		g.Go(func() error {
			c.sampleEntry(ctx, w, 1, limit)
			return nil
		})
	}
	_ = g.Wait()
	log.Debugf("sampled %d entries for %v each, at most %v: %d labels covered", len(ways), each, all, c.st.Covered())
}

// sampleTimes is how long each of many entries is sampled, and all together: a
// replay may take longer than an entry's share, where the machine is slow, or the
// entries are many, and what is left of the budget is the engine's. Those of a further
// image have the part that they are of all entries.
func sampleTimes(budget time.Duration, workers, ways, of int) (each, all time.Duration) {
	share := sampleShare * float64(budget) * float64(ways) / float64(max(1, of))
	each = time.Duration(share * float64(workers) / float64(max(1, ways)))
	return min(max(each, sampleLeast), sampleTime), max(time.Duration(2*share), sampleTime)
}

// sampleEntry draws no further test when the time is up. What is being replayed then
// is not cut off at once: that costs the server that replays it, and the find.
func (c *session) sampleEntry(ctx context.Context, w *way, workers int, limit time.Duration) {
	k, e := c.judge, w.entry
	s := sample.New(uint64(c.job.Seed), 17+uint64(e.number), c.prog.constants(), c.sampleArgs(e))
	if e.inputs != nil {
		s.Fractions(e.inputs.Fractions(), c.prog.constants())
	}
	if k.talks(e) {
		s.Converse(c.prog.constants(), k.endings, e.program())
	}
	end, last := time.Now().Add(limit), time.Now().Add(limit)
	if k.talks(e) {
		last = time.Now().Add(max(limit, time.Duration(talkShare*float64(c.job.Budget))))
		limit = time.Duration(float64(limit) * max(1, machineLoad()))
		end = earlier(time.Now().Add(limit), last)
	}
	longest, wait := c.job.TestTimeout, max(limit, samplePatience-limit)
	if workers > 1 { // the first replay starts its server
		wait = time.Duration(float64(wait) * max(1, machineLoad()))
	} else if longest = c.job.briefest(limit, machineLoad(), e.ownMain()); e.ownMain() {
		wait = max(wait, longest)
	}
	ctx, cancel := context.WithDeadline(ctx, last.Add(wait))
	defer cancel()
	near := func() bool { return w.near.anyOpen(c.isOpen) }
	var mu sync.Mutex // guards end
	goesOn := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return time.Now().Before(end)
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for first := true; ctx.Err() == nil && (first || goesOn() || s.Filling()) && !s.Tired() && near() &&
				k.failed() == nil; first = false {
				base, test := s.Draw()
				v, made, err := k.poolOf(e).ReplayBriefly(ctx, e.number, test, s.Patience(longest, machineLoad()))
				if err != nil {
					return // the time is up, or the engine's pass will meet it again
				}
				s.Timed(base, v)
				test, v, made = k.left(ctx, e, test, v, made)
				productive := k.sampled(ctx, e, test, v, made)
				s.Learn(base, test, made, v, productive)
				if further := time.Now().Add(limit); productive {
					mu.Lock()
					end = earlier(further, last)
					mu.Unlock()
				}
			}
		}()
	}
	wg.Wait()
}

// briefest is how long a drawn test of one of many entries may take. A run of the program's own
// main shows more than many calls of its functions.
func (j *Job) briefest(limit time.Duration, load float64, main bool) time.Duration {
	if main {
		return min(j.TestTimeout, j.Budget/mainShare)
	}
	brief := max(sampleShares*limit, sampleBriefest)
	return min(time.Duration(float64(brief)*max(1, load)), samplePatience)
}

// constants are what the program's own text compares with, but for the names of criteria
// that labels have in it.
func (p *program) constants() *sample.Constants {
	p.spoken.Do(func() {
		names := map[string]bool{}
		for _, l := range p.labels {
			for _, tag := range l.Tags {
				names[tag] = true
			}
		}
		p.speaks = sample.Read(p.units, names)
	})
	return p.speaks
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// sampleArgs are the arguments of drawn tests: where the engine's tests have
// options that make arguments, files and standard input symbolic, so have these.
func (c *session) sampleArgs(e entry) []string {
	if !e.ownMain() || !posixArgs(c.job.ProgramArgs) {
		return nil
	}
	return append([]string{c.job.program()}, c.job.ProgramArgs...)
}

// sampled keeps a drawn test if it covers something new, and reports whether
// it did. Failures of drawn inputs are not reported: an engine that finds one
// says more about it.
func (k *judge) sampled(ctx context.Context, e entry, t *ktest.Test, v label.Verdict, made []replayer.Asked) bool {
	v = k.proper(e, k.counted(v))
	if v.Outcome != label.Normal || made == nil { // what it asked for is too much to be noted
		return false
	}
	news := false
	for _, id := range v.Hits {
		if s, ok := k.st.Status(id); ok && s.Status != label.Covered {
			news = true
			break
		}
	}
	if !news {
		return false
	}
	whole := k.fixedInput(ctx, e, replayer.Complete(t, made), v)
	v, checked, err := k.confirmed(ctx, e, whole, v)
	if err != nil {
		return false // the time is up
	}
	k.mu.Lock()
	k.generated++
	k.replayed++
	k.mu.Unlock()
	if err := k.keep(whole, origin{entry: e, mode: k.mode}, v, checked, time.Now(), random); err != nil {
		k.fail(err)
	}
	return true
}
