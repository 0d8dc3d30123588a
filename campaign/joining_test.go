package campaign

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"klabel/label"
	"klabel/store"
)

func TestPace(t *testing.T) {
	begin := time.Now()
	at := func(seconds int) time.Time { return begin.Add(time.Duration(seconds) * time.Second) }
	var p pace
	for _, step := range []struct {
		second, open int
		slow         bool
	}{
		{0, 100, false},
		{4, 100, false}, // too soon to say
		{5, 90, false},
		{9, 90, false},
		{10, 87, true}, // 3 of 87
		{11, 80, false},
		{16, 80, true},
	} {
		if got := p.slow(at(step.second), step.open, 5*time.Second); got != step.slow {
			t.Errorf("after %d s with %d open: slow is %v", step.second, step.open, got)
		}
	}
}

// A test of a function says nothing against what was proved of runs from main.
func TestProper(t *testing.T) {
	k := &judge{proved: map[label.ID]bool{3: true}, related: []relation{
		{4, store.Relation{Kind: label.Duplicate, Of: 5}},
		{6, store.Relation{Kind: label.Subsumed, Of: 7}},
	}}
	function, main := entry{number: 1}, entry{}
	for _, tt := range []struct {
		entry entry
		hits  []label.ID
		want  []label.ID
	}{
		{main, []label.ID{1, 3, 4}, []label.ID{1, 3, 4}}, // that is a contradiction, and shall be one
		{function, []label.ID{1, 2, 3}, []label.ID{1, 2}},
		{function, []label.ID{1, 4}, []label.ID{1}},
		{function, []label.ID{1, 5}, []label.ID{1}},
		{function, []label.ID{1, 4, 5}, []label.ID{1, 4, 5}},
		{function, []label.ID{1, 6}, []label.ID{1, 6}},
		{function, []label.ID{1, 7}, []label.ID{1}},
		{function, []label.ID{6, 7}, []label.ID{6, 7}},
	} {
		if got := k.proper(tt.entry, label.Verdict{Hits: tt.hits}).Hits; !slices.Equal(got, tt.want) {
			t.Errorf("entry %d, hits %v: %v count, want %v", tt.entry.number, tt.hits, got, tt.want)
		}
	}
	alike := &judge{}
	if got := alike.proper(function, label.Verdict{Hits: []label.ID{3, 4}}).Hits; len(got) != 2 {
		t.Errorf("where all entries are alike %v of 2 hits count", got)
	}
}

// A proof about runs from main is dropped where a call of a function alone covers the label;
// where a run from main does, it is stored, and that is a contradiction.
func TestProofsOfMain(t *testing.T) {
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := st.SetProgram("p"); err != nil {
		t.Fatal(err)
	}
	labels := []label.Label{{ID: 1, Predicate: "a"}, {ID: 2, Predicate: "b"}, {ID: 3, Predicate: "c"}}
	if err := st.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	k := &judge{st: st, proved: map[label.ID]bool{}}
	for i, e := range []entry{{number: 1, name: "f"}, {}} {
		v := label.Verdict{Outcome: label.Normal, Hits: []label.ID{label.ID(i + 1)}}
		k.fromMain(e, v)
		name := fmt.Sprint("test", i)
		if _, err := st.Record(store.TestResult{Name: name, File: name, Data: []byte("x"), Entry: e.name, Hash: name,
			Verdict: v}); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[label.ID]bool{1: false, 2: true, 3: true} {
		if got := k.ofMain(id); got != want {
			t.Errorf("label %d: %v, want %v", id, got, want)
		}
	}
}

// A failing test takes a proof back; that of a function none about runs from main.
func TestFailingTestsAndProofs(t *testing.T) {
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := st.SetProgram("p"); err != nil {
		t.Fatal(err)
	}
	var labels []label.Label
	for id := label.ID(1); id <= 4; id++ {
		labels = append(labels, label.Label{ID: id, Predicate: "a"})
	}
	if err := st.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	for _, l := range labels {
		if _, err := st.Mark(l.ID, label.Infeasible, store.Reason{Method: "native", Text: "none"}); err != nil {
			t.Fatal(err)
		}
	}
	k := &judge{st: st, failing: map[label.ID]failure{}, proved: map[label.ID]bool{1: true, 2: true, 4: true}}
	c := &session{st: st, judge: k, barred: map[label.ID]store.Reason{}}
	function, main := entry{number: 1, name: "f"}, entry{}
	k.fails(function, []label.ID{1, 2, 3}, "test1", "crash") // 3 was proved of calls of the function
	k.fails(main, []label.ID{2}, "test2", "crash")
	k.fails(function, []label.ID{2}, "test3", "crash")
	snap, err := st.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.reachable(snap); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[label.ID]label.Status{
		1: label.Infeasible, 2: label.Unknown, 3: label.Unknown, 4: label.Infeasible,
	} {
		if got, _ := st.Status(id); got.Status != want {
			t.Errorf("label %d is %v, want %v", id, got.Status, want)
		}
	}
	if got := k.failing[2].test; got != "test2" {
		t.Errorf("label 2 is said to be reached by %s, want main's test", got)
	}
	if !k.mainAlone(function, 1) || k.mainAlone(function, 3) || k.mainAlone(main, 1) {
		t.Error("what a function's run overwrites bars proofs about main's runs, or what main's overwrites none")
	}
}
