package campaign

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"klabel/ktest"
	"klabel/label"
)

// Functions of a library are given the same things under the same names: the table, the key, the
// name of a file. A test that finds the key through the function which looks for it finds it
// through those that ask this one, too, where an engine would have to find the file's text anew,
// for labels that say nothing of it. So the slices of an entry begin with such tests.

const (
	maxKin   = 12 // tests of other functions' entries, each time
	maxDeep  = 6  // tests of an entry that an engine follows anew
	maxKnown = 64 // that wait for it
)

// kin are tests of other functions' entries that met labels near to an entry, those that met most
// first, with what they say of its own parameters, and not those that it was lent before.
func (c *session) kin(e entry, near *nearby) (out []*ktest.Test) {
	if e.inputs == nil || e.ownMain() {
		return nil
	}
	type relative struct {
		seed
		met int
	}
	var all []relative
	ids := near.ids()
	c.judge.mu.Lock()
	for _, o := range c.prog.all() {
		if o.target == e.target || o.ownMain() {
			continue
		}
		for _, s := range c.judge.seeds.tests[o.name] {
			met := 0
			for _, id := range s.hits {
				if ids[id] {
					met++
				}
			}
			if met > 0 {
				all = append(all, relative{s, met})
			}
		}
	}
	tried := maps.Clone(c.judge.seeds.lent[e.name])
	c.judge.mu.Unlock()
	slices.SortStableFunc(all, func(a, b relative) int { return cmp.Compare(b.met, a.met) })
	for _, s := range all {
		t, err := ktest.Parse(s.test)
		if err != nil || len(out) == maxKin {
			continue
		}
		if t = e.ownInputs(t); t == nil || tried[string(t.Bytes())] ||
			slices.ContainsFunc(out, func(x *ktest.Test) bool { return x.Hash() == t.Hash() }) {
			continue
		}
		out = append(out, t)
	}
	return out
}

// ownInputs is what a test of another entry says of this one's parameters; nil where that is nothing but
// choices.
func (e entry) ownInputs(t *ktest.Test) *ktest.Test {
	x := &ktest.Test{Version: t.Version}
	says := false
	for _, o := range t.Objects {
		if !slices.Contains(e.inputs.Params, rootOf(o.Name)) {
			continue
		}
		says = says || len(o.Data) > 1
		x.Objects = append(x.Objects, o)
	}
	if !says {
		return nil
	}
	return x
}

// rootOf is the parameter that an input belongs to: "d" of "*d", "d->key[1][]" and "d:made:new.size".
func rootOf(name string) string {
	name = strings.TrimLeft(name, "*(")
	if i := strings.IndexAny(name, "-[:.()"); i >= 0 {
		name = name[:i]
	}
	return name
}

// tries notes that an entry has been lent a test, and where that led to if it ended well.
func (s *seeds) tries(e entry, lent, whole *ktest.Test, v label.Verdict) {
	if s.lent == nil {
		s.lent, s.led = map[string]map[string]bool{}, map[string][]seed{}
	}
	if s.lent[e.name] == nil {
		s.lent[e.name] = map[string]bool{}
	}
	s.lent[e.name][string(lent.Bytes())] = true
	if v.Outcome == label.Normal && len(s.led[e.name]) < maxKnown {
		s.led[e.name] = append(s.led[e.name], seed{test: whole.Bytes(), hits: v.Hits})
	}
}

// slowed is how much slower an engine may be where it follows tests first.
const slowed = 8

// turnPace is how many paths a second an entry's engine sees.
type turnPace struct {
	plain float64 // in the last turn that followed no tests
	slow  bool    // one that did so was far slower, and covered nothing
}

// follows reports whether the engine begins a turn of an entry with the deepest tests: every other turn does, and
// not the first one. What these lead to may take long, for each step on a long path is dear; then none does any more.
func (p *turnPace) follows(turn int) bool { return turn%2 == 1 && !p.slow }

// note is told of a turn's end.
func (p *turnPace) note(followed, found bool, paths uint64, took time.Duration) {
	pace := float64(paths) / max(took.Seconds(), 0.001)
	switch {
	case !followed:
		p.plain = pace
	case !found && pace*slowed < p.plain:
		p.slow = true
	}
}

// deepest are tests of an entry, its own and those that it was lent: first the one that met most, then which
// met most that those before did not. An engine begins each turn anew: what lies beside their paths it finds at once.
func (k *judge) deepest(e entry) (out [][]byte) {
	k.mu.Lock()
	all := slices.Concat(k.seeds.tests[e.name], k.seeds.led[e.name])
	k.mu.Unlock()
	met := map[label.ID]bool{}
	further := func(s seed) (n int) {
		for _, id := range s.hits {
			if !met[id] {
				n++
			}
		}
		return n
	}
	for len(all) > 0 && len(out) < maxDeep {
		best := slices.MaxFunc(all, func(a, b seed) int { return cmp.Compare(further(a), further(b)) })
		if further(best) == 0 {
			break
		}
		for _, id := range best.hits {
			met[id] = true
		}
		out = append(out, best.test)
	}
	return out
}
