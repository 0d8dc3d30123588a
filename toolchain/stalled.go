package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ErrNoFile matches the ToolError of a compiler that waited for a pipe or a device,
// which a source names where a file should be.
var ErrNoFile = errors.New("is a pipe or a device: want a file")

// A compiler is looked at after stallFirst, before which most end, and then each time
// that it has run twice as long: where the kernel does not list what a process has started, a
// look reads what /proc tells of every process.
const stallFirst = 250 * time.Millisecond

// endStalled ends a compiler that waits for something that is no file. Only the kernel
// knows: what a source includes, and what that includes, may be named by macros.
func endStalled(p *Process) {
	next := time.NewTimer(stallFirst)
	defer next.Stop()
	for wait := stallFirst; ; wait *= 2 {
		select {
		case <-p.Done():
			return
		case <-next.C:
			next.Reset(wait)
		}
		pids, ok := family(p.Pid())
		if !ok {
			for _, m := range groupMembers(p.Group()) {
				pids = append(pids, m.pid)
			}
		}
		for _, pid := range pids {
			if path := waitsFor(pid); path != "" {
				p.stop(fmt.Errorf("%s %w", path, ErrNoFile))
				p.signal(-p.Group(), unix.SIGKILL)
				return
			}
		}
	}
}

// waitsFor is the pipe or device that a process is opening or reading at this moment; ""
// where it does something else, or where the kernel does not tell.
func waitsFor(pid int) string {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	text, err := os.ReadFile(filepath.Join(proc, "syscall"))
	if err != nil {
		return ""
	}
	words := strings.Fields(string(text)) // the call's number and its arguments; "running" of one that computes
	if len(words) < 4 {
		return ""
	}
	number, err := strconv.Atoi(words[0])
	if err != nil {
		return ""
	}
	path := ""
	switch number {
	case unix.SYS_OPENAT:
		path = textAt(proc, words[2])
	case unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_READV:
		fd, err := strconv.ParseUint(words[1], 0, 31)
		if err != nil {
			return ""
		}
		path, _ = os.Readlink(filepath.Join(proc, "fd", strconv.FormatUint(fd, 10))) // else it has ended
		if !filepath.IsAbs(path) {
			return "" // a pipe between processes
		}
	}
	if path == "" || path == os.DevNull { // which keeps nobody waiting
		return ""
	}
	seen := path
	if !filepath.IsAbs(path) {
		seen = filepath.Join(proc, "cwd", path)
	}
	if fi, err := os.Stat(seen); err != nil || fi.Mode().IsRegular() || fi.IsDir() {
		return ""
	}
	return path
}

// textAt is the string at an address of a process.
func textAt(proc, address string) string {
	at, err := strconv.ParseInt(address, 0, 64)
	if err != nil {
		return ""
	}
	f, err := os.Open(filepath.Join(proc, "mem"))
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, 4096)
	n, _ := f.ReadAt(b, at) // what follows may not be mapped
	text, _, whole := bytes.Cut(b[:n], []byte{0})
	if !whole {
		return ""
	}
	return string(text)
}
