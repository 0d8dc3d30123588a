package disk

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// A process that was killed leaves its folder to the next one; folders that are
// in use, that are no folders or that nobody knows stay.
func TestOwnTemp(t *testing.T) {
	if dir := os.Getenv("KLABEL_TEST_LEAVE"); dir != "" { // the process that is killed
		OwnTemp()
		if err := os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "left"), nil, 0o600); err != nil {
			os.Exit(1)
		}
		unix.Kill(os.Getpid(), unix.SIGKILL)
	}
	top := t.TempDir()
	t.Setenv("TMPDIR", top)
	keep := map[string]bool{}
	for name, make := range map[string]func(string) error{
		"klabel-own-file": func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"klabel-own-link": func(p string) error { return os.Symlink(t.TempDir(), p) },
		"klabel-own-unknown": func(p string) error {
			return os.MkdirAll(filepath.Join(p, "mine"), 0o700)
		},
		"klabel-own-pipe": func(p string) error {
			if err := os.Mkdir(p, 0o700); err != nil {
				return err
			}
			return os.Symlink("/dev/null", filepath.Join(p, ownLock))
		},
		"other": func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		if err := make(filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
		keep[name] = true
	}
	leave := func() {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestOwnTemp$")
		cmd.Env = append(os.Environ(), "KLABEL_TEST_LEAVE="+top, "TMPDIR="+top)
		if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	leave()
	before, err := filepath.Glob(filepath.Join(top, ownPrefix+"[0-9]*", "left"))
	if err != nil || len(before) != 1 {
		t.Fatalf("nothing was left: %v, %v", before, err)
	}
	remove := OwnTemp()
	own := os.Getenv("TMPDIR")
	if filepath.Dir(own) != top || !slices.Contains(UserEnvironment(), "TMPDIR="+top) {
		t.Errorf("TMPDIR is %s, the user's %q", own, UserEnvironment())
	}
	keep[filepath.Base(own)] = true
	leave() // which sweeps too, and leaves this one alone
	sweepTemp(top)
	entries, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !keep[e.Name()] {
			t.Errorf("%s is left", e.Name())
		}
		delete(keep, e.Name())
	}
	if len(keep) > 0 {
		t.Errorf("removed: %v", keep)
	}
	remove()
	if _, err := os.Lstat(own); err == nil || os.Getenv("TMPDIR") != top {
		t.Errorf("after the end: %v, TMPDIR %s", err, os.Getenv("TMPDIR"))
	}
}
