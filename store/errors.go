package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"klabel/disk"
)

// Errors that callers tell apart.
var (
	ErrLocked  = errors.New("the output directory is in use by another klabel")
	ErrVersion = errors.New("the store was made by another version of klabel (choose another directory, or start " +
		"anew with --fresh)")
	ErrDamaged = errors.New("the store is damaged (move the file away, or start anew with --fresh)")
	ErrClosed  = errors.New("the store is closed")
	ErrNoLabel = errors.New("no such label")
)

// LockedError is ErrLocked with what is known of the other process.
type LockedError struct {
	Dir string
	PID int // 0: not known
}

func (e *LockedError) Error() string {
	who := ""
	if e.PID > 0 {
		who = fmt.Sprintf(" (process %d)", e.PID)
	}
	return fmt.Sprintf("%s: %v%s: wait for its end, or choose another directory", e.Dir, ErrLocked, who)
}

// Is makes errors.Is(err, ErrLocked) true.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// openError says what failed in a directory and what can be done about it.
func openError(dir string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && strings.HasPrefix(pe.Path, dir) {
		dir, err = pe.Path, pe.Err
	}
	if disk.NoRoom(err) {
		return disk.Unwritten(dir, err)
	}
	return fmt.Errorf("%s: %w%s", dir, err, hint(err))
}

// hint says what a person can do about an error of the file system.
func hint(err error) string {
	switch {
	case errors.Is(err, syscall.EFBIG):
		return " (the limit on file sizes, ulimit -f, is too low; what is stored is kept)"
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		return " (choose an output directory that can be written)"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EEXIST):
		return " (the output directory must not be a file)"
	}
	return ""
}

// lockPatience is how long a lock that another process holds is waited for.
const lockPatience = 200 * time.Millisecond

// takeLock locks the file at path for this process and writes its number in it.
// The lock ends with the process, however it ends; the file stays.
func takeLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, openError(path, err)
	}
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("%w: %s is no file", ErrDamaged, path)
	}
	// A process that was killed while it started another leaves the lock to the
	// child for the moment until that runs its own program.
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	for end := time.Now().Add(lockPatience); err == unix.EWOULDBLOCK && time.Now().Before(end); {
		time.Sleep(lockPatience / 20)
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		defer f.Close()
		if err != unix.EWOULDBLOCK {
			return nil, openError(path, fmt.Errorf("cannot be locked: %w", err))
		}
		return nil, &LockedError{Dir: filepath.Dir(path), PID: lockedBy(f)}
	}
	// A number that cannot be written (full disk) costs the next one a better
	// message, no more.
	if f.Truncate(0) == nil {
		f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return f, nil
}

// shareLock keeps campaigns out of a directory while it is read. In one that no
// campaign has had there is nothing to lock.
func shareLock(dir string) (free func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return func() {}, nil
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == unix.EWOULDBLOCK {
		defer f.Close()
		return nil, &LockedError{Dir: dir, PID: lockedBy(f)}
	}
	return func() { freeLock(f) }, nil
}

// lockedBy reads which process has a lock, 0 if that cannot be known.
func lockedBy(f *os.File) int {
	b := make([]byte, 32)
	n, _ := f.ReadAt(b, 0)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	return pid
}

// freeLock gives the lock free. Closing alone would leave it to a child of this
// process that is about to run its own program and still has the file open.
func freeLock(f *os.File) {
	unix.Flock(int(f.Fd()), unix.LOCK_UN)
	f.Close()
}
