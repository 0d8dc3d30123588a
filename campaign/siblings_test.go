package campaign

import (
	"slices"
	"testing"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
)

// What a test says nothing of is a choice, the rest stays as it is.
func TestChoicesBeside(t *testing.T) {
	x := &ktest.Test{Version: ktest.Version, Objects: []ktest.Object{{Name: "text", Data: []byte("1*2")},
		{Name: "flag", Data: []byte{0}}}}
	asked := []replayer.Asked{{Name: "flag", Data: []byte{0}}, {Name: "text", Data: []byte("1*2")},
		{Name: "failing allocation", Data: []byte{0}, MadeUp: true}, {Name: "size", Data: []byte{0, 0, 0, 0}, MadeUp: true}}
	if got := choicesBeside(x, asked); !slices.Equal(got, []string{"failing allocation"}) {
		t.Errorf("%q", got)
	}
	if got := choicesBeside(x, asked[2:]); got != nil {
		t.Errorf("another entry's test: %q", got)
	}
	whole := replayer.Complete(x, asked)
	y := with(whole, "failing allocation", 3)
	if len(y.Objects) != 4 || y.Objects[2].Data[0] != 3 || string(y.Objects[1].Data) != "1*2" ||
		whole.Objects[2].Data[0] != 0 {
		t.Errorf("%v", y.Objects)
	}
}

// An entry has the tests of the function's other entries, those that meet most first, and
// not its own or another function's.
func TestSiblings(t *testing.T) {
	c := aiming(t)
	plain, failing, other := entry{number: 1, name: "f", target: "f"}, entry{number: 2, name: "f+failing", target: "f"},
		entry{number: 3, name: "g", target: "g"}
	c.prog = &program{entries: []entry{plain, failing, other}}
	test := func(name string) []byte {
		return (&ktest.Test{Version: ktest.Version, Objects: []ktest.Object{{Name: name, Data: []byte{0}}}}).Bytes()
	}
	k := c.judge
	k.seeds.add(plain, test("little"), "native", []label.ID{1})
	k.seeds.add(plain, test("most"), random, []label.ID{1, 2, 3})
	k.seeds.add(failing, test("own"), "native", []label.ID{1, 2, 3, 4})
	k.seeds.add(other, test("other"), "native", []label.ID{5, 6, 7, 8})
	var got []string
	for _, x := range c.siblings(failing) {
		got = append(got, x.Objects[0].Name)
	}
	if want := []string{"most", "little"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for range 2 * maxSiblings {
		k.seeds.add(plain, test("more"), "native", nil)
	}
	if n := len(c.siblings(failing)); n != maxSiblings {
		t.Errorf("%d tests", n)
	}
}
