package native

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func writeC(t testing.TB, text string) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return compile(t, source)
}

// TestBadInput: an error or a limit that is reported, never a panic.
func TestBadInput(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.ll")
	if err := os.WriteFile(garbage, []byte("garbage\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		program string
		flags   []string
		code    int
		stderr  string
	}{
		"garbage":       {garbage, nil, 1, "is this LLVM IR?"},
		"missing file":  {"/nowhere.ll", nil, 1, "no such file"},
		"no main":       {writeC(t, "int f(void) { return 1; }"), nil, 1, "no main function"},
		"recursion":     {writeC(t, "int f(int n) { int a[9]; a[0] = n; return f(n + 1) + a[0]; } int main() { return f(0); }"), nil, 0, "stack overflow"},
		"endless loop":  {writeC(t, "int main() { volatile int x = 0; for (;;) x++; }"), []string{"--max-time=0.3"}, 0, "time limit"},
		"instructions":  {writeC(t, "int main() { volatile int x = 0; for (;;) x++; }"), []string{"--max-instructions=50000"}, 0, "instruction limit"},
		"large global":  {writeC(t, "char g[1 << 30]; int main() { g[1 << 29] = 2; return g[5]; }"), nil, 0, "completed paths = 1"},
		"unknown":       {writeC(t, "int no_such(int); int main() { return no_such(1); }"), nil, 0, "failed external call: no_such"},
		"assembly":      {writeC(t, "int main() { asm(\"nop\"); return 0; }"), nil, 0, "inline assembly"},
		"bad searcher":  {garbage, []string{"--search=best"}, 2, "unknown searcher"},
		"no output dir": {garbage, []string{"--output-dir="}, 2, "output-dir"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			args := append([]string{"--output-dir", filepath.Join(t.TempDir(), "out"), "--clang", clang(t).Path, "--max-time=20"}, c.flags...)
			if code := Main(context.Background(), append(args, c.program), &stderr, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("%q is not in %q", c.stderr, stderr.String())
			}
		})
	}
}

// TestMemoryLimit: paths are dropped, and what was found stays.
func TestMemoryLimit(t *testing.T) {
	program := writeC(t, `#include <klee/klee.h>
int main(void)
{
    unsigned x, n = 0;
    char page[20000];
    klee_make_symbolic(&x, sizeof x, "x");
    for (int i = 0; i < 14; i++)
        if (x >> i & 1)
            for (int k = 0; k < 20000; k += 1000) page[k] = i + n++;
    return n + page[3];
}`)
	_, rep := explore(t, []string{"--max-memory=60", "--search=bfs"}, program)
	if rep.Complete || rep.Tests == 0 || rep.Partial == 0 || !strings.Contains(strings.Join(rep.Notes, " "), "dropped") {
		t.Errorf("%+v", rep)
	}
}

// TestCancel: a run that is told to stop ends at once and says so.
func TestCancel(t *testing.T) {
	program := writeC(t, "int main() { volatile int x = 0; for (;;) x++; }")
	dir := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	var out bytes.Buffer
	start := time.Now()
	if code := Main(ctx, []string{"--output-dir", dir, "--clang", clang(t).Path, program}, &out, &out); code != 0 {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
	rep, err := readReport(dir)
	if err != nil || !rep.Finished || rep.Complete {
		t.Errorf("%+v %v", rep, err)
	}
}

// Told to stop while the program is being read: no error, nothing explored.
func TestCancelEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := filepath.Join(t.TempDir(), "out")
	var out bytes.Buffer
	if code := Main(ctx, []string{"--output-dir", dir, "--clang", clang(t).Path, writeC(t, "int main() { return 0; }")}, &out, &out); code != 0 {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	rep, err := readReport(dir)
	if err != nil || !rep.Finished || rep.Complete || rep.Error != "" {
		t.Errorf("%+v %v", rep, err)
	}
}

// BenchmarkConcrete measures a million concrete instructions.
func BenchmarkConcrete(b *testing.B) {
	program := writeC(b, "int main() { unsigned h = 1; for (int i = 0; i < 83333; i++) h = h * 33 + i; return h & 1; }")
	for b.Loop() {
		_, rep := explore(b, nil, program)
		b.ReportMetric(float64(rep.Instructions), "instructions")
	}
}
