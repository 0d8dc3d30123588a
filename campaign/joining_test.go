package campaign

import (
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
