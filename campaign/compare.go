package campaign

import (
	"context"
	"fmt"
	"path/filepath"

	"klabel/engine"
	"klabel/fault"
	"klabel/report"
	"klabel/toolchain"
)

// Compare runs a job once in each mode, one after the other, each from nothing in
// a folder of its own: the engine alone, without what else covers labels. What
// there is of the comparison is returned with an error, too; watch gives the
// observer of a mode.
func Compare(ctx context.Context, j Job, modes []engine.Mode, tools *toolchain.Tools,
	watch func(engine.Mode) Observer) ([]report.Summary, error) {
	j.Fresh, j.NoRandom, j.Prune, j.TestStyle = true, true, PruneNever, NoCTests
	sums := []report.Summary{}
	dir := j.Output()
	for _, m := range modes {
		j.Mode, j.OutputDir = m, filepath.Join(dir, string(m))
		s, err := Run(ctx, j, tools, watch(m))
		if err == nil || s.OutputDir != "" {
			sums = append(sums, s)
		}
		switch {
		case err != nil:
			return sums, fmt.Errorf("mode %s: %w", m, err)
		case s.Interrupted:
			return sums, fault.WithCode(fault.Interrupted, fmt.Errorf("interrupted in mode %s", m))
		}
	}
	return sums, nil
}
