package campaign

import (
	"cmp"
	"context"
	"slices"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
)

// Variants of a function's entry are given the same inputs and a few of their own: which call
// comes before, which allocation fails. (That a pointer leads to what another one does is a
// further value of an input that both have, and not tried here.) A test that leads deep into the function from one
// entry does so from another, and there each value of what it says nothing of is tried: what
// an engine would have to find on every path anew. So the first slices of a variant begin.

const (
	maxSiblings  = 12 // tests of other variants
	lastChoice   = 8  // of an input of a byte: what chooses has few values
	mostAlike    = 3  // values in a row that lead to the same labels
	inheritTurns = 2  // slices that begin so, and with
	inheritPart  = 4  // one of so many parts of their time
)

// siblings are tests of other entries of the same function, those that meet most first.
func (c *session) siblings(e entry) (out []*ktest.Test) {
	var all []seed
	c.judge.mu.Lock()
	for _, o := range c.prog.all() {
		if o.target == e.target && o.name != e.name {
			all = append(all, c.judge.seeds.tests[o.name]...)
		}
	}
	c.judge.mu.Unlock()
	slices.SortStableFunc(all, func(a, b seed) int { return cmp.Compare(len(b.hits), len(a.hits)) })
	for _, s := range all {
		if t, err := ktest.Parse(s.test); err == nil && len(out) < maxSiblings {
			out = append(out, t)
		}
	}
	return out
}

// lent are the tests of other entries that a slice of an entry begins with: in the first ones those of its siblings,
// and of its kin whatever is new.
func (c *session) lent(w *way, slice int) []*ktest.Test {
	tests := c.kin(w.entry, w.near)
	if w.rank > 0 && slice < inheritTurns {
		tests = append(c.siblings(w.entry), tests...)
	}
	return tests
}

// inherit tries tests of other entries, until a moment, as long as labels are near.
func (c *session) inherit(ctx context.Context, e entry, tests []*ktest.Test, end time.Time, near func() bool) {
	k, tried, before := c.judge, 0, c.judge.newly(e)
	defer func() {
		if tried > 0 {
			log.Debugf("%s, tests of other entries: %d labels in %d runs", e.name, k.newly(e)-before, tried)
		}
	}()
	try := func(t *ktest.Test) (v label.Verdict, made []replayer.Asked, ok bool) {
		if time.Now().After(end) || !near() {
			return v, nil, false
		}
		if v, made, ok = k.try(ctx, e, t); ok {
			tried++
		}
		return v, made, ok
	}
	for _, t := range tests {
		as, made, ok := try(t)
		if !ok {
			return
		}
		whole := replayer.Complete(t, made)
		c.judge.mu.Lock()
		c.judge.seeds.tries(e, t, whole, as)
		c.judge.mu.Unlock()
		for _, name := range choicesBeside(t, made) {
			alike := 0
			for value := byte(1); value <= lastChoice && alike < mostAlike; value++ {
				v, _, ok := try(with(whole, name, value))
				if !ok {
					return
				}
				if alike++; !slices.Equal(v.Hits, as.Hits) {
					alike = 0
				}
			}
		}
	}
}

// try replays a test briefly, and keeps it if it covers something new.
func (k *judge) try(ctx context.Context, e entry, t *ktest.Test) (v label.Verdict, made []replayer.Asked, ok bool) {
	if ctx.Err() != nil || k.failed() != nil {
		return v, nil, false
	}
	v, made, err := k.poolOf(e).ReplayBriefly(ctx, e.number, t, k.briefly(e))
	if err != nil {
		return v, nil, false
	}
	k.noteEnd(e, v, nil)
	k.sampled(ctx, e, t, v, made)
	return v, made, true
}

// choicesBeside are the inputs of one byte that a test says nothing of, and that were made
// up; none if nothing that was asked for is what it has.
func choicesBeside(t *ktest.Test, asked []replayer.Asked) (out []string) {
	said := map[string]bool{}
	for _, o := range t.Objects {
		said[o.Name] = true
	}
	if !slices.ContainsFunc(asked, func(a replayer.Asked) bool { return said[a.Name] }) {
		return nil
	}
	for _, a := range asked {
		if !said[a.Name] && len(a.Data) == 1 && a.Data[0] == 0 {
			out = append(out, a.Name)
		}
	}
	return out
}

// with is a test with another value of one input.
func with(t *ktest.Test, name string, value byte) *ktest.Test {
	x := &ktest.Test{Version: t.Version, Args: t.Args, Objects: slices.Clone(t.Objects)}
	for i, o := range x.Objects {
		if o.Name == name {
			x.Objects[i].Data = []byte{value}
		}
	}
	return x
}
