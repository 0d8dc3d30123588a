package playback

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"klabel/engine"
	"klabel/engine/klee"
	"klabel/ktest"
	"klabel/toolchain"
)

// TestMain lets the test binary stand for KLEE when it is called by that name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "klee" {
		os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func sample(t *testing.T, name string) string {
	t.Helper()
	_, recording, err := Sample(name, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return recording
}

func start(t *testing.T, name string, o Options, eo engine.Options) engine.Run {
	t.Helper()
	e, err := New(sample(t, name), o)
	if err != nil {
		t.Fatal(err)
	}
	eo.OutputDir = filepath.Join(t.TempDir(), "out")
	r, err := e.Start(t.Context(), engine.Program{}, eo)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSamplesAreWhole(t *testing.T) {
	if len(Samples()) < 3 {
		t.Fatalf("samples: %q", Samples())
	}
	for _, name := range Samples() {
		program, recording, err := Sample(name, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		r, err := Load(recording)
		if err != nil {
			t.Fatal(err)
		}
		if source, err := os.ReadFile(program); err != nil || !bytes.Contains(source, []byte("cov_label")) {
			t.Errorf("%s: the program has no labels (%v)", name, err)
		}
		if uint64(len(r.tests)) != r.totals["generated tests"] || len(r.tests) == 0 {
			t.Errorf("%s: %d tests, %d generated", name, len(r.tests), r.totals["generated tests"])
		}
		for _, x := range r.tests {
			if _, err := ktest.ReadFile(filepath.Join(recording, x.files[0])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, _, err := Sample("absent", t.TempDir()); err == nil {
		t.Error("a recording that does not exist was written")
	}
}

// TestOrder watches a playback: when a file with an error is there, its test
// must be complete, and tests must come one after another.
func TestOrder(t *testing.T) {
	recording := sample(t, "triangle-fused")
	r := start(t, "triangle-fused", Options{Speed: 4}, engine.Options{})
	over := make(chan struct{})
	go func() { r.Wait(); close(over) }()
	partial := 0
	for last := false; !last; {
		select {
		case <-over:
			last = true
		default:
			time.Sleep(100 * time.Microsecond)
		}
		tests, _ := filepath.Glob(filepath.Join(r.Dir(), "*.ktest"))
		errs, _ := filepath.Glob(filepath.Join(r.Dir(), "*.assert.err"))
		_ = tests
		for _, f := range errs {
			if _, err := ktest.ReadFile(strings.TrimSuffix(f, ".assert.err") + ".ktest"); err != nil {
				t.Fatalf("%s is there before its test: %v", f, err)
			}
		}
		for _, f := range tests {
			if _, err := ktest.ReadFile(f); err != nil {
				partial++
			}
		}
	}
	t.Logf("%d looks found half a test", partial)
	s, err := r.Wait()
	if err != nil || !s.Complete {
		t.Fatalf("%+v, %v", s, err)
	}
	entries, err := os.ReadDir(recording)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == timelineFile {
			continue
		}
		want, _ := os.ReadFile(filepath.Join(recording, e.Name()))
		got, err := os.ReadFile(filepath.Join(r.Dir(), e.Name()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what was recorded (%v)", e.Name(), err)
		}
	}
	if s.Tests != 13 || s.Paths == 0 || s.Instructions == 0 {
		t.Errorf("statistics: %+v", s)
	}
}

func TestStop(t *testing.T) {
	r := start(t, "power-optim", Options{}, engine.Options{})
	for range 20000 {
		if tests, _ := filepath.Glob(filepath.Join(r.Dir(), "*.ktest")); len(tests) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	r.Stop()
	r.Stop()
	s, err := r.Wait()
	if err != nil || s.Complete || s.Tests == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	info, err := os.ReadFile(filepath.Join(r.Dir(), "info"))
	if err != nil || !bytes.Contains(info, []byte("KLEE: done: generated tests = ")) {
		t.Errorf("info lacks the totals: %q, %v", info, err)
	}
}

func TestBudget(t *testing.T) {
	r := start(t, "power-optim", Options{}, engine.Options{Budget: 200 * time.Millisecond})
	if s, err := r.Wait(); err != nil || s.Complete {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestAsProgram runs Main through engine/klee as if it were KLEE.
func TestAsProgram(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "klee")
	if err := os.Symlink(self, exe); err != nil {
		t.Fatal(err)
	}
	t.Setenv(EnvRecording, sample(t, "power-optim"))
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{KLEE: exe})
	if err != nil {
		t.Fatal(err)
	}
	k, err := tools.RequireKLEE()
	if err != nil {
		t.Fatal(err)
	}
	bc := filepath.Join(dir, "p.bc")
	if err := os.WriteFile(bc, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		speed string
		stop  bool
	}{{"to the end", "20", false}, {"stopped", "1", true}} {
		t.Setenv(EnvSpeed, c.speed)
		r, err := klee.New(k).Start(t.Context(), engine.Program{Files: []string{bc}},
			engine.Options{Mode: engine.Tight, OutputDir: filepath.Join(dir, c.name), Searchers: []string{"dfs"}})
		if err != nil {
			t.Fatal(err)
		}
		if c.stop {
			time.Sleep(700 * time.Millisecond)
			r.Stop()
		}
		s, err := r.Wait()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if c.stop != (s.Tests < 9) || s.Paths == 0 && s.Tests > 0 {
			t.Errorf("%s: %+v", c.name, s)
		}
		if s.Complete {
			t.Errorf("%s: complete, though KLEE's budget ended the recorded run", c.name)
		}
	}
}

func TestMainRefuses(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Main([]string{"p.bc"}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "output-dir") {
		t.Errorf("no directory: exit %d, %q", code, errs.String())
	}
	t.Setenv(EnvRecording, t.TempDir())
	errs.Reset()
	if code := Main([]string{"--output-dir=" + t.TempDir() + "/x", "p.bc"}, &out, &errs); code != 1 ||
		!strings.Contains(errs.String(), "not a recording") {
		t.Errorf("no recording: exit %d, %q", code, errs.String())
	}
}

func TestRecord(t *testing.T) {
	from, to := sample(t, "tag-naive"), filepath.Join(t.TempDir(), "again")
	if err := Record(from, to); err != nil {
		t.Fatal(err)
	}
	r, err := Load(to)
	if err != nil {
		t.Fatal(err)
	}
	first, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	var names, again []string
	for i := range first.tests {
		names = append(names, first.tests[i].files...)
	}
	for i := range r.tests {
		again = append(again, r.tests[i].files...)
	}
	if !slices.Equal(names, again) {
		t.Errorf("recorded %q, want %q", again, names)
	}
	if err := Record(t.TempDir(), to); err == nil {
		t.Error("an empty directory was recorded")
	}
}
