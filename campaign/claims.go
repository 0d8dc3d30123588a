package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/linkage"
	"klabel/prune"
	"klabel/store"
)

// noteExplored remembers entries of which every path has been seen.
func (c *session) noteExplored(e entry, stats engine.Stats) {
	c.judge.mu.Lock()
	t := c.judge.tallyOf(e)
	t.seconds, t.paths = round(t.seconds+stats.Seconds), max(t.paths, stats.Paths)
	c.judge.mu.Unlock()
	if stats.Complete {
		c.mu.Lock()
		c.explored[e.name] = true
		c.mu.Unlock()
	}
}

// claim stores as infeasible what an exploration proves so, and returns it. The
// program's own main is all that the program can do, unless what it reads is
// volatile. Another entry proves something of the function that it calls, and of
// that alone, if it gives it all that it can be given.
func (c *session) claim(e entry, stats engine.Stats) ([]label.ID, error) {
	var out []label.ID
	for _, id := range stats.Infeasible {
		if !c.proves(e, id) {
			continue
		}
		text := "every path of the program was explored, and none that ends normally satisfies it"
		switch {
		case c.judge.lenient:
			text = "none of the paths that were explored satisfies it, and none of the others leads to it"
		case !stats.Complete && e.ownMain():
			text = "none of the paths that were explored and end normally satisfies it, and none of the others leads " +
				"to it"
		case !stats.Complete:
			text = "none of the paths of " + e.function + " that were explored, with all that it can be given, and " +
				"end normally satisfies it, and none of the others leads to it"
		case !e.ownMain():
			text = "every path of " + e.function + " was explored, with all that it can be given, and none that ends " +
				"normally satisfies it"
		}
		marked, err := c.claimOne(e, id, store.Reason{Method: c.row.name, Text: text, Seconds: stats.Seconds})
		if err != nil {
			return out, err
		}
		if marked {
			out = append(out, id)
		}
	}
	c.mu.Lock()
	c.proved[e.name] = append(c.proved[e.name], out...)
	c.mu.Unlock()
	return out, c.unneeded(out)
}

// claimOne stores one of them, unless it is about runs from main and a call of a function
// has covered the label.
func (c *session) claimOne(e entry, id label.ID, why store.Reason) (bool, error) {
	c.judge.truth.Lock()
	defer c.judge.truth.Unlock()
	if e.ownMain() && !c.judge.ofMain(id) {
		return false, nil
	}
	_, err := c.st.Mark(id, label.Infeasible, why)
	return true, err
}

func (c *session) proves(e entry, id label.ID) bool {
	if c.prog.inBitcode[id] {
		return false // a predicate that fails there ends a path which goes on natively
	}
	if !c.provesAny(e) || e.ownMain() {
		return c.provesAny(e)
	}
	at, known := c.prog.where[id]
	return known && !c.prog.shared[id] && at == e.place() && !c.prog.speaksOf(id, e.remembers)
}

// speaksOf reports whether a label's predicate has one of these names in it.
func (p *program) speaksOf(id label.ID, names []string) bool {
	if len(names) == 0 {
		return false
	}
	i := slices.IndexFunc(p.labels, func(l label.Label) bool { return l.ID == id })
	return i < 0 || slices.ContainsFunc(names, func(n string) bool {
		return strings.Contains(p.labels[i].Predicate, n)
	})
}

// provesAny reports whether an exploration of the entry proves anything.
func (c *session) provesAny(e entry) bool {
	switch {
	case c.job.lenient() && !c.row.failing:
		return false // it speaks of paths that end normally, and others count too
	case len(e.narrowed) > 0, c.beyond() != "":
		return false
	case c.row.allocations:
		return true
	case e.ownMain():
		return !c.allocates()
	}
	return len(e.memory) == 0
}

// beyond is what C does not show of the program, "" if nothing.
func (c *session) beyond() string {
	c.hidden.Do(func() {
		for _, u := range c.prog.units {
			if c.notInC = u.Beyond(); c.notInC != "" {
				return
			}
		}
	})
	return c.notInC
}

// leavesOut is what narrows an entry, in words. An engine that knows what failing
// allocations lead to has said so of the labels.
func (c *session) leavesOut(e entry) []string {
	out := slices.Clone(e.narrowed)
	if why := c.beyond(); why != "" {
		out = append(out, "what follows of "+why)
	}
	if len(e.remembers) > 0 {
		out = append(out, "what calls before this one did, as labels remember it: "+strings.Join(e.remembers, ", "))
	}
	if !c.row.allocations || len(out) > 0 {
		for _, m := range e.memory {
			out = append(out, m+" never fails")
		}
	}
	return out
}

// allocates reports whether a program asks for memory.
func (c *session) allocates() bool {
	c.allocator.Do(func() { c.asksMemory = len(linkage.Used(c.prog.units, allocators)) > 0 })
	return c.asksMemory
}

// allocators are functions whose result is NULL where memory is short.
var allocators = []string{"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "posix_memalign", "strdup",
	"strndup"}

// reachable takes infeasible labels back that failing tests reach: that no run which
// ends normally meets them is said with the reason, but somebody who excludes
// their lines, or takes them for dead, would be wrong. Where functions have joined a main,
// their calls, failing ones, too, say nothing of its runs.
func (c *session) reachable(snap *store.Snapshot) error {
	for _, l := range snap.Labels {
		if l.Status != label.Infeasible || l.Reason == nil {
			continue
		}
		c.judge.mu.Lock()
		f, fails := c.judge.failing[l.ID]
		fails = fails && (f.main || !c.judge.proved[l.ID])
		c.judge.mu.Unlock()
		if !fails {
			continue
		}
		c.barred[l.ID] = *l.Reason
		if _, err := c.st.Mark(l.ID, label.Unknown, store.Reason{}); err != nil {
			return err
		}
	}
	return nil
}

// aloneLimit is how long predicates are asked of alone that lie behind what a run has overwritten.
const aloneLimit = 5 * time.Second

// overwritten takes infeasible labels back that lie behind an access outside an object which
// the native run survives: it has written, or read, what another object holds, which
// provers and engines take no run to do. Nothing is said of what it may satisfy, but of a predicate
// that no values satisfy. At NULL there is no object, and no run goes on behind that: the native one has
// not come there, as where an engine's number is by chance the address that the engine has given a function.
func (c *session) overwritten(ctx context.Context, snap *store.Snapshot) error {
	why := map[label.ID]string{}
	seen := map[string]bool{}
	for _, t := range snap.Tests {
		if seen[t.Entry] || !strings.HasPrefix(t.Verdict.Reason, unconfirmed) ||
			!strings.Contains(t.Verdict.Reason, "memory error") || strings.Contains(t.Verdict.Reason, atNull+";") {
			continue
		}
		e, ok := c.prog.named(t.Entry)
		if !ok {
			continue
		}
		seen[t.Entry] = true
		behind := c.prog.near(e.place()).ids()
		for _, l := range snap.Labels {
			if l.Status != label.Infeasible || !behind[l.ID] && !e.ownMain() || c.judge.mainAlone(e, l.ID) ||
				c.prog.constant[l.ID] != "" {
				continue
			}
			why[l.ID] = fmt.Sprintf("test%06d goes on behind an error that only an engine sees (%s); what it "+
				"overwrites may satisfy this, so that no proof counts", t.Number, t.Verdict.Reason)
		}
	}
	never := c.neverTrue(ctx, why)
	for id, text := range why {
		if f, ok := never[id]; ok {
			// Whatever was proved before, this is what holds.
			if _, err := c.st.Mark(id, label.Infeasible, store.Reason{Method: string(f.Method), Text: f.Text,
				Seconds: f.Seconds}); err != nil {
				return err
			}
			continue
		}
		c.survived[id] = text
		if _, err := c.st.Mark(id, label.Unknown, store.Reason{}); err != nil {
			return err
		}
	}
	return nil
}

// neverTrue are those of some labels whose predicates no values of what they read make true. Those of places that
// units share are none: a name may be another thing in the next unit.
func (c *session) neverTrue(ctx context.Context, of map[label.ID]string) map[label.ID]prune.Finding {
	out := map[label.ID]prune.Finding{}
	if len(of) == 0 || c.job.Prune == PruneNever {
		return out
	}
	o := c.pruneOptions()
	o.Alone, o.Methods, o.MaxPairs, o.Budget = true, []prune.Method{prune.Native}, -1, aloneLimit
	o.WorkDir = c.layout.work("prune-alone")
	o.Skip = func(id label.ID) bool { return of[id] == "" || c.prog.shared[id] }
	o.Found = func(f prune.Finding) {
		if f.Status == label.Infeasible {
			out[f.ID] = f
		}
	}
	if _, err := prune.Run(ctx, o); err != nil {
		c.note("predicates alone: " + err.Error())
	}
	return out
}
