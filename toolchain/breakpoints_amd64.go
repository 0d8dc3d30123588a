//go:build linux && amd64

package toolchain

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// int3 is the instruction that stops a process.
const int3 = 0xcc

// What package unix does not name.
const (
	auxEntry   = 9    // AT_ENTRY
	fromKernel = 0x80 // SI_KERNEL, of a signal that an int3 has made

	instructionPointer = uintptr(unsafe.Offsetof(unix.PtraceRegs{}.Rip)) // in struct user
)

// SetBreakpoints watches a process that waits for klabel and has one thread. The
// places are addresses of its program's file, as is entry, where that begins.
func SetBreakpoints(pid int, entry uint64, places []uint64) (*Breakpoints, error) {
	b := newBreakpoints(pid)
	set := make(chan error)
	go func() {
		// Whoever traces is a thread. It is not given back: it ends with its work.
		runtime.LockOSThread()
		err := b.begin(entry, places)
		set <- err
		if err == nil {
			b.watch()
		}
		close(b.done)
	}()
	if err := <-set; err != nil {
		return nil, err
	}
	return b, nil
}

func newBreakpoints(pid int) *Breakpoints {
	return &Breakpoints{server: pid, places: map[uint64]byte{}, early: map[uint64]bool{}, hits: map[uint64]bool{},
		ends: map[int]bool{}, others: map[int]bool{}, traced: map[int]bool{pid: true}, done: make(chan struct{})}
}

// begin stops the process and puts the breakpoints into its memory; what it
// starts inherits them.
func (b *Breakpoints) begin(entry uint64, places []uint64) error {
	const options = unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE |
		unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL
	if err := trace(unix.PTRACE_SEIZE, b.server, options); err != nil {
		return fmt.Errorf("the kernel does not let klabel trace what it starts: %w", err)
	}
	if err := trace(unix.PTRACE_INTERRUPT, b.server, 0); err != nil {
		return err
	}
	var status unix.WaitStatus
	if _, err := wait4(b.server, &status, unix.WALL); err != nil {
		return err
	}
	bias, err := loadedAt(b.server, entry)
	if err == nil {
		err = b.set(bias, places)
	}
	if err != nil {
		return err
	}
	return trace(unix.PTRACE_CONT, b.server, 0)
}

// loadedAt is the distance of a program's addresses to those in its file.
func loadedAt(pid int, entry uint64) (uint64, error) {
	aux, err := os.ReadFile(fmt.Sprintf("/proc/%d/auxv", pid))
	if err != nil {
		return 0, err
	}
	if narrow, err := isNarrow(pid); err != nil {
		return 0, err
	} else if narrow {
		for ; len(aux) >= 8; aux = aux[8:] {
			if binary.LittleEndian.Uint32(aux) == auxEntry {
				return uint64(binary.LittleEndian.Uint32(aux[4:])) - entry, nil
			}
		}
	}
	for ; len(aux) >= 16; aux = aux[16:] {
		if binary.LittleEndian.Uint64(aux) == auxEntry {
			return binary.LittleEndian.Uint64(aux[8:]) - entry, nil
		}
	}
	return 0, errors.New("the kernel does not say where the program is")
}

// isNarrow reports whether a process runs a program of 32 bits.
func isNarrow(pid int) (bool, error) {
	f, err := elf.Open(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return false, err
	}
	defer f.Close()
	return f.Class == elf.ELFCLASS32, nil
}

// set writes whole stretches of places: each call costs a page at least.
func (b *Breakpoints) set(bias uint64, places []uint64) error {
	mem, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", b.server), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer mem.Close()
	b.bias = bias
	places = slices.Compact(slices.Sorted(slices.Values(places)))
	for len(places) > 0 {
		n := 1
		for n < len(places) && places[n]-places[n-1] < 4096 && places[n]-places[0] < 1<<20 {
			n++
		}
		from := places[0] + bias
		text := make([]byte, places[n-1]-places[0]+1)
		if _, err := mem.ReadAt(text, int64(from)); err != nil {
			return err
		}
		for _, p := range places[:n] {
			b.places[p] = text[p-places[0]]
			text[p-places[0]] = int3
		}
		if _, err := mem.WriteAt(text, int64(from)); err != nil {
			return err
		}
		places = places[n:]
	}
	return nil
}

// watch goes on until the server has ended. Its end is left to whoever started it.
func (b *Breakpoints) watch() {
	for {
		var info signalInfo
		err := waitid(&info, unix.WEXITED|unix.WSTOPPED|unix.WNOWAIT|unix.WALL|unix.WNOTHREAD)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return
		}
		pid := int(info.pid)
		if pid == b.server && info.code != cldTrapped && info.code != cldStopped {
			return
		}
		if !b.traces(pid) {
			time.Sleep(childTick)
			continue
		}
		if err := b.collect(pid, info.code); err != nil {
			return
		}
	}
}

// collect takes what has come of a process.
func (b *Breakpoints) collect(pid int, code int32) error {
	if code != cldTrapped && code != cldStopped {
		b.end(pid, code == cldExited) // before its parent, who answers then, can know
	}
	var status unix.WaitStatus
	if _, err := wait4(pid, &status, unix.WALL|unix.WNOTHREAD); err != nil {
		if errors.Is(err, unix.ECHILD) {
			return nil // killed meanwhile, and seen by another
		}
		return err
	}
	b.event(pid, status)
	return nil
}

// childTick is how long whoever waits for a child may take to do it.
const childTick = time.Millisecond

// traces tells what is traced from a child that this thread has started before it came to
// trace: that one is waited for by whoever wanted it, and must be left to them.
func (b *Breakpoints) traces(pid int) bool {
	if b.traced[pid] {
		return true
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // else it is gone
	_, after, _ := strings.Cut(string(text), "\nTracerPid:\t")
	tracer, _, _ := strings.Cut(after, "\n")
	if tracer != strconv.Itoa(unix.Gettid()) {
		return false
	}
	b.traced[pid] = true
	return true
}

func (b *Breakpoints) event(pid int, status unix.WaitStatus) {
	switch {
	case status.Exited() || status.Signaled():
		delete(b.others, pid)
		delete(b.traced, pid)
		return
	case !status.Stopped():
		return
	}
	signal, request := status.StopSignal(), unix.PTRACE_CONT
	switch event := int(status) >> 16; event {
	case 0:
		if signal == unix.SIGTRAP && !b.others[pid] && byBreakpoint(pid) && b.hit(pid) {
			signal = 0
		}
	case unix.PTRACE_EVENT_STOP:
		if signal != unix.SIGTRAP { // all of its threads stand still
			request = unix.PTRACE_LISTEN
		}
		signal = 0
	case unix.PTRACE_EVENT_FORK, unix.PTRACE_EVENT_VFORK, unix.PTRACE_EVENT_CLONE:
		if child, err := unix.PtraceGetEventMsg(pid); err == nil && pid == b.server {
			b.mu.Lock()
			b.main = int(child) // the last one is the one that counts
			b.mu.Unlock()
		}
		signal = 0
	case unix.PTRACE_EVENT_EXEC:
		// What stands there now may look like a breakpoint. Its end still counts, what it
		// starts does not.
		b.others[pid] = true
		_ = trace(unix.PTRACE_SETOPTIONS, pid, unix.PTRACE_O_EXITKILL) // it may have been killed meanwhile
		signal = 0
	default:
		signal = 0
	}
	_ = trace(request, pid, uintptr(signal)) // it may have been killed meanwhile
}

// hit notes that a process has come to a place, and lets it go on there.
func (b *Breakpoints) hit(pid int) bool {
	var next [8]byte // of a process of 32 bits, too: PTRACE_GETREGS may tell others of that
	if _, err := unix.PtracePeekUser(pid, instructionPointer, next[:]); err != nil {
		return false
	}
	at := binary.LittleEndian.Uint64(next[:]) - 1
	was, known := b.places[at-b.bias]
	if !known {
		return false
	}
	if _, err := unix.PtracePokeText(pid, uintptr(at), []byte{was}); err != nil {
		return false
	}
	binary.LittleEndian.PutUint64(next[:], at)
	if _, err := unix.PtracePokeUser(pid, instructionPointer, next[:]); err != nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if pid == b.server {
		b.early[at-b.bias] = true
	} else {
		b.hits[at-b.bias] = true
	}
	return true
}

func trace(request, pid int, data uintptr) error {
	if _, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(pid), 0, data, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func wait4(pid int, status *unix.WaitStatus, options int) (int, error) {
	for {
		n, err := unix.Wait4(pid, status, options, nil)
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// signalInfo is the part of siginfo_t that package unix does not show.
type signalInfo struct {
	signal, errno, code, _ int32
	pid                    int32 // of SIGCHLD
	_                      [108]byte
}

func waitid(info *signalInfo, options int) error {
	return unix.Waitid(unix.P_ALL, 0, (*unix.Siginfo)(unsafe.Pointer(info)), options, nil)
}

// byBreakpoint reports whether the signal that stopped a process is an int3's.
func byBreakpoint(pid int) bool {
	var info signalInfo
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GETSIGINFO, uintptr(pid), 0,
		uintptr(unsafe.Pointer(&info)), 0, 0)
	return errno == 0 && info.code == fromKernel
}
