package campaign

import (
	"slices"

	"klabel/engine"
	"klabel/label"
)

// maxSeeds bounds the tests of an entry that a fuzzer is given to begin with;
// maxFollowed is that of an engine that follows each of them along its path.
const (
	maxSeeds    = 200
	maxFollowed = 24
)

// seeds are the tests that met labels in a new way, for engines that can begin
// with the tests of others. They are guarded by the judge's lock.
type seeds struct {
	tests     map[string][]seed // by entry, the latest last
	listeners map[string][]listener
	lent      map[string]map[string]bool // tests of other entries that an entry has tried
	led       map[string][]seed          // those of them that ended well, with all its inputs
}

// seed is a test, and who made it.
type seed struct {
	test      []byte
	by        string
	hits      []label.ID
	used      bool // as the first half of a pair
	refused   byte // so many of its allocations were made to fail, each by itself
	refusable bool // and there seem to be more
}

type listener struct {
	to   engine.Seeded
	by   string
	args []string // of the program
}

// wanted reports whether an engine makes use of a test: a fuzzer of any other's. Of
// an engine that sees paths only a fuzzer sees more.
func (s seed) wanted(engine string) bool {
	if engine == fuzzName {
		return s.by != fuzzName
	}
	return s.by == fuzzName
}

// add is told of each such test, and who made it; engines at work get it at once,
// but for those of its maker.
func (s *seeds) add(e entry, test []byte, by string, hits []label.ID) {
	if s.tests == nil {
		s.tests = map[string][]seed{}
	}
	n := seed{test: test, by: by, hits: hits}
	s.tests[e.name] = append(s.tests[e.name], n)
	for _, l := range s.listeners[e.name] {
		if !n.wanted(l.by) {
			continue
		}
		if t := fitted(test, l.by, l.args); t != nil {
			l.to.Seed(t)
		}
	}
}

// listen lets a run of an engine have the tests of an entry until it is called off.
func (k *judge) listen(e entry, by string, to engine.Seeded, args []string) (off func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seeds.listeners == nil {
		k.seeds.listeners = map[string][]listener{}
	}
	k.seeds.listeners[e.name] = append(k.seeds.listeners[e.name], listener{to, by, args})
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		list := k.seeds.listeners[e.name]
		k.seeds.listeners[e.name] = slices.DeleteFunc(slices.Clone(list), func(o listener) bool { return o.to == to })
	}
}

// seedsOf are the tests that an engine begins with, the latest ones if there are
// many. A fuzzer that begins anew gets its own, too: its corpus may be lost. Any other
// gets those that have shown the first half of an open pair, each once.
func (k *judge) seedsOf(e entry, engine string, args []string) (out [][]byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if engine != fuzzName {
		out = k.halves(e, engine, args)
	}
	first := len(out)
	most := maxFollowed
	if engine == fuzzName {
		most = maxSeeds
	}
	all := k.seeds.tests[e.name]
	for i := len(all) - 1; i >= 0 && len(out)-first < most; i-- {
		if engine != fuzzName && !all[i].wanted(engine) {
			continue
		}
		if t := fitted(all[i].test, engine, args); t != nil {
			out = append(out, t)
		}
	}
	slices.Reverse(out[first:])
	return out
}

// halves are tests of an entry that have shown the first half of an open pair, and
// with which no run has begun yet. It is called with the lock held.
func (k *judge) halves(e entry, engine string, args []string) (out [][]byte) {
	all := k.seeds.tests[e.name]
	var fresh []seed
	var at []int
	for i, s := range all {
		if !s.used && !s.wanted(engine) { // else it is among the others
			fresh, at = append(fresh, s), append(at, i)
		}
	}
	for _, n := range k.aimed(fresh) {
		all[at[n]].used = true
		if t := fitted(all[at[n]].test, engine, args); t != nil {
			out = append(out, t)
		}
	}
	return out
}
