package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/disk"
	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/objective"
	"klabel/report"
	"klabel/store"
	"klabel/suite"
)

// conclude reduces the suite, writes the label file and sums up.
func (c *session) conclude(ctx context.Context, stats engine.Stats, wasInterrupted bool) (report.Summary, error) {
	c.obs.Stage("concluding")
	if err := errors.Join(c.selectNeeded(), c.leaveWaiting()); err != nil {
		return report.Summary{}, err
	}
	late := c.turnless()
	if !wasInterrupted {
		c.noteTurnless(late)
	}
	if !c.job.KeepAll && c.judge.pool != nil {
		if err := c.reduce(); err != nil {
			return report.Summary{}, err
		}
		if !wasInterrupted {
			if err := c.simplify(ctx); err != nil {
				return report.Summary{}, err
			}
		}
	}
	snap, err := c.st.Snapshot()
	if err != nil {
		return report.Summary{}, err
	}
	if err := errors.Join(c.reachable(snap), c.overwritten(ctx, snap)); err != nil {
		return report.Summary{}, err
	}
	if snap, err = c.st.Snapshot(); err != nil {
		return report.Summary{}, err
	}
	if err := c.explain(snap, late); err != nil {
		return report.Summary{}, err
	}
	if snap, err = c.st.Snapshot(); err != nil {
		return report.Summary{}, err
	}
	if err := errors.Join(c.writeLabels(snap), c.writeObjectives(snap)); err != nil {
		return report.Summary{}, err
	}
	c.logTimes("reasons written")
	if err := c.restoreFiles(); err != nil {
		return report.Summary{}, err
	}
	if err := c.writeCTests(ctx, snap); err != nil {
		return report.Summary{}, err
	}
	if c.job.Goal.Name != "" {
		if err := c.writeTestComp(snap); err != nil {
			return report.Summary{}, err
		}
	}
	if why := disk.CacheTrouble(); why != "" {
		c.note("nothing more is kept in the cache: " + why)
	}
	s := Summarize(c.job.program(), snap)
	if c.job.AllFunctions {
		s.Functions = c.functionRows(snap)
		for _, r := range s.Functions {
			switch r.Status {
			case report.Done:
				s.Done++
			case report.LeftOut:
				s.LeftOut++
			case report.Failed:
				s.Failed++
			}
		}
	}
	for _, err := range c.prog.broken {
		text, _, _ := strings.Cut(err.Error(), "\n")
		s.Broken = append(s.Broken, text)
		c.note("left out: " + text)
	}
	c.layout.tidy(len(c.prog.all()) > 1)
	s.OutputDir = c.layout.dir
	s.Sources, s.Tools = hashed(sources(snap), c.prog.compiled), c.toolsUsed()
	s.Compiled = c.prog.compiled
	s.Findings = findings(testRows(c.layout.dir, snap), snap)
	s.Interrupted, s.Resumed = wasInterrupted, c.resumed()
	s.Tests = c.judge.tests(len(c.kept(snap)))
	s.Tests.OwnAlone = ownAlone(snap)
	if s.Notes = c.takeNotes(); len(c.prog.all()) == 1 {
		s.Notes = append(s.Notes, stats.Notes...) // of many slices they say nothing about the program
	}
	s.Notes = distinct(s.Notes)
	if hint := c.functionsHint(s, stats.Paths == 1 && stats.Complete); hint != "" {
		s.Notes = append(s.Notes, hint)
	}
	s.Notes = append(s.Notes, c.judge.findNotes()...)
	if s.Tests.RuntimeErrors > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("tests that end in a run-time error are in %s; they cover nothing",
			c.layout.runtimeErrors()))
	}
	s.Engine = report.Engine{
		Name: c.engineNames(), Version: c.engine.Version(), Mode: string(c.job.Mode), Paths: stats.Paths,
		Instructions: stats.Instructions, Seconds: round(stats.Seconds),
		LastLabelSeconds: seconds(c.judge.lastLabelAfter()), Complete: stats.Complete,
	}
	return s, nil
}

// Summarize turns a snapshot of the store into a summary without engine.
func Summarize(program string, snap *store.Snapshot) report.Summary {
	s := report.Summary{Program: program}
	s.Labels, s.Criteria = counts(snap)
	s.Ratios = s.Labels.Ratios()
	for _, x := range snap.Contradictions {
		s.Contradictions = append(s.Contradictions, report.Contradiction{Label: x.Label, Test: testName(snap, x.Test),
			Method: x.Proof.Method, Reason: x.Proof.Text})
	}
	return s
}

func testName(snap *store.Snapshot, number uint64) string {
	for _, t := range snap.Tests {
		if t.Number == number {
			return t.Name
		}
	}
	return fmt.Sprintf("test %d", number)
}

// kept returns the tests of the suite, whose files are under tests/.
func (c *session) kept(snap *store.Snapshot) []store.Test {
	var out []store.Test
	for _, t := range snap.Tests {
		if t.Verdict.Outcome == label.Normal && !t.Dropped && filepath.Dir(t.File) == c.layout.tests() {
			out = append(out, t)
		}
	}
	return out
}

// reduce drops the tests that add nothing to the suite. The store goes on knowing
// what they showed.
func (c *session) reduce() error {
	snap, err := c.st.Snapshot()
	if err != nil {
		return err
	}
	tests := c.kept(snap)
	candidates := make([]suite.Test, len(tests))
	for i, t := range tests {
		var size int
		if fi, err := os.Stat(t.File); err == nil {
			size = int(fi.Size())
		}
		candidates[i] = suite.Test{Name: t.Name, Size: size, At: t.At, Hits: t.Verdict.Hits}
	}
	keep := map[string]bool{}
	paired := pairedLabels(snap)
	known, _ := states(snap)
	for _, t := range suite.ReduceFor(candidates, paired, objective.Exprs(snap.Decisions, known)) {
		keep[t.Name] = true
	}
	var redundant []uint64
	for _, t := range tests {
		if !keep[t.Name] {
			redundant = append(redundant, t.Number)
		}
	}
	dropped, err := c.st.Drop(redundant, paired)
	if err != nil {
		return err
	}
	for _, t := range tests {
		if _, gone := slices.BinarySearch(dropped, t.Number); !gone {
			continue
		}
		if err := os.Remove(t.File); err != nil && !errors.Is(err, os.ErrNotExist) {
			return describe(err)
		}
	}
	return nil
}

// writeLabels writes the CSV status file beside the tests.
func (c *session) writeLabels(snap *store.Snapshot) error {
	return writeLabelFile(filepath.Join(c.layout.dir, c.job.program()+".labels"), snap)
}

// summaryJSON writes what 'klabel run --format json' prints too.
func summaryJSON(w io.Writer, s report.Summary) error {
	f, err := report.Results.Find("json")
	if err != nil {
		return err
	}
	return f.New(report.Options{Brief: true}).Render(w, &report.Result{Summary: s})
}

func writeSummary(path string, s report.Summary) error {
	var b bytes.Buffer
	if err := summaryJSON(&b, s); err != nil {
		return err
	}
	return describe(disk.Write(path, b.Bytes()))
}

// ReadSummary reads the summary.json of an output directory.
func ReadSummary(dir string) (report.Summary, error) {
	var s report.Summary
	b, err := disk.Read(layout{dir}.summary())
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err
}

// remember makes a test of an earlier campaign known to the judge.
func (k *judge) remember(e entry, t *ktest.Test, name string, v label.Verdict) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen[key(e, t)] = v
	switch {
	case v.Outcome == label.Normal:
		k.patterns[fmt.Sprint(v.Hits)] = true
		k.most = max(k.most, len(v.Hits))
		k.seeds.add(e, t.Bytes(), "", v.Hits)
	case v.Outcome.RuntimeError():
		k.fails(e, v.Hits, name, strings.TrimSpace(fmt.Sprintf("%s: %s", v.Outcome, v.Reason)))
	}
}

// posixArgs reports whether arguments ask for symbolic argv, input or files, or for
// calls that fail.
func posixArgs(args []string) bool {
	for _, a := range args {
		o := strings.TrimLeft(a, "-")
		if strings.HasPrefix(o, "sym-") || a != o && (o == "max-fail" || o == "fd-fail") {
			return true
		}
	}
	return false
}

func seconds(d time.Duration) float64 { return round(d.Seconds()) }

func round(s float64) float64 { return float64(int64(s*1000+0.5)) / 1000 }

// functionsHint says what else can be done where main alone leaves much open; oneWay: an engine
// has seen that it has one path.
func (c *session) functionsHint(s report.Summary, oneWay bool) string {
	const much = 10 // one label of so many
	functions := 0
	for _, u := range c.prog.units {
		functions += len(u.Functions())
	}
	if e := c.prog.all(); c.joined || len(e) != 1 || !e[0].ownMain() || len(c.job.Criteria) == 0 ||
		functions < 2 {
		return ""
	}
	switch {
	case oneWay && s.Labels.Covered < s.Labels.Total:
		return "main runs in one way only; with --all-functions every function is a way in"
	case s.Labels.Unknown*much > s.Labels.Total:
		return "main alone leaves these labels unknown; with --all-functions every function is a way in"
	}
	return ""
}

// distinct leaves out what was said before.
func distinct(notes []string) (out []string) {
	for _, n := range notes {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
