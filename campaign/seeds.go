package campaign

import (
	"slices"

	"klabel/engine"
)

// maxSeeds bounds the tests of an entry that a fuzzer is given to begin with.
const maxSeeds = 200

// seeds are the tests that met labels in a new way, for engines that can begin
// with the tests of others. They are guarded by the judge's lock.
type seeds struct {
	tests     map[string][][]byte // by entry, the latest last
	listeners map[string][]engine.Seeded
}

// add is told of each such test, and who made it; engines at work get it at once,
// but for those of its maker.
func (s *seeds) add(e entry, test []byte, by string) {
	if s.tests == nil {
		s.tests = map[string][][]byte{}
	}
	s.tests[e.name] = append(s.tests[e.name], test)
	if by == fuzzName {
		return
	}
	for _, l := range s.listeners[e.name] {
		l.Seed(test)
	}
}

// listen lets a run have the tests of an entry until it is called off.
func (k *judge) listen(e entry, to engine.Seeded) (off func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seeds.listeners == nil {
		k.seeds.listeners = map[string][]engine.Seeded{}
	}
	k.seeds.listeners[e.name] = append(k.seeds.listeners[e.name], to)
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		list := k.seeds.listeners[e.name]
		k.seeds.listeners[e.name] = slices.DeleteFunc(slices.Clone(list), func(o engine.Seeded) bool { return o == to })
	}
}

// seedsOf are the tests to begin with, the latest ones if there are many.
func (k *judge) seedsOf(e entry) [][]byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.seeds.tests[e.name]
	return slices.Clone(all[max(0, len(all)-maxSeeds):])
}

// engineNames is what the summary calls the engines that work.
func (c *session) engineNames() string {
	if c.beside == nil {
		return c.engine.Name()
	}
	return c.engine.Name() + "+" + c.beside.engine.Name()
}
