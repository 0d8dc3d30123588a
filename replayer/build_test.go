package replayer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"klabel/ktest"
	"klabel/toolchain"
)

var findClang = sync.OnceValues(func() (*toolchain.Clang, error) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		return nil, err
	}
	return tools.RequireClang()
})

func clang(t testing.TB) *toolchain.Clang {
	t.Helper()
	c, err := findClang()
	if err != nil {
		t.Skipf("no clang: %v", err)
	}
	return c
}

// prelude is what the text that instrument writes has declared.
const prelude = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <klee/klee.h>
extern void klabel_hit(int);
`

// build compiles a program for replays, and fails the test if that fails.
func build(t testing.TB, source string, sanitize bool, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	c := filepath.Join(dir, "program.c")
	if err := os.WriteFile(c, []byte(prelude+"#line 1 \"program.c\"\n"+source), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "replay")
	if err := Build(t.Context(), clang(t), c, out, sanitize, flags...); err != nil {
		t.Fatal(err)
	}
	return out
}

func newPool(t testing.TB, o Options) *Pool {
	t.Helper()
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.TestTimeout == 0 {
		o.TestTimeout = 5 * time.Second
	}
	o.TempDir = t.TempDir()
	p, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(o.TempDir, "*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return p
}

// i32 is the object of a 32-bit input.
func i32(name string, v int32) ktest.Object {
	return ktest.Object{Name: name, Data: []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}}
}

func test(objects ...ktest.Object) *ktest.Test {
	return &ktest.Test{Args: []string{"program.bc"}, Objects: objects}
}

// A file of the cache that lies under another's name is none.
func TestExchangedCache(t *testing.T) {
	dir := t.TempDir()
	made, one, other := filepath.Join(dir, "made"), filepath.Join(dir, "one"), filepath.Join(dir, "other")
	if err := os.WriteFile(made, []byte("an object"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(putCached(made, one), takeCached(one, made)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(one, other); err != nil {
		t.Fatal(err)
	}
	if err := takeCached(other, made); !errors.Is(err, errCached) {
		t.Errorf("it is taken: %v", err)
	}
}

// A damaged file in the cache is compiled anew.
func TestDamagedCache(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	build(t, "int main(void) { return 0; }", false)
	files, err := filepath.Glob(filepath.Join(cache, "klabel", "replay-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, size := range []int64{0, 20, 4000, -1} {
		if size < 0 { // a pipe, that nobody writes to
			err = errors.Join(os.Remove(files[0]), unix.Mkfifo(files[0], 0o666))
		} else {
			err = os.Truncate(files[0], size)
		}
		if err != nil {
			t.Fatal(err)
		}
		build(t, "int main(void) { return 0; }", false)
		if fi, err := os.Stat(files[0]); err != nil || fi.Size() <= 4000 {
			t.Errorf("%d bytes: %v, %v", size, fi.Size(), err)
		}
	}
}

// Build is BuildAll for one file.
func Build(ctx context.Context, clang *toolchain.Clang, replayC, out string, sanitize bool, flags ...string) error {
	return BuildAll(ctx, clang, []Source{{File: replayC}}, nil, out, sanitize, flags...)
}
