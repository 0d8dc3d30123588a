package klee

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"klabel/engine"
	"klabel/toolchain"
)

// fake is an engine whose KLEE is a shell script that finds its output
// directory in $out. It needs no KLEE on the machine.
func fake(t *testing.T, body string) (*Engine, engine.Program) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "klee")
	script := "#!/bin/sh\nfor a in \"$@\"; do case \"$a\" in --output-dir=*) out=${a#--output-dir=};; esac; done\n" +
		body + "\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	bc := filepath.Join(dir, "p.bc")
	if err := os.WriteFile(bc, []byte("BC"), 0o644); err != nil {
		t.Fatal(err)
	}
	return New(&toolchain.KLEE{Path: path, Version: "3.1", Major: 3, Minor: 1, LLVMMajor: 14, Posix: true,
			Uclibc: true}),
		engine.Program{Files: []string{bc}}
}

func TestKLEEThatCrashes(t *testing.T) {
	e, p := fake(t, `mkdir $out; echo klee > $out/info; : > $out/test000001.ktest
echo "klee: Executor.cpp:12: bool f(): Assertion `+"\\`x'"+` failed." >&2; kill -ABRT $$`)
	r := start(t, e, p, engine.Options{})
	s, err := r.Wait()
	if err == nil || !strings.Contains(err.Error(), "crashed") || !strings.Contains(err.Error(), "Assertion") ||
		!strings.Contains(err.Error(), "messages.txt") {
		t.Errorf("got %v", err)
	}
	if s.Tests != 1 || s.Complete {
		t.Errorf("statistics: %+v", s)
	}
}

func TestKLEEThatIsKilled(t *testing.T) {
	e, p := fake(t, `mkdir $out; echo klee > $out/info; kill -KILL $$`)
	r := start(t, e, p, engine.Options{})
	if _, err := r.Wait(); err == nil || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("got %v", err)
	}
}

// One that takes more memory than it may, itself or in what it has started, is ended, and
// that is said; it is no failure, and what it found counts.
func TestKLEEThatGrows(t *testing.T) {
	// In small steps: a large one is refused, and no more is taken, before anyone has looked.
	const grow = `x=0123456789abcdef; while [ ${#x} -lt 4000000 ]; do x=$x$x; done; i=0
while [ $i -lt 60 ]; do i=$((i + 1)); eval "y$i=\$x"; sleep 0.03; done; sleep 5000`
	for name, body := range map[string]string{"another": "(setsid sh -c '" + grow + "' & wait)",
		"deaf":    "trap '' INT TERM; (" + grow + ") & wait; wait",
		"refused": `echo "terminate called after throwing an instance of 'std::bad_alloc'" >&2; kill -ABRT $$`} {
		t.Run(name, func(t *testing.T) {
			e, p := fake(t, `mkdir $out; echo klee > $out/info; : > $out/test000001.ktest; `+body)
			s, err := start(t, e, p, engine.Options{MaxMemoryMB: 200}).Wait()
			if err != nil || s.Tests != 1 || s.Complete || !s.Full ||
				!strings.Contains(strings.Join(s.Notes, " "), "before it had more than 200 MB") {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

func TestKLEEThatWritesNothing(t *testing.T) {
	e, p := fake(t, `exit 0`)
	r := start(t, e, p, engine.Options{})
	if s, err := r.Wait(); err == nil || !strings.Contains(err.Error(), "without writing anything") || s.Complete {
		t.Errorf("got %+v, %v", s, err)
	}
}

// TestKLEEThatIgnoresSignals ends by force a KLEE, its solver and the solver's
// child, all deaf to signals.
func TestKLEEThatIgnoresSignals(t *testing.T) {
	e, p := fake(t, `trap '' INT TERM; mkdir $out; echo klee > $out/info
(trap '' INT TERM; sleep 5000 & sleep 5001) & sleep 5002 & while :; do sleep 0.1; done`)
	r := start(t, e, p, engine.Options{Budget: 200 * time.Millisecond})
	begin := time.Now()
	s, err := r.Wait()
	if err != nil {
		t.Errorf("the budget's end is no failure: %v", err)
	}
	if d := time.Since(begin); d > 2*time.Minute {
		t.Errorf("took %s", d)
	}
	if s.Complete {
		t.Error("complete")
	}
}

func TestOldKLEE(t *testing.T) {
	e := New(&toolchain.KLEE{Path: "klee", Version: "2.2", Major: 2, Minor: 2})
	if _, err := e.Start(t.Context(), engine.Program{}, engine.Options{}); !errors.Is(err, toolchain.ErrMissing) {
		t.Errorf("got %v", err)
	}
}

func TestRefusedBeforeTheStart(t *testing.T) {
	e, p := fake(t, "exit 0")
	dir := t.TempDir()
	for name, c := range map[string]struct {
		p    engine.Program
		o    engine.Options
		want string
	}{
		"existing directory": {p, engine.Options{OutputDir: dir}, "exists already"},
		"no parent":          {p, engine.Options{OutputDir: dir + "/a/b"}, "not a directory"},
		"no program":         {engine.Program{}, engine.Options{OutputDir: dir + "/a"}, "no bitcode"},
		"absent program": {engine.Program{Files: []string{dir + "/x.bc"}}, engine.Options{OutputDir: dir + "/a"},
			"x.bc"},
		"searcher": {p, engine.Options{OutputDir: dir + "/a", Searchers: []string{"fast"}}, "nurs:covnew"},
		"output-dir": {p, engine.Options{OutputDir: dir + "/a", ExtraArgs: []string{"-output-dir=x"}},
			"--output-dir"},
		"live view": {p, engine.Options{OutputDir: dir + "/a", Mode: engine.Fused}, "live view"},
		"library":   {p, engine.Options{OutputDir: dir + "/a", Preload: dir + "/x.so"}, "x.so"},
	} {
		if _, err := e.Start(t.Context(), c.p, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEntryPoint(t *testing.T) {
	k := &toolchain.KLEE{Major: 3, Minor: 1}
	args, err := arguments(k, engine.Program{Files: []string{"/a.bc"}, Entry: "klabel_entry_7"}, engine.Options{})
	if err != nil || !slices.Contains(args, "--entry-point=klabel_entry_7") {
		t.Errorf("%q %v", args, err)
	}
}

// Where queries may take their time STP is asked without a fork, unless the user
// or another solver wants it otherwise.
func TestUnboundedQueries(t *testing.T) {
	for _, c := range []struct {
		stp  bool
		o    engine.Options
		want string
	}{
		{true, engine.Options{Unbounded: true}, "--use-forked-solver=false"},
		{true, engine.Options{}, "--max-solver-time=2s"},
		{false, engine.Options{Unbounded: true}, "--max-solver-time=2s"},
		{true, engine.Options{Unbounded: true, ExtraArgs: []string{"--max-solver-time=9s"}}, "--max-solver-time=9s"},
		{true, engine.Options{Unbounded: true, ExtraArgs: []string{"--solver-backend=z3"}}, "--max-solver-time=2s"},
	} {
		c.o.SolverBudget = 2 * time.Second
		k := &toolchain.KLEE{Major: 3, Minor: 1, STP: c.stp}
		args, err := arguments(k, engine.Program{Files: []string{"/a.bc"}}, c.o)
		both := slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--max-solver-time") }) &&
			slices.Contains(args, "--use-forked-solver=false")
		if err != nil || !slices.Contains(args, c.want) || both {
			t.Errorf("%+v: %q %v, want %s", c, args, err, c.want)
		}
	}
}

func TestArgumentsByRelease(t *testing.T) {
	program := engine.Program{Files: []string{"/a.bc", "/b.bc"}}
	for _, c := range []struct {
		major, minor  int
		has, lacks    []string
		o             engine.Options
		first, second string // must come in this order
	}{
		{2, 3, []string{"--ignore-solver-failures"}, []string{"--external-call-warnings=once-per-function"}, engine.Options{}, "", ""},
		{3, 1, []string{"--external-call-warnings=once-per-function", "--ignore-solver-failures", "--dump-states-on-halt=false"}, []string{"--suppress-external-warnings"}, engine.Options{}, "", ""},
		{3, 2, []string{"--external-call-warnings=once-per-function", "--ignore-stp-failures"}, []string{"--ignore-solver-failures"}, engine.Options{}, "", ""},
		{3, 1, []string{"--emit-all-errors", "--only-output-states-covering-new"}, nil, engine.Options{Mode: engine.Fused}, "", ""},
		{3, 1, nil, []string{"--only-output-states-covering-new"}, engine.Options{Mode: engine.Fused, EveryPath: true}, "", ""},
		{3, 1, []string{"--only-output-states-covering-new"}, []string{"--emit-all-errors"}, engine.Options{Mode: engine.Naive}, "", ""},
		{3, 1, nil, []string{"--only-output-states-covering-new", "--emit-all-errors"}, engine.Options{Mode: engine.Optim}, "", ""},
		{3, 1, []string{"--posix-runtime", "--libc=uclibc"}, []string{"--libc=klee"},
			engine.Options{ExtraArgs: []string{"--posix-runtime"}}, "", ""},
		{3, 1, []string{"--libc=uclibc"}, []string{"--libc=klee", "--posix-runtime"},
			engine.Options{ExtraArgs: []string{"--libc=uclibc"}}, "", ""},
		{3, 1, []string{"--use-batching-search", "--batch-instructions=200"}, nil, engine.Options{Mode: engine.Fused}, "", ""},
		{3, 1, nil, []string{"--use-batching-search", "--batch-instructions=200"}, engine.Options{Mode: engine.Optim}, "", ""},
		{3, 1, []string{"--use-batching-search=false"}, []string{"--use-batching-search", "--batch-instructions=200"},
			engine.Options{Mode: engine.Fused, ExtraArgs: []string{"--use-batching-search=false"}}, "", ""},
		{3, 1, []string{"--max-time=3s", "--max-solver-time=1s"}, nil, engine.Options{Budget: 2500 * time.Millisecond}, "", ""},
		{3, 1, []string{"--max-time=9s"}, []string{"--max-time=2s"}, engine.Options{Budget: 2 * time.Second, ExtraArgs: []string{"--max-time=9s"}}, "", ""},
		{3, 1, []string{"--search=bfs"}, []string{"--search=dfs"}, engine.Options{Searchers: []string{"dfs"}, ExtraArgs: []string{"--search=bfs"}}, "", ""},
		{3, 1, []string{"--posix-runtime", "--libc=uclibc"}, []string{"--libc=klee"}, engine.Options{Posix: true, ProgramArgs: []string{"-sym-arg", "3"}}, "/a.bc", "-sym-arg"},
		{3, 1, []string{"--link-llvm-lib=/b.bc", "--max-forks=4", "--rng-initial-seed=7"}, nil, engine.Options{MaxPaths: 5, Seed: 7}, "--link-llvm-lib=/b.bc", "/a.bc"},
	} {
		k := &toolchain.KLEE{Major: c.major, Minor: c.minor, Posix: true, Uclibc: true}
		args, err := arguments(k, program, c.o)
		if err != nil {
			t.Errorf("%d.%d: %v", c.major, c.minor, err)
			continue
		}
		for _, a := range c.has {
			if !slices.Contains(args, a) {
				t.Errorf("%d.%d %+v: %q lacks %s", c.major, c.minor, c.o, args, a)
			}
		}
		for _, a := range c.lacks {
			if slices.Contains(args, a) {
				t.Errorf("%d.%d %+v: %q has %s", c.major, c.minor, c.o, args, a)
			}
		}
		if c.first != "" && slices.Index(args, c.first) >= slices.Index(args, c.second) {
			t.Errorf("%d.%d: %s does not come before %s in %q", c.major, c.minor, c.first, c.second, args)
		}
	}
	if _, err := arguments(&toolchain.KLEE{Major: 3, Minor: 1}, program, engine.Options{Posix: true}); !errors.Is(err,
		toolchain.ErrMissing) {
		t.Errorf("POSIX runtime asked of a KLEE without: %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("LD_PRELOAD", "/lib/other.so")
	t.Setenv("KLABEL_VIEW", "/stale")
	env := environment(engine.Options{Preload: "/x/libcovered.so", LiveView: "/x/view"}, "/x")
	for _, want := range []string{"LD_PRELOAD=/x/libcovered.so:/lib/other.so", "KLABEL_VIEW=/x/view"} {
		if !slices.Contains(env, want) {
			t.Errorf("the environment lacks %s", want)
		}
	}
	if slices.Contains(env, "KLABEL_VIEW=/stale") {
		t.Error("a stale live view reaches KLEE")
	}
}

// A run that called a function natively has not seen what it may return otherwise.
func TestExternalCalls(t *testing.T) {
	for line, lossy := range map[string]bool{
		"KLEE: WARNING ONCE: calling external: getenv(94) at f.c:3 5": true,
		"KLEE: WARNING ONCE: calling external: time(0)":               true,
		"KLEE: WARNING: calling external: remove(94) at f.c:3 5":      true,
		"KLEE: WARNING ONCE: calling external: printf(94, 3)":         false,
		"KLEE: WARNING ONCE: calling external: covered(1)":            false,
		"KLEE: WARNING ONCE: calling external: klabel_view_copy(1)":   false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "warnings.txt"), []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if notes := lossWarnings(dir, false); (len(notes) > 0) != lossy {
			t.Errorf("%s: %q", line, notes)
		}
	}
}
