package campaign

import (
	"context"
	"os"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/store"
)

// TestBriefly: tests of an entry that hang make the next ones brief, and those of all
// entries once they have taken their part of the campaign; a program's own main, and
// the user's own tests, always have the whole limit.
func TestBriefly(t *testing.T) {
	k := newJudge(nil, nil, layout{}, "native", Silent{})
	k.limit, k.hangs = 1600*time.Millisecond, 5*time.Second
	ring, list, own := entry{name: "ring", number: 1}, entry{name: "list", number: 2}, entry{}
	if !own.ownMain() {
		t.Fatal("not the program's own main")
	}
	k.load = func() float64 { return 0.5 }
	want := func(e entry, ms int) {
		t.Helper()
		if got := k.briefly(e); got != time.Duration(ms)*time.Millisecond {
			t.Errorf("%q: %v, want %d ms", e.name, got, ms)
		}
	}
	hang := func(e entry) {
		k.noteEnd(e, label.Verdict{Outcome: label.TimedOut, Duration: k.briefly(e)}, nil)
	}
	want(ring, 1600)
	hang(ring)
	want(ring, 200)
	want(list, 1600)
	k.noteEnd(ring, label.Verdict{}, context.Canceled) // says nothing
	want(ring, 200)
	k.noteEnd(ring, label.Verdict{Outcome: label.Normal}, nil)
	want(ring, 1600)
	for range 10 {
		hang(ring)
		hang(own)
	}
	want(ring, 100)
	want(list, 1600)
	hang(list)
	want(list, 100) // they took more than five seconds together
	want(own, 1600)
	k.load = func() float64 { return 3 } // others want the processors, too
	want(list, 300)
	want(own, 1600)
	k.all = true
	want(ring, 1600)
}

// TestBriefTimeouts: a test that had the whole limit and ran out of it is a finding; one
// that was ended early is none.
func TestBriefTimeouts(t *testing.T) {
	l := layout{dir: t.TempDir()}
	if err := os.MkdirAll(l.runtimeErrors(), 0o777); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(l.dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.SetLabels([]label.Label{{ID: 1}}); err != nil {
		t.Fatal(err)
	}
	k := newJudge(st, nil, l, "native", Silent{})
	for i, c := range []struct {
		took time.Duration
		want int
	}{{k.limit / 8, 0}, {k.limit, 2}} { // a test and its reason
		test := &ktest.Test{Objects: []ktest.Object{{Name: "x", Data: []byte{byte(i)}}}}
		if err := k.keep(test, origin{entry: entry{name: "ring", number: 1}}, label.Verdict{Outcome: label.TimedOut,
			Duration: c.took}, true, time.Now(), "native"); err != nil {
			t.Fatal(err)
		}
		if files, _ := os.ReadDir(l.runtimeErrors()); len(files) != c.want {
			t.Errorf("after %v: %d files, want %d", c.took, len(files), c.want)
		}
	}
}
