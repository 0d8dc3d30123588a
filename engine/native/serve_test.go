package native

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/engine"
	"klabel/instrument"
)

// newEngine is an engine whose processes are this test binary.
func newEngine(t testing.TB) *Engine {
	e := New(clang(t))
	t.Cleanup(func() {
		e.Close()
		if n := children(t); len(n) > 0 {
			t.Errorf("processes are left: %v", n)
		}
	})
	return e
}

// children lists the native-engine processes that this one has started.
func children(t testing.TB) (out []string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range stats {
		b, _ := os.ReadFile(f)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		rest := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if len(rest) > 1 && rest[1] == fmt.Sprint(os.Getpid()) && rest[0] != "Z" &&
			bytes.Contains(line, []byte(Subcommand)) {
			out = append(out, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return out
}

func start(t testing.TB, e *Engine, p engine.Program, o engine.Options) *run {
	t.Helper()
	if o.OutputDir == "" {
		o.OutputDir = filepath.Join(t.TempDir(), "out")
	}
	r, err := e.Start(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r.(*run)
}

// finding is what must not depend on how an exploration was started.
func finding(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if f.Name() != "stats.json" && f.Name() != "info" {
			out[f.Name()] = string(b)
		}
	}
	rep, err := readReport(dir)
	if err != nil {
		t.Fatal(err)
	}
	rep.Seconds, rep.SATSeconds = 0, 0
	out["stats.json"] = fmt.Sprintf("%+v", *rep)
	return out
}

// TestSlices: a slice finds what a run of its own finds, file by file, also as
// the second and the third one of a process, in turns with other slices.
func TestSlices(t *testing.T) {
	programs, err := filepath.Glob("testdata/programs/*.c")
	if err != nil {
		t.Fatal(err)
	}
	// Explorations that end by the clock differ from run to run.
	programs = slices.DeleteFunc(programs, func(f string) bool { return strings.Contains(firstLine(t, f), "max-time") })
	examples, err := filepath.Glob("../../examples/*/*.*.c")
	if err != nil || len(examples) == 0 {
		t.Fatal("no examples", err)
	}
	type image struct{ name, ll string }
	var images []image
	for _, f := range programs {
		images = append(images, image{filepath.Base(f), compile(t, f)})
	}
	for _, f := range examples {
		images = append(images, image{filepath.Base(f), compileLabelled(t, f)})
	}
	e := newEngine(t)
	for i, im := range images {
		t.Run(im.name, func(t *testing.T) {
			if testing.Short() && i%4 != 0 {
				t.Skip("takes time: without -short")
			}
			alone := map[engine.Mode]map[string]string{}
			for _, mode := range []engine.Mode{engine.Ignore, engine.Greybox, engine.Ignore, engine.Greybox} {
				p := engine.Program{Files: []string{im.ll}}
				o := engine.Options{Mode: mode, Seed: 3, MaxInstr: 300_000}
				if alone[mode] == nil {
					o.OutputDir = filepath.Join(t.TempDir(), "out")
					args := append([]string{"--clang", clang(t).Path}, arguments(p, o)...)
					var stderr bytes.Buffer
					if code := Main(t.Context(), args, &stderr, &stderr); code != 0 {
						t.Fatalf("exit code %d: %s", code, stderr.String())
					}
					alone[mode] = finding(t, o.OutputDir)
				}
				o.OutputDir = ""
				r := start(t, e, p, o)
				if _, err := r.Wait(); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(alone[mode], finding(t, r.Dir())); diff != "" {
					t.Fatalf("mode %s: alone and as a slice:\n%s", mode, diff)
				}
			}
		})
	}
}

// compileLabelled compiles an example for mode greybox.
func compileLabelled(t testing.TB, source string) string {
	t.Helper()
	u, err := csource.Load(t.Context(), source, csource.Options{Clang: clang(t), Flags: []string{"-I" + include}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := instrument.Rewrite(u, instrument.Options{Mode: engine.Greybox})
	if err != nil {
		t.Fatal(err)
	}
	return writeC(t, string(text))
}

// TestEntries: a slice starts where it is told, and labels are its own.
func TestEntries(t *testing.T) {
	ll := writeC(t, `
int klee_int(const char *); int klabel_wants(int); void klabel_label(int, int);
static int state;
static void f(int x) {
    if (klabel_wants(1)) klabel_label(1, x == 5);
    if (klabel_wants(2)) klabel_label(2, x == 5 && state == 1);
    state = 1;
}
void klabel_entry_1(void) { f(klee_int("x")); }
void klabel_entry_2(void) { f(klee_int("x")); f(klee_int("x")); }
int main(void) { f(1); return 0; }`)
	e := newEngine(t)
	for range 2 {
		for entry, want := range map[string]string{"": "[1 2]", "klabel_entry_1": "[2]", "klabel_entry_2": "[]"} {
			r := start(t, e, engine.Program{Files: []string{ll}, Entry: entry}, engine.Options{Mode: engine.Greybox})
			stats, err := r.Wait()
			if err != nil || !stats.Complete || fmt.Sprint(stats.Infeasible) != want {
				t.Errorf("entry %q: %+v %v, want %s infeasible", entry, stats, err, want)
			}
		}
	}
	if n := children(t); len(n) != 1 {
		t.Errorf("processes: %v", n)
	}
	r := start(t, e, engine.Program{Files: []string{ll}, Entry: "nowhere"}, engine.Options{Mode: engine.Greybox})
	if _, err := r.Wait(); err == nil || !strings.Contains(err.Error(), "no nowhere function") {
		t.Errorf("an entry that is not there: %v", err)
	}
}

const endless = `
int klee_int(const char *);
void spin(void) { for (volatile unsigned x = 0;; x++) klee_int("x"); }
int main(void) { return klee_int("x") > 3; }`

// TestStopSlice: a slice that is stopped, or cancelled, ends alone; its process
// takes the next.
func TestStopSlice(t *testing.T) {
	ll := writeC(t, endless)
	e := newEngine(t)
	spin := engine.Program{Files: []string{ll}, Entry: "spin"}
	r := start(t, e, spin, engine.Options{})
	pids := children(t)
	begun := func(r *run) {
		// The first report is there before the engine is known to have read the program.
		for range 10000 {
			if rep, err := readReport(r.Dir()); err == nil && rep.Instructions > 0 {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("the slice does not begin")
	}
	begun(r)
	r.Stop()
	if stats, err := r.Wait(); err != nil || stats.Complete || stats.Instructions == 0 {
		t.Errorf("stopped: %+v %v", stats, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r2, err := e.Start(ctx, spin, engine.Options{OutputDir: filepath.Join(t.TempDir(), "out")})
	if err != nil {
		t.Fatal(err)
	}
	begun(r2.(*run))
	cancel()
	if stats, err := r2.Wait(); err != nil || stats.Complete || stats.Instructions == 0 {
		t.Errorf("cancelled: %+v %v", stats, err)
	}
	stats, err := start(t, e, engine.Program{Files: []string{ll}}, engine.Options{}).Wait()
	if err != nil || !stats.Complete || stats.Paths != 1 {
		t.Errorf("the slice after them: %+v %v", stats, err)
	}
	if now := children(t); len(now) != 1 || len(pids) != 1 {
		t.Errorf("processes: %v, then %v", pids, now)
	}
}

// TestKilledServer: what a killed process had found is kept, and the next slice
// gets another process.
func TestKilledServer(t *testing.T) {
	ll := writeC(t, endless)
	e := newEngine(t)
	r := start(t, e, engine.Program{Files: []string{ll}, Entry: "spin"}, engine.Options{})
	for range 10000 {
		if _, err := readReport(r.Dir()); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	e.pool.mu.Lock()
	for s := range e.pool.all {
		s.process.Signal(syscall.SIGKILL)
	}
	e.pool.mu.Unlock()
	stats, err := r.Wait()
	if err != nil || stats.Complete || !strings.Contains(strings.Join(stats.Notes, " "), "killed") {
		t.Errorf("%+v %v", stats, err)
	}
	stats, err = start(t, e, engine.Program{Files: []string{ll}}, engine.Options{}).Wait()
	if err != nil || !stats.Complete {
		t.Errorf("the slice after it: %+v %v", stats, err)
	}
	// A process that died while it had nothing to do is not handed out.
	e.pool.mu.Lock()
	for s := range e.pool.all {
		s.process.Signal(syscall.SIGKILL)
		<-s.process.Done()
	}
	e.pool.mu.Unlock()
	if _, err := start(t, e, engine.Program{Files: []string{ll}}, engine.Options{}).Wait(); err != nil {
		t.Error(err)
	}
}

// TestCloseEngine ends what runs, and nothing starts afterwards.
func TestCloseEngine(t *testing.T) {
	ll := writeC(t, endless)
	e := newEngine(t)
	var wg sync.WaitGroup
	for range 3 {
		r := start(t, e, engine.Program{Files: []string{ll}, Entry: "spin"}, engine.Options{})
		wg.Go(func() { r.Wait() })
	}
	e.Close()
	wg.Wait()
	if _, err := e.Start(t.Context(), engine.Program{Files: []string{ll}}, engine.Options{OutputDir: "x"}); err == nil {
		t.Error("a closed engine starts a run")
	}
}

// TestImageChanged: a file that was written anew is read anew.
func TestImageChanged(t *testing.T) {
	e := newEngine(t)
	file := filepath.Join(t.TempDir(), "p.ll")
	for i, body := range []string{"return 0;", "return klee_int(\"x\") > 3 ? 1 : klee_int(\"y\") > 4;"} {
		b, err := os.ReadFile(writeC(t, "int klee_int(const char *); int main(void) { "+body+" }"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
		stats, err := start(t, e, engine.Program{Files: []string{file}}, engine.Options{}).Wait()
		if err != nil || stats.Queries > 0 != (i == 1) {
			t.Errorf("%s: %+v %v", body, stats, err)
		}
	}
}

// BenchmarkSlice is a slice of a trivial entry in an image of 3,000 lines.
func BenchmarkSlice(b *testing.B) {
	var c strings.Builder
	c.WriteString("int klabel_wants(int); void klabel_label(int, int);\n")
	for i := range 300 {
		fmt.Fprintf(&c, "int f%d(int x, int y) {\n", i)
		for k := range 4 {
			id := 4*i + k + 1
			fmt.Fprintf(&c, " if (klabel_wants(%d)) klabel_label(%d, x == %d);\n if (x > y + %d) y += x;\n", id, id, id,
				k)
		}
		c.WriteString(" return y;\n}\n")
	}
	c.WriteString("void entry(void) { f7(1, 2); }\nint main(void) { return 0; }\n")
	ll := writeC(b, c.String())
	e := newEngine(b)
	p := engine.Program{Files: []string{ll}, Entry: "entry"}
	dir := b.TempDir()
	n := 0
	for b.Loop() {
		n++
		r := start(b, e, p, engine.Options{Mode: engine.Greybox, OutputDir: filepath.Join(dir, fmt.Sprint(n))})
		if stats, err := r.Wait(); err != nil || !stats.Complete {
			b.Fatal(stats, err)
		}
	}
}

// TestWarm: a process that was started before there was a program takes the first
// one, finds what another would, and the next program has a process of its own.
func TestWarm(t *testing.T) {
	e := newEngine(t)
	e.Warm(t.Context())
	e.Warm(t.Context())
	before := children(t)
	if len(before) != 1 {
		t.Fatalf("%d processes wait, want 1", len(before))
	}
	source := `int main(int argc, char **argv) { return argc > 7; }`
	for i, want := range []int{1, 2} {
		p := engine.Program{Files: []string{compile(t, writeC(t, source))}}
		r := start(t, e, p, engine.Options{Mode: engine.Ignore})
		if stats, err := r.Wait(); err != nil || stats.Paths == 0 {
			t.Fatalf("program %d: %+v, %v", i+1, stats, err)
		}
		if n := len(children(t)); n != want {
			t.Errorf("program %d: %d processes, want %d", i+1, n, want)
		}
	}
}

// TestWarmUnused: what waits for a program that never comes ends with the engine.
func TestWarmUnused(t *testing.T) {
	newEngine(t).Warm(t.Context())
}

// TestStoppedWhileReading: a slice whose time ends while the process reads the image has an
// end, and the process reads on: it takes the next slice.
func TestStoppedWhileReading(t *testing.T) {
	text, err := os.ReadFile(writeC(t, endless))
	if err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(t.TempDir(), "slow.ll")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	e := newEngine(t)
	o := engine.Options{Budget: 10 * time.Millisecond, Reading: 10 * time.Millisecond}
	stats, err := start(t, e, engine.Program{Files: []string{pipe}, Entry: "spin"}, o).Wait()
	if err != nil || stats.Complete || !strings.Contains(strings.Join(stats.Notes, " "), "stopped before") {
		t.Errorf("%+v %v", stats, err)
	}
	if err := os.WriteFile(pipe, text, 0o600); err != nil {
		t.Fatal(err)
	}
	ready := func() (n int) {
		e.pool.mu.Lock()
		defer e.pool.mu.Unlock()
		for _, s := range e.pool.idle {
			if s.hasBegun() {
				n++
			}
		}
		return n
	}
	for n := 0; ready() == 0; n++ {
		if n == 1000 {
			t.Fatal("the process that had read the image is gone")
		}
		time.Sleep(10 * time.Millisecond)
	}
}
