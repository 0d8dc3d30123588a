package toolchain

import (
	"errors"
	"os/exec"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A child that the tracing thread has started for somebody else is not waited for.
func TestChildrenOfOthers(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b := &Breakpoints{traced: map[int]bool{}}
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}()
	if b.traces(c.Process.Pid) {
		t.Error("a child that nobody traces is taken for a traced one")
	}
	if err := trace(unix.PTRACE_SEIZE, c.Process.Pid, 0); err != nil {
		t.Skip("SKIPPED: nothing can be traced here: ", err)
	}
	if !b.traces(c.Process.Pid) {
		t.Error("a traced child is taken for another's")
	}
	if b.traces(1) {
		t.Error("a process of somebody else's is taken for a traced one")
	}
}

// What a server starts may have ended before klabel comes to see that it was started.
func TestEndedBeforeItIsKnown(t *testing.T) {
	for script, want := range map[string]bool{
		"read x; (exit 3); read y":                  true,
		"read x; (exec sh -c 'kill -9 $$'); read y": false,
	} {
		c := exec.Command("sh", "-c", script)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended, err := endsLate(c.Process.Pid, func() { _, _ = in.Write([]byte("go on\n")) })
		in.Close()
		_ = c.Process.Kill()
		_ = c.Wait()
		if errors.Is(err, unix.EPERM) {
			t.Skip("SKIPPED: nothing can be traced here: ", err)
		}
		if err != nil || ended != want {
			t.Errorf("%s: ended by itself %v, want %v; %v", script, ended, want, err)
		}
	}
}

// endsLate handles what comes of a process's first child before it handles that it was
// started, and says whether it is known to have ended by itself.
func endsLate(server int, begin func()) (bool, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b := newBreakpoints(server)
	if err := b.begin(0, nil); err != nil {
		return false, err
	}
	begin()
	var started unix.WaitStatus
	for int(started)>>16 != unix.PTRACE_EVENT_FORK {
		if started != 0 {
			b.event(server, started)
		}
		if _, err := wait4(server, &started, unix.WALL); err != nil {
			return false, err
		}
	}
	child, err := unix.PtraceGetEventMsg(server)
	if err != nil {
		return false, err
	}
	for code := int32(cldTrapped); code == cldTrapped || code == cldStopped; {
		var info signalInfo
		err := unix.Waitid(unix.P_PID, int(child), (*unix.Siginfo)(unsafe.Pointer(&info)),
			unix.WEXITED|unix.WSTOPPED|unix.WNOWAIT|unix.WALL, nil)
		if err != nil {
			return false, err
		}
		code = info.code
		if err := b.collect(int(child), code); err != nil {
			return false, err
		}
	}
	b.event(server, started)
	return b.Ended(), nil
}
