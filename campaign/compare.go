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
func Compare(ctx context.Context, j Job, sides []Side, tools *toolchain.Tools,
	watch func(Side) Observer) ([]report.Summary, error) {
	j.Fresh, j.NoRandom, j.Prune, j.TestStyle = true, true, PruneNever, NoCTests
	sums := []report.Summary{}
	dir := j.Output()
	for _, side := range sides {
		j.Engine, j.Mode, j.OutputDir = side.Engine, side.Mode, filepath.Join(dir, side.String())
		s, err := Run(ctx, j, tools, watch(side))
		if err == nil || s.OutputDir != "" {
			sums = append(sums, s)
		}
		switch {
		case err != nil && side.Mode == "":
			return sums, fmt.Errorf("engine %s: %w", side, err)
		case err != nil:
			return sums, fmt.Errorf("mode %s: %w", side, err)
		case s.Interrupted:
			return sums, fault.WithCode(fault.Interrupted, fmt.Errorf("interrupted in %s", side))
		}
	}
	return sums, nil
}

// Side is one of what is compared: an engine in a mode, or in its best one.
type Side struct {
	Engine string
	Mode   engine.Mode
}

func (s Side) String() string {
	if s.Mode == "" {
		return s.Engine
	}
	return string(s.Mode)
}
