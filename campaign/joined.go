package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"klabel/drivers"
	"klabel/engine"
	"klabel/label"
	"klabel/store"
)

// How the functions of a program join its main: see joining.go. What provers and engines
// show of runs from main is the truth about the program. A call of a function is in no such
// run, perhaps: it covers what is open, and says nothing against what was proved.

// join makes functions entries from now on. No engine works meanwhile.
func (c *session) join() error {
	c.given = c.job
	if err := c.job.everyFunction(); err != nil {
		return err
	}
	c.joined = true
	p := c.prog
	p.asked, p.leftOut = p.joining.targets, map[string]string{}
	p.mu.Lock()
	for _, t := range p.asked {
		if t.function == "main" {
			p.image.entries[0].target, p.entries[0].target = t.name, t.name
		}
	}
	p.mu.Unlock()
	k := c.judge
	k.truth.Lock() // provers go on
	defer k.truth.Unlock()
	snap, err := c.st.Snapshot()
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.proved = map[label.ID]bool{}
	for _, l := range snap.Labels {
		if l.Status == label.Infeasible {
			k.proved[l.ID] = true
		}
		if l.Relation != nil {
			k.related = append(k.related, relation{l.ID, *l.Relation})
		}
	}
	return nil
}

// rejoin makes the entries of functions that tests of earlier runs are of.
func (c *session) rejoin(ctx context.Context) error {
	stored := maps.Clone(c.stored)
	delete(stored, "")
	if c.prog.joining == nil || len(stored) == 0 {
		return nil
	}
	if err := c.join(); err != nil {
		return err
	}
	var of []target
	wanted := func(t target, v drivers.Variant) bool { return stored[t.name+v.String()] }
	for _, t := range c.prog.asked {
		if slices.ContainsFunc(drivers.Variants, func(v drivers.Variant) bool { return wanted(t, v) }) {
			of = append(of, t)
		}
	}
	if len(of) == 0 {
		return nil
	}
	c.resting = true
	m, err := c.makeFurther(ctx, of, wanted)
	c.resting = false
	if err != nil || m == nil {
		return err
	}
	c.earlier = m.program
	c.early, err = c.adopt(m)
	return err
}

// relation is one that was proved of a label.
type relation struct {
	id label.ID
	store.Relation
}

// alike reports whether all entries are ways into the program that proofs are about.
func (k *judge) alike() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.proved == nil
}

// proper is what a test shows of a program that begins at its main: one of another
// function says nothing against what was proved of those runs.
func (k *judge) proper(e entry, v label.Verdict) label.Verdict {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e.ownMain() || k.proved == nil {
		return v
	}
	hit := map[label.ID]bool{}
	for _, id := range v.Hits {
		hit[id] = true
	}
	gone := map[label.ID]bool{}
	for _, r := range k.related {
		if hit[r.Of] && !hit[r.id] || r.Kind == label.Duplicate && hit[r.id] && !hit[r.Of] {
			gone[r.id], gone[r.Of] = true, true
		}
	}
	v.Hits = slices.DeleteFunc(slices.Clone(v.Hits), func(id label.ID) bool { return k.proved[id] || gone[id] })
	return v
}

// mainAlone reports whether what was proved of a label is about runs from main alone, and
// the entry is another one.
func (k *judge) mainAlone(e entry, id label.ID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !e.ownMain() && k.proved[id]
}

// ofMain reports whether a proof about runs from main is one about the campaign: not if a
// call of a function alone has covered the label. No such call will from now on. Of one that
// a run from main covers a proof is a contradiction. It is asked, and the proof stored, with
// the lock of the truth held.
func (k *judge) ofMain(id label.ID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.proved == nil {
		return true
	}
	st, _ := k.st.Status(id)
	k.proved[id] = k.proved[id] || st.Status != label.Covered
	return k.proved[id] || k.mains[id]
}

// fromMain notes what a confirmed run from main has satisfied. The lock is held.
func (k *judge) fromMain(e entry, v label.Verdict) {
	if !e.ownMain() || v.Outcome != label.Normal {
		return
	}
	if k.mains == nil {
		k.mains = map[label.ID]bool{}
	}
	for _, id := range v.Hits {
		k.mains[id] = true
	}
}

// followMain lets the engines work on a program's own main and, where it finds nothing
// more, on its functions: on those until nothing comes of them either, then on main again.
func (c *session) followMain(ctx context.Context, p engine.Program, w *way) (stats engine.Stats, err error) {
	if w.settled {
		c.over, stats.Complete = true, w.complete
	} else if stats, err = c.fromMain(ctx, p, w.entry, c.left()); err != nil {
		return stats, err
	}
	if !c.dry() && !c.joins() || ctx.Err() != nil {
		return stats, nil
	}
	goes := !c.over
	left := c.left()
	if goes {
		left = time.Duration(min(c.openBeyond(), joinMost) * float64(left))
	}
	defer c.endBeside()
	further, err := c.fromFunctions(ctx, left)
	stats = alongside(stats, further)
	if err == nil && goes && !c.satisfied() && ctx.Err() == nil && c.left() >= minRound {
		over := c.over
		var more engine.Stats
		more, err = c.fromMain(ctx, p, w.entry, time.Since(c.judge.began)+c.left())
		complete := more.Complete
		stats = alongside(stats, more)
		stats.Complete, c.over = complete, c.over && over
	}
	return stats, err
}

// fromMain is one exploration from main, until so long after the first began.
func (c *session) fromMain(ctx context.Context, p engine.Program, e entry, budget time.Duration) (engine.Stats, error) {
	begin := time.Now()
	wait := c.besideAll(ctx, e, budget-begin.Sub(c.judge.began))
	stats, err := c.exploreInRounds(ctx, e, p, budget)
	wait(err != nil || stats.Complete || c.st.AllResolved() || c.dry())
	if err != nil {
		return stats, err
	}
	c.noteExplored(e, stats)
	stats.Infeasible, err = c.claim(e, stats)
	// Where an engine ends of itself, or has found nothing in half of the time, no more is waited for.
	took := time.Since(c.judge.began)
	ended := !c.dry() && took < budget*9/10
	c.over = stats.Complete || ended || !c.dry() && 2*c.judge.lastLabelAfter() < took
	c.done[e.name] = c.over
	return stats, err
}

// fromFunctions lets the engines work on the functions for so long.
func (c *session) fromFunctions(ctx context.Context, budget time.Duration) (engine.Stats, error) {
	end := time.Now().Add(budget) // waiting included
	if c.over {                   // it has come to its end, and proofs of its runs tell what is worth going on for
		c.proofs.await(c.began.Add(c.job.Budget / 2))
	}
	if c.st.AllResolved() {
		return engine.Stats{}, nil
	}
	if !c.joined {
		c.note(fmt.Sprintf("main covers %d of %d labels in %v: for those that are open every function is a way in, "+
			"too (--function main for it alone)", c.st.Covered(), len(c.prog.labels),
			time.Since(c.began).Round(100*time.Millisecond)))
		if err := c.join(); err != nil {
			return engine.Stats{}, err
		}
	}
	c.dried = true
	f := c.follower(engine.Program{})
	if len(c.early) > 0 {
		f.programs[c.early[0].entry.image] = c.earlier
	}
	err := f.all(ctx, c.early, end, patience)
	late := func(t target) bool { return f.opened(t) > 0 }
	f.unfinished = f.unfinished || slices.ContainsFunc(f.prog.without(), late)
	f.noteDone(f.plan.ways)
	return f.stats, errors.Join(err, c.judge.failed())
}
