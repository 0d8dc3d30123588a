package campaign

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"klabel/engine"
	"klabel/fault"
	"klabel/toolchain"
)

// toy is an engine that finds one test, which it was told.
type toy struct{}

func (toy) Name() string    { return "toy" }
func (toy) Version() string { return "0" }
func (toy) Close() error    { return nil }

func (toy) Start(_ context.Context, _ engine.Program, o engine.Options) (engine.Run, error) {
	if len(o.ExtraArgs) != 1 {
		return nil, errors.New("the toy wants a test")
	}
	if err := os.Mkdir(o.OutputDir, 0o777); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(o.ExtraArgs[0])
	if err != nil {
		return nil, err
	}
	return toyRun(o.OutputDir), os.WriteFile(filepath.Join(o.OutputDir, "test000001.ktest"), b, 0o666)
}

type toyRun string

func (r toyRun) Dir() string                                 { return string(r) }
func (toyRun) Stop()                                         {}
func (toyRun) Progress() engine.Progress                     { return engine.Progress{} }
func (toyRun) Wait() (engine.Stats, error)                   { return engine.Stats{Paths: 1, Tests: 1}, nil }
func always(*toolchain.Tools) bool                           { return true }
func ready(*toolchain.Tools) error                           { return nil }
func absent(*toolchain.Tools) error                          { return errors.New("too old") }
func userClang(t *toolchain.Tools) (*toolchain.Clang, error) { return t.RequireClang() }

func toyRow() engineRow {
	return engineRow{name: "toy", title: "the toy", modes: []engine.Mode{engine.Ignore, engine.Naive},
		best: engine.Naive, found: always, ready: ready,
		clang: userClang, open: func(*toolchain.Tools, *toolchain.Clang) engine.Engine { return toy{} }}
}

// A new engine is a package and a row.
func TestToyEngine(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	dir := t.TempDir()
	file := filepath.Join(dir, "one.c")
	text := "#include <klabel/labels.h>\n#include <klee/klee.h>\n" +
		"int main(void) { int a = klee_int(\"a\"); pc_label(a == 77, 1, \"X\"); return 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	first, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(dir, "first"),
		Engine: "native", NoRandom: true, Prune: PruneNever}, tools, Silent{})
	if err != nil || first.Labels.Covered != 1 {
		t.Fatalf("%+v: %v", first.Labels, err)
	}
	tests, err := filepath.Glob(filepath.Join(dir, "first", "tests", "*.ktest"))
	if err != nil || len(tests) != 1 {
		t.Fatal(tests, err)
	}
	sum, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(dir, "second"),
		Engine: "toy", NoRandom: true, Prune: PruneNever,
		EngineArgs: map[string][]string{"toy": tests}, engines: append(engineTable(), toyRow())}, tools, Silent{})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Labels.Covered != 1 || sum.Engine.Name != "toy" || sum.Engine.Mode != string(engine.Naive) {
		t.Errorf("%+v by %+v", sum.Labels, sum.Engine)
	}
}

func TestPickEngine(t *testing.T) {
	old := toyRow()
	old.name, old.title, old.ready, old.modes = "old", "the old one", absent, []engine.Mode{engine.Fused}
	theirs := toyRow() // is taken where it is meant
	theirs.name, theirs.wished = "theirs", func(_ *toolchain.Tools, args []string) bool { return len(args) > 0 }
	table := []engineRow{old, theirs, toyRow()}
	meant := map[string][]string{"theirs": {"--option"}}
	for _, c := range []struct {
		name         string
		mode         engine.Mode
		want, passed string
		code         int
		args         map[string][]string
	}{
		{autoEngine, "", "toy", "the old one is not used: too old", 0, nil},
		{autoEngine, "", "theirs", "the old one is not used: too old", 0, meant},
		{autoEngine, engine.Naive, "theirs", "", 0, nil},
		{"theirs", "", "theirs", "", 0, nil},
		{"toy", engine.Naive, "toy", "", 0, meant},
		{"toy", engine.Fused, "", "", fault.Usage, nil},
		{"old", "", "", "", fault.Failed, nil},
		{"new", "", "", "", fault.Usage, nil},
		{autoEngine, engine.Greybox, "", "", fault.Usage, nil},
	} {
		row, passed, err := pickEngine(table, c.name, c.mode, c.args, &toolchain.Tools{})
		if fault.Code(err) != c.code || err == nil && (row.name != c.want || passed != c.passed) {
			t.Errorf("%s in mode %q: %q, %q, %v", c.name, c.mode, row.name, passed, err)
		}
	}
}
