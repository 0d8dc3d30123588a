package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/replayer"
	"klabel/report"
	"klabel/runtime_c"
	"klabel/store"
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
	named := j.OutputDir
	if err := j.check(); err != nil {
		return none, err
	}
	if named == "" {
		if j.OutputDir, err = os.MkdirTemp("", "klabel-"); err != nil {
			return none, describe(err)
		}
		defer os.RemoveAll(j.OutputDir)
	}
	clang, err := tools.RequireClang()
	if err != nil {
		return none, err
	}
	c := &campaign{job: j, tools: tools, obs: obs, layout: layout{dir: j.OutputDir}}
	c.build = builder{layout: c.layout, native: clang, engine: clang}
	obs.Stage("reading")
	if err := c.read(ctx); err != nil {
		return none, err
	}
	if err := c.layout.make(); err != nil {
		return none, err
	}
	if c.st, err = store.Open(j.OutputDir, store.Options{Fresh: j.Fresh}); err != nil {
		return none, err
	}
	defer c.st.Close()
	if c.build.rt, err = runtime_c.Extract(c.layout.work("c")); err != nil {
		return none, describe(err)
	}
	k, closePool, err := c.judge(ctx)
	if err != nil {
		return none, err
	}
	defer closePool()
	obs.Stage("replaying")
	if err := c.replayFiles(ctx, k, files); err != nil {
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
	s := Summarize(j.program(), snap)
	s.Tests = report.Tests{Generated: k.generated, Kept: len(c.kept(snap)), RuntimeErrors: k.errors, Diverged: k.diverged}
	s.Seconds = seconds(time.Since(begin))
	if named != "" {
		s.OutputDir = named
		if err := writeLabelFile(filepath.Join(named, j.program()+".labels"), snap); err != nil {
			return s, err
		}
		return s, writeSummary(c.layout.summary(), s)
	}
	return s, nil
}

// replayFiles judges every file, several at a time.
func (c *campaign) replayFiles(ctx context.Context, k *judge, files []string) error {
	queue := make(chan string)
	var wg sync.WaitGroup
	for range k.pool.Workers() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for path := range queue {
				f := replayer.ReadTestFile(path)
				// A failed label of an assert mode has choices that are none of
				// the program's inputs.
				if f.Problem == nil {
					f.Test = f.Test.StripChoices()
				}
				k.take(ctx, f)
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
	return ctx.Err()
}

// judge builds the replay program and what replays with it.
func (c *campaign) judge(ctx context.Context) (*judge, func(), error) {
	if _, err := c.st.SetProgram(c.prog.hash); err != nil {
		return nil, nil, err
	}
	if err := c.st.SetLabels(c.prog.labels); err != nil {
		return nil, nil, err
	}
	c.obs.Stage("compiling")
	binary, err := c.build.replayBinary(ctx, c.prog, !c.job.NoSanitizers)
	if err != nil {
		return nil, nil, err
	}
	workers := c.job.Workers
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	poolCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	pool, err := replayer.New(poolCtx, replayer.Options{
		Binary: binary, Workers: workers, TestTimeout: c.job.TestTimeout, MemoryMB: c.job.TestMemoryMB, MaxID: c.prog.maxID, TempDir: c.layout.work(""),
	})
	if err != nil {
		stop()
		return nil, nil, err
	}
	k := &judge{st: c.st, pool: pool, layout: c.layout, mode: c.job.Mode, obs: c.obs, began: time.Now(),
		seen: map[[32]byte]label.Verdict{}, patterns: map[string]bool{}, refused: map[label.ID]bool{}}
	if c.engine != nil {
		k.engine = c.engine.Name()
	}
	if k.mode == "" {
		k.mode = engine.Ignore // every test that ends normally counts
	}
	return k, func() { pool.Close(); stop() }, nil
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
