package replayer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/label"
)

const busy = `
int main(void)
{
    int n = klee_int("n"), i;
    char name[16];
    static char large[1 << 20];
    if (n == -1) for (;;) sleep(1);
    if (n == -2) klabel_hit(70000);
    if (n == -3) { klee_make_symbolic(large, sizeof large, "large"); klabel_hit(large[sizeof large - 1]); return 0; }
    for (i = 0; i < n; i++) klabel_hit(i);
    snprintf(name, sizeof name, "f%d", n);
    if (access(name, F_OK) == 0) abort();
    if (n % 3 == 0) fclose(fopen(name, "w"));
    return 0;
}`

// busyPool is not sanitized: its tests are about the pool.
func busyPool(t *testing.T, o Options) *Pool {
	o.Binary = build(t, busy, false)
	return newPool(t, o)
}

// TestLargeInputs: what a run asks for is all known, structures with tables in them too, or none of it is.
func TestLargeInputs(t *testing.T) {
	bin := build(t, `
int main(void)
{
    static char window[512 << 10];
    int n = klee_int("n"), i;
    if (n == 0)
        return 0;
    for (i = 1; i < n; i++)
        klee_make_symbolic(window, sizeof window, "window");
    return klee_int("last");
}`, false)
	p := newPool(t, Options{Binary: bin})
	for n, want := range map[int32]int{0: 1, 2: 3, 6: 7, 12: -1} {
		_, asked, err := p.ReplayWhole(t.Context(), 0, test(i32("n", n)))
		if err != nil || len(asked) != max(want, 0) || (asked == nil) != (want < 0) {
			t.Errorf("%d: %d inputs, %v", n, len(asked), err)
		} else if n == 6 && (len(asked[5].Data) != 512<<10 || asked[6].Name != "last") {
			t.Errorf("%d: %s and %d bytes", n, asked[6].Name, len(asked[5].Data))
		}
	}
}

func TestPool(t *testing.T) {
	p := busyPool(t, Options{Workers: 3})
	replay := func(n int32, more ...ktest.Object) (label.Verdict, error) {
		return p.Replay(t.Context(), 0, test(append(more, i32("n", n))...))
	}

	t.Run("side by side", func(t *testing.T) {
		var wg sync.WaitGroup
		for w := range 6 {
			wg.Go(func() {
				for i := range 15 {
					n := (w*15 + i) % 40
					v, err := replay(int32(n))
					if err != nil || v.Outcome != label.Normal || len(v.Hits) != n || n > 0 &&
						v.Hits[n-1] != label.ID(n-1) {
						t.Errorf("%d: %+v, %v", n, v, err)
					}
				}
			})
		}
		wg.Wait()
	})

	t.Run("label beyond the largest", func(t *testing.T) {
		v, err := replay(-2)
		if err != nil || v.Outcome != label.Crashed || !strings.Contains(v.Reason, "label 70000") || len(v.Hits) > 0 {
			t.Errorf("%+v, %v", v, err)
		}
	})

	t.Run("large test", func(t *testing.T) {
		data := make([]byte, 1<<20)
		data[len(data)-1] = 5
		v, err := replay(-3, ktest.Object{Name: "large", Data: data})
		if err != nil || !slices.Equal(v.Hits, []label.ID{5}) {
			t.Errorf("%+v, %v", v, err)
		}
	})

	t.Run("many objects", func(t *testing.T) {
		var more []ktest.Object
		for i := range 3000 {
			more = append(more, i32(fmt.Sprintf("o%d", i), 1))
		}
		if v, err := replay(4, more...); err != nil || len(v.Hits) != 4 {
			t.Errorf("%+v, %v", v, err)
		}
	})

	t.Run("servers that were killed", func(t *testing.T) {
		for range 5 {
			w := <-p.idle
			if w.process != nil {
				_ = syscall.Kill(w.process.Pid(), syscall.SIGKILL) // may have ended in the last round
			}
			p.idle <- w
			if v, err := replay(2); err != nil || len(v.Hits) != 2 {
				t.Errorf("%+v, %v", v, err)
			}
		}
	})

	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := p.Replay(ctx, 0, test(i32("n", -1))); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if v, err := replay(3); err != nil || len(v.Hits) != 3 {
			t.Errorf("afterwards: %+v, %v", v, err)
		}
	})

	t.Run("no test", func(t *testing.T) {
		if _, err := p.Replay(t.Context(), 0, nil); err == nil {
			t.Error("no error")
		}
	})

	t.Run("closed", func(t *testing.T) {
		late := make(chan error)
		go func() {
			_, err := p.Replay(context.Background(), 0, test(i32("n", -1)))
			late <- err
		}()
		time.Sleep(100 * time.Millisecond)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-late; err == nil {
			t.Error("a replay under way ended without an error")
		}
		if _, err := replay(1); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		out, _ := exec.Command("ps", "-eo", "args").Output()
		if strings.Contains(string(out), p.opts.Binary) {
			t.Errorf("processes are left:\n%s", out)
		}
	})
}

func TestPoolErrors(t *testing.T) {
	if _, err := New(t.Context(), Options{Binary: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("no error without a program")
	}
	p := newPool(t, Options{Binary: "/bin/false"})
	if _, err := p.Replay(t.Context(), 0, test()); err == nil || !strings.Contains(err.Error(), "replay program") {
		t.Errorf("a program that is no replay program: %v", err)
	}
}

// What does not come to main is waited for once, and not with each test.
func TestPoolSilent(t *testing.T) {
	binary := build(t, `
__attribute__((constructor)) static void begins(void) { for (;;) pause(); }
int main(void) { return klee_int("n"); }`, false)
	p := newPool(t, Options{Binary: binary, Workers: 1, StartLimit: 300 * time.Millisecond})
	_, first := p.Replay(t.Context(), 0, test())
	if first == nil || !strings.Contains(first.Error(), "does not answer") {
		t.Fatalf("a program that does not begin: %v", first)
	}
	w := <-p.idle
	w.opts.StartLimit = time.Hour
	p.idle <- w
	if _, err := p.Replay(t.Context(), 0, test()); !errors.Is(err, first) {
		t.Errorf("it was started again: %v", err)
	}
}

func TestBuildErrors(t *testing.T) {
	dir := t.TempDir()
	source, out := filepath.Join(dir, "p.c"), filepath.Join(dir, "out")
	for name, text := range map[string]string{
		"does not compile": "int main(void) { return x; }",
		"no main":          "int f(void) { return 0; }",
	} {
		if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Build(t.Context(), clang(t), source, out, false); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := Build(t.Context(), nil, source, out, false); err == nil {
		t.Error("no clang: no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Without the sanitizers' runtimes UBSan's checks still end the program.
func TestBuildWithoutRuntimes(t *testing.T) {
	bare := *clang(t)
	bare.HasASan, bare.HasUBSan = false, false
	dir := t.TempDir()
	source, out := filepath.Join(dir, "p.c"), filepath.Join(dir, "out")
	text := prelude + "int main(void) { int x = klee_int(\"x\"); klabel_hit(1); return 5 / x + (x + 0x7fffffff) * 0; }"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Build(t.Context(), &bare, source, out, true, "-DX=1", "-lm"); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, Options{Binary: out})
	if v, err := p.Replay(t.Context(), 0, test(i32("x", 0))); err != nil || v.Outcome != label.Crashed {
		t.Errorf("division by zero: %+v, %v", v, err)
	}
	if v, err := p.Replay(t.Context(), 0, test(i32("x", 7))); err != nil || v.Outcome != label.Normal {
		t.Errorf("wrap-around: %+v, %v", v, err)
	}
}

func TestByHand(t *testing.T) {
	binary := build(t, triangle, true)
	dir := t.TempDir()
	run := func(args ...string) string {
		out, err := exec.Command(binary, args...).CombinedOutput()
		return fmt.Sprintf("%s%v", out, err)
	}
	file := filepath.Join(dir, "t.ktest")
	if err := os.WriteFile(file, triangleTest(2).Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(file); got != "labels hit: 3\n2\n<nil>" {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(file, triangleTest(2).Bytes()[:40], 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(file); !strings.Contains(got, "cut off") || !strings.Contains(got, "exit status 2") {
		t.Errorf("%q", got)
	}
	if got := run(); !strings.Contains(got, "usage:") {
		t.Errorf("%q", got)
	}
	if got := run(filepath.Join(dir, "none")); !strings.Contains(got, "No such file") {
		t.Errorf("%q", got)
	}
}
