package replayer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"klabel/label"
)

const assertError = "Error: ASSERTION FAIL: cov_label %d\nFile: f.c\nLine: 3\nassembly.ll line: 12\nStack: \n"

// dirWriter writes into an engine's output directory.
type dirWriter struct {
	t   testing.TB
	dir string
}

func (d dirWriter) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d dirWriter) appendTo(name, text string) {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

func name(n int, suffix string) string { return fmt.Sprintf("test%06d.%s", n, suffix) }

func content(n int) string { return string(test(i32("x", int32(n))).Bytes()) }

// watching runs a watcher with and without the kernel's notifications.
func watching(t *testing.T, f func(t *testing.T, d dirWriter, o WatchOptions)) {
	for _, noNotify := range []bool{false, true} {
		t.Run(fmt.Sprintf("NoNotify=%v", noNotify), func(t *testing.T) {
			t.Parallel()
			d := dirWriter{t, filepath.Join(t.TempDir(), "out")}
			f(t, d, WatchOptions{Dirs: []string{d.dir}, NoNotify: noNotify, Interval: 10 * time.Millisecond})
		})
	}
}

func next(t *testing.T, c <-chan TestFile) TestFile {
	t.Helper()
	select {
	case f, ok := <-c:
		if !ok {
			t.Fatal("the channel is closed")
		}
		return f
	case <-time.After(2 * time.Minute):
		t.Fatal("no test arrived")
		return TestFile{}
	}
}

func none(t *testing.T, c <-chan TestFile) {
	t.Helper()
	select {
	case f := <-c:
		t.Fatalf("too early: %+v", f)
	case <-time.After(80 * time.Millisecond):
	}
}

func rest(t *testing.T, c <-chan TestFile) (files []TestFile) {
	t.Helper()
	limit := time.After(2 * time.Minute)
	for {
		select {
		case f, ok := <-c:
			if !ok {
				return files
			}
			files = append(files, f)
		case <-limit:
			t.Fatal("the channel is not closed")
		}
	}
}

func wantTest(t *testing.T, f TestFile, n int, suffix string) {
	t.Helper()
	if f.Problem != nil || filepath.Base(f.Path) != name(n, "ktest") || f.Suffix != suffix || f.Test == nil ||
		int(f.Test.Objects[0].Data[0]) != n {
		t.Fatalf("got %+v, want test %d with suffix %q", f, n, suffix)
	}
}

// Files appear as KLEE writes them: the test, then its error file, in pieces.
func TestWatchOrder(t *testing.T) {
	watching(t, func(t *testing.T, d dirWriter, o WatchOptions) {
		ctx, finish := context.WithCancel(context.Background())
		defer finish()
		o.Done = ctx.Done()
		c := WatchWith(context.Background(), o)
		none(t, c) // the directory does not exist yet
		if err := os.Mkdir(d.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		d.write("info", "klee")
		d.write(name(1, "ktest"), content(1)[:20])
		none(t, c)
		d.appendTo(name(1, "ktest"), content(1)[20:])
		none(t, c) // its error file may still come
		d.write(name(1, "assert.err"), "Error: ASSERTION FAIL: cov_la")
		none(t, c)
		d.appendTo(name(1, "assert.err"), "bel 17, met with 3 5\nFile: f.c\n")
		f := next(t, c)
		wantTest(t, f, 1, "assert.err")
		if !f.HasLabel || f.Label != 17 || !slices.Equal(f.Also, []label.ID{3, 5}) ||
			f.Error != "Error: ASSERTION FAIL: cov_label 17, met with 3 5" {
			t.Errorf("label: %+v", f)
		}
		d.appendTo(name(1, "assert.err"), "Line: 5\n") // no second delivery
		d.write(name(2, "ktest"), content(2))
		none(t, c)
		d.write(name(3, "ktest"), content(3)[:10]) // 3 has begun, so 2 is complete
		wantTest(t, next(t, c), 2, "")
		d.appendTo(name(3, "ktest"), content(3)[10:])
		d.write(name(3, "ptr.err"), "Error: memory error: out of bound pointer\nFile: f.c\n")
		f = next(t, c)
		wantTest(t, f, 3, "ptr.err")
		if f.HasLabel {
			t.Errorf("label: %+v", f)
		}
		d.write(name(4, "ktest"), content(4))
		d.write(name(5, "early"), "")
		d.write(name(4, "path"), "1")
		finish()
		files := rest(t, c)
		for len(files) > 0 && errors.Is(files[len(files)-1].Problem, ErrNoTest) {
			files = files[:len(files)-1]
		}
		if len(files) != 1 {
			t.Fatalf("last sweep: %+v", files)
		}
		wantTest(t, files[0], 4, "")
	})
}

func TestWatchBadFiles(t *testing.T) {
	watching(t, func(t *testing.T, d dirWriter, o WatchOptions) {
		if err := os.Mkdir(d.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		ctx, finish := context.WithCancel(context.Background())
		defer finish()
		o.Done = ctx.Done()
		c := WatchWith(context.Background(), o)
		d.write(name(1, "ktest"), content(1)[:25]) // cut off for good
		d.write(name(2, "ktest"), "#!/bin/sh\n")
		d.write(name(3, "assert.err"), fmt.Sprintf(assertError, 9)) // KLEE lost the test
		d.write(name(4, "ktest"), content(4))
		d.write(name(4, "assert.err"), "Error: ASSERTION FAIL: x == cov_label 3\n")
		d.write("seed.ktest", content(5))
		d.write("half.ktest", content(6)[:12])
		d.write("testament", "")
		if err := os.Mkdir(filepath.Join(d.dir, name(7, "ktest")), 0o755); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		finish()
		got := map[string]TestFile{}
		for _, f := range rest(t, c) {
			base := filepath.Base(f.Path)
			if _, twice := got[base]; twice {
				t.Errorf("%s came twice", base)
			}
			if (f.Test == nil) != (f.Problem != nil) {
				t.Errorf("%+v", f)
			}
			got[base] = f
		}
		for file, ok := range map[string]bool{
			name(1, "ktest"): false, name(2, "ktest"): false, name(3, "assert.err"): false,
			name(4, "ktest"): true, "seed.ktest": true, "half.ktest": false, name(7, "ktest"): false,
		} {
			f, there := got[file]
			if !there || (f.Problem == nil) != ok {
				t.Errorf("%s: %v, %+v", file, there, f)
			}
			delete(got, file)
		}
		if len(got) > 0 {
			t.Errorf("besides: %v", got)
		}
	})
}

func TestWatchLostTest(t *testing.T) {
	d := dirWriter{t, t.TempDir()}
	d.write(name(3, "assert.err"), fmt.Sprintf(assertError, 9))
	ctx, finish := context.WithCancel(context.Background())
	finish()
	files := rest(t, Watch(ctx, d.dir))
	if len(files) != 1 || !errors.Is(files[0].Problem, ErrNoTest) || files[0].Label != 9 || !files[0].HasLabel {
		t.Errorf("%+v", files)
	}
}

// Many tests, written as fast as can be into two directories: each comes once.
func TestWatchMany(t *testing.T) {
	const n = 1500
	dirs := []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	ctx, finish := context.WithCancel(context.Background())
	c := Watch(ctx, dirs...)
	go func() {
		defer finish()
		for _, dir := range dirs {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Error(err)
				return
			}
			d := dirWriter{t, dir}
			for i := 1; i <= n; i++ {
				d.write(name(i, "ktest"), content(i))
				if i%3 == 0 {
					d.write(name(i, "assert.err"), fmt.Sprintf(assertError, i))
				}
			}
		}
	}()
	seen := map[string]bool{}
	for _, f := range rest(t, c) {
		if seen[f.Path] || f.Problem != nil {
			t.Fatalf("%+v (seen: %v)", f, seen[f.Path])
		}
		seen[f.Path] = true
		i := 0
		fmt.Sscanf(filepath.Base(f.Path), "test%d", &i)
		if f.HasLabel != (i%3 == 0) || f.HasLabel && f.Label != label.ID(i) {
			t.Errorf("%s: label %v %v", f.Path, f.HasLabel, f.Label)
		}
	}
	if len(seen) != 2*n {
		t.Errorf("%d tests of %d", len(seen), 2*n)
	}
}

// Nobody reads: the watcher ends with its context all the same.
func TestWatchCancel(t *testing.T) {
	d := dirWriter{t, t.TempDir()}
	for i := 1; i < 100; i++ {
		d.write(name(i, "ktest"), content(i))
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := WatchWith(ctx, WatchOptions{Dirs: []string{d.dir}})
	time.Sleep(20 * time.Millisecond)
	cancel()
	time.Sleep(20 * time.Millisecond)
	if n := len(rest(t, c)); n > 20 {
		t.Errorf("%d tests after the end", n)
	}
}

func TestReadTestFile(t *testing.T) {
	d := dirWriter{t, filepath.Join(t.TempDir(), "odd [x]*")}
	if err := os.Mkdir(d.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	d.write(name(1, "ktest"), content(1))
	d.write(name(1, "assert.err"), fmt.Sprintf(assertError, 4))
	d.write("x.ktest", "KTEST")
	f := ReadTestFile(filepath.Join(d.dir, name(1, "ktest")))
	wantTest(t, f, 1, "assert.err")
	if f.Label != 4 || !f.HasLabel {
		t.Errorf("%+v", f)
	}
	if f := ReadTestFile(filepath.Join(d.dir, "x.ktest")); f.Problem == nil {
		t.Errorf("%+v", f)
	}
	if f := ReadTestFile(filepath.Join(d.dir, "none.ktest")); !errors.Is(f.Problem, os.ErrNotExist) {
		t.Errorf("%+v", f)
	}
}

// Watch delivers the tests that appear in the directories, each once. When the
// context ends, a last sweep takes what is there, and the channel is closed; the
// reader must read on until then.
func Watch(ctx context.Context, dirs ...string) <-chan TestFile {
	return WatchWith(context.WithoutCancel(ctx), WatchOptions{Dirs: dirs, Done: ctx.Done()})
}

// Of what compilers make of a call's only argument nothing is taken for another.
func TestArgument(t *testing.T) {
	for _, c := range []struct {
		code string
		id   label.ID
		ok   bool
	}{
		{"\xbf\x04\x01\x00\x00", 260, true},            // mov $260,%edi
		{"\xc7\x04\x24\x04\x00\x00\x00", 4, true},      // movl $4,(%esp)
		{"\x89\xe0\xc7\x00\x04\x00\x00\x00", 4, true},  // mov %esp,%eax; movl $4,(%eax)
		{"\x89\xe1\xc7\x01\x07\x00\x00\x00", 7, true},  // by %ecx
		{"\x89\xe1\xc7\x00\x07\x00\x00\x00", 0, false}, // another register
		{"\x31\xff", 0, true},                          // xor %edi,%edi
		{"\x8b\x7d\xfc", 0, false},                     // mov -4(%rbp),%edi
	} {
		if id, ok := argument([]byte(c.code)); id != c.id || ok != c.ok {
			t.Errorf("%x: %d %v", c.code, id, ok)
		}
	}
}
