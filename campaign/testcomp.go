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
func (c *campaign) writeTestComp(snap *store.Snapshot) error {
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
		tests = append(tests, testcomp.Test{Name: t.Name, Test: kt, CoversError: target != 0 && slices.Contains(t.Verdict.Hits, target)})
	}
	bits := 64
	if slices.Contains(c.prog.flags[c.prog.home], "-m32") {
		bits = 32
	}
	return describe(testcomp.Write(filepath.Join(c.layout.dir, "test-suite"), testcomp.Suite{
		Producer: "klabel", Specification: c.job.Goal.Text, Program: c.job.Sources[c.prog.home].Path, EntryFunction: "main", Bits: bits, Created: time.Now(),
	}, tests))
}
