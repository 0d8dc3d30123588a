package campaign

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/disk"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/store"
	"klabel/suite"
)

// Tests of the suite are made simpler for a quarter of what the run has taken, or briefly where that is little, longer
// on a machine that others keep busy, but for no more than a third of what is left of the budget, or a fiftieth of it.
const brieflySimpler = 500 * time.Millisecond

// Each is tried anew so often that all have their turn, if a replay takes so long.
const (
	leastTries = 40
	mostTries  = 250
	oneTry     = 1300 * time.Microsecond
)

// simplerTime is how long that may take.
func (c *session) simplerTime() time.Duration {
	spent := time.Since(c.began)
	if c.job.FunctionBudget > 0 {
		return max(spent/4, brieflySimpler)
	}
	most := max(spent/4, time.Duration(max(c.busy, machineLoad(), 1)*float64(brieflySimpler)))
	left := c.job.Budget - spent
	if len(c.prog.units) > fewFiles {
		left -= c.keptForFiles()
	}
	return min(most, max(left/3, c.job.Budget/50))
}

// simplify puts simpler tests in the place of those that this run added to the suite, those with most in them
// first: with zeros where values do not matter, and small numbers. They show what those did, and are judged like
// any other. What the user brought, and what programs read that have a main of their own, stays as it is.
func (c *session) simplify(ctx context.Context) error {
	limit := c.simplerTime()
	if c.job.comparing {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	snap, err := c.st.Snapshot()
	if err != nil {
		return err
	}
	type candidate struct {
		entry entry
		test  store.Test
		much  int // bytes that are not 0
	}
	var tests []candidate
	var there sync.Map // of the tests of the suite, by entry and sum
	for _, t := range c.kept(snap) {
		there.Store(t.Entry+t.Hash, true)
		e, known := c.prog.named(t.Entry)
		if t.At.Before(c.began) || !known || e.ownMain() || e.inputs == nil {
			continue
		}
		if b, err := disk.Read(t.File); err == nil {
			tests = append(tests, candidate{e, t, len(b) - bytes.Count(b, []byte{0})})
		}
	}
	slices.SortStableFunc(tests, func(a, b candidate) int { return cmp.Compare(b.much, a.much) })
	var g errgroup.Group
	workers := c.judge.pool.Workers()
	g.SetLimit(workers)
	tries := int(limit/oneTry) * workers / max(1, len(tests))
	tries = min(max(tries, leastTries), mostTries)
	var tried, made atomic.Int32
	for _, t := range tests {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			tried.Add(1)
			done, err := c.judge.simplify(ctx, t.entry, t.test, tries, &there)
			if done {
				made.Add(1)
			}
			return err
		})
	}
	err = g.Wait()
	log.Debugf("made %d tests simpler, of %d tried, of %d", made.Load(), tried.Load(), len(tests))
	c.logTimes("made tests simpler")
	return err
}

// simplify puts a simpler test in the place of one, and reports whether there is any. What cannot be replayed now stays
// as it is.
func (k *judge) simplify(ctx context.Context, e entry, old store.Test, tries int, there *sync.Map) (bool, error) {
	t, err := ktest.ReadFile(old.File)
	if err != nil {
		return false, describe(err)
	}
	limit := 4*old.Verdict.Duration + 50*time.Millisecond
	x := suite.Simpler(ctx, t, e.inputs.Scalars(), tries, func(t *ktest.Test) (*ktest.Test, bool) {
		v, made, err := k.poolOf(e).ReplayBriefly(ctx, e.number, t, limit)
		if err != nil || made == nil || !showsAll(k.proper(e, k.counted(v)), old.Verdict.Hits) {
			return nil, false
		}
		return replayer.Complete(t, made), true
	})
	if x == t || ctx.Err() != nil {
		return false, nil
	}
	v, err := k.poolOf(e).Replay(ctx, e.number, x)
	if err == nil {
		v, err = k.confirm(ctx, e, x, v)
	}
	if v = k.proper(e, k.counted(v)); err != nil || !showsAll(v, old.Verdict.Hits) {
		return false, nil
	}
	if _, known := there.LoadOrStore(e.name+key(e, x), true); !known {
		k.truth.RLock()
		_, err := k.record(store.TestResult{Entry: e.name, Hash: key(e, x), Engine: old.Engine, Mode: old.Mode,
			At: old.At, Verdict: v, Data: e.named(x).Bytes(), Anew: true}) // it may be one that left the suite before
		k.truth.RUnlock()
		if err != nil {
			return false, err
		}
	}
	dropped, err := k.st.Drop([]uint64{old.Number}, nil)
	if err == nil && len(dropped) > 0 {
		err = describe(os.Remove(old.File))
	}
	return true, err
}

// showsAll reports whether a test covers all of these labels.
func showsAll(v label.Verdict, hits []label.ID) bool {
	return v.Outcome == label.Normal &&
		!slices.ContainsFunc(hits, func(id label.ID) bool { return !slices.Contains(v.Hits, id) })
}
