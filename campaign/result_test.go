package campaign

import (
	"testing"
	"time"

	"klabel/label"
	"klabel/report"
	"klabel/store"
)

// TestElapsed: random tests come before any engine, and the night between two
// sessions is no time of the campaign.
func TestElapsed(t *testing.T) {
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(s int) time.Time { return begin.Add(time.Duration(s) * time.Second) }
	snap := &store.Snapshot{
		Runs: []store.Run{{Number: 1, Start: at(10), End: at(400)}, {Number: 2, Start: at(90_000)}},
	}
	want := map[int]int{0: 0, 5: 5, 20: 20, 399: 399, 90_000: 400, 90_007: 407}
	for s := range want {
		var one store.Test
		one.At = at(s)
		snap.Tests = append(snap.Tests, one)
	}
	clock := elapsed(snap)
	for s, w := range want {
		if got := clock(at(s)); got != time.Duration(w)*time.Second {
			t.Errorf("after %d s: %v, want %d s", s, got, w)
		}
	}
}

// TestFindingDoubts: an entry with free state is named only where no plain one
// shows the same.
func TestFindingDoubts(t *testing.T) {
	crash := func(name, entry, where string) report.TestRow {
		return report.TestRow{Name: name, Entry: entry, File: name + ".ktest", Outcome: label.SanitizerErr,
			Reason: "AddressSanitizer: SEGV at f.c:" + where}
	}
	got := findings([]report.TestRow{crash("t1", "f+state", "3"), crash("t2", "f", "3"), crash("t3", "g+sharing", "9"),
		crash("t4", "h", "12"), crash("t5", "h+state", "12")}, &store.Snapshot{})
	if len(got) != 3 || got[0].Test != "t2" || got[0].Doubt != "" || got[0].Count != 2 || got[0].Entry != "f" ||
		got[1].Doubt == "" || got[2].Test != "t4" || got[2].Doubt != "" {
		t.Errorf("%+v", got)
	}
}
