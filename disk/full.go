package disk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// unwritten is a file that could not be written.
type unwritten struct {
	path string
	err  error
}

func (e *unwritten) Error() string { return fmt.Sprintf("%s cannot be written: %v", e.path, e.err) }
func (e *unwritten) Unwrap() error { return e.err }

// Unwritten says that a file could not be written, and why.
func Unwritten(path string, err error) error { return &unwritten{path, err} }

// NoRoom reports whether a file system was full, or the user's share of it. Tools,
// and engines, which are other processes, say so in words.
func NoRoom(err error) bool {
	return err != nil && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || noRoomText(err.Error()))
}

func noRoomText(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "no space left on device") || strings.Contains(text, "disk quota exceeded")
}

// Advice says what a person can do about a file system without room: which it is,
// which folder is on it, and how another one is chosen. It is "" for other errors.
func Advice(err error) string {
	if !NoRoom(err) {
		return ""
	}
	var file *unwritten
	var at *fs.PathError
	var link *os.LinkError
	var paths []string
	switch {
	case errors.As(err, &at) && (at.Path == os.Stdout.Name() || at.Path == os.Stderr.Name()):
		return "where the output is sent to is full: free some space there, or send it elsewhere"
	case errors.As(err, &file):
		paths = append(paths, file.path)
	case errors.As(err, &at):
		paths = append(paths, at.Path)
	case errors.As(err, &link):
		paths = append(paths, link.New)
	}
	return AdviceAt(append(paths, pathsIn(err.Error())...)...)
}

// pathsIn are the paths that a message names.
func pathsIn(text string) []string {
	return regexp.MustCompile(`/[^\s'":,;()]+`).FindAllString(text, -1)
}

// AdviceAt is Advice where one of these files, or one for temporary use, could not be
// written: the first that is on a full file system, else the first.
func AdviceAt(paths ...string) string {
	paths = append(paths, os.TempDir())
	path := paths[0]
	for _, p := range paths {
		if room, err := Room(p); err == nil && room < leastRoom {
			path = p
			break
		}
	}
	what, then := "the output directory", "or choose another with --output; what is stored is kept"
	switch cache, err := Cache(); {
	case err == nil && within(path, cache):
		what, then = "the cache", "or choose another place for it with XDG_CACHE_HOME"
	case within(path, os.TempDir()): // which is this process' own: see OwnTemp
		what, then = "the folder for temporary files", "or choose another with TMPDIR"
	}
	where, size := mountOf(path)
	return fmt.Sprintf("the file system at %s (%s) is full, and %s is on it: free some space there, %s", where, size,
		what, then)
}

// within reports whether a path is a folder or in it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// leastRoom is what is as good as nothing.
const leastRoom = 64 << 10

// Room is how many bytes a file at path may have; none where there may be no more files.
func Room(path string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(standing(path), &s); err != nil {
		return 0, err
	}
	if s.Files > 0 && s.Ffree == 0 {
		return 0, nil
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// Needs is an error where a file system has not so many bytes left.
func Needs(path string, bytes uint64) error {
	if room, err := Room(path); err == nil && room < bytes {
		return Unwritten(path, syscall.ENOSPC)
	}
	return nil
}

// standing is the nearest folder above a path, or itself, that is there.
func standing(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// mountOf names the file system that a path is on by where it is mounted, and says
// how large it is.
func mountOf(path string) (where, size string) {
	path = standing(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	where = path
	b, _ := os.ReadFile("/proc/self/mountinfo") // without it the path itself is named
	best := ""
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) > 4 && len(f[4]) > len(best) && within(path, f[4]) {
			best = f[4]
		}
	}
	if best != "" {
		where = best
	}
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return where, "of unknown size"
	}
	switch n := s.Blocks * uint64(s.Bsize); {
	case s.Files > 0 && s.Ffree == 0:
		return where, "which has no room for another file"
	case n < 10<<20:
		return where, fmt.Sprintf("%d kB", n>>10)
	case n < 10<<30:
		return where, fmt.Sprintf("%d MB", n>>20)
	default:
		return where, fmt.Sprintf("%d GB", n>>30)
	}
}

var cacheIsFull atomic.Bool

// WithoutCache notes that there was no room to keep something in the cache: the work
// goes on without. A cache that cannot be written for another reason, as where a user
// has no home, is how some machines are.
func WithoutCache(err error) {
	if NoRoom(err) {
		cacheIsFull.Store(true)
	}
}

// CacheTrouble is the advice for a cache that was full, "" for none; it is given once.
func CacheTrouble() string {
	dir, err := Cache()
	if !cacheIsFull.Swap(false) || err != nil {
		return ""
	}
	return AdviceAt(dir)
}
