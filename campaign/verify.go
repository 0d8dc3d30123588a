package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/ctests"
	"klabel/disk"
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
	snap, err := store.Read(dir)
	if err != nil {
		return out, err
	}
	tmp, err := os.MkdirTemp("", "klabel-")
	if err != nil {
		return out, describe(err)
	}
	defer os.RemoveAll(tmp)
	pools := &replayPools{snap: snap, dir: tmp, open: map[string]*replayer.Pool{}}
	pools.options = replayer.Options{TestTimeout: timeout, TempDir: tmp}
	if n := len(snap.Labels); n > 0 {
		pools.options.MaxID = snap.Labels[n-1].ID
	}
	defer pools.close()
	obs.Stage("replaying")
	shown, elsewhere := map[label.ID]bool{}, map[label.ID]bool{}
	var again []store.Test
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
		r, err := pools.runKept(ctx, t, 1)
		if err != nil {
			return out, err
		}
		r.addTo(shown)
		if r.problem != "" || lacks(r.hits, t.Verdict.Hits) {
			again = append(again, t)
			continue
		}
		out.Tests++
	}
	// A machine that was busy then is less so, or the longer time helps.
	late := map[label.ID]bool{}
	for _, t := range again {
		r, err := pools.runKept(ctx, t, morePatience)
		if err != nil {
			return out, err
		}
		r.addTo(shown)
		if r.late {
			for _, id := range t.Verdict.Hits {
				late[id] = true
			}
		}
		if r.problem != "" {
			out.Problems = append(out.Problems, t.Name+": "+r.problem)
			continue
		}
		out.Tests++
	}
	for _, s := range snap.Labels {
		if s.Status != label.Covered {
			continue
		}
		out.Covered++
		switch {
		case shown[s.ID]:
			out.Confirmed++
		case elsewhere[s.ID]:
			out.Elsewhere++
		case late[s.ID]:
			out.Late = append(out.Late, s.ID)
		default:
			out.Open = append(out.Open, s.ID)
		}
	}
	return out, nil
}

// morePatience is how many times as long a test may run that did not show in its time
// what the store says of it.
const morePatience = 10

// shows is what a test of the suite has shown.
type shows struct {
	hits    []label.ID
	problem string // why it covers nothing
	late    bool   // it did not end in time: that says nothing of what it covers
}

func (r shows) addTo(all map[label.ID]bool) {
	for _, id := range r.hits {
		all[id] = true
	}
}

func lacks(hits, wanted []label.ID) bool {
	return slices.ContainsFunc(wanted, func(id label.ID) bool { return !slices.Contains(hits, id) })
}

// runKept runs one test of the suite from its file; patience is how many times as
// long it may take as usually.
func (p *replayPools) runKept(ctx context.Context, t store.Test, patience time.Duration) (r shows, err error) {
	if t.Engine == testsInC {
		r.hits, r.problem, err = p.runInC(ctx, t, patience)
		return r, err
	}
	pool, err := p.of(ctx, t.Entry)
	if err != nil {
		return r, err
	}
	kt, err := ktest.ReadFile(t.File)
	if err != nil {
		r.problem = err.Error()
		return r, nil
	}
	fails := strings.HasPrefix(t.Verdict.Reason, countedAll) // and counts, as the job wanted it
	limit := patience * max(p.options.TestTimeout, 4*t.Verdict.Duration)
	v, _, err := pool.ReplayWithin(ctx, replayer.ByName, kt, limit)
	switch {
	case err != nil:
		return r, fmt.Errorf("replaying %s: %w", t.File, err)
	case v.Outcome != label.Normal && !(fails && countsFailing(v, true)):
		r.problem = fmt.Sprintf("does not end normally: %s %s", v.Outcome, v.Reason)
		r.late = v.Outcome == label.TimedOut && !replayer.Starved(v)
		return r, nil
	}
	if why := pool.Watchable(); why != nil {
		r.hits = v.Hits // as the program notes them
		return r, ctx.Err()
	}
	ids := slices.Compact(slices.Sorted(slices.Values(slices.Concat(v.Hits, t.Verdict.Hits))))
	r.hits, err = pool.Confirm(ctx, replayer.ByName, kt, ids, fails, max(limit, 4*v.Duration))
	switch {
	case errors.Is(err, replayer.ErrLate):
		r.problem, r.late = err.Error(), true
	case err != nil:
		return r, fmt.Errorf("replaying %s: %w", t.File, err)
	}
	return r, nil
}

// runInC runs a test in C again, as it was built: only if its file is what was built,
// and it meets at least the labels that it met then.
func (p *replayPools) runInC(ctx context.Context, t store.Test, patience time.Duration) (hits []label.ID,
	problem string, err error) {
	const again = ": run it again with --existing"
	text, err := disk.Read(t.File)
	switch {
	case err != nil:
		return nil, describe(err).Error(), nil
	case checksum(text) != t.Sum:
		return nil, "has changed since it was run" + again, nil
	case t.Program == nil:
		return nil, "what it was built into is not known" + again, nil
	}
	b, err := disk.Read(t.Program.File)
	if err != nil {
		return nil, "what it was built into is gone" + again, nil
	}
	if checksum(b) != t.Program.Sum {
		return nil, t.Program.File + " is not what klabel has built of it" + again, nil
	}
	binary := filepath.Join(p.dir, fmt.Sprintf("ctest-%d", t.Number))
	if err := os.WriteFile(binary, b, 0o700); err != nil {
		return nil, "", describe(err)
	}
	defer os.Remove(binary)
	v, err := ctests.Run(ctx, binary, nil, patience*max(p.options.TestTimeout, 4*t.Verdict.Duration))
	if err != nil {
		return nil, "", fmt.Errorf("running %s: %w", t.Name, err)
	}
	if v.Outcome != label.Normal {
		return nil, fmt.Sprintf("does not end normally: %s %s", v.Outcome, v.Reason), nil
	}
	for _, id := range t.Program.Hits {
		if !slices.Contains(v.Hits, id) {
			return nil, "does not meet every label that it met before", nil
		}
	}
	return t.Verdict.Hits, "", nil
}

// replayPools are the replay programs of an output directory, as they were built.
type replayPools struct {
	snap    *store.Snapshot
	dir     string
	options replayer.Options
	open    map[string]*replayer.Pool // by file
}

// of returns what replays an entry's tests. It runs a copy, whose bytes are those
// that the store knows.
func (p *replayPools) of(ctx context.Context, entry string) (*replayer.Pool, error) {
	const again = "run again with the same output directory, which builds it anew"
	program, ok := p.snap.ReplayOf(entry)
	if !ok {
		return nil, fault.WithHint(errors.New("the store knows of no replay program"), again)
	}
	if pool := p.open[program.File]; pool != nil {
		return pool, nil
	}
	b, err := unpack(program.File, program.Sum)
	if err != nil {
		return nil, fault.WithHint(fmt.Errorf("the replay program is gone: %w", err), again)
	}
	if checksum(b) != program.Sum {
		return nil, fault.WithHint(fmt.Errorf("%s is not the replay program that klabel has built", program.File),
			again)
	}
	o := p.options
	o.Binary = filepath.Join(p.dir, fmt.Sprintf("replay-%d", len(p.open)))
	if err := os.WriteFile(o.Binary, b, 0o700); err != nil {
		return nil, describe(err)
	}
	pool, err := replayer.New(ctx, o)
	if err == nil {
		p.open[program.File] = pool
	}
	return pool, err
}

func (p *replayPools) close() {
	for _, pool := range p.open {
		pool.Close()
	}
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
