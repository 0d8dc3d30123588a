package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/report"
	"klabel/store"
	"klabel/suite"
)

// conclude reduces the suite, writes the label file and sums up.
func (c *campaign) conclude(ctx context.Context, k *judge, stats engine.Stats, wasInterrupted bool) (report.Summary, error) {
	c.obs.Stage("concluding")
	if !c.job.KeepAll {
		if err := c.reduce(); err != nil {
			return report.Summary{}, err
		}
	}
	snap, err := c.st.Snapshot()
	if err != nil {
		return report.Summary{}, err
	}
	if err := c.writeLabels(snap); err != nil {
		return report.Summary{}, err
	}
	c.writeCTests(context.WithoutCancel(ctx), snap)
	if c.job.Goal.Name != "" {
		if err := c.writeTestComp(snap); err != nil {
			return report.Summary{}, err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	s := Summarize(c.job.program(), snap)
	s.OutputDir = c.layout.dir
	s.Interrupted = wasInterrupted
	s.Tests.Generated = k.generated
	s.Tests.RuntimeErrors = k.errors
	s.Tests.Diverged = k.diverged
	s.Tests.Kept = len(c.kept(snap))
	c.mu.Lock()
	s.Notes = append(s.Notes, c.notes...)
	c.mu.Unlock()
	s.Notes = append(s.Notes, stats.Notes...)
	if s.Tests.RuntimeErrors > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("tests that end in a run-time error are in %s; they cover nothing", c.layout.runtimeErrors()))
	}
	s.Engine = report.Engine{
		Name: c.engine.Name(), Version: c.engine.Version(), Mode: string(c.job.Mode), Paths: stats.Paths,
		Instructions: stats.Instructions, Seconds: round(stats.Seconds), LastLabelSeconds: seconds(k.lastLabel), Complete: stats.Complete,
	}
	return s, nil
}

// Summarize turns a snapshot of the store into a summary without engine.
func Summarize(program string, snap *store.Snapshot) report.Summary {
	n := snap.Counts
	s := report.Summary{
		Program: program,
		Labels: report.Counts{Total: n.Total, Covered: n.Covered, Infeasible: n.Infeasible,
			Duplicate: n.Duplicate, Subsumed: n.Subsumed, Unknown: n.Unknown},
		Ratios: report.Ratios{All: n.Ratio(), Feasible: 1, Distinct: n.CleanRatio()},
	}
	if rest := n.Total - n.Infeasible; rest > 0 {
		s.Ratios.Feasible = float64(n.Covered) / float64(rest)
	}
	for _, k := range snap.Criteria {
		s.Criteria = append(s.Criteria, report.CriterionCounts{Name: k.Name, Total: k.Total, Covered: k.Covered,
			Infeasible: k.Infeasible, Unknown: k.Total - k.Covered - k.Infeasible})
	}
	for _, x := range snap.Contradictions {
		s.Contradictions = append(s.Contradictions, report.Contradiction{Label: x.Label, Test: testName(snap, x.Test), Method: x.Proof.Method, Reason: x.Proof.Text})
	}
	return s
}

func testName(snap *store.Snapshot, number uint64) string {
	for _, t := range snap.Tests {
		if t.Number == number {
			return t.Name
		}
	}
	return fmt.Sprintf("test %d", number)
}

// kept returns the tests of the suite: those whose file is under tests/.
func (c *campaign) kept(snap *store.Snapshot) []store.Test {
	var out []store.Test
	for _, t := range snap.Tests {
		if t.Verdict.Outcome == label.Normal && filepath.Dir(t.File) == c.layout.tests() && exists(t.File) {
			out = append(out, t)
		}
	}
	return out
}

// reduce drops the files of tests that add nothing to the suite. The store goes
// on knowing them and what they covered.
func (c *campaign) reduce() error {
	snap, err := c.st.Snapshot()
	if err != nil {
		return err
	}
	tests := c.kept(snap)
	candidates := make([]suite.Test, len(tests))
	for i, t := range tests {
		var size int
		if fi, err := os.Stat(t.File); err == nil {
			size = int(fi.Size())
		}
		candidates[i] = suite.Test{Name: t.Name, Size: size, At: t.At, Hits: t.Verdict.Hits}
	}
	keep := map[string]bool{}
	for _, t := range suite.Reduce(candidates, nil) {
		keep[t.Name] = true
	}
	for _, t := range tests {
		if keep[t.Name] {
			continue
		}
		if err := os.Remove(t.File); err != nil && !errors.Is(err, os.ErrNotExist) {
			return describe(err)
		}
	}
	return nil
}

// writeLabels writes the CSV status file beside the tests.
func (c *campaign) writeLabels(snap *store.Snapshot) error {
	return writeLabelFile(filepath.Join(c.layout.dir, c.job.program()+".labels"), snap)
}

func writeSummary(path string, s report.Summary) error {
	var b bytes.Buffer
	if err := report.JSON(&b, s); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}

// ReadSummary reads the summary.json of an output directory.
func ReadSummary(dir string) (report.Summary, error) {
	var s report.Summary
	b, err := os.ReadFile(layout{dir}.summary())
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err
}

// clear removes what an earlier campaign left beside the store.
func (l layout) clear() error {
	for _, d := range []string{l.tests(), l.runtimeErrors(), filepath.Join(l.dir, "engine"), l.work("")} {
		if err := os.RemoveAll(d); err != nil {
			return describe(err)
		}
	}
	return l.make()
}

// remember makes a test of an earlier campaign known to the judge.
func (k *judge) remember(t *ktest.Test, v label.Verdict) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen[t.Hash()] = v
	if v.Outcome == label.Normal {
		k.patterns[fmt.Sprint(v.Hits)] = true
	}
}

// posixArgs reports whether arguments ask for symbolic argv, input or files.
func posixArgs(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(strings.TrimLeft(a, "-"), "sym-") {
			return true
		}
	}
	return false
}

func seconds(d time.Duration) float64 { return round(d.Seconds()) }

func round(s float64) float64 { return float64(int64(s*1000+0.5)) / 1000 }
