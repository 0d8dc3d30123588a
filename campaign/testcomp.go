package campaign

import (
	"path/filepath"
	"slices"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/store"
	"klabel/testcomp"
)

// writeTestComp writes the suite in the exchange format of Test-Comp.
func (c *session) writeTestComp(snap *store.Snapshot) error {
	var target label.ID
	for _, l := range c.prog.labels {
		if c.job.Goal.ErrorFunction != "" && l.Function == c.job.Goal.ErrorFunction {
			target = l.ID
		}
	}
	var tests []testcomp.Test
	for _, t := range c.kept(snap) {
		kt, err := ktest.ReadFile(t.File)
		if err != nil {
			return err
		}
		tests = append(tests, testcomp.Test{Name: t.Name, Test: kt, CoversError: target != 0 &&
			slices.Contains(t.Verdict.Hits, target)})
	}
	return describe(testcomp.Write(filepath.Join(c.layout.dir, "test-suite"), testcomp.Suite{
		Producer: "klabel", Specification: c.job.Goal.Text, Program: c.prog.sources[c.prog.home].Path,
		EntryFunction: "main", Bits: c.prog.units[c.prog.home].Target.Bits, Created: time.Now(),
	}, tests))
}
