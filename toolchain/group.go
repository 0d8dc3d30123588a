package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The parent-death signal is sent when the *thread* that forked ends, so all
// processes are started from one goroutine that keeps its thread for ever.
var starter = sync.OnceValue(func() chan<- startRequest {
	// Orphans of our groups come to us instead of to init, which in a container
	// may not exist: so they can be reaped, and a group's end be seen.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	requests := make(chan startRequest)
	go func() {
		runtime.LockOSThread()
		for r := range requests {
			r.err <- r.cmd.Start()
		}
	}()
	return requests
})

type startRequest struct {
	cmd *exec.Cmd
	err chan error
}

func startProcess(cmd *exec.Cmd) error {
	r := startRequest{cmd, make(chan error, 1)}
	starter() <- r
	return <-r.err
}

// guard is a shell that waits on a pipe whose other end only klabel holds. When
// klabel dies, whatever way, the pipe closes and the shell kills its group: the
// tool has the parent-death signal already, its children have nothing else. It
// leads the group, and is there before the tool, which could else have children
// that nobody guards when klabel is killed.
type guard struct {
	cmd  *exec.Cmd
	pipe *os.File
}

func startGuard() (*guard, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", "read end; kill -9 0")
	cmd.Stdin = r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := startProcess(cmd); err != nil {
		w.Close()
		return nil, err
	}
	return &guard{cmd, w}, nil
}

func (g *guard) pid() int { return g.cmd.Process.Pid }

// end ends the guard of a tool that could not be started.
func (g *guard) end() {
	g.pipe.Close()
	_ = g.cmd.Wait()
}

// wait reaps the guard after the group was killed.
func (g *guard) wait() {
	_ = g.cmd.Wait() // it was killed: the error says just that
	g.pipe.Close()
}

type member struct{ pid, parent int }

// groupMembers lists the processes of a group as /proc shows them.
func groupMembers(pgid int) (members []member) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (comm) state ppid pgrp ...; comm may hold spaces and brackets.
		rest := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if len(rest) < 3 || rest[2] != strconv.Itoa(pgid) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		parent, perr := strconv.Atoi(rest[1])
		if err == nil && perr == nil {
			members = append(members, member{pid, parent})
		}
	}
	return members
}

// family are a process and what it has started, as the kernel lists them: to look at a few is
// cheaper than to look at all processes of the machine. ok is false where it keeps no lists.
func family(pid int) (pids []int, ok bool) {
	pids = []int{pid}
	for i := 0; i < len(pids); i++ {
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/[0-9]*/children", pids[i])) // the pattern is well-formed
		for _, l := range lists {
			b, err := os.ReadFile(l)
			if err != nil {
				continue // it ended meanwhile
			}
			ok = true
			for _, child := range strings.Fields(string(b)) {
				if n, err := strconv.Atoi(child); err == nil {
					pids = append(pids, n)
				}
			}
		}
	}
	return pids, ok
}

// familyStats names the files in which /proc keeps the figures of a family; of all
// processes, where the kernel keeps no lists.
func familyStats(pid int) (files []string) {
	pids, ok := family(pid)
	if !ok {
		files, _ = filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
		return files
	}
	for _, p := range pids {
		files = append(files, fmt.Sprintf("/proc/%d/stat", p))
	}
	return files
}

// raiseStack lifts the soft limit of a running process, 0 being this one. The kernel reads the
// limit when the stack grows, so it works after the start too.
func raiseStack(pid int) {
	var now unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_STACK, nil, &now) == nil {
		now.Cur = now.Max
		_ = unix.Prlimit(pid, unix.RLIMIT_STACK, &now, nil) // the old limit mostly suffices
	}
}

// limit bounds what a process has of something, and each that it starts from then on. What
// a tool needs in its first moments is far below any limit.
func limit(pid, what, mb int) {
	if mb > 0 {
		limitTo(pid, what, uint64(mb)<<20)
	}
}

func limitTo(pid, what int, most uint64) {
	var now unix.Rlimit
	if unix.Prlimit(pid, what, nil, &now) == nil {
		most = min(most, now.Max)
		_ = unix.Prlimit(pid, what, &unix.Rlimit{Cur: most, Max: most}, nil) // it has ended already
	}
}

// memoryFor is what a tool may have that has no limit of the user's: half of the machine's
// memory, but what each machine has at least, and no more than anything sensible needs.
var memoryFor = sync.OnceValue(func() (mb int) {
	var i unix.Sysinfo_t
	if err := unix.Sysinfo(&i); err != nil {
		return minMemoryMB
	}
	return min(max(minMemoryMB, int(uint64(i.Totalram)*uint64(i.Unit)>>21)), maxMemoryMB)
})

const (
	minMemoryMB = 4 << 10
	maxMemoryMB = 16 << 10
)

const groupEndLimit = 5 * time.Second

// awaitGroupGone returns when the group has no member any more. The leader has
// been reaped and SIGKILL was sent; what remains is a matter of milliseconds,
// except for a process in an uninterruptible system call.
func awaitGroupGone(pgid int) error {
	deadline := time.Now().Add(groupEndLimit)
	for pause := 200 * time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		for {
			n, err := syscall.Wait4(-pgid, nil, syscall.WNOHANG, nil)
			if n <= 0 && !errors.Is(err, syscall.EINTR) {
				break
			}
		}
		if err := syscall.Kill(-pgid, syscall.SIGKILL); errors.Is(err, syscall.ESRCH) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes of group %d do not end", pgid)
		}
		time.Sleep(pause)
	}
}
