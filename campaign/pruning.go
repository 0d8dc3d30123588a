package campaign

import (
	"context"
	"slices"
	"sync"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/prune"
	"klabel/store"
)

// How pruning goes with generation.
const (
	PruneBeside = ""      // while engines run, and after them as long as a label is unknown
	PruneFirst  = "yes"   // to its end before an engine starts, as the papers do
	PruneNever  = "never" // not at all
)

// pruneBudget bounds pruning by a share of the engine's time, and all of it if
// that is short.
func pruneBudget(engine time.Duration) time.Duration {
	return min(max(engine/2, min(engine, 10*time.Second)), 2*time.Minute)
}

// So much longer than the budget of a campaign pruning may take, and so much less for each file: the C tests of each
// are compiled and run when all else is done.
const (
	pruneSlack  = time.Second
	slackOfFile = 100 * time.Millisecond
	mostSlack   = 2 * time.Second // for all files, if they are few
	slackShare  = 8               // of many files a part of the budget
)

// recordSlack is how much later than that the C tests of a file are still recorded in the better, and slower, way.
const recordSlack = time.Second / 2

// keptForFiles is the part of the time until then that is for the C tests of files.
func (c *session) keptForFiles() time.Duration {
	n := len(c.prog.units)
	kept := min(time.Duration(n)*slackOfFile, mostSlack)
	if n > fewFiles {
		kept = max(kept, min(c.quickCTests()-afterBudget, c.job.Budget/slackShare))
	}
	return kept
}

// pruneUntil is when pruning ends at the latest.
func (c *session) pruneUntil() time.Time {
	return c.began.Add(c.job.Budget + pruneSlack - c.keptForFiles())
}

// pruner proves labels infeasible or redundant and tells the store as it goes,
// so that engines, which read the live view, take up what it finds; it asks the
// store in turn, and leaves alone what tests have covered meanwhile.
type pruner struct {
	stop context.CancelFunc
	done chan struct{}

	mu  sync.Mutex
	err error
}

// startPruning returns at once. Beside engines provers begin when every function has
// had a turn: the first tests cover most labels, for less. Where that is not so in half of
// the budget, the quick one begins then: there might be no time left for it.
func (c *session) startPruning(ctx context.Context) *pruner {
	methods := c.job.PruneMethods
	// Where tests that fail count, its proofs, which are about paths that end normally, are none.
	if c.judge.lenient {
		if methods == nil {
			methods = prune.AllMethods
		}
		methods = slices.DeleteFunc(slices.Clone(methods), func(m prune.Method) bool { return m == prune.Native })
	}
	ctx, stop := context.WithDeadline(ctx, c.pruneUntil())
	p := &pruner{stop: stop, done: make(chan struct{})}
	o := c.pruneOptions()
	o.Methods, o.Budget = methods, pruneBudget(c.job.Budget)
	// The engine itself is about to explore the program.
	o.Explored = methods == nil && c.job.Prune == PruneBeside && c.job.Mode == engine.Greybox
	o.Skip = func(id label.ID) bool {
		s, ok := c.st.Status(id)
		_, inVain := c.memory.reasons[id]
		return ok && s.Status != label.Unknown || c.prog.shared[id] || inVain && c.memory.Pruned
	}
	o.Found = func(f prune.Finding) { p.fail(c.found(f)) }
	o.Note = func(text string) { log.Info(text) }
	go func() {
		defer close(p.done)
		var err error
		if c.job.Prune == PruneBeside && !c.awaitTurns(ctx, c.job.Budget/2-time.Since(c.began)) {
			if methods == nil || slices.Contains(methods, prune.Compiler) {
				err = c.prove(ctx, quick(o))
			}
			c.awaitTurns(ctx, c.job.Budget)
		}
		if err == nil {
			err = c.prove(ctx, o)
		}
		if err != nil && ctx.Err() == nil {
			c.note("pruning: " + err.Error()) // labels stay unknown, nothing else is harmed
		}
		c.mu.Lock()
		c.pruned = err == nil && ctx.Err() == nil
		c.mu.Unlock()
	}()
	return p
}

// awaitTurns returns when every function has had a turn, or after a time: false then.
func (c *session) awaitTurns(ctx context.Context, most time.Duration) bool {
	select {
	case <-c.turned:
		return true
	case <-ctx.Done():
		return true
	case <-time.After(most):
		return false
	}
}

// quick is what takes seconds of pruning: what the optimiser says of each label by itself.
func quick(o prune.Options) prune.Options {
	o.Methods, o.Quick = []prune.Method{prune.Compiler}, true
	return o
}

// prove runs provers, which are told what tests have covered.
func (c *session) prove(ctx context.Context, o prune.Options) error {
	snap, err := c.st.Snapshot()
	if err != nil {
		return err
	}
	for _, t := range snap.Tests {
		if t.Verdict.Outcome == label.Normal {
			o.Hits = append(o.Hits, t.Verdict.Hits)
		}
	}
	_, err = prune.Run(ctx, o)
	return err
}

// found stores a proof. What contradicts a test is loud at once.
func (c *session) found(f prune.Finding) error {
	if c.prog.shared[f.ID] || f.Status != label.Infeasible && c.prog.shared[f.Of] {
		return nil // what holds of its place in one unit need not hold in another
	}
	if f.Status != label.Infeasible && c.job.lenient() {
		return nil // a test that counts may end in an error between the two
	}
	k := c.judge
	k.truth.Lock()
	defer k.truth.Unlock()
	if !k.alike() && (f.Status != label.Infeasible || !k.ofMain(f.ID)) {
		return nil // it is about runs from main, and calls of functions may show otherwise
	}
	contradiction, err := c.st.Mark(f.ID, f.Status, store.Reason{Method: string(f.Method), Text: f.Text,
		Seconds: f.Seconds, Of: f.Of})
	if contradiction {
		c.note("CONTRADICTION: label " + f.ID.String() + " is covered by a test, and " + string(f.Method) + " says: " +
			f.Text)
	}
	if err == nil && f.Status == label.Infeasible {
		err = c.unneeded([]label.ID{f.ID})
	}
	return err
}

func (p *pruner) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// wait returns when pruning has ended by itself.
func (p *pruner) wait() error {
	if p == nil {
		return nil
	}
	<-p.done
	p.stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// await returns when pruning has ended by itself, or at a time.
func (p *pruner) await(t time.Time) {
	if p == nil {
		return
	}
	select {
	case <-p.done:
	case <-time.After(time.Until(t)):
	}
}

// end stops pruning and waits for it.
func (p *pruner) end() error {
	if p != nil {
		p.stop()
	}
	return p.wait()
}
