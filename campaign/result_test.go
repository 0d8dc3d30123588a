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

// TestGivenByDrivers: a finding is doubtful where it may rest on what a driver made up, and
// only there; a test of which that is not true shows it better.
func TestGivenByDrivers(t *testing.T) {
	at := func(reason string) report.TestRow {
		return report.TestRow{Name: "t", Entry: "f", Outcome: label.SanitizerErr, Reason: reason,
			Given: []string{"NULL for p", "4 items behind q"}}
	}
	for _, c := range [][2]string{
		{"UndefinedBehaviorSanitizer: load of null pointer at f.c:3:4", "given NULL for p"},
		{"AddressSanitizer: SEGV at f.c:3", "given NULL for p, 4 items behind q"},
		{"AddressSanitizer: SEGV", "given NULL for p, 4 items behind q"},
		{"AddressSanitizer: heap-buffer-overflow at f.c:3", ""},
		{"AddressSanitizer: stack-buffer-overflow: in memory that the driver gives at f.c:3", "given 4 items behind q"},
		{"UndefinedBehaviorSanitizer: division by zero at f.c:3:4", ""},
		{"UndefinedBehaviorSanitizer: index 10 out of bounds at f.c:3:4", ""},
		{"UndefinedBehaviorSanitizer: signed integer overflow at f.c:3:4", ""},
	} {
		reason, want := c[0], c[1]
		if got := findings([]report.TestRow{at(reason)}, &store.Snapshot{}); len(got) != 1 || got[0].Doubt != want {
			t.Errorf("%s: %+v, want %q", reason, got, want)
		}
	}
	doubtful, sure := at("AddressSanitizer: SEGV at f.c:3"), at("AddressSanitizer: SEGV at f.c:3")
	sure.Name, sure.Given = "sure", nil
	if got := findings([]report.TestRow{doubtful, sure}, &store.Snapshot{}); len(got) != 1 || got[0].Test != "sure" ||
		got[0].Doubt != "" || len(got[0].Given) > 0 || got[0].Count != 2 {
		t.Errorf("%+v", got)
	}
}
