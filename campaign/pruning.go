package campaign

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"klabel/csource"
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

// pruneBudget bounds pruning by a share of the engine's time.
func pruneBudget(engine time.Duration) time.Duration {
	return min(max(engine/2, 10*time.Second), 2*time.Minute)
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

// startPruning returns at once; nil where there is nothing to prune with.
func (c *campaign) startPruning(ctx context.Context) (*pruner, error) {
	snap, err := c.st.Snapshot()
	if err != nil {
		return nil, err
	}
	var hits [][]label.ID
	for _, t := range snap.Tests {
		if t.Verdict.Outcome == label.Normal {
			hits = append(hits, t.Verdict.Hits)
		}
	}
	methods := c.job.PruneMethods
	if methods == nil && c.job.Prune == PruneBeside && c.job.Mode == engine.Greybox {
		// The engine itself is about to explore the whole program.
		methods = slices.DeleteFunc(slices.Clone(prune.AllMethods), func(m prune.Method) bool { return m == prune.Native })
	}
	ctx, stop := context.WithCancel(ctx)
	p := &pruner{stop: stop, done: make(chan struct{})}
	o := prune.Options{
		Units: c.prog.units, Flags: c.commonFlags(), Args: c.job.ProgramArgs, Methods: methods,
		Clang: c.build.native, FramaC: c.tools.FramaC, Explore: Explorer(c.build.native),
		CSource: csource.Options{Clang: c.build.native, LabelMacros: c.job.LabelMacros, IncludeDirs: []string{c.build.rt.Include}},
		WorkDir: c.layout.work("prune"), Budget: pruneBudget(c.job.Budget), MaxPairs: c.job.MaxPairs,
		Hits: hits,
		Skip: func(id label.ID) bool {
			s, ok := c.st.Status(id)
			return ok && s.Status != label.Unknown || c.prog.shared[id]
		},
		Found: func(f prune.Finding) { p.fail(c.found(f)) },
		Note:  func(text string) { log.Info(text) },
	}
	if base, err := os.UserCacheDir(); err == nil {
		o.CacheDir = filepath.Join(base, "klabel", "prune")
	}
	go func() {
		defer close(p.done)
		if _, err := prune.Run(ctx, o); err != nil && ctx.Err() == nil {
			c.note("pruning: " + err.Error()) // labels stay unknown, nothing else is harmed
		}
	}()
	return p, nil
}

// found stores a proof. What contradicts a test is loud at once.
func (c *campaign) found(f prune.Finding) error {
	if c.prog.shared[f.ID] || f.Status != label.Infeasible && c.prog.shared[f.Of] {
		return nil // what holds of its place in one unit need not hold in another
	}
	contradiction, err := c.st.Mark(f.ID, f.Status, store.Reason{Method: string(f.Method), Text: f.Text, Seconds: f.Seconds, Of: f.Of})
	if contradiction {
		c.note("CONTRADICTION: label " + f.ID.String() + " is covered by a test, and " + string(f.Method) + " says: " + f.Text)
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

// end stops pruning and waits for it.
func (p *pruner) end() error {
	if p != nil {
		p.stop()
	}
	return p.wait()
}

// commonFlags are the compiler flags that all units share.
func (c *campaign) commonFlags() []string {
	if len(c.prog.flags) == 0 {
		return nil
	}
	return c.prog.flags[0]
}
