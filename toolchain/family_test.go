package toolchain

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What a program of a family has started ends with it, and how it ended is told
// as of any other program.
func TestConfinementFamily(t *testing.T) {
	needNamespaces(t)
	mark := strconv.Itoa(os.Getpid()) + ".733"
	for _, x := range []struct {
		script string
		code   int
		signal syscall.Signal
	}{
		{"setsid sleep " + mark + " & sleep 0.1; exit 0", 0, 0},
		{"(trap '' TERM; setsid sleep " + mark + ") & sleep 0.1; exit 7", 7, 0},
		{"test $(ulimit -v) = 524288", 0, 0},
		{"exit 134", 134, 0},
		{"kill -ABRT $$", -1, syscall.SIGABRT},
		{"kill -SEGV $$", -1, syscall.SIGSEGV},
		{"kill -KILL 1; exit 3", 3, 0},
		{"echo forged > /proc/1/fd/3; exit 4", 4, 0},
		{"kill -SEGV 1; sleep 20; exit 0", -1, 0},               // it has ended its supervisor
		{"kill -TERM 1; sleep 20; exit 0", -1, syscall.SIGTERM}, // which passes it on
		{"head -c 100000000 /dev/zero | tail -c 100000000 | sleep 20", -1, syscall.SIGKILL},
	} {
		c := Confinement{Scratch: t.TempDir(), ScratchMB: 4, Family: true, ResidentMB: 64, MemoryMB: 512}
		r, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", x.script}, Confine: &c,
			Timeout: 20 * time.Second, Env: []string{"PATH=/usr/bin:/bin"}})
		var te *ToolError
		errors.As(err, &te)
		if r.ExitCode != x.code || (err == nil) != (x.code == 0) || te != nil && te.Signal != x.signal {
			t.Errorf("%s: exit code %d, %v", x.script, r.ExitCode, err)
		}
		if errors.Is(err, ErrTimeout) {
			t.Errorf("%s: %v", x.script, err)
		}
		if n := len(running(t, "sleep", mark)); n > 0 {
			t.Errorf("%s: a daemon is left", x.script)
		}
	}
}

// The program gets the signals that are meant for it, keeps its own when what it
// has started is killed, and has the stack that was asked for.
func TestConfinementFamilySignals(t *testing.T) {
	needNamespaces(t)
	var stack unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_STACK, &stack); err != nil {
		t.Fatal(err)
	}
	low := unix.Rlimit{Cur: 4 << 20, Max: stack.Max}
	if err := unix.Setrlimit(unix.RLIMIT_STACK, &low); err != nil {
		t.Fatal(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_STACK, &stack)
	p, err := Start(t.Context(), Command{Argv: []string{"/bin/sh", "-c", `
trap 'echo asked; exit 0' INT
ulimit -s
sleep 3000; echo "solver: $?"
while :; do sleep 0.05; done`},
		Confine: &Confinement{Scratch: t.TempDir(), ScratchMB: 4, Family: true}, StopSignal: os.Interrupt,
		Grace: time.Minute, RaiseStack: true, Guard: true, Env: []string{"PATH=/usr/bin:/bin"}})
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 { // of a busy machine, too
		time.Sleep(20 * time.Millisecond)
		p.KillChildren()
		if strings.Contains(string(p.stdout.Bytes()), "solver: 137") {
			break
		}
	}
	p.Stop()
	r, err := p.Wait()
	lifted := "unlimited"
	if stack.Max != unix.RLIM_INFINITY {
		lifted = strconv.FormatUint(stack.Max/1024, 10)
	}
	if want := lifted + "\nsolver: 137\nasked\n"; err != nil || string(r.Stdout) != want {
		t.Errorf("%v, printed %q, want %q", err, r.Stdout, want)
	}
}
