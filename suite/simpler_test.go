package suite

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"klabel/input"
	"klabel/ktest"
)

func num32(name string, n int32) ktest.Object {
	return ktest.Object{Name: name, Data: binary.LittleEndian.AppendUint32(nil, uint32(n))}
}

func at32(t *ktest.Test, name string) int32 {
	for _, o := range t.Objects {
		if o.Name == name && len(o.Data) == 4 {
			return int32(binary.LittleEndian.Uint32(o.Data))
		}
	}
	return 0
}

// TestSimpler holds tests to the simplest that show the same.
func TestSimpler(t *testing.T) {
	const most = 250
	text := func(s string) ktest.Object { return ktest.Object{Name: "text", Data: []byte(s)} }
	of := func(objects ...ktest.Object) *ktest.Test { return &ktest.Test{Objects: objects} }
	chars := []input.Scalar{{Size: 1, Text: true, Signed: true}, {At: 1, Size: 1, Text: true, Signed: true},
		{At: 2, Size: 1, Text: true, Signed: true}, {At: 3, Size: 1, Text: true, Signed: true}}
	scalars := map[string][]input.Scalar{"text": chars, "u": {{Size: 4}}, "d": {{Size: 8, Float: true}}}
	double := func(x float64) ktest.Object {
		return ktest.Object{Name: "d", Data: binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))}
	}
	for _, c := range []struct {
		name       string
		test, want *ktest.Test
		shows      func(*ktest.Test) bool
	}{
		{"nothing matters", of(num32("a", 77), text("a\xf3b\x01")), of(num32("a", 0), text("\x00\x00\x00\x00")),
			func(*ktest.Test) bool { return true }},
		{"one matters", of(num32("a", -7654321), num32("b", 99), num32("c", 5)),
			of(num32("a", 0), num32("b", 99), num32("c", 0)),
			func(x *ktest.Test) bool { return at32(x, "b") == 99 }},
		{"a bound", of(num32("a", 1876543210)), of(num32("a", 101)), func(x *ktest.Test) bool { return at32(x, "a") > 100 }},
		{"a lower bound", of(num32("a", -1876543210)), of(num32("a", -101)),
			func(x *ktest.Test) bool { return at32(x, "a") < -100 }},
		{"a sum", of(num32("a", 1000), num32("b", 1000)), of(num32("a", 0), num32("b", 1000)),
			func(x *ktest.Test) bool { return at32(x, "a")+at32(x, "b") >= 1000 }},
		{"the least number", of(num32("a", math.MinInt32)), of(num32("a", -1)),
			func(x *ktest.Test) bool { return at32(x, "a") < 0 }},
		{"a text", of(text("\xf3{\x02}")), of(text("a{\x00\x00")),
			func(x *ktest.Test) bool { return x.Objects[0].Data[0] != 0 && x.Objects[0].Data[1] == '{' }},
		{"a double", of(double(1.2345e300)), of(double(1)),
			func(x *ktest.Test) bool {
				return math.Float64frombits(binary.LittleEndian.Uint64(x.Objects[0].Data)) > 0.5
			}},
		{"unsigned", of(num32("u", -1)), of(num32("u", 65)),
			func(x *ktest.Test) bool { return uint32(at32(x, "u")) > 64 }},
	} {
		tries := 0
		got := Simpler(t.Context(), c.test, scalars, most, func(x *ktest.Test) (*ktest.Test, bool) {
			tries++
			return x, c.shows(x)
		})
		if string(got.Bytes()) != string(c.want.Bytes()) || tries > most {
			t.Errorf("%s: after %d tries %q, not %q", c.name, tries, got.Objects, c.want.Objects)
		}
		if !c.shows(got) {
			t.Errorf("%s: %q does not show what it shall", c.name, got.Objects)
		}
	}
}

// TestSimplerChoices: where a choice becomes 0, less is asked for, and never more.
func TestSimplerChoices(t *testing.T) {
	test := &ktest.Test{Objects: []ktest.Object{{Name: "p", Data: []byte{1}}, num32("*p", 44), num32("n", 9)}}
	ask := func(x *ktest.Test) *ktest.Test { // p is NULL, or leads to a number; more is asked for where n is 0
		whole := &ktest.Test{Objects: x.Objects[:1]}
		if x.Objects[0].Data[0] != 0 {
			whole.Objects = append(whole.Objects[:1:1], num32("*p", at32(x, "*p")))
		}
		whole.Objects = append(whole.Objects[:len(whole.Objects):len(whole.Objects)], num32("n", at32(x, "n")))
		if at32(x, "n") == 0 {
			whole.Objects = append(whole.Objects, num32("more", 0), num32("much more", 0))
		}
		return whole
	}
	got := Simpler(t.Context(), test, nil, 100, func(x *ktest.Test) (*ktest.Test, bool) { return ask(x), true })
	if len(got.Objects) != 2 || got.Objects[0].Data[0] != 0 || at32(got, "n") != 1 {
		t.Errorf("got %q", got.Objects)
	}
}

// TestSimplerLarge: what has ended is not gone through byte by byte, and zeros cost no tries.
func TestSimplerLarge(t *testing.T) {
	data := make([]byte, 1<<20)
	data[1<<19] = 7
	large := &ktest.Test{Objects: []ktest.Object{{Name: "large", Data: data}}}
	tries := 0
	got := Simpler(t.Context(), large, nil, 100, func(x *ktest.Test) (*ktest.Test, bool) {
		tries++
		return x, x.Objects[0].Data[1<<19] > 4
	})
	if got.Objects[0].Data[1<<19] != 5 || tries > 30 {
		t.Errorf("%d after %d tries", got.Objects[0].Data[1<<19], tries)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Simpler(ctx, large, nil, 100, func(x *ktest.Test) (*ktest.Test, bool) {
		t.Error("asked after the end")
		return x, true
	}); got != large {
		t.Error("another test")
	}
}
