package campaign

import (
	"testing"

	"klabel/engine"
)

func TestSplitEngines(t *testing.T) {
	for name, want := range map[string]struct {
		main string
		with bool
	}{
		"native": {"native", false}, "fuzz": {"fuzz", false}, "native+fuzz": {"native", true},
		"fuzz+klee":   {"klee", true},
		"auto+fuzz":   {"auto", true},
		"klee+native": {}, "fuzz+fuzz": {}, "native+fuzz+klee": {}, "+fuzz": {},
	} {
		main, extra, err := splitEngines(name, engineTable())
		if (err != nil) != (want.main == "") || main != want.main || (extra != nil) != want.with {
			t.Errorf("%s: %q, %v, %v", name, main, extra, err)
		}
	}
	if main, _, err := splitEngines("bogus", engineTable()); main != "bogus" || err != nil {
		t.Errorf("what is no engine is for others to say: %q, %v", main, err)
	}
}

// heard notes the tests that a run is given.
type heard []string

func (h *heard) Seed(test []byte) { *h = append(*h, string(test)) }

// Tests of an entry go to those who fuzz it, but for their own, and are there for
// who begins later.
func TestSeeds(t *testing.T) {
	k := newJudge(nil, nil, layout{}, "native", Silent{})
	f, g := entry{number: 1, name: "f"}, entry{number: 2, name: "g"}
	var of, og heard
	off := k.listen(f, &of)
	var _ engine.Seeded = &of
	k.listen(g, &og)
	k.seeds.add(f, []byte("a"), "native")
	k.seeds.add(f, []byte("b"), fuzzName)
	k.seeds.add(f, []byte("c"), random)
	off()
	k.seeds.add(f, []byte("d"), "native")
	if len(of) != 2 || of[0] != "a" || of[1] != "c" || len(og) != 0 {
		t.Errorf("%q, %q", of, og)
	}
	if all := k.seedsOf(f); len(all) != 4 || string(all[3]) != "d" || len(k.seedsOf(g)) != 0 {
		t.Errorf("%q", all)
	}
	for range maxSeeds {
		k.seeds.add(g, []byte("x"), "native")
	}
	k.seeds.add(g, []byte("last"), "native")
	if all := k.seedsOf(g); len(all) != maxSeeds || string(all[maxSeeds-1]) != "last" {
		t.Errorf("%d", len(all))
	}
}
