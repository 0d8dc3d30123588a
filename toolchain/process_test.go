package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

// groupGone fails the test if any process, zombies aside, is in the group.
func groupGone(t *testing.T, pgid int) {
	t.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range stats {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (comm) state ppid pgrp ...
		rest := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if len(rest) > 2 && rest[2] == strconv.Itoa(pgid) && rest[0] != "Z" {
			t.Errorf("a process of group %d is left: %s", pgid, b)
		}
	}
}

// waitFile waits until a script has told, through a file, that it is ready.
func waitFile(t *testing.T, path string) string {
	t.Helper()
	for range 6000 { // of a busy machine, too
		if b, err := os.ReadFile(path); err == nil && bytes.HasSuffix(b, []byte("\n")) {
			return strings.TrimSpace(string(b))
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not appear", path)
	return ""
}

func TestRunResult(t *testing.T) {
	r, err := Run(t.Context(), Command{Argv: sh("cat; echo oops >&2"), Stdin: strings.NewReader("hello")})
	if err != nil {
		t.Fatal(err)
	}
	if string(r.Stdout) != "hello" || string(r.Stderr) != "oops\n" || r.ExitCode != 0 {
		t.Errorf("got %q, %q, exit %d", r.Stdout, r.Stderr, r.ExitCode)
	}
	if r.Elapsed <= 0 {
		t.Error("no time elapsed")
	}
}

func TestRunFailure(t *testing.T) {
	argv := sh("echo first >&2; echo 'x.c:3: error: bad' >&2; echo last >&2; exit 3")
	_, err := Run(t.Context(), Command{Argv: argv, Hint: "do this"})
	var te *ToolError
	if !errors.As(err, &te) {
		t.Fatalf("got %v, want a ToolError", err)
	}
	if te.ExitCode != 3 || te.Argv[0] != "/bin/sh" || !strings.Contains(te.Stderr, "last") {
		t.Errorf("got %+v", te)
	}
	if got, want := err.Error(), "sh: exit status 3: x.c:3: error: bad\nhint: do this"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestRunSignal(t *testing.T) {
	_, err := Run(t.Context(), Command{Argv: sh("kill -SEGV $$")})
	var te *ToolError
	if !errors.As(err, &te) || te.Signal != syscall.SIGSEGV || te.ExitCode != -1 {
		t.Fatalf("got %#v", err)
	}
	if !strings.Contains(te.Error(), "ended by signal SEGV") {
		t.Errorf("message %q", te.Error())
	}
}

func TestStartFailures(t *testing.T) {
	_, err := Run(t.Context(), Command{Argv: []string{"no-such-program-here"}, Hint: "install it"})
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "install it") {
		t.Errorf("absent program: %v", err)
	}
	_, err = Run(t.Context(), Command{Argv: sh("true"), Dir: "/no/such/dir"})
	if err == nil || errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "/no/such/dir") {
		t.Errorf("absent directory: %v", err)
	}
	if _, err = Run(t.Context(), Command{}); err == nil {
		t.Error("a command without a program was accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = Run(ctx, Command{Argv: sh("true")}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

func TestOutputIsBounded(t *testing.T) {
	r, err := Run(t.Context(), Command{Argv: sh("seq 1 200000; seq 1 200000 >&2"), Capture: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"stdout": r.Stdout, "stderr": r.Stderr} {
		if len(b) > stderrCapture || !bytes.HasSuffix(b, []byte("\n200000\n")) {
			t.Errorf("%s: %d bytes, ending %q", name, len(b), b[max(0, len(b)-20):])
		}
	}
	if len(r.Stdout) > 1000 || r.Stdout[0] != '1' {
		t.Errorf("stdout: %d bytes kept, starting %q", len(r.Stdout), r.Stdout[:10])
	}
}

func TestTimeoutKillsTheGroup(t *testing.T) {
	dir := t.TempDir()
	// The leader and its child both ignore TERM.
	script := `trap '' TERM; (trap '' TERM; sleep 60) & echo $! > child; while :; do sleep 0.05; done`
	start := time.Now()
	p, err := Start(t.Context(), Command{Argv: sh(script), Dir: dir, Timeout: 300 * time.Millisecond,
		Grace: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Wait()
	if !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v, want ErrTimeout", err)
	}
	if e := time.Since(start); e < 450*time.Millisecond {
		t.Errorf("took %s", e)
	}
	groupGone(t, p.Group())
}

func TestChildrenThatOutliveTheLeader(t *testing.T) {
	// The child holds stdout open, as a solver of a killed engine does.
	p, err := Start(t.Context(), Command{Argv: sh("sleep 6000 & sleep 6001 & echo done")})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Wait()
	if err != nil || string(r.Stdout) != "done\n" {
		t.Errorf("got %q, %v", r.Stdout, err)
	}
	groupGone(t, p.Group())
}

func TestGentleStop(t *testing.T) {
	dir := t.TempDir()
	script := `trap 'echo bye; exit 0' INT; echo ready > ready; while :; do sleep 0.02; done`
	p, err := Start(t.Context(), Command{Argv: sh(script), Dir: dir, StopSignal: os.Interrupt, Grace: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	waitFile(t, filepath.Join(dir, "ready"))
	p.Stop()
	p.Stop()
	r, err := p.Wait()
	if err != nil || string(r.Stdout) != "bye\n" {
		t.Errorf("got %q, %v", r.Stdout, err)
	}
	p.Stop() // after the end: nothing happens
	p.Kill()
	p.Signal(os.Interrupt)
	groupGone(t, p.Group())
}

func TestContextEndsTheProcess(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Start(ctx, Command{Argv: sh("echo ready > ready; sleep 60"), Dir: dir, Grace: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	waitFile(t, filepath.Join(dir, "ready"))
	cancel()
	_, err = p.Wait()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	groupGone(t, p.Group())
}

func TestGuardDoesNotDisturb(t *testing.T) {
	r, err := Run(t.Context(), Command{Argv: sh("echo hello; exit 0"), Guard: true})
	if err != nil || string(r.Stdout) != "hello\n" {
		t.Errorf("got %q, %v", r.Stdout, err)
	}
	p, err := Start(t.Context(), Command{Argv: sh("sleep 60"), Guard: true})
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if _, err = p.Wait(); !errors.Is(err, ErrStopped) {
		t.Errorf("got %v", err)
	}
	groupGone(t, p.Group())
}

// TestParentDeath kills a klabel-like process with SIGKILL, as soon as its tool has a
// child, and looks whether the tool and its child are gone.
func TestParentDeath(t *testing.T) {
	if os.Getenv("TOOLCHAIN_TEST_PARENT") != "" {
		t.Skip("the child runs TestParentProcess")
	}
	for _, family := range []string{"", "family"} {
		t.Run("confined="+family, func(t *testing.T) {
			if family != "" {
				needNamespaces(t)
			}
			dir := t.TempDir()
			cmd := exec.Command(os.Args[0], "-test.run=^TestParentProcess$")
			cmd.Env = append(os.Environ(), "TOOLCHAIN_TEST_PARENT="+dir, "TOOLCHAIN_TEST_FAMILY="+family)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			waitFile(t, filepath.Join(dir, "ready"))
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()   // killed
			for range 3000 { // a busy machine lets the guard wait for its turn
				if len(insideOf(dir)) == 0 {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			left := insideOf(dir)
			t.Errorf("left behind: %v", left)
			for _, pid := range left {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
	}
}

// insideOf lists the processes that have a folder in their environment.
func insideOf(dir string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		b, err := os.ReadFile(f) // of a zombie it is empty
		if pid, perr := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && perr == nil &&
			bytes.Contains(b, []byte("TOOLCHAIN_TEST_TOOL="+dir)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestParentProcess is the process that TestParentDeath kills.
func TestParentProcess(t *testing.T) {
	dir := os.Getenv("TOOLCHAIN_TEST_PARENT")
	if dir == "" {
		t.Skip("helper of TestParentDeath")
	}
	c := Command{
		Argv: sh("trap '' TERM; (trap '' TERM HUP; echo ready > '" + dir +
			"/ready'; while :; do sleep 0.05; done) & wait"),
		Dir: dir, Guard: true, Env: []string{"PATH=" + os.Getenv("PATH"), "TOOLCHAIN_TEST_TOOL=" + dir},
	}
	if os.Getenv("TOOLCHAIN_TEST_FAMILY") != "" {
		c.Dir, c.Confine = "", &Confinement{Scratch: t.TempDir(), ScratchMB: 4, Family: true, Writable: []string{dir}}
	}
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Wait()
	t.Fatalf("the tool ended before it was killed: %v", err)
}

// A tool finds its guard there, as the leader of its group: there is no moment at which
// it runs, and has children, without.
func TestGuardIsFirst(t *testing.T) {
	dir := t.TempDir()
	r, err := Run(t.Context(), Command{Guard: true, Dir: dir,
		Argv: sh(`read -r stat < /proc/$$/stat; set -- ${stat##*) }; tr '\0' ' ' < /proc/$3/cmdline`)})
	if err != nil || !strings.Contains(string(r.Stdout), "read end; kill -9 0") {
		t.Errorf("the group is led by %q, %v", r.Stdout, err)
	}
	if _, err := Run(t.Context(), Command{Guard: true, Argv: []string{filepath.Join(dir, "absent")}}); err == nil {
		t.Error("a tool that is not there was started")
	}
}

func TestManyAtOnce(t *testing.T) {
	const n = 40
	errs := make(chan error, n)
	for i := range n {
		go func() {
			r, err := Run(t.Context(), Command{Argv: sh(fmt.Sprintf("sleep 0.0%d; echo %d", i%10, i)), Guard: i%4 == 0})
			if err == nil && string(r.Stdout) != fmt.Sprintf("%d\n", i) {
				err = fmt.Errorf("process %d said %q", i, r.Stdout)
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestExtraFiles(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := Run(t.Context(), Command{Argv: sh("echo through >&3"), ExtraFiles: []*os.File{w}}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(r); err != nil || buf.String() != "through\n" {
		t.Errorf("got %q, %v", buf.String(), err)
	}
}

// A tool that would fill the memory or the disk ends.
func TestLimits(t *testing.T) {
	run := func(c Command, script string) error {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		c.Argv, c.Stdin = sh("read go; "+script), r
		p, err := Start(t.Context(), c)
		w.Close() // the limits are set: it may begin
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Wait()
		return err
	}
	file := filepath.Join(t.TempDir(), "file")
	err := run(Command{FileMB: 1}, "head -c 3000000 /dev/zero > "+file+" && rm "+file)
	if fi, statErr := os.Stat(file); err == nil || statErr != nil || fi.Size() != 1<<20 {
		t.Errorf("a large file: %v, %v", err, fi)
	}
	big := "dd if=/dev/zero of=/dev/null bs=1500M count=1" // it has its block in memory
	if err := run(Command{MemoryMB: 1000}, big); err == nil {
		t.Error("1.5 GB were had")
	}
	if err := run(Command{MemoryMB: 4000}, big); err != nil {
		t.Errorf("less than the limit: %v", err)
	}
	if mb := memoryFor(); mb < minMemoryMB || mb > maxMemoryMB {
		t.Errorf("tools may have %d MB", mb)
	}
}
