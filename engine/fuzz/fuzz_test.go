package fuzz

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"klabel/engine"
	"klabel/ktest"
	"klabel/toolchain"
)

// image is the program of testdata, built once.
var image = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "klabel-fuzz-test-")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "fuzzed")
	return out, Build(context.Background(), found.clang, Image{
		Sources: []Source{{File: "testdata/image.c"}}, Main: true,
		Symbols: []string{"state", "ends", "asks", "eats", "errors", "near", "loops"},
		Args:    []string{"argument"}, Words: []string{"other", "fuzzing"},
		Numbers: []uint64{7, 54321},
		MaxID:   200}, out)
})

var found struct{ clang *toolchain.Clang }

func TestMain(m *testing.M) {
	if tools, err := toolchain.Probe(context.Background(), toolchain.Want{}); err == nil {
		found.clang, _ = tools.ClangForFuzzing()
	}
	// Folders may be called anything.
	cache, err := os.MkdirTemp("", "program-*.o")
	if err == nil {
		err = os.Setenv("XDG_CACHE_HOME", cache)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(cache)
	if found.clang != nil {
		if bin, _ := image(); bin != "" {
			os.RemoveAll(filepath.Dir(bin))
		}
	}
	os.Exit(code)
}

// start fuzzes an entry.
func start(t *testing.T, entry string, o engine.Options) engine.Run {
	t.Helper()
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	bin, err := image()
	if err != nil {
		t.Fatal(err)
	}
	if o.OutputDir == "" {
		o.OutputDir = filepath.Join(t.TempDir(), "out")
	}
	o.Budget, o.Seed = 40*time.Second, 5
	o.ProgramArgs = []string{"argument"}
	r, err := New(found.clang).Start(t.Context(), engine.Program{Files: []string{bin}, Entry: entry}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Stop(); r.Wait() })
	return r
}

// said is what the fuzzer says of its finds, by words and labels: "covers 3".
func said(t *testing.T, r engine.Run) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(r.Dir(), "*."+Suffix))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(string(b))
		for _, w := range words[min(1, len(words)):] {
			out[words[0]+" "+w] = strings.TrimSuffix(f, Suffix) + "ktest"
		}
	}
	return out
}

// until waits for finds, and for so many runs at least, and stops the run.
func until(t *testing.T, r engine.Run, runs uint64, wants ...string) map[string]string {
	t.Helper()
	for {
		s := said(t, r)
		missing := slices.DeleteFunc(slices.Clone(wants), func(w string) bool { return s[w] != "" })
		if len(missing) == 0 && r.Progress().Paths >= runs {
			r.Stop()
			if _, err := r.Wait(); err != nil {
				t.Fatal(err)
			}
			return said(t, r)
		}
		if r.(*run).ctx.Err() != nil {
			stats, err := r.Wait()
			t.Fatalf("not found: %v; %d runs, %v %v; %v", missing, stats.Paths, stats.Notes, err, s)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// impossible fails for labels that nothing can hit.
func impossible(t *testing.T, s map[string]string) {
	t.Helper()
	for find := range s {
		if words := strings.Fields(find); len(words[1]) == 3 && words[1][0] == '1' {
			t.Errorf("the fuzzer says: %s", find)
		}
	}
}

func TestStateIsPutBack(t *testing.T) {
	t.Parallel()
	impossible(t, until(t, start(t, "state", engine.Options{}), 5000, "covers 1", "covers 2"))
}

func TestEnds(t *testing.T) {
	t.Parallel()
	s := until(t, start(t, "ends", engine.Options{}), 0, "covers 10", "covers 11", "covers 12", "fails 13", "fails 14",
		"fails 15", "fails 16", "fails 17", "fails 19")
	impossible(t, s)
	for find := range s {
		if find == "covers 18" || find == "fails 18" || find == "fails 10" || find == "covers 14" {
			t.Errorf("the fuzzer says: %s", find)
		}
	}
}

// Errors that only the replay would see are no finds.
func TestErrors(t *testing.T) {
	t.Parallel()
	impossible(t, until(t, start(t, "errors", engine.Options{}), 5000, "covers 57", "covers 58", "fails 50", "fails 51",
		"fails 52", "fails 53", "fails 54", "fails 55", "fails 56", "fails 59", "fails 60"))
}

// Memory that a run never frees, or more of it than there is, is no other run's loss.
func TestEats(t *testing.T) {
	t.Parallel()
	for _, memory := range []int{700, 80} {
		impossible(t, until(t, start(t, "eats", engine.Options{MaxMemoryMB: memory}), 300, "covers 41"))
	}
}

// Its limit leaves room for what the kernel does not count as its data.
func TestDataOf(t *testing.T) {
	for memory, want := range map[int]int{4000: 3952, 400: 352, 100: 75} {
		if got := dataOf(memory); got != want {
			t.Errorf("of %d MB it may write to %d, want %d", memory, got, want)
		}
	}
}

func TestAsks(t *testing.T) {
	t.Parallel()
	corpus := t.TempDir()
	r := start(t, "asks", engine.Options{Corpus: corpus})
	found := func() bool { s := said(t, r); return s["covers 20"] != "" && s["covers 21"] != "" }
	for r.(*run).ctx.Err() == nil && !found() {
		time.Sleep(20 * time.Millisecond)
	}
	// A find is told of before the fuzzer writes its input to the corpus: only some runs later is it surely there.
	s := until(t, r, r.Progress().Paths+1000, "covers 20", "covers 21")
	kt, err := ktest.ReadFile(s["covers 20"])
	if err != nil {
		t.Fatal(err)
	}
	if len(kt.Objects) < 3 || kt.Objects[0].Name != "s" || kt.Objects[1].Name != "n" ||
		string(kt.Objects[0].Data[:8]) != "fuzzing\x00" || !slices.Equal(kt.Args[1:], []string{"argument"}) {
		t.Errorf("%v", kt)
	}
	// What was killed has left its corpus, which alone shows the label again.
	again := start(t, "asks", engine.Options{Corpus: corpus, ExtraArgs: []string{"-runs=0"}})
	until(t, again, 0, "covers 20")
}

// A test of another engine's is taken up while the fuzzer runs.
func TestSeed(t *testing.T) {
	t.Parallel()
	seed := (&ktest.Test{Objects: []ktest.Object{{Name: "s", Data: make([]byte, 12)}, {Name: "n", Data: []byte{0, 0}},
		{Name: "key", Data: []byte{0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}}}}).Bytes()
	r := start(t, "asks", engine.Options{})
	until := func(find string) bool { return said(t, r)[find] != "" }
	for r.Progress().Paths == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	if until("covers 23") {
		t.Fatal("found without the seed")
	}
	r.(engine.Seeded).Seed(seed)
	for !until("covers 23") {
		if r.(*run).ctx.Err() != nil {
			t.Fatal("the seed was not taken up")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// viewOf is a live view in which labels have statuses.
func viewOf(t *testing.T, status map[int]byte) string {
	t.Helper()
	view := make([]byte, 64+208)
	copy(view, "KLABELV1\x01")
	view[12] = 201
	for id, s := range status {
		view[64+id] = s
	}
	path := filepath.Join(t.TempDir(), "view")
	if err := os.WriteFile(path, view, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// What a long loop asks for is repeated.
func TestLoops(t *testing.T) {
	t.Parallel()
	until(t, start(t, "loops", engine.Options{}), 0, "covers 80")
}

// How near a run comes to a label is progress as long as the label is open.
func TestDistance(t *testing.T) {
	t.Parallel()
	inputs := func(o engine.Options) int {
		o.Corpus = t.TempDir()
		until(t, start(t, "near", o), 20000)
		files, _ := filepath.Glob(filepath.Join(o.Corpus, "*"))
		return len(files)
	}
	open, covered := inputs(engine.Options{}), inputs(engine.Options{LiveView: viewOf(t, map[int]byte{70: 1})})
	if open < 6 || covered > 2 {
		t.Errorf("%d inputs on the way to an open label, %d to a covered one", open, covered)
	}
}

// The live view says which labels are open: 20 is covered, 21 refused.
func TestOpenLabels(t *testing.T) {
	t.Parallel()
	path := viewOf(t, map[int]byte{20: 1, 21: 7})
	corpus := t.TempDir()
	seed := (&ktest.Test{Objects: []ktest.Object{{Name: "s", Data: []byte("fuzzing\x00\x00\x00\x00\x00")},
		{Name: "n", Data: []byte{0x31, 0xd4}}}}).Bytes()
	if err := os.WriteFile(filepath.Join(corpus, "both"), seed, 0o644); err != nil {
		t.Fatal(err)
	}
	s := until(t, start(t, "asks", engine.Options{Corpus: corpus, LiveView: path}), 0, "covers 21")
	if s["covers 20"] != "" {
		t.Error("a test for a label that is covered")
	}
}

func TestMainAndItsArguments(t *testing.T) {
	t.Parallel()
	impossible(t, until(t, start(t, "", engine.Options{}), 0, "covers 30"))
}

func TestRefuses(t *testing.T) {
	e := New(&toolchain.Clang{})
	o := engine.Options{Searchers: []string{"dfs"}}
	if _, err := e.Start(t.Context(), engine.Program{Files: []string{"x"}}, o); err == nil {
		t.Error("a searcher that it does not have: no error")
	}
}

// A program that keeps the fuzzer from its first run is one that the fuzzer cannot run,
// and why is said.
func TestNeverRuns(t *testing.T) {
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	for body, want := range map[string]string{
		"for (int i = 0; i < 1024; i++) close(i);": "before its first run",
		"_exit(0);": "exit status 1",
		`for (int i = 3; i < 9; i++) if (write(i, "rrrrrrrrrr", 10)) {}`: "writes over its records",
	} {
		dir := t.TempDir()
		source, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "fuzzed")
		text := "#include <unistd.h>\n__attribute__((constructor)) static void first(void) { " + body +
			" }\nint main(void) { return 0; }\n"
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		image := Image{Sources: []Source{{File: source}}, Main: true}
		if err := Build(t.Context(), found.clang, image, bin); err != nil {
			t.Fatal(err)
		}
		r, err := New(found.clang).Start(t.Context(), engine.Program{Files: []string{bin}},
			engine.Options{OutputDir: filepath.Join(dir, "out"), Budget: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Wait(); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// The budget is for running inputs: what a process takes before the first is no part of it.
func TestBudgetBeginsWithTheFirstInput(t *testing.T) {
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	dir := t.TempDir()
	source, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "fuzzed")
	text := "#include <unistd.h>\n__attribute__((constructor)) static void late(void) { usleep(500000); }\n" +
		"int main(void) { return 0; }\n"
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Build(t.Context(), found.clang, Image{Sources: []Source{{File: source}}, Main: true}, bin); err != nil {
		t.Fatal(err)
	}
	r, err := New(found.clang).Start(t.Context(), engine.Program{Files: []string{bin}},
		engine.Options{OutputDir: filepath.Join(dir, "out"), Budget: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if stats, err := r.Wait(); err != nil || stats.Paths == 0 {
		t.Errorf("%d runs, %v", stats.Paths, err)
	}
}
