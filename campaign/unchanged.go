package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/csource"
	"klabel/disk"
	"klabel/report"
	"klabel/runtime_c"
	"klabel/store"
	"klabel/toolchain"
)

// unchangedNote is said where a run had nothing to do.
const unchangedNote = "nothing has changed since the last run: a longer --budget goes on, --fresh starts anew"

// unchanged reports whether a run would only say what the last one said: the
// same sources, headers, options and tools, with no more time, and all that was
// written is there. Then it returns the last summary. What the sources come to is
// left in sums, for a run that has something to do.
func (c *session) unchanged(ctx context.Context) (sum report.Summary, yes bool) {
	if c.job.Fresh || c.passing || !exists(filepath.Join(c.layout.dir, "klabel.db")) {
		return sum, false
	}
	snap, err := store.Read(c.layout.dir)
	if err != nil {
		return sum, false // opening it will tell
	}
	m := recallFrom(snap)
	if !m.Over || m.Inputs == "" || !m.All && !m.Limit.covers(limitOf(&c.job)) ||
		len(c.job.Existing) > 0 || c.job.ExistingRun != "" || !c.job.Mode.Own() {
		return sum, false
	}
	rt, done, err := runtime_c.Shared()
	if err != nil {
		return sum, false
	}
	defer done()
	c.sums, err = sourceSums(ctx, &c.job, c.job.Sources, c.clang, rt)
	if err != nil || c.inputsSum(c.job, c.sums, m.Asked) != m.Inputs {
		return sum, false
	}
	for name, was := range m.Files {
		b, err := disk.Read(filepath.Join(c.layout.dir, name))
		if err != nil || checksum(b) != was {
			return sum, false
		}
	}
	r, err := Result(c.layout.dir)
	if err != nil || r.Failure != "" || r.Interrupted || snap.Stale > 0 {
		return sum, false
	}
	sum = r.Summary
	sum.Tests = r.Tests
	sum.Resumed = &report.Resumed{Unchanged: len(m.Entries), TestsKept: sum.Tests.Kept, Nothing: true}
	sum.Notes = append([]string{unchangedNote}, slices.DeleteFunc(sum.Notes, func(n string) bool {
		return n == unchangedNote || strings.HasSuffix(n, restoredNote) // that was then
	})...)
	c.obs.Note(unchangedNote)
	log.Debugf("nothing changed, said after %v", time.Since(c.began))
	return sum, true
}

// sourceSums names what each of these sources comes to.
func sourceSums(ctx context.Context, j *Job, sources []Source, clang *toolchain.Clang, rt runtime_c.Paths) (
	map[string]string, error) {
	out := map[string]string{}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(runtime.NumCPU())
	for _, s := range sources {
		g.Go(func() error {
			sum, err := csource.Sum(ctx, s.Path, sourceOptions(j, s, clang, rt))
			mu.Lock()
			out[s.Path] = sum
			mu.Unlock()
			return err
		})
	}
	return out, g.Wait()
}

// inputsSum names all that decides what a run comes to, but for its time.
func (c *session) inputsSum(job Job, sources map[string]string, asked []string) string {
	j := &job
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%v %q %q %q %v %v %v %q %q\n", c.wishesOf(job), j.AllFunctions, j.Function, j.Only, j.Skip,
		j.KeepAll, j.LinkObjects, j.ByFunction, j.TestStyle, j.Oracle)
	for _, s := range j.Sources {
		sum := sources[s.Path]
		if sum == "" {
			return ""
		}
		fmt.Fprintf(&out, "%q %q %v %s\n", s.Path, s.Flags, s.Stubs, sum)
	}
	for _, path := range j.hyperFiles() {
		text, err := disk.Read(path)
		if err != nil {
			return ""
		}
		fmt.Fprintf(&out, "%q %s\n", path, checksum(text))
	}
	for _, name := range asked {
		w, err := wishOf(j, name)
		if err != nil {
			return ""
		}
		fmt.Fprintf(&out, "%s %s\n", name, w)
	}
	return checksum([]byte(out.String()))
}
