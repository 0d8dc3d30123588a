package toolchain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"klabel/fault"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Limits that apply where a Command does not say otherwise.
const (
	DefaultGrace   = 2 * time.Second // between the gentle signal and SIGKILL
	DefaultCapture = 1 << 20         // bytes kept of stdout, when captured
	stderrCapture  = 64 << 10        // bytes kept of stderr
)

// Command describes a process to start. Only Argv is necessary.
type Command struct {
	Argv       []string
	Dir        string
	Env        []string  // nil: klabel's own environment
	Stdin      io.Reader // nil: nothing to read
	Stdout     io.Writer // nil: the tail is captured into Result.Stdout
	Stderr     io.Writer // in addition to the tail in Result.Stderr; may be nil
	Timeout    time.Duration
	Grace      time.Duration // DefaultGrace when 0
	StopSignal os.Signal     // SIGTERM when nil
	ExtraFiles []*os.File    // file descriptors 3, 4, ... of the process
	Capture    int           // bytes kept of stdout; DefaultCapture when 0
	Hint       string        // goes into the ToolError on failure
	MemoryMB   int           // address space of each process that is not confined; 0: any
	FileMB     int           // largest file that it writes; 0: any
	// Processor is what each of its processes may use of a processor, to the next second;
	// 0: any. More ends it by SIGKILL.
	Processor time.Duration
	// RaiseStack lifts the soft limit of the stack to the hard one: KLEE and STP
	// recurse deeply.
	RaiseStack bool
	// Guard adds a watcher to the group that ends all of it when klabel dies
	// without being able to, for tools whose children could run on for long. A
	// process namespace, which ends with its first process, needs none.
	Guard bool
	// Confine takes from the process what it does not need; Dir is then Scratch.
	Confine *Confinement
}

// Result is what a finished process left.
type Result struct {
	Stdout   []byte // the end of it, when the Command did not say where to
	Stderr   []byte // the end of it
	ExitCode int    // -1 when a signal ended the process
	Elapsed  time.Duration
}

// Process is a running program in a process group of its own.
type Process struct {
	argv    []string
	cmd     *exec.Cmd
	command Command
	guard   *guard
	end     *os.File // where a supervisor notes how the program ended, or nil
	stdout  *tail    // nil when the command has its own writer
	stderr  *tail
	started time.Time

	mu    sync.Mutex
	gone  bool  // reaped: its number may belong to somebody else
	cause error // why it was stopped, nil while nobody asked

	stopping chan struct{} // closed by the first request to stop
	done     chan struct{} // closed when the group is gone
	result   Result
	err      error
}

// Start starts a process. When ctx ends, or at the time limit, it is stopped
// as by Stop. The caller must call Wait.
func Start(ctx context.Context, c Command) (*Process, error) {
	if len(c.Argv) == 0 {
		return nil, &ToolError{ExitCode: -1, Cause: errors.New("no program given")}
	}
	if err := ctx.Err(); err != nil {
		return nil, &ToolError{Argv: c.Argv, ExitCode: -1, Cause: err}
	}
	p := &Process{
		argv: c.Argv, command: c,
		stderr:   newTail(stderrCapture),
		stopping: make(chan struct{}),
		done:     make(chan struct{}),
	}
	p.cmd = exec.Command(c.Argv[0], c.Argv[1:]...)
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdin, p.cmd.ExtraFiles = c.Dir, c.Env, c.Stdin, c.ExtraFiles
	p.cmd.Stdout, p.cmd.Stderr = c.Stdout, io.Writer(p.stderr)
	if c.Stdout == nil {
		limit := c.Capture
		if limit == 0 {
			limit = DefaultCapture
		}
		p.stdout = newTail(limit)
		p.cmd.Stdout = p.stdout
	}
	if c.Stderr != nil {
		p.cmd.Stderr = io.MultiWriter(p.stderr, c.Stderr)
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	// The group is killed when the leader ends, so pipes close at once; the
	// delay covers only a process that left the group and kept them open.
	p.cmd.WaitDelay = time.Second
	if c.Confine != nil {
		o := order{Confinement: *c.Confine, Means: ConfinementMeans(), Path: p.cmd.Path, Stack: c.RaiseStack}
		if o.Family && o.Means.Namespaces {
			var err error
			if p.end, o.End, err = newEnd(p.cmd); err != nil {
				return nil, startError(c, err)
			}
		}
		if err := confine(p.cmd, o); err != nil {
			p.closeEnd()
			return nil, startError(c, fmt.Errorf("cannot confine it: %w", err))
		}
	}
	if c.Guard && p.cmd.SysProcAttr.Cloneflags&unix.CLONE_NEWPID == 0 {
		g, err := startGuard()
		if err != nil {
			p.closeEnd()
			return nil, startError(c, fmt.Errorf("cannot guard the process group: %w", err))
		}
		p.guard, p.cmd.SysProcAttr.Pgid = g, g.pid()
	}
	p.started = time.Now()
	if err := startProcess(p.cmd); err != nil {
		if p.guard != nil {
			p.guard.end()
		}
		p.closeEnd()
		return nil, startError(c, err)
	}
	if c.RaiseStack {
		raiseStack(p.cmd.Process.Pid)
	}
	limit(p.cmd.Process.Pid, unix.RLIMIT_AS, c.MemoryMB)
	limit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, c.FileMB)
	if c.Processor > 0 {
		limitTo(p.cmd.Process.Pid, unix.RLIMIT_CPU, uint64((c.Processor+time.Second-1)/time.Second))
	}
	go p.reap()
	go p.watch(ctx)
	return p, nil
}

func (p *Process) closeEnd() {
	if p.end != nil {
		p.end.Close()
	}
}

func startError(c Command, err error) error {
	e := &ToolError{Argv: c.Argv, ExitCode: -1, Cause: err}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		if c.Dir == "" || dirExists(c.Dir) {
			return &MissingError{Tool: c.Argv[0], Why: "not found", Install: c.Hint}
		}
		// The kernel's message names the program and not the directory.
		e.Cause = fmt.Errorf("the directory %s does not exist", c.Dir)
	}
	return fault.WithHint(e, "%s", c.Hint)
}

func dirExists(dir string) bool {
	st, err := os.Stat(dir)
	return err == nil && st.IsDir()
}

// Pid is the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Group is the number of its process group.
func (p *Process) Group() int {
	if p.guard != nil {
		return p.guard.pid()
	}
	return p.Pid()
}

// Done is closed when no process of the group is left.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stop sends the stop signal to the process and, when it is still there after
// the grace period, SIGKILL to its group. It returns at once and may be called
// any number of times.
func (p *Process) Stop() { p.stop(ErrStopped) }

func (p *Process) stop(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cause == nil {
		p.cause = cause
		close(p.stopping)
	}
}

// Kill sends SIGKILL to the whole group at once.
func (p *Process) Kill() {
	p.stop(ErrStopped)
	p.signal(-p.Group(), syscall.SIGKILL)
}

// KillChildren sends SIGKILL to every process of the group except the program
// itself: an engine that waits for a solver goes on when the solver is gone.
func (p *Process) KillChildren() {
	for _, m := range groupMembers(p.Group()) {
		// A guard leads the group. What a supervisor has started is the program.
		if m.pid != p.Pid() && m.pid != p.Group() && (p.end == nil || m.parent != p.Pid()) {
			p.signal(m.pid, syscall.SIGKILL)
		}
	}
}

// Signal sends a signal to the process alone, not to its children. It does
// nothing when the process has ended.
func (p *Process) Signal(s os.Signal) {
	if n, ok := s.(syscall.Signal); ok {
		p.signal(p.Pid(), n)
	}
}

func (p *Process) signal(pid int, s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		_ = syscall.Kill(pid, s) // the only failure is that it has ended
	}
}

// Wait returns when no process of the group is left. The error is nil for exit
// status 0 (also after Stop), else a *ToolError; the result is filled in both
// cases.
func (p *Process) Wait() (Result, error) {
	<-p.done
	return p.result, p.err
}

// Run starts a process and waits for it.
func Run(ctx context.Context, c Command) (Result, error) {
	p, err := Start(ctx, c)
	if err != nil {
		return Result{ExitCode: -1}, err
	}
	return p.Wait()
}

// OtherMemory is an environment in which memory from malloc that nothing has set holds something else, with
// AddressSanitizer and without: what depends on that no run elsewhere need do.
var OtherMemory = []string{"ASAN_OPTIONS=malloc_fill_byte=0", "GLIBC_TUNABLES=glibc.malloc.perturb=90"}
