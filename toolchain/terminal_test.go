package toolchain

import (
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A terminal that a confined program can read, it cannot change.
func TestConfinementTerminal(t *testing.T) {
	if !ConfinementMeans().Seccomp {
		t.Skip("SKIPPED: no seccomp")
	}
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("SKIPPED: no terminals: %v", err)
	}
	defer user.Close()
	number, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skipf("SKIPPED: no terminals: %v", err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("SKIPPED: no terminals: %v", err)
	}
	defer terminal.Close()
	echoes := func() bool {
		s, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return s.Lflag&unix.ECHO != 0
	}
	for _, confine := range []*Confinement{{Scratch: t.TempDir(), ScratchMB: 1}, nil} {
		_, _ = Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "stty -echo <&3"}, Confine: confine,
			Timeout: 20 * time.Second, Env: []string{"PATH=/usr/bin:/bin"}, ExtraFiles: []*os.File{terminal}})
		if got := echoes(); got != (confine != nil) {
			t.Errorf("confined %v: the terminal echoes: %v", confine != nil, got)
		}
	}
}
