package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "file"), filepath.Join(dir, "other")
	read := func(path, want string) {
		t.Helper()
		if b, err := os.ReadFile(path); err != nil || string(b) != want {
			t.Errorf("%s holds %q (%v), want %q", path, b, err, want)
		}
	}
	for _, text := range []string{"one", "", "three"} {
		if err := Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		read(path, text)
	}
	failed := errors.New("no more")
	err := WriteFrom(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("the error of what renders is lost: %v", err)
	}
	read(path, "three")

	if err := os.Chmod(path, 0o751); err != nil {
		t.Fatal(err)
	}
	if err := Copy(path, other); err != nil {
		t.Fatal(err)
	}
	read(other, "three")
	if err := Write(path, []byte("four")); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o751 {
		t.Errorf("replaced with other permissions: %v %v", fi.Mode(), err)
	}

	link := filepath.Join(dir, "link")
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("five")); err != nil {
		t.Fatal(err)
	}
	read(link, "five")
	read(other, "three")

	left, err := filepath.Glob(filepath.Join(dir, "*"+Part))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestErrors checks that errors name the file that was meant.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "absent", "file"), filepath.Join(dir, "folder")} {
		err := Write(path, []byte("text"))
		if err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), Part) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := Copy(filepath.Join(dir, "absent"), filepath.Join(dir, "to")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("copying what is not there: %v", err)
	}
}

func TestCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/somewhere")
	if p, err := Cache("a", "b"); err != nil || p != "/somewhere/klabel/a/b" {
		t.Errorf("%s %v", p, err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if p, err := Cache("a"); err == nil {
		t.Errorf("a cache without a home: %s", p)
	}
}

// What is no file is refused, and nothing waits for it, and what is larger than memory; a file is read.
func TestReadRefusesPipes(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Skipf("SKIPPED: no pipe can be made: %v", err)
	}
	large := filepath.Join(dir, "large") // it takes no room on the disk
	if err := errors.Join(os.WriteFile(large, nil, 0o666), os.Truncate(large, 1<<40)); err != nil {
		t.Skipf("SKIPPED: no file with holes can be made: %v", err)
	}
	for _, path := range []string{pipe, "/dev/zero", dir, large} {
		if b, err := Read(path); err == nil {
			t.Errorf("%s is read: %d bytes", path, len(b))
		}
	}
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(file); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
}
