package campaign

import (
	"fmt"
	"slices"

	"klabel/label"
	"klabel/report"
	"klabel/store"
)

// recall compares the program with what the store remembers, before the store is
// told of it: which entries are as they were, and what their tests and proofs mean
// in the numbers that labels have now.
func (c *session) recall(program string) error {
	snap, err := c.st.Snapshot()
	if err != nil {
		return err
	}
	if c.engine == nil { // nothing is going to be explored
		return nil
	}
	m := recallFrom(snap)
	c.memory = m
	m.sums = c.prog.sumsOf(c.prog.image, c.wishes(), &c.job)
	m.labels, m.reasons, m.proofs = map[label.ID]label.ID{}, map[label.ID]string{}, map[label.ID]store.Reason{}
	m.former = map[label.ID]string{}
	if snap.Program == program {
		for _, l := range snap.Labels {
			m.labels[l.ID] = l.ID
		}
	} else if snap.Program != "" {
		m.labels = sameLabels(snap.Labels, c.prog)
		c.carry(snap)
	}
	for name := range m.sums {
		r, ok := m.knows(name)
		if !ok {
			continue
		}
		if r.Complete {
			c.explored[name] = true
		}
		for _, id := range r.Infeasible {
			if now, ok := m.labels[id]; ok {
				c.proved[name] = append(c.proved[name], now)
			}
		}
	}
	for _, l := range snap.Labels {
		now, ok := m.labels[l.ID]
		if ok && l.Reason != nil && l.Status == label.Unknown && l.Reason.Method == "campaign" {
			m.former[now] = l.Reason.Text
			if c.asBefore(now) {
				m.reasons[now] = l.Reason.Text
			}
		}
		if ok && l.Status == label.Covered {
			m.covered = append(m.covered, now)
		}
		if ok && l.Reason != nil && l.Status == label.Infeasible {
			m.proofs[now] = *l.Reason
		}
	}
	if snap.Program == program || snap.Program == "" {
		return nil
	}
	return c.st.SetMemory(nil) // should this run be killed, the next one believes nothing
}

// asBefore reports whether all entries of a label's function are as they were.
func (c *session) asBefore(id label.ID) bool {
	at, known := c.prog.where[id]
	if !known {
		return false
	}
	n := 0
	for _, e := range c.prog.all() {
		if at != (e.place()) {
			continue
		}
		if _, ok := c.memory.knows(e.name); !ok {
			return false
		}
		n++
	}
	return n > 0
}

// sameLabels gives labels that an earlier version had the numbers that they have
// now: those of functions that have as many of each text as before. Functions that
// several units have a copy of are left out: their labels may be told apart by
// what the units define.
func sameLabels(before []store.LabelState, p *program) map[label.ID]label.ID {
	type key struct{ file, function, predicate, tags string }
	keyOf := func(l label.Label) key {
		return key{l.Position.File, l.Function, l.Predicate, fmt.Sprintf("%q", l.Tags)}
	}
	old, now := map[key][]label.ID{}, map[key][]label.ID{}
	for _, l := range before {
		old[keyOf(l.Label)] = append(old[keyOf(l.Label)], l.ID)
	}
	for _, l := range p.labels {
		now[keyOf(l)] = append(now[keyOf(l)], l.ID)
	}
	copies := map[string]int{}
	for i := range p.units {
		for _, f := range p.plain[i].Functions() {
			copies[f.Origin.Position().File+" "+f.Name]++
		}
	}
	out := map[label.ID]label.ID{}
	for k, ids := range now {
		was := old[k]
		if len(was) != len(ids) || copies[k.file+" "+k.function] != 1 {
			continue
		}
		slices.Sort(was)
		slices.Sort(ids)
		for i := range ids {
			out[was[i]] = ids[i]
		}
	}
	return out
}

// carry finds the tests whose verdicts hold though the program has changed: those
// of entries that reach nothing that is different.
func (c *session) carry(snap *store.Snapshot) {
	m := c.memory
	for _, t := range snap.Tests {
		_, same := m.knows(t.Entry)
		if _, here := c.prog.named(t.Entry); !same || !here || t.Dropped || t.Verdict.Outcome != label.Normal ||
			t.Engine == projectTests || t.Engine == testsInC {
			continue // what fails says where, and lines change; the user's own tests call what they like
		}
		r := t.TestResult
		r.Verdict.Hits = nil
		for _, id := range t.Verdict.Hits {
			if now, ok := m.labels[id]; ok {
				r.Verdict.Hits = append(r.Verdict.Hits, now)
			}
		}
		if len(r.Verdict.Hits) == len(t.Verdict.Hits) {
			slices.Sort(r.Verdict.Hits)
			m.carried = append(m.carried, r)
		}
	}
}

// takeCarried tells the store, which knows the program now, what still holds.
func (c *session) takeCarried() error {
	for _, r := range c.memory.carried {
		if _, err := c.st.Record(r); err != nil {
			return err
		}
	}
	for name, ids := range c.proved {
		for _, id := range ids {
			why, ok := c.memory.proofs[id]
			e, there := c.prog.named(name)
			if st, _ := c.st.Status(id); !ok || !there || st.Status.Resolved() || !c.proves(e, id) {
				continue
			}
			if _, err := c.st.Mark(id, label.Infeasible, why); err != nil {
				return fmt.Errorf("what %s has proved: %w", name, err)
			}
		}
	}
	return nil
}

// resumed says what this run took over; nil for the first in a directory.
func (c *session) resumed() *report.Resumed {
	if len(c.memory.Entries) == 0 {
		return nil
	}
	r := &report.Resumed{TestsReplayed: c.replayedAgain, TestsKept: len(c.memory.carried), Entries: len(c.memory.sums)}
	for name := range c.memory.sums {
		if c.rests(name) {
			r.Unchanged++
		}
	}
	c.mu.Lock()
	r.Explored = len(c.tried)
	c.mu.Unlock()
	return r
}
