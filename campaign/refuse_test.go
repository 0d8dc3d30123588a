package campaign

import (
	"testing"

	"klabel/input"
	"klabel/ktest"
	"klabel/label"
)

// Each test of an entry is taken once, those that meet most first; then again those that ask for more memory.
func TestNextToRefuse(t *testing.T) {
	k := &judge{}
	e := entry{number: 1, name: "f"}
	add := func(name string, hits ...label.ID) {
		x := &ktest.Test{Version: ktest.Version, Objects: []ktest.Object{{Name: name}}}
		k.seeds.add(e, x.Bytes(), random, hits)
	}
	add("little", 1)
	add("most", 1, 2, 3)
	add("more", 1, 2)
	from, again := byte(0), map[string]bool{}
	next := func() string {
		s, at, ok := k.nextToRefuse(e)
		if !ok {
			return ""
		}
		x, err := ktest.Parse(s.test)
		if err != nil {
			t.Fatal(err)
		}
		if name := x.Objects[0].Name; name == "more" || name == "late" {
			k.goOnRefusing(e, at)
		}
		from = s.refused
		return x.Objects[0].Name
	}
	for _, want := range []string{"most", "more", "little", "more"} {
		if got := next(); got != want || (from > 0) != (want == "more" && again[want]) {
			t.Errorf("%q from %d, want %q", got, from, want)
		}
		again[want] = true
	}
	add("late", 4)
	for _, want := range []string{"late", "late", "more"} {
		if got := next(); got != want {
			t.Errorf("%q, want %q: what came since, and had the fewest fail", got, want)
		}
	}
	if from != 2*mostRefused {
		t.Errorf("from %d on, want %d", from, 2*mostRefused)
	}
}

// A test in which an allocation fails says which, is decoded so, and is told from others.
func TestRefusing(t *testing.T) {
	x := &input.Input{Name: "x", Object: "x", Type: &input.Type{Kind: input.Int, Size: 4, Signed: true}}
	d := &input.Driver{Function: "f", Inputs: []*input.Input{x}, Fails: "fails", FailsIfTold: true}
	base := &ktest.Test{Version: ktest.Version, Objects: []ktest.Object{{Name: "x", Data: []byte{7, 0, 0, 0}}}}
	fails := refusing(base, d.Fails, 3)
	for test, want := range map[*ktest.Test]int{base: 0, fails: 3} {
		got, err := d.Decode(test)
		if err != nil {
			t.Fatal(err)
		}
		if got.Fails != want || d.LetsFail(test) != (want > 0) || len(got.Rest) > 0 {
			t.Errorf("%v: %d fails, which is %v, and %d objects are left", test.Objects, got.Fails, d.LetsFail(test),
				len(got.Rest))
		}
	}
	if len(base.Objects) != 1 {
		t.Error("the test that it was made from has changed")
	}
	d.FailsIfTold = false
	if _, err := d.Decode(fails); err != nil || !d.LetsFail(base) {
		t.Errorf("where each test says it: %v", err)
	}
}
