package instrument

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"klabel/csource"
	"klabel/toolchain"
)

var probe = sync.OnceValues(func() (*toolchain.Tools, error) {
	return toolchain.Probe(context.Background(), toolchain.Want{})
})

func clangOf(t testing.TB) *toolchain.Clang {
	t.Helper()
	tools, err := probe()
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("no clang on PATH")
	}
	return tools.Clang
}

func load(t testing.TB, path string) *csource.Unit {
	t.Helper()
	u, err := csource.Load(context.Background(), path, csource.Options{Clang: clangOf(t),
		IncludeDirs: []string{"../runtime_c/include"}})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func writeFile(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// compile builds a native program of C files.
func compile(t testing.TB, out string, args ...string) {
	t.Helper()
	argv := append([]string{"-w", "-o", out}, args...)
	if b, err := exec.Command(clangOf(t).Path, argv...).CombinedOutput(); err != nil {
		t.Fatalf("clang %v: %v\n%s", argv, err, b)
	}
}

func testPrograms(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs under testdata", err)
	}
	return files
}
