package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"klabel/engine"
	"klabel/fault"
	"klabel/label"
	"klabel/report"
	"klabel/store"
	"klabel/toolchain"
)

// Compare runs each job once in each mode, one after the other, each from nothing in
// a folder of its own, and all of that repeat times: the engine alone, without what
// else covers labels. Sides take turns, so that what the machine does meanwhile
// meets all of them; seeds differ from one time to the next. What there is of the
// comparison is returned with an error, too; watch gives the observer of a run.
func Compare(ctx context.Context, jobs []Job, sides []Side, repeat int, tools *toolchain.Tools,
	watch func(Job, Side) Observer) ([]report.Summary, error) {
	sums := []report.Summary{}
	for _, j := range jobs {
		for n := range max(repeat, 1) {
			for _, side := range sides {
				s, err := compareOne(ctx, j, side, n, tools, watch(j, side))
				if err == nil || s.OutputDir != "" {
					sums = append(sums, s)
				}
				if err != nil {
					return sums, err
				}
			}
		}
	}
	return sums, nil
}

// compareOne is the n-th run of a side.
func compareOne(ctx context.Context, j Job, side Side, n int, tools *toolchain.Tools, obs Observer) (report.Summary,
	error) {
	name := side.String()
	if n > 0 {
		name = fmt.Sprintf("%s-%d", name, n+1)
	}
	j.OutputDir = filepath.Join(j.Output(), name)
	j.Fresh, j.NoRandom, j.Prune, j.TestStyle, j.comparing = true, true, PruneNever, NoCTests, true
	j.Engine, j.Mode, j.Seed = side.Engine, side.Mode, j.Seed+int64(1000*n)
	s, err := Run(ctx, j, tools, obs)
	s.Side = side.String()
	switch {
	case err != nil && side.Mode == "":
		return s, fmt.Errorf("engine %s: %w", side, err)
	case err != nil:
		return s, fmt.Errorf("mode %s: %w", side, err)
	case s.Interrupted:
		return s, fault.WithCode(fault.Interrupted, fmt.Errorf("interrupted in %s", side))
	}
	return s, nil
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

// CurveOf reads of an output directory when each label was covered, since the engine
// began, and how long the engine worked.
func CurveOf(dir string) (c report.Curve, seconds float64, err error) {
	snap, err := store.Read(dir)
	if err != nil || len(snap.Runs) == 0 {
		return c, 0, err
	}
	began := snap.Runs[0].Start
	for _, r := range snap.Runs {
		seconds = max(seconds, r.End.Sub(began).Seconds())
	}
	var at []float64
	for _, l := range snap.Labels {
		if l.Status == label.Covered {
			at = append(at, max(0, l.At.Sub(began).Seconds()))
		}
	}
	slices.Sort(at)
	for i, t := range at {
		c.Points = append(c.Points, report.Point{Seconds: t, Labels: i + 1})
		seconds = max(seconds, t) // the last test is judged when the engine has ended
	}
	return c, seconds, nil
}
