package toolchain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supervise runs the program as the first process of its namespace, whose end is
// the end of all others. It ends itself when the program does.
func supervise(o order, argv []string) error {
	// The program must not write the file with its end, nor look in here.
	unix.CloseOnExec(o.End)
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	files := []uintptr{0, 1, 2}
	for fd := uintptr(3); fd < uintptr(o.End); fd++ {
		files = append(files, fd)
	}
	// It is the first process of its namespace: a signal that it does not take has no
	// effect, and one that is meant for the program comes to it.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, unix.SIGHUP, unix.SIGINT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2)
	if o.Stack {
		raiseStack(0)
	}
	pid, err := startLimited(o, argv, files)
	if err != nil {
		return err
	}
	go func() {
		for s := range signals {
			_ = syscall.Kill(pid, s.(syscall.Signal)) // it has ended otherwise, and this is about to
		}
	}()
	if o.ResidentMB > 0 {
		go watchResident(pid, o.ResidentMB)
	}
	for {
		var ws syscall.WaitStatus
		n, err := syscall.Wait4(-1, &ws, 0, nil)
		if errors.Is(err, syscall.EINTR) || err == nil && n != pid {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := unix.Pwrite(o.End, binary.LittleEndian.AppendUint32(nil, uint32(ws)), 0); err != nil {
			return err
		}
		os.Exit(max(ws.ExitStatus(), 0))
	}
}

// startLimited starts the program with its limit on addresses, which would end this
// process: a process in between takes it.
func startLimited(o order, argv []string, files []uintptr) (pid int, err error) {
	path := o.Path
	if o.MemoryMB > 0 {
		argv = append([]string{limitedName, strconv.Itoa(o.MemoryMB), path}, argv...)
		path = "/proc/self/exe"
	}
	return syscall.ForkExec(path, argv, &syscall.ProcAttr{Env: o.Env, Files: files})
}

// limitedName is argv[0] of klabel's own program where it limits itself and then
// becomes the program that was asked for.
const limitedName = "klabel-limited"

// becomeLimited returns only with an error. The limit is the soft one, so that it
// can be taken back: a program that lifts it meets ResidentMB.
func becomeLimited(mb, path string, argv []string) error {
	n, err := strconv.ParseUint(mb, 10, 32)
	if err != nil {
		return err
	}
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &old); err != nil {
		return err
	}
	env := syscall.Environ()
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: min(n<<20, old.Max), Max: old.Max}); err != nil {
		return err
	}
	return syscall.Exec(path, argv, env)
}

// watchResident kills the program when all processes of its namespace together
// use too much memory: a limit of the kernel's is that of each alone, and on
// addresses, of which AddressSanitizer takes terabytes.
func watchResident(pid, mb int) {
	for {
		time.Sleep(20 * time.Millisecond)
		files, _ := filepath.Glob("/proc/[0-9]*/statm") // the pattern is well-formed
		pages := 0
		for _, f := range files {
			if strings.HasPrefix(f, "/proc/1/") {
				continue
			}
			b, err := os.ReadFile(f)
			if err != nil {
				continue // it ended meanwhile
			}
			var all, resident, shared int
			if n, _ := fmt.Sscan(string(b), &all, &resident, &shared); n == 3 {
				pages += resident - shared
			}
		}
		if pages*os.Getpagesize()>>20 > mb {
			fmt.Fprintf(os.Stderr, "it uses more than %d MB of memory\n", mb)
			_ = syscall.Kill(pid, syscall.SIGKILL) // it has ended otherwise
			return
		}
	}
}

// newEnd gives a command the file for its program's end, as its last descriptor.
func newEnd(cmd *exec.Cmd) (file *os.File, fd int, err error) {
	n, err := unix.MemfdCreate("klabel-end", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, 0, err
	}
	file = os.NewFile(uintptr(n), "klabel-end")
	cmd.ExtraFiles = append(cmd.ExtraFiles[:len(cmd.ExtraFiles):len(cmd.ExtraFiles)], file)
	return file, 2 + len(cmd.ExtraFiles), nil
}

// readEnd returns how the program ended; ok is false when its supervisor ended
// before it.
func readEnd(file *os.File) (ws syscall.WaitStatus, ok bool) {
	var b [4]byte
	if n, _ := file.ReadAt(b[:], 0); n < len(b) {
		return 0, false
	}
	return syscall.WaitStatus(binary.LittleEndian.Uint32(b[:])), true
}
