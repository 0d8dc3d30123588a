package fuzz

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"klabel/disk"
	"klabel/engine"
	"klabel/toolchain"
)

func TestRuntimeIsCompiledOnce(t *testing.T) {
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	dir := t.TempDir()
	get := func() (path string, at os.FileInfo) {
		path, err := runtimeIn(t.Context(), found.clang, nil, dir)
		if err != nil {
			t.Fatal(err)
		}
		if at, err = os.Stat(path); err != nil {
			t.Fatal(err)
		}
		return path, at
	}
	path, first := get()
	if again, second := get(); again != path || !os.SameFile(first, second) {
		t.Error("it was compiled twice")
	}
	if err := os.Truncate(path, first.Size()/2); err != nil {
		t.Fatal(err)
	}
	if _, again := get(); again.Size() != first.Size() {
		t.Errorf("a file that was cut is taken: %d bytes of %d", again.Size(), first.Size())
	}
}

// A run that ends before the runtime is compiled leaves its parts to the next.
func TestRuntimeGoesOn(t *testing.T) {
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	dir := t.TempDir()
	parts := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "*.o"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for len(parts()) == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	if _, err := runtimeIn(ctx, found.clang, nil, dir); err == nil {
		t.Fatal("all of it was compiled before one part was seen")
	}
	kept := parts()
	if len(kept) == 0 {
		t.Fatal("nothing is kept")
	}
	object, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	// That it is taken shows where it is no object.
	if err := disk.Seal(kept[0], []byte("no object"), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := runtimeIn(t.Context(), found.clang, nil, dir); err == nil {
		t.Errorf("%s is compiled again", kept[0])
	}
	if err := os.WriteFile(kept[0], object, 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := runtimeIn(t.Context(), found.clang, nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	if left := parts(); len(left) != 1 || left[0] != path {
		t.Errorf("%v are left beside %s", left, path)
	}
}

// TestPlaces holds the order of the fuzzer's blocks against that of AddressSanitizer's own.
func TestPlaces(t *testing.T) {
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	bin := filepath.Join(t.TempDir(), "places")
	err := found.clang.Executable(t.Context(), []string{filepath.Join("testdata", "places.c")}, bin,
		[]string{"-I", filepath.Join("..", "..", "runtime_c"), "-D_GNU_SOURCE", "-fsanitize=address"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := toolchain.Run(t.Context(), toolchain.Command{Argv: []string{bin}, Timeout: time.Minute,
		Env: append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")})
	if err != nil || string(out.Stdout) != "0 different, 3\n" {
		t.Errorf("%v\n%s", err, out.Stdout)
	}
}

// A source is optimised where that takes little of the time, by what compiling it took. The
// compiler that optimises has what the one before it left of the bound: two of them in full
// would go beyond the budget by as much again.
func TestOptimisedWithinPatience(t *testing.T) {
	for _, c := range []struct {
		plain, better string // what the two compilers do
		patience      time.Duration
		want          string
		most          int // seconds that the second may use; 0: there is none
	}{
		{"sleep 1.2", "", time.Minute, "optimised", 19},
		{"sleep 0.3", "", time.Second, "plain", 0},
		{"", "exec sleep 60", 4 * time.Second, "plain", 20},
		{"", "exit 1", time.Minute, "plain", 20},
		{"exit 1", "", time.Minute, "", 0},
		{"exit 1", "", 0, "optimised", 20},
	} {
		dir := t.TempDir()
		script, object := filepath.Join(dir, "clang"), filepath.Join(dir, "f.o")
		source := "#!/bin/sh\nfor last; do [ \"$o\" = -o ] && out=$last; o=$last; done\n" +
			"case \"$*\" in *-O0*) " + c.plain + "\necho plain > \"$out\"; exit;; esac\n" +
			"sleep 0.3; ulimit -t > \"$0.limit\"\n" + c.better + "\necho optimised > \"$out\"\n"
		if err := os.WriteFile(script, []byte(source), 0o755); err != nil {
			t.Fatal(err)
		}
		ctx := toolchain.WithProcessorTime(t.Context(), 20*time.Second)
		err := patiently(ctx, &toolchain.Clang{Path: script}, "f.c", object, c.patience, []string{"-c", "-O1"})
		got, _ := os.ReadFile(object)
		text, _ := os.ReadFile(script + ".limit")
		limit, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		if strings.TrimSpace(string(got)) != c.want || limit > c.most || (limit > 0) != (c.most > 0) ||
			(err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, and the second may use %d seconds: %v", c, got, limit, err)
		}
	}
}

// Inputs end a process by a signal that nothing catches, or stop it for good with all signals
// blocked: the next process goes on. The first seven here run one input each and die, the
// eighth says nothing, the ninth runs a thousand.
func TestInputsEndNoEngine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "fuzzed")
	const text = `#!/bin/sh
for corpus; do :; done
n=$(ls $corpus | wc -l)
: > $corpus/$n
runs() { printf "S\\0\\0\\0\\020\\0\\0\\0\\0\\0\\0$1\\0\\0\\0\\0\\0\\0\\0\\0" >&4; }
[ $n -gt 6 ] || { runs '\0\001'; exit 1; }
[ $n -eq 7 ] || runs '\004\000'
exec sleep 60
`
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := New(nil).Start(t.Context(), engine.Program{Files: []string{script}},
		engine.Options{OutputDir: filepath.Join(dir, "out"), Budget: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); r.Wait() }()
	for r.Progress().Paths < 1000 {
		select {
		case <-ended:
			stats, err := r.Wait()
			t.Fatalf("it ended after %d runs: %v, %v", stats.Paths, stats.Notes, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	r.Stop()
	<-ended
}
