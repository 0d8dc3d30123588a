package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Names of what OwnTemp makes: a folder for each process, and in it the file
// that the process holds a lock on as long as it lives.
const (
	ownPrefix = "klabel-own-"
	ownLock   = ".lock"
)

// OwnTemp gives the process a folder of its own for temporary files, compilers'
// and solvers' included: TMPDIR is set to it. What processes that were killed
// have left is removed. remove takes the folder away and TMPDIR back; where no
// folder can be made it does nothing, and whoever needs one will say why.
func OwnTemp() (remove func()) {
	sweepTemp(os.TempDir())
	dir, lock, err := newOwn(os.TempDir())
	if err != nil {
		return func() {}
	}
	before, was := os.LookupEnv("TMPDIR")
	userTemp = func() (string, bool) { return before, was }
	os.Setenv("TMPDIR", dir)
	return sync.OnceFunc(func() {
		if was {
			os.Setenv("TMPDIR", before)
		} else {
			os.Unsetenv("TMPDIR")
		}
		removeOwn(dir)
		lock.Close()
	})
}

var userTemp = func() (string, bool) { return os.LookupEnv("TMPDIR") }

// UserEnvironment is that of the process without what OwnTemp has changed, for
// the user's own commands.
func UserEnvironment() []string {
	env := os.Environ()
	dir, set := userTemp()
	out := env[:0]
	for _, e := range env {
		if !strings.HasPrefix(e, "TMPDIR=") {
			out = append(out, e)
		}
	}
	if set {
		out = append(out, "TMPDIR="+dir)
	}
	return out
}

// newOwn makes a folder and locks it. Until it is locked another process may take
// it for a dead one's.
func newOwn(in string) (dir string, lock *os.File, err error) {
	for range 10 {
		if dir, err = os.MkdirTemp(in, ownPrefix); err != nil {
			return "", nil, err
		}
		path := filepath.Join(dir, ownLock)
		if lock, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			continue
		}
		if err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil && isAt(lock, path) {
			return dir, lock, nil
		}
		lock.Close()
	}
	return "", nil, errors.Join(err, errors.New("no folder for temporary files"))
}

// removeOwn removes a folder, its lock last: whoever is killed meanwhile leaves one
// that the next process knows for a dead one's. What stays is swept then.
func removeOwn(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != ownLock && os.RemoveAll(filepath.Join(dir, e.Name())) != nil {
			return
		}
	}
	_ = os.Remove(filepath.Join(dir, ownLock))
	_ = unix.Rmdir(dir)
}

func isAt(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, there)
}

// sweepTemp removes the folders of this user whose process is gone.
func sweepTemp(in string) {
	entries, _ := os.ReadDir(in) // what can be read of it is enough
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ownPrefix) {
			continue
		}
		dir := filepath.Join(in, e.Name())
		fi, err := os.Lstat(dir)
		if err != nil || !fi.IsDir() || !ownedByUser(fi) {
			continue
		}
		path := filepath.Join(dir, ownLock)
		fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		if err != nil {
			_ = unix.Rmdir(dir) // killed before it had a lock; one with anything else in it stays
			continue
		}
		lock := os.NewFile(uintptr(fd), path)
		if unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) == nil && isAt(lock, path) {
			removeOwn(dir)
		}
		lock.Close()
	}
}

func ownedByUser(fi os.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
