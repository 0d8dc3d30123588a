package campaign

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/engine"
	"klabel/ktest"
	"klabel/toolchain"
)

// greedy is an engine that is ended for its memory until it has been started often enough;
// only then it finds something.
type greedy struct {
	toy
	starts *int
	enough int
	seeds  map[int64]bool
}

func (g greedy) Start(_ context.Context, _ engine.Program, o engine.Options) (engine.Run, error) {
	*g.starts++
	g.seeds[o.Seed] = true
	r := greedyRun{toyRun(o.OutputDir), engine.Stats{Full: true, Notes: []string{"it was full"}}}
	if err := os.Mkdir(o.OutputDir, 0o777); err != nil || *g.starts < g.enough {
		return r, err
	}
	r.stats = engine.Stats{Paths: 1, Tests: 1, Complete: true}
	k := ktest.Test{Objects: []ktest.Object{{Name: "a", Data: []byte{77, 0, 0, 0}}}}
	return r, os.WriteFile(filepath.Join(o.OutputDir, "test000001.ktest"), k.Bytes(), 0o666)
}

type greedyRun struct {
	toyRun
	stats engine.Stats
}

func (r greedyRun) Wait() (engine.Stats, error) { return r.stats, nil }

// An engine that is ended for its memory leaves the rest of the time to another, with
// another seed; some in a row that find nothing are enough.
func TestEngineThatIsFull(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	file := filepath.Join(t.TempDir(), "one.c")
	text := "#include <klabel/labels.h>\n#include <klee/klee.h>\n" +
		"int main(void) { int a = klee_int(\"a\"); pc_label(a == 77, 1, \"X\"); return 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ enough, starts, covered int }{{2, 2, 1}, {100, 1 + fullEnough, 0}} {
		g := greedy{starts: new(int), enough: c.enough, seeds: map[int64]bool{}}
		row := toyRow()
		row.open = func(*toolchain.Tools, *toolchain.Clang) engine.Engine { return g }
		sum, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(t.TempDir(), "out"),
			Engine: "toy", NoRandom: true, Prune: PruneNever, engines: append(engineTable(), row)}, tools, Silent{})
		if err != nil {
			t.Fatal(err)
		}
		if *g.starts != c.starts || len(g.seeds) != c.starts || sum.Labels.Covered != c.covered ||
			strings.Contains(strings.Join(sum.Notes, " "), "it was full") != (c.covered == 0) {
			t.Errorf("%d starts, seeds %v; %+v, %q", *g.starts, g.seeds, sum.Labels, sum.Notes)
		}
	}
}
