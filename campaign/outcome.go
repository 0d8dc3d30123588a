package campaign

import (
	"fmt"

	"klabel/fault"
	"klabel/report"
)

// Bar is what a result has to reach for the command to succeed.
type Bar struct {
	Strict    bool    // no proof may contradict a test
	FailUnder float64 // percentage of the labels not proved infeasible; 0: any
}

// Outcome is what every command says of a result in the end: nil, or an error
// with the exit code. An interruption comes first, since what it cut off was not
// judged; then what is wrong; then what is not enough.
func (b Bar) Outcome(s report.Summary) error {
	contradictions := len(s.Contradictions)
	for _, f := range s.Functions {
		contradictions += f.Contradictions
	}
	r := s.Ratios.Feasible
	switch {
	case s.Interrupted:
		return fault.WithCode(fault.Interrupted, fmt.Errorf("interrupted; what was found is in %s", s.OutputDir))
	case b.Strict && contradictions > 0:
		return fmt.Errorf("%d contradictions between proofs and tests", contradictions)
	case len(s.Broken) > 0:
		return fmt.Errorf("files that could not be read: %d", len(s.Broken))
	case s.Failed > 0:
		what := "functions"
		if s.Programs {
			what = "programs"
		}
		return fmt.Errorf("%d of %d %s failed", s.Failed, len(s.Functions), what)
	case r.Under(b.FailUnder) && !r.Defined():
		return fault.WithCode(fault.Under, fmt.Errorf("no label could be covered, and %.1f %% is asked "+
			"for", b.FailUnder))
	case r.Under(b.FailUnder):
		return fault.WithCode(fault.Under, fmt.Errorf("coverage is %s, under the %.1f %% asked for", r, b.FailUnder))
	}
	return nil
}
