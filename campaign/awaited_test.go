package campaign

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/liveview"
	"klabel/report"
	"klabel/toolchain"
)

// hasty is an engine that claims labels 1 and 3 with one test, and to have seen
// every path meanwhile.
type hasty struct {
	toy
	value byte
}

func (h hasty) Start(_ context.Context, _ engine.Program, o engine.Options) (engine.Run, error) {
	if err := os.Mkdir(o.OutputDir, 0o777); err != nil {
		return nil, err
	}
	test := filepath.Join(o.OutputDir, "test000001.")
	k := ktest.Test{Objects: []ktest.Object{{Name: "a", Data: []byte{h.value, 0, 0, 0}}}}
	if err := os.WriteFile(test+"ktest", k.Bytes(), 0o666); err != nil {
		return nil, err
	}
	return hastyRun{toyRun(o.OutputDir)}, os.WriteFile(test+"assert.err",
		[]byte("Error: ASSERTION FAIL: cov_label 1, met with 3\n"), 0o666)
}

type hastyRun struct{ toyRun }

func (hastyRun) Wait() (engine.Stats, error) {
	return engine.Stats{Paths: 1, Tests: 1, Complete: true, Awaited: []label.ID{1, 3}}, nil
}

// Labels that wait for a test which does not cover them are open again, and paths
// that have passed by them were not explored to the end.
func TestLabelsThatAwaitedATest(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	file := filepath.Join(t.TempDir(), "two.c")
	text := "int f(int a) { int r = 0; if (a > 5) r = 1; if (a > 7) r = 2;" +
		"return a == 9 ? *(volatile int *)0 : r; }\n" +
		"int g(int a) { return f(a); }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value            byte
		covered, refused int
		complete         bool
	}{
		{8, 3, 0, true},
		{6, 3, 1, false},
		{9, 0, 2, false}, // it ends badly
	} {
		row := toyRow()
		row.open = func(*toolchain.Tools, *toolchain.Clang) engine.Engine { return hasty{value: c.value} }
		dir := filepath.Join(t.TempDir(), "out")
		sum, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: dir, Engine: "toy", NoRandom: true,
			Prune: PruneNever, AllFunctions: true, Criteria: []string{"DC"},
			engines: append(engineTable(), row)}, tools, Silent{})
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		view, err := os.ReadFile(filepath.Join(dir, "live.view"))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []label.ID{1, 3} {
			if label.Status(view[liveview.Header+id]) == label.Refused {
				refused++
			}
		}
		complete := slices.ContainsFunc(sum.Functions, func(r report.FunctionRow) bool {
			return slices.ContainsFunc(r.Entries, func(e report.EntryRow) bool { return e.Complete })
		})
		if sum.Labels.Covered != c.covered || refused != c.refused || complete != c.complete {
			t.Errorf("a is %d: %+v, %d refused, complete: %v", c.value, sum.Labels, refused, complete)
		}
	}
}
