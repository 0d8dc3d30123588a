package campaign

import (
	"slices"
	"testing"
	"time"

	"klabel/input"
	"klabel/ktest"
	"klabel/label"
)

// An entry is lent tests of other functions' entries that met labels near to it, each once, with what they
// say of its own parameters.
func TestKin(t *testing.T) {
	c := aiming(t)
	own := entry{number: 1, name: "getl", target: "getl", inputs: &input.Driver{Params: []string{"d", "key"}}}
	sibling := entry{number: 2, name: "getl+calls", target: "getl"}
	other := entry{number: 3, name: "gets", target: "gets"}
	c.prog = &program{entries: []entry{own, sibling, other}}
	test := func(names ...string) []byte {
		x := &ktest.Test{Version: ktest.Version}
		for _, n := range names {
			x.Objects = append(x.Objects, ktest.Object{Name: n, Data: []byte("ab")})
		}
		return x.Bytes()
	}
	k := c.judge
	k.seeds.add(other, test("*d", "d->key[1][]", "key[]", "size"), "native", []label.ID{1, 2})
	k.seeds.add(other, test("key[]", "buffer[]"), random, []label.ID{1})
	k.seeds.add(other, test("key[]"), random, []label.ID{5})
	k.seeds.add(other, test("size"), random, []label.ID{1})
	k.seeds.add(sibling, test("key[]", "d:made"), random, []label.ID{1})
	near := nearbyOf([]nearLabel{{id: 1}, {id: 2}})
	var got [][]string
	for _, x := range c.kin(own, near) {
		var names []string
		for _, o := range x.Objects {
			names = append(names, o.Name)
		}
		got = append(got, names)
	}
	want := [][]string{{"*d", "d->key[1][]", "key[]"}, {"key[]"}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
	k.seeds.tries(own, c.kin(own, near)[0], &ktest.Test{}, label.Verdict{})
	if again := c.kin(own, near); len(again) != 1 || again[0].Objects[0].Name != "key[]" {
		t.Errorf("lent again: %v", again)
	}
}

// What the engine follows first are the tests that met most, own ones and lent ones, that others do not.
func TestDeepest(t *testing.T) {
	k := aiming(t).judge
	e := entry{number: 1, name: "f", target: "f"}
	test := func(name string) *ktest.Test {
		return &ktest.Test{Version: ktest.Version, Objects: []ktest.Object{{Name: name, Data: []byte{1}}}}
	}
	k.seeds.add(e, test("little").Bytes(), random, []label.ID{1})
	k.seeds.add(e, test("more").Bytes(), "native", []label.ID{1, 2})
	tries := func(name string, as label.Outcome, hits ...label.ID) {
		k.seeds.tries(e, test("lent"), test(name), label.Verdict{Outcome: as, Hits: hits})
	}
	tries("most", label.Normal, 1, 2, 3)
	tries("the same", label.Normal, 1, 2, 3)
	k.seeds.add(e, test("another").Bytes(), random, []label.ID{7})
	tries("crashed", label.Crashed, 1, 2, 3, 4)
	var got []string
	for _, b := range k.deepest(e) {
		x, err := ktest.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, x.Objects[0].Name)
	}
	if want := []string{"most", "another"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for id := range label.ID(2 * maxDeep) {
		tries("further", label.Normal, id)
	}
	if n := len(k.deepest(e)); n != maxDeep {
		t.Errorf("%d tests", n)
	}
}

// Tests are followed every other time, until that makes the engine slow for nothing.
func TestTurnPace(t *testing.T) {
	var p turnPace
	p.note(false, false, 1000, time.Second)
	if p.follows(0) || !p.follows(1) || p.follows(2) {
		t.Error("not every other turn from the second one on")
	}
	p.note(true, false, 400, time.Second)
	p.note(true, true, 4, time.Second)
	if !p.follows(3) {
		t.Error("a turn that is half as fast, and one that finds something, are too slow")
	}
	if p.note(true, false, 40, time.Second); p.follows(5) {
		t.Error("followed once more, where that took all the time for nothing")
	}
}
