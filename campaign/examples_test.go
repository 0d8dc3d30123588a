package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"klabel/engine"
	"klabel/examples"
	"klabel/label"
	"klabel/report"
	"klabel/store"
	"klabel/store/storetest"
)

// Every example is explored by the native engine, and what it says is compared
// with what is written down beside the example. Random inputs and provers are
// left out, so that nothing but the engine is judged.
func TestExamplesNative(t *testing.T) {
	tools := testTools(t, "")
	for _, p := range allExamples(t) {
		t.Run(p.Name+"."+p.Criterion, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && !slices.Contains([]string{"triangle", "search", "tag"}, p.Name) {
				t.Skip("one of three programs in -short")
			}
			j := exampleJob(t, p, "native", engine.Greybox)
			obs := &notebook{}
			s, err := Run(t.Context(), j, tools, obs)
			if err != nil {
				t.Fatalf("%v\n%s", err, obs.text())
			}
			st := judgeExample(t, p, j, s)
			if !s.Engine.Complete && s.Labels.Covered < s.Labels.Total {
				t.Errorf("not explored to the end: %q", s.Notes)
			}
			wantCovered(t, "greybox", st, p.Coverable)
			for _, id := range p.Infeasible {
				if l := st[id]; l.Status != label.Infeasible || l.Reason == nil || l.Reason.Method != "native" {
					t.Errorf("label %d is infeasible, the engine leaves it %v (%+v)", id, l.Status, l.Reason)
				}
			}
			remeasure(t, p, j, s)
		})
	}
}

// The other modes of the native engine mean what they mean under KLEE.
func TestExamplesNativeModes(t *testing.T) {
	tools := testTools(t, "")
	programs := []string{"triangle", "search", "balls"} // the others take tight minutes
	for _, p := range allExamples(t) {
		if !slices.Contains(programs, p.Name) || p.Criterion != "WM" {
			continue
		}
		t.Run(p.Name+"."+p.Criterion, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && p.Name != "triangle" {
				t.Skip("one program in -short")
			}
			modes(t, p, "native", 6*time.Second, func(j Job, obs Observer) (report.Summary, error) {
				return Run(t.Context(), j, tools, obs)
			})
		})
	}
}

// modes runs one example in every mode that KLEE has and holds the results
// against each other and against what is written down.
func modes(t *testing.T, p examples.Program, eng string, budget time.Duration,
	run func(Job, Observer) (report.Summary, error)) {
	sums := map[engine.Mode]report.Summary{}
	for _, m := range []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused} {
		j := exampleJob(t, p, eng, m)
		j.Budget = budget
		obs := &notebook{}
		s, err := run(j, obs)
		if err != nil {
			t.Errorf("%s: %v\n%s", m, err, obs.text())
			continue
		}
		st := judgeExample(t, p, j, s)
		sums[m] = s
		switch {
		case m.AssertTests():
			if s.Engine.Complete || s.Labels.Covered == s.Labels.Total {
				wantCovered(t, string(m), st, p.Coverable)
			} else {
				t.Logf("%s: not explored to the end within %s, %d of %d covered", m, budget, s.Labels.Covered,
					len(p.Coverable))
			}
		case s.Engine.Complete && s.Tests.Generated == 0:
			t.Errorf("%s: explored, and no test", m)
		}
	}
	// What a label costs in each mode: ignore sees none, naive at least the
	// paths of ignore.
	if i, n := sums[engine.Ignore], sums[engine.Naive]; i.Engine.Complete && n.Engine.Complete &&
		n.Engine.Paths < i.Engine.Paths {
		t.Errorf("naive has %d paths, ignore %d", n.Engine.Paths, i.Engine.Paths)
	}
	if i, n := sums[engine.Ignore], sums[engine.Naive]; i.Engine.Complete && n.Engine.Complete &&
		n.Labels.Covered < i.Labels.Covered {
		t.Errorf("naive covers %d labels, ignore %d", n.Labels.Covered, i.Labels.Covered)
	}
	// In tight every failed label is a path and a test of its own; in optim a
	// confirmed one costs nothing any more.
	if a, o := sums[engine.Tight], sums[engine.Optim]; a.Engine.Complete && o.Engine.Complete &&
		o.Engine.Paths > a.Engine.Paths {
		t.Errorf("optim has %d paths, tight %d", o.Engine.Paths, a.Engine.Paths)
	}
}

// kleeExamples are those that KLEE explores to the end, or covers whole, within
// seconds in optim; the others take it minutes and are compared in bench/.
var kleeExamples = []string{"triangle.CC", "triangle.MCC", "triangle.WM", "balls.CC", "balls.MCC", "balls.WM"}

func TestExamplesKLEE(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in -short: the examples under KLEE")
	}
	tools := testTools(t, realKLEE(t))
	for _, p := range allExamples(t) {
		if !slices.Contains(kleeExamples, p.Name+"."+p.Criterion) {
			continue
		}
		t.Run(p.Name+"."+p.Criterion, func(t *testing.T) {
			t.Parallel()
			var covered [2][]label.ID
			for i, m := range []engine.Mode{engine.Optim, engine.Fused} {
				j := exampleJob(t, p, "klee", m)
				j.Budget = 5 * time.Minute // they end by themselves, on a busy machine late
				obs := &notebook{}
				s, err := Run(t.Context(), j, tools, obs)
				if err != nil {
					t.Fatalf("%s: %v\n%s", m, err, obs.text())
				}
				st := judgeExample(t, p, j, s)
				wantCovered(t, string(m), st, p.Coverable)
				covered[i] = coveredOf(st)
			}
			if !slices.Equal(covered[0], covered[1]) {
				t.Errorf("optim covers %v, fused %v", covered[0], covered[1])
			}
		})
	}
}

func TestExamplesKLEEModes(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in -short: the modes under KLEE")
	}
	tools := testTools(t, realKLEE(t))
	for _, p := range allExamples(t) {
		if p.Name == "triangle" && p.Criterion == "MCC" {
			modes(t, p, "klee", 20*time.Second, func(j Job, obs Observer) (report.Summary, error) {
				return Run(t.Context(), j, tools, obs)
			})
		}
	}
}

func allExamples(t *testing.T) []examples.Program {
	t.Helper()
	all, err := examples.All("../examples")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unhurried is a limit of replays that a busy machine does not come to, where no program of a test hangs.
const unhurried = 20 * time.Second

func exampleJob(t *testing.T, p examples.Program, eng string, m engine.Mode) Job {
	return Job{
		Sources: []Source{{Path: p.File}}, OutputDir: filepath.Join(t.TempDir(), "out"),
		Engine: eng, Mode: m, NoRandom: true, Prune: PruneNever, KeepAll: true, NoSanitizers: true, Workers: 2,
		TestTimeout: unhurried,
	}
}

// judgeExample checks what must hold of any run of an example, however far it
// came, and returns the labels of its store.
func judgeExample(t *testing.T, p examples.Program, j Job, s report.Summary) map[label.ID]store.LabelState {
	t.Helper()
	m := j.Mode
	st, err := store.Open(j.OutputDir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	storetest.Check(t, st)
	snap, err := st.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	labels := map[label.ID]store.LabelState{}
	for _, l := range snap.Labels {
		labels[l.ID] = l
		if l.Status == label.Infeasible && slices.Contains(p.Coverable, l.ID) {
			t.Errorf("%s: WRONG PROOF: label %d (%s) can be covered and is called infeasible: %+v", m, l.ID,
				l.Predicate, l.Reason)
		}
		if l.Status == label.Covered && slices.Contains(p.Infeasible, l.ID) {
			t.Errorf("%s: label %d (%s) is written down as infeasible, and test %d covers it", m, l.ID, l.Predicate,
				l.Test)
		}
	}
	if len(labels) != len(p.Coverable)+len(p.Infeasible) {
		t.Errorf("%s: %d labels, the example says %d", m, len(labels), len(p.Coverable)+len(p.Infeasible))
	}
	if s.Engine.Complete && m.AssertTests() {
		wantCovered(t, string(m), labels, p.Coverable)
	}
	if s.Tests.Diverged != 0 {
		t.Errorf("%s: %d tests diverged", m, s.Tests.Diverged)
	}
	if s.Tests.RuntimeErrors != 0 {
		t.Errorf("%s: %d run-time errors in a program that has none", m, s.Tests.RuntimeErrors)
	}
	if len(s.Contradictions) > 0 {
		t.Errorf("%s: contradictions: %+v", m, s.Contradictions)
	}
	if n := s.Labels.Covered + s.Labels.Infeasible + s.Labels.Duplicate + s.Labels.Subsumed +
		s.Labels.Unknown; n != s.Labels.Total {
		t.Errorf("%s: the counts do not add up: %+v", m, s.Labels)
	}
	for _, l := range snap.Labels {
		if l.GivenUp {
			t.Errorf("%s: label %d was given up", m, l.ID)
		}
	}
	return labels
}

func coveredOf(labels map[label.ID]store.LabelState) []label.ID {
	var out []label.ID
	for id, l := range labels {
		if l.Status == label.Covered {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func wantCovered(t *testing.T, what string, labels map[label.ID]store.LabelState, want []label.ID) {
	t.Helper()
	want = slices.Sorted(slices.Values(want))
	if got := coveredOf(labels); !slices.Equal(got, want) {
		t.Errorf("%s: covered %v, coverable are %v", what, got, want)
	}
}

// remeasure replays the kept tests from their files, from nothing: every one
// must end normally and cover something, and together they cover what the
// campaign says they cover.
func remeasure(t *testing.T, p examples.Program, j Job, s report.Summary) {
	t.Helper()
	tests, err := filepath.Glob(filepath.Join(j.OutputDir, "tests", "*.ktest"))
	if err != nil || len(tests) != s.Tests.Kept || len(tests) == 0 {
		t.Fatalf("%d test files, the summary says %d (%v)", len(tests), s.Tests.Kept, err)
	}
	m := Job{Sources: j.Sources, OutputDir: filepath.Join(t.TempDir(), "measured"), KeepAll: true, NoSanitizers: true,
		Workers: 2, TestTimeout: unhurried}
	got, err := Measure(t.Context(), m, []string{j.OutputDir}, testTools(t, ""), &notebook{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Labels.Covered != s.Labels.Covered || got.Labels.Covered != len(p.Coverable) {
		t.Errorf("replayed from their files the tests cover %d labels, the campaign says %d, coverable are %d",
			got.Labels.Covered, s.Labels.Covered, len(p.Coverable))
	}
	if got.Tests.Diverged+got.Tests.RuntimeErrors != 0 || got.Tests.Generated != len(tests) {
		t.Errorf("replayed: %+v of %d", got.Tests, len(tests))
	}
	if got.Tests.Kept != len(tests) {
		t.Errorf("of %d kept tests %d cover something when replayed", len(tests), got.Tests.Kept)
	}
	for _, f := range []string{"summary.json", fmt.Sprintf("%s.%s.labels", p.Name, p.Criterion)} {
		if _, err := os.Stat(filepath.Join(j.OutputDir, f)); err != nil {
			t.Error(err)
		}
	}
}
