package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"klabel/engine"
	"klabel/fault"
	"klabel/replayer"
	"klabel/report"
	"klabel/toolchain"
)

// Measure replays tests that exist already and says what they cover. The output
// directory is kept only if the job names one.
func Measure(ctx context.Context, j Job, tests []string, tools *toolchain.Tools, obs Observer) (report.Summary, error) {
	begin := time.Now()
	var none report.Summary
	files, err := testFiles(tests)
	if err != nil {
		return none, err
	}
	c, err := newPassing(j, tools, obs)
	if err != nil {
		return none, err
	}
	defer c.close()
	if err := c.read(ctx); err != nil {
		return none, err
	}
	if err := c.openStore(); err != nil {
		return none, err
	}
	if err := c.openJudge(ctx); err != nil {
		return none, err
	}
	obs.Stage("replaying")
	if err := c.replayFiles(ctx, files); err != nil {
		return none, err
	}
	if err := c.selectNeeded(); err != nil {
		return none, err
	}
	if !j.KeepAll {
		if err := c.reduce(); err != nil {
			return none, err
		}
	}
	snap, err := c.st.Snapshot()
	if err != nil {
		return none, err
	}
	s := Summarize(c.job.program(), snap)
	s.Tests = c.judge.tests(len(c.kept(snap)))
	s.Tests.OwnAlone = ownAlone(snap)
	s.Seconds = seconds(time.Since(begin))
	if c.passing {
		return s, nil
	}
	s.OutputDir = c.layout.dir
	if err := c.writeLabels(snap); err != nil {
		return s, err
	}
	return s, writeSummary(c.layout.summary(), s)
}

// replayFiles judges every file, several at a time.
func (c *session) replayFiles(ctx context.Context, files []string) error {
	k := c.judge
	queue := make(chan string)
	var wg sync.WaitGroup
	var read atomic.Int64
	for range k.pool.Workers() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for path := range queue {
				f := replayer.ReadTestFile(path)
				// A failed label of an assert mode has choices that are none of
				// the program's inputs.
				if f.Problem == nil {
					read.Add(1)
					f.Test = f.Test.StripChoices()
				}
				// Every test that ends normally counts.
				k.take(ctx, origin{entry: c.prog.entryOf(f), mode: engine.Ignore}, f)
			}
		}()
	}
	for _, f := range files {
		if ctx.Err() != nil || k.failed() != nil {
			break
		}
		queue <- f
	}
	close(queue)
	wg.Wait()
	if err := k.failed(); err != nil {
		return err
	}
	if ctx.Err() == nil && read.Load() == 0 { // each is said with its reason
		return fault.WithHint(fault.Usagef("no test can be read, of %d given", len(files)),
			"want .ktest files, folders of them, or output directories of KLEE's")
	}
	return ctx.Err()
}

// testFiles finds the .ktest files that paths name: files, folders, patterns.
func testFiles(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		fi, err := os.Stat(p)
		switch {
		case err == nil && !fi.IsDir():
			out = append(out, p)
			continue
		case err == nil:
			found, err := filepath.Glob(filepath.Join(escapeGlob(p), "*.ktest"))
			if err != nil {
				return nil, err
			}
			if len(found) == 0 { // the output directory of a campaign
				found, _ = filepath.Glob(filepath.Join(escapeGlob(p), "tests", "*.ktest"))
			}
			if len(found) == 0 {
				return nil, fmt.Errorf("no .ktest file in %s", p)
			}
			out = append(out, found...)
		default:
			found, gerr := filepath.Glob(p)
			if gerr != nil || len(found) == 0 {
				return nil, fmt.Errorf("no test at %s", p)
			}
			out = append(out, found...)
		}
	}
	sort.Strings(out)
	return out, nil
}

func escapeGlob(p string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(p)
}
