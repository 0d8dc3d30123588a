package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"klabel/fault"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/report"
	"klabel/store"
)

// Verify replays the suite of an output directory, as its files are now, and
// compares what it covers with what the store says. It changes nothing there.
func Verify(ctx context.Context, dir string, timeout time.Duration, obs Observer) (report.Verification, error) {
	var out report.Verification
	l := layout{dir: dir}
	snap, err := store.Read(dir)
	if err != nil {
		return out, err
	}
	if _, err := os.Stat(l.work("replay")); err != nil {
		return out, fault.WithHint(fmt.Errorf("the replay program is gone: %w", err),
			"run again with the same output directory")
	}
	tmp, err := os.MkdirTemp("", "klabel-")
	if err != nil {
		return out, describe(err)
	}
	defer os.RemoveAll(tmp)
	o := replayer.Options{Binary: l.work("replay"), TestTimeout: timeout, TempDir: tmp}
	if n := len(snap.Labels); n > 0 {
		o.MaxID = snap.Labels[n-1].ID
	}
	pool, err := replayer.New(ctx, o)
	if err != nil {
		return out, err
	}
	defer pool.Close()
	obs.Stage("replaying")
	hit, elsewhere := map[label.ID]bool{}, map[label.ID]bool{}
	for _, t := range snap.Tests {
		if t.Dropped || t.Verdict.Outcome != label.Normal || len(t.Verdict.Hits) == 0 {
			continue
		}
		if t.Engine == projectTests {
			out.Problems = append(out.Problems, t.Name+": are not run here")
			for _, id := range t.Verdict.Hits {
				elsewhere[id] = true
			}
			continue
		}
		hits, problem, err := replayKept(ctx, pool, t)
		if err != nil {
			return out, err
		}
		if problem != "" {
			out.Problems = append(out.Problems, t.Name+": "+problem)
			continue
		}
		out.Tests++
		for _, id := range hits {
			hit[id] = true
		}
	}
	for _, s := range snap.Labels {
		if s.Status != label.Covered {
			continue
		}
		out.Covered++
		switch {
		case hit[s.ID]:
			out.Confirmed++
		case elsewhere[s.ID]:
			out.Elsewhere++
		default:
			out.Open = append(out.Open, s.ID)
		}
	}
	return out, nil
}

// replayKept replays one test of the suite from its file. The problem says why it
// covers nothing.
func replayKept(ctx context.Context, pool *replayer.Pool, t store.Test) (hits []label.ID, problem string, err error) {
	if filepath.Ext(t.File) != ".ktest" {
		return nil, "a test in C is not replayed", nil
	}
	kt, err := ktest.ReadFile(t.File)
	if err != nil {
		return nil, err.Error(), nil
	}
	v, err := pool.Replay(ctx, replayer.ByName, kt)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("replaying %s: %w", t.File, err)
	case v.Outcome != label.Normal:
		return nil, fmt.Sprintf("does not end normally: %s %s", v.Outcome, v.Reason), nil
	}
	return v.Hits, "", nil
}
