package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What cannot be written for want of space says which folder is to blame, and how
// another one is chosen.
func TestAdvice(t *testing.T) {
	cache, temp := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("TMPDIR", temp)
	at := func(dir string) error { return &fs.PathError{Op: "write", Path: dir, Err: syscall.ENOSPC} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{at(filepath.Join(cache, "klabel", "c-1", "x.h")), "the cache is on it: free some space there, or choose another " +
			"place for it with XDG_CACHE_HOME"},
		{fmt.Errorf("compiling: %w", at(filepath.Join(temp, "absent", "x"))), "or choose another with TMPDIR"},
		{Unwritten("/absent/out", syscall.EDQUOT), "or choose another with --output"},
		{&os.LinkError{Op: "rename", New: "/absent/out", Err: syscall.ENOSPC}, "--output"},
		{errors.New("clang: error: unable to open output file '" + cache + "/klabel/x.o': 'No space left on device'"),
			"XDG_CACHE_HOME"},
		{errors.New("ld: final link failed: No space left on device"), "TMPDIR"},
	} {
		got := Advice(c.err)
		if !strings.HasPrefix(got, "the file system at /") || !strings.HasSuffix(got, c.want) &&
			!strings.Contains(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
	if got := Advice(at("/dev/stdout")); !strings.Contains(got, "send it elsewhere") {
		t.Errorf("where the output goes: %q", got)
	}
	for _, err := range []error{nil, syscall.EIO, errors.New("no space for it in the table")} {
		if got := Advice(err); got != "" {
			t.Errorf("%v: %q", err, got)
		}
	}
	if f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil { // the kernel's own
		f.Close()
		err := Output("/dev/full", func(w io.Writer) error { _, err := w.Write([]byte("x")); return err })
		if got := Advice(err); !strings.Contains(got, "the file system at /dev") {
			t.Errorf("%v: %q", err, got)
		}
	}
}

// The trouble of a cache is told once, and only where there was no room.
func TestCacheTrouble(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	CacheTrouble()
	WithoutCache(fs.ErrPermission)
	if got := CacheTrouble(); got != "" {
		t.Error(got)
	}
	WithoutCache(Unwritten("/a", syscall.ENOSPC))
	WithoutCache(Unwritten("/b", syscall.ENOSPC))
	if got := CacheTrouble(); !strings.Contains(got, "XDG_CACHE_HOME") {
		t.Errorf("told: %q", got)
	}
	if got := CacheTrouble(); got != "" {
		t.Errorf("told twice: %q", got)
	}
}

// Needs asks the file system that a path will be on.
func TestNeeds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent", "file")
	if err := Needs(path, 1<<62); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	if err := Needs(path, 1); err != nil {
		t.Error(err)
	}
}
