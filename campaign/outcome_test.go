package campaign

import (
	"testing"

	"klabel/fault"
	"klabel/report"
)

func TestOutcome(t *testing.T) {
	half := report.Summary{Ratios: report.Ratios{Feasible: 0.5}}
	wrong, cut := half, half
	wrong.Contradictions = []report.Contradiction{{}}
	cut.Interrupted = true
	both := wrong
	both.Interrupted = true
	for _, c := range []struct {
		name string
		bar  Bar
		sum  report.Summary
		want int
	}{
		{"nothing asked", Bar{}, half, fault.Done},
		{"enough", Bar{FailUnder: 50}, half, fault.Done},
		{"not enough", Bar{FailUnder: 50.1}, half, fault.Under},
		{"contradiction, not strict", Bar{}, wrong, fault.Done},
		{"contradiction", Bar{Strict: true, FailUnder: 90}, wrong, fault.Failed},
		{"a file that does not compile", Bar{FailUnder: 90}, report.Summary{Broken: []string{"a.c:1: what?"}}, fault.Failed},
		{"interrupted", Bar{FailUnder: 90}, cut, fault.Interrupted},
		{"interrupted with a contradiction", Bar{Strict: true}, both, fault.Interrupted},
	} {
		if got := fault.Code(c.bar.Outcome(c.sum)); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.name, got, c.want)
		}
	}
}
