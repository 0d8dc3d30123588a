package replayer

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"klabel/ktest"
)

const triangle = `
int main(void)
{
    int a = klee_int("a"), b = klee_int("b"), c = klee_int("c");
    if (a <= 0 || b <= 0 || c <= 0) { klabel_hit(1); return 1; }
    if (a == b && b == c) klabel_hit(2);
    else if (a == b || b == c || a == c) klabel_hit(3);
    else klabel_hit(4);
    printf("%d\n", a);
    return 0;
}`

func triangleTest(i int) *ktest.Test {
	return test(i32("a", int32(i%5)), i32("b", 2), i32("c", 3))
}

func benchmarkPool(b *testing.B, sanitize bool, workers int) {
	p := newPool(b, Options{Binary: build(b, triangle, sanitize), Workers: workers})
	if _, err := p.Replay(b.Context(), 0, triangleTest(0)); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < b.N; i += workers {
				if _, err := p.Replay(b.Context(), 0, triangleTest(i)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "replays/s")
}

// benchmarkStart starts the same executable once a test.
func benchmarkStart(b *testing.B, sanitize bool) {
	binary := build(b, triangle, sanitize)
	file := filepath.Join(b.TempDir(), "test.ktest")
	if err := os.WriteFile(file, triangleTest(3).Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		c := exec.Command(binary, file)
		c.Dir = b.TempDir()
		if err := c.Run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "replays/s")
}

func BenchmarkForkServer(b *testing.B) {
	b.Run("sanitized", func(b *testing.B) { benchmarkPool(b, true, 1) })
	b.Run("sanitized-2", func(b *testing.B) { benchmarkPool(b, true, 2) })
	b.Run("plain", func(b *testing.B) { benchmarkPool(b, false, 1) })
}

func BenchmarkProcessStart(b *testing.B) {
	b.Run("sanitized", func(b *testing.B) { benchmarkStart(b, true) })
	b.Run("plain", func(b *testing.B) { benchmarkStart(b, false) })
}
