// Package playback plays a recorded KLEE output directory back, in KLEE's own
// order of writing and at its own speed, for machines without KLEE.
//
// It exists so that watcher, replayer, store and the conditions that stop a
// run are tested everywhere, with what a real KLEE wrote. A test file grows in
// place under its final name, as KLEE's do; then comes the file with the error,
// then the query; the line in messages.txt comes before all of them.
//
// There are two ways to use it: Engine is an engine.Engine inside the process,
// and Main is a program that takes KLEE's command line, so that a klabel
// command can run it as its KLEE. klabel itself never imports this package.
//
// Limits: it looks neither at the program nor at the
// live view, so a covered label does not end its search.
package playback

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// timelineFile is what a recording holds besides KLEE's own files: for each
// test file the moment it was written, in milliseconds from KLEE's start, and
// at last the moment of the end.
const timelineFile = "timeline"

// Recording is a recorded output directory.
type Recording struct {
	dir    string
	tests  []test
	end    time.Duration
	totals map[string]uint64
}

// test is the files of one test, in KLEE's order.
type test struct {
	at    time.Duration
	files []string
}

// Load reads a recording.
func Load(dir string) (*Recording, error) {
	f, err := os.Open(filepath.Join(dir, timelineFile))
	if err != nil {
		return nil, fmt.Errorf("not a recording: %w", err)
	}
	defer f.Close()
	r := &Recording{dir: dir, totals: map[string]uint64{}}
	at := map[string]time.Duration{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		ms, name, found := strings.Cut(lines.Text(), " ")
		t, err := strconv.ParseInt(ms, 10, 64)
		if err != nil || !found {
			return nil, fmt.Errorf("%s:%d: %q is not a time and a name", f.Name(), n, lines.Text())
		}
		if name == "end" {
			r.end = time.Duration(t) * time.Millisecond
		} else {
			at[name] = time.Duration(t) * time.Millisecond
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	r.tests = groupTests(at)
	r.readTotals()
	return r, nil
}

// groupTests brings the files of each test into KLEE's order of writing.
func groupTests(at map[string]time.Duration) []test {
	byStem := map[string]*test{}
	for name, t := range at {
		stem, _, _ := strings.Cut(name, ".")
		g := byStem[stem]
		if g == nil {
			g = &test{at: t}
			byStem[stem] = g
		}
		g.at = min(g.at, t)
		g.files = append(g.files, name)
	}
	var tests []test
	for _, g := range byStem {
		slices.SortFunc(g.files, func(a, b string) int { return rank(a) - rank(b) })
		tests = append(tests, *g)
	}
	slices.SortFunc(tests, func(a, b test) int { return strings.Compare(a.files[0], b.files[0]) })
	return tests
}

func rank(name string) int {
	switch ext := name[strings.Index(name, "."):]; {
	case ext == ".ktest":
		return 0
	case ext == ".xml":
		return 1
	case strings.HasSuffix(ext, ".err"), ext == ".early":
		return 2
	case ext == ".path":
		return 3
	case ext == ".kquery":
		return 4
	}
	return 5
}

func (r *Recording) readTotals() {
	text, err := os.ReadFile(filepath.Join(r.dir, "info"))
	if err != nil {
		return // a KLEE that was killed may leave none
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		rest, found := strings.CutPrefix(line, "KLEE: done: ")
		name, number, ok := strings.Cut(rest, " = ")
		if n, err := strconv.ParseUint(number, 10, 64); found && ok && err == nil {
			r.totals[name] = n
		}
	}
}

// sleep waits, and reports false when the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
