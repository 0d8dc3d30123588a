package toolchain

import (
	"os/exec"
	"runtime"
	"testing"

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
