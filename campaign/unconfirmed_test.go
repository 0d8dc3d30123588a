package campaign

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/prune"
	"klabel/toolchain"
)

// mistaken is an engine that reports an error, where there may be none, and
// claims to have seen everything.
type mistaken struct {
	toy
	suffix string
	value  byte
	info   string
}

func (m mistaken) Start(_ context.Context, _ engine.Program, o engine.Options) (engine.Run, error) {
	if err := os.Mkdir(o.OutputDir, 0o777); err != nil {
		return nil, err
	}
	test := filepath.Join(o.OutputDir, "test000001.")
	k := ktest.Test{Objects: []ktest.Object{{Name: "a", Data: []byte{m.value, 0, 0, 0}}}}
	if err := os.WriteFile(test+"ktest", k.Bytes(), 0o666); err != nil {
		return nil, err
	}
	return mistakenRun{toyRun(o.OutputDir)}, os.WriteFile(test+m.suffix,
		[]byte("Error: memory error: out of bound pointer\n"+m.info), 0o666)
}

type mistakenRun struct{ toyRun }

func (mistakenRun) Wait() (engine.Stats, error) {
	return engine.Stats{Paths: 1, Tests: 1, Complete: true, Infeasible: []label.ID{1}}, nil
}

// An error that the native run does not show voids what follows from having seen
// every path; one that it shows does not. A test of a path that the engine gave
// up counts by its replay.
func TestUnconfirmedErrorVoidsCompleteness(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	file := filepath.Join(t.TempDir(), "one.c")
	text := "#include <klabel/labels.h>\n#include <klee/klee.h>\nstatic int *nowhere;\n" +
		"int main(void) { int a = klee_int(\"a\"); pc_label(a == 77, 1, \"X\"); pc_label(a == 3, 2, \"X\"); return a " +
		"== 5 ? *nowhere : 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		engine              mistaken
		covered, infeasible int
	}{
		{mistaken{suffix: "ptr.err", value: 4}, 0, 0},
		{mistaken{suffix: "ptr.err", value: 5}, 0, 1},
		{mistaken{suffix: "early", value: 3}, 1, 1},
	} {
		row := toyRow()
		row.open = func(*toolchain.Tools, *toolchain.Clang) engine.Engine { return c.engine }
		sum, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(t.TempDir(), "out"),
			Engine: "toy", NoRandom: true,
			Prune: PruneNever, engines: append(engineTable(), row)}, tools, Silent{})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Labels.Covered != c.covered || sum.Labels.Infeasible != c.infeasible {
			t.Errorf("%+v: %+v", c.engine, sum.Labels)
		}
	}
}

// Without sanitizers a replay goes on behind an access outside an object. Then no
// prover's word counts, nor an engine's that has seen such an error: of a place engines
// write one test, which crashes here, and others go on.
func TestNoProofsWithoutSanitizers(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	file := filepath.Join(t.TempDir(), "far.c")
	text := "#include <klabel/labels.h>\n#include <klee/klee.h>\nint main(void) {\n" +
		"  int i = klee_int(\"i\"); volatile int one[4]; one[0] = 1;\n" +
		"  if (i > 4) { one[0] = *(one + (i == 6 ? 5 : 1 << 28)); pc_label(i == 6, 1, \"X\"); }\n" +
		"  pc_label(i == 3, 2, \"X\"); return 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	modes := []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused, engine.Greybox}
	if testing.Short() {
		modes = []engine.Mode{engine.Ignore, engine.Greybox}
	}
	for _, m := range modes {
		for _, bare := range []bool{true, false} {
			sum, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, Engine: "native", Mode: m, NoRandom: true,
				OutputDir: filepath.Join(t.TempDir(), "out"), NoSanitizers: bare, TestStyle: NoCTests}, tools, Silent{})
			if err != nil {
				t.Fatal(err)
			}
			if bare && sum.Labels.Infeasible != 0 || !bare && sum.Labels.Covered == 2 {
				t.Errorf("%s, without sanitizers %v: %+v, %q", m, bare, sum.Labels, sum.Notes)
			}
		}
	}
}

// Nor does a prover's word count for what lies behind an error that the native run survives: with what
// was overwritten it may be met. Behind an access at NULL there is nothing: the run has not come there. And
// what no values satisfy, nothing does.
func TestUnconfirmedErrorVoidsProofs(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	file := filepath.Join(t.TempDir(), "proof.c")
	text := "#include <klabel/labels.h>\n#include <klee/klee.h>\nstatic int *nowhere, k;\n" +
		"int main(void) { int a = klee_int(\"a\"); pc_label(a == 4 || a == 5, 1, \"X\"); pc_label(k == 6, 2, \"X\"); " +
		"pc_label(a == 1 && a == 2, 3, \"X\"); return a == 5 ? *nowhere : 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value byte
		info  string
		want  label.Status
	}{
		{4, "", label.Unknown},
		{5, "", label.Infeasible},
		{4, "Info: \n\taddress: 0\n\treason: null pointer exception\n", label.Infeasible},
		{4, "Info: \n\taddress: 4096\n", label.Unknown},
		{4, "Info: \n\taddress: symbolic\n\texample: 0\n", label.Unknown},
	} {
		row := toyRow()
		row.open = func(*toolchain.Tools, *toolchain.Clang) engine.Engine {
			return mistaken{suffix: "ptr.err", value: c.value, info: c.info}
		}
		sum, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(t.TempDir(), "out"),
			Engine: "toy", NoRandom: true, TestTimeout: 20 * time.Second, Prune: PruneFirst,
			PruneMethods: []prune.Method{prune.Compiler}, engines: append(engineTable(), row)}, tools, Silent{})
		if err != nil {
			t.Fatal(err)
		}
		if got := sum.Labels.Infeasible == 2; got != (c.want == label.Infeasible) || sum.Labels.Infeasible == 0 {
			t.Errorf("after the error at %d, %q: %+v, want label 2 %v", c.value, c.info, sum.Labels, c.want)
		}
	}
}
