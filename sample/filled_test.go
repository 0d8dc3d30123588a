package sample

import (
	"testing"

	"klabel/ktest"
)

// What fills an object comes first: each function that does, and with each something is found in it afterwards.
func TestFilledFirst(t *testing.T) {
	base := Base{ranges: map[string][2]int32{"t:made": {0, 2}, fillers: {0, 2}, "node:made": {0, 3}, "call 1": {0, 5}},
		test: &ktest.Test{Objects: []ktest.Object{{Name: "t:made", Data: []byte{0}}, {Name: fillers, Data: []byte{0}},
			{Name: "node:made", Data: []byte{0}}, {Name: "call 1", Data: []byte{0}}, {Name: "x", Data: []byte{7}}}}}
	var got [][4]byte
	for _, f := range fills(base) {
		o := f.Objects
		got = append(got, [4]byte{o[0].Data[0], o[1].Data[0], o[2].Data[0], o[3].Data[0]})
		if o[4].Data[0] != 7 {
			t.Errorf("x is %d", o[4].Data[0])
		}
	}
	want := [][4]byte{{1, 1, 1, 0}, {1, 1, 2, 0}, {1, 1, 3, 0}, {1, 2, 1, 0}, {1, 2, 2, 0}, {1, 2, 3, 0}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("test %d: %v, want %v", i, got[i], want[i])
		}
	}
	s := New(1, 1, &Constants{}, nil)
	s.corpus = append(s.corpus, base)
	for i := range want {
		if _, drawn := s.Draw(); drawn.Objects[1].Data[0] != want[i][1] || drawn.Objects[2].Data[0] != want[i][2] {
			t.Errorf("draw %d: %v, want %v", i, drawn.Objects, want[i])
		}
	}
	base.test.Objects = base.test.Objects[2:]
	if got := fills(base); got != nil {
		t.Errorf("%v, though nothing fills an object", got)
	}
}
