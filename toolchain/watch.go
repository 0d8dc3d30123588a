package toolchain

import (
	"context"
	"errors"
	"klabel/fault"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// watch turns the end of the context, the time limit and Stop into signals.
func (p *Process) watch(ctx context.Context) {
	var limit <-chan time.Time
	if p.command.Timeout > 0 {
		t := time.NewTimer(p.command.Timeout)
		defer t.Stop()
		limit = t.C
	}
	select {
	case <-p.done:
		return
	case <-p.stopping:
	case <-ctx.Done():
		p.stop(context.Cause(ctx))
	case <-limit:
		p.stop(ErrTimeout)
	}
	if s := p.command.StopSignal; s != nil {
		p.Signal(s)
	} else {
		p.Signal(syscall.SIGTERM)
	}
	grace := p.command.Grace
	if grace <= 0 {
		grace = DefaultGrace
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-p.done:
	case <-t.C:
		p.signal(-p.Group(), syscall.SIGKILL)
	}
}

// reap waits for the process, ends what is left of its group and fills the
// result.
func (p *Process) reap() {
	defer close(p.done)
	pid := p.Pid()
	// Wait without reaping: as long as the leader, this one or the guard, is a zombie
	// nobody else can get its number, so the group kill cannot hit a stranger.
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if err == nil && (info.Code == cldTrapped || info.Code == cldStopped) {
			time.Sleep(time.Millisecond) // Breakpoints see to it
		} else if err != unix.EINTR {
			break
		}
	}
	elapsed := time.Since(p.started)
	p.signal(-p.Group(), syscall.SIGKILL)
	if p.guard != nil {
		p.guard.wait()
	}
	p.mu.Lock()
	p.gone = true
	cause := p.cause
	p.mu.Unlock()
	err := p.cmd.Wait()
	leftover := awaitGroupGone(p.Group())

	p.result = Result{ExitCode: -1, Elapsed: elapsed, Stderr: p.stderr.Bytes()}
	if p.stdout != nil {
		p.result.Stdout = p.stdout.Bytes()
	}
	state := p.cmd.ProcessState
	if state != nil {
		p.result.ExitCode = state.ExitCode()
	}
	if p.end != nil && p.result.ExitCode >= 0 {
		// The program's end, not its supervisor's; one that was ended first tells none.
		p.result.ExitCode = -1
		if ws, ok := readEnd(p.end); ok {
			p.result.ExitCode = ws.ExitStatus() // -1 where a signal ended it
		}
	}
	p.err = p.outcome(state, err, cause, leftover)
	p.closeEnd()
}

func (p *Process) outcome(state *os.ProcessState, waitErr, cause, leftover error) error {
	if leftover != nil {
		cause = leftover
	} else if p.result.ExitCode == 0 {
		var exit *exec.ExitError
		// WaitDelay's error means that a process outside of the group holds the
		// output open; an exit with status 0 stays a success all the same.
		if waitErr == nil || errors.As(waitErr, &exit) || errors.Is(waitErr, exec.ErrWaitDelay) {
			if cause == nil || errors.Is(cause, ErrStopped) {
				return nil
			}
		} else {
			cause = waitErr // copying input or output failed
		}
	}
	e := &ToolError{
		Argv: p.argv, ExitCode: p.result.ExitCode, Stderr: string(p.result.Stderr),
		Elapsed: p.result.Elapsed, Cause: cause,
	}
	if state != nil {
		if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			e.Signal = ws.Signal()
		}
	}
	if p.end != nil {
		if ws, ok := readEnd(p.end); ok && ws.Signaled() {
			e.Signal = ws.Signal()
		}
	}
	return fault.WithHint(e, "%s", p.command.Hint)
}
