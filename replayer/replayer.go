// Package replayer finds the tests that engines write and says of each what it
// does natively: which labels it covers, and whether it ends as a test must.
//
// It exists because only a replay counts: an engine's claim is a hint. It
// promises that a replay starts from nothing (an empty directory, an empty
// environment, no standard input), that it ends (time, memory, file size,
// processes are bounded and what the program started is killed with it), that
// tests run side by side do not see each other, and that a test which attacks its
// server costs that test alone. Programs are confined as toolchain.Confinement
// says, as far as the machine allows it (docs/security.md).
//
// Limits: what notes hits in Replay is in the program's own process, and can be
// made to lie; Confirm notes them from outside.
//
//   - build.go, entries.go: C to a replay program, one for all entries
//   - worker.go, protocol.go: fork servers, one process a worker
//   - watched.go, sites.go: hits noted from outside, by breakpoints
//   - verdict.go, symbolize.go: from the end of a process to a verdict
//   - watch.go, family.go: the files of an engine's output directory
package replayer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/ktest"
	"klabel/label"
)

// Defaults of Options.
const (
	DefaultTestTimeout = 2 * time.Second
	DefaultStartLimit  = 30 * time.Second
	DefaultMemoryMB    = 1024
	DefaultFileMB      = 64
	DefaultProcesses   = 64
	DefaultMaxID       = label.ID(1<<16 - 1)
)

// Options say which program is replayed and within which limits. Only Binary
// is necessary.
type Options struct {
	Binary      string        // what Build has made
	Workers     int           // replays at a time; the number of processors when 0
	TestTimeout time.Duration // wall clock of one replay
	StartLimit  time.Duration // of what runs before main: one that takes longer is not started again
	MemoryMB    int           // of all processes of one replay
	FileMB      int           // largest file that a replay may write
	Processes   int           // that one replay may have at a time
	MaxID       label.ID      // largest label number in the program
	TempDir     string        // where working directories are made; the system's when empty
}

// ErrClosed is returned by Replay after Close.
var ErrClosed = errors.New("the replayer is closed")

// Pool replays tests, several at a time. Its methods may be called from any
// goroutine.
type Pool struct {
	opts    Options
	dir     string
	idle    chan *worker
	closed  chan struct{}
	closing sync.Once
	symbols *symbols
	silent  silence
	watch   overseer
}

// New makes a pool. Programs are started when the first tests come. The
// context bounds the life of the pool; Close must be called all the same.
func New(ctx context.Context, o Options) (*Pool, error) {
	o = withDefaults(o)
	binary, err := filepath.Abs(o.Binary)
	if err != nil {
		return nil, fmt.Errorf("replay program %s: %w", o.Binary, err)
	}
	if _, err := os.Stat(binary); err != nil {
		return nil, fmt.Errorf("replay program: %w", err)
	}
	o.Binary = binary
	dir, err := os.MkdirTemp(o.TempDir, "klabel-replay-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a directory for replays: %w", err)
	}
	p := &Pool{
		opts: o, dir: dir,
		idle:    make(chan *worker, o.Workers),
		closed:  make(chan struct{}),
		symbols: newSymbols(binary),
	}
	for i := range o.Workers {
		p.idle <- &worker{opts: o, dir: filepath.Join(dir, fmt.Sprintf("w%d", i)), symbols: p.symbols,
			silent: &p.silent}
	}
	context.AfterFunc(ctx, func() { p.closing.Do(func() { close(p.closed) }) })
	return p, nil
}

func withDefaults(o Options) Options {
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.TestTimeout <= 0 {
		o.TestTimeout = DefaultTestTimeout
	}
	if o.StartLimit <= 0 {
		o.StartLimit = DefaultStartLimit
	}
	if o.MemoryMB <= 0 {
		o.MemoryMB = DefaultMemoryMB
	}
	if o.FileMB <= 0 {
		o.FileMB = DefaultFileMB
	}
	if o.Processes <= 0 {
		o.Processes = DefaultProcesses
	}
	if o.MaxID == 0 {
		o.MaxID = DefaultMaxID
	}
	return o
}

// Warm starts the servers, so that the first tests, which engines find within some
// milliseconds, need not wait for them. It returns when each has been tried; what
// goes wrong goes wrong again, and is said, when there is a test.
func (p *Pool) Warm(ctx context.Context) {
	select {
	case <-p.closed:
		return
	default:
	}
	ctx, done := p.whileOpen(ctx)
	defer done()
	var g sync.WaitGroup
	for range p.opts.Workers {
		select {
		case w := <-p.idle:
			g.Go(func() {
				defer func() { p.idle <- w }()
				_ = w.start(ctx, 0)
			})
		default: // it replays
		}
	}
	g.Go(func() { _ = p.watchable(ctx) })
	g.Wait()
}

// Workers is how many replays run at a time.
func (p *Pool) Workers() int { return p.opts.Workers }

// Replay runs one test from an entry (0 is the program's main, ByName what the
// test says) and returns its verdict. Choice objects are stripped. It waits for a
// free worker. The error says that no verdict could be had (the context ended, the
// program cannot be started); whatever the program does, a crash included, is a
// verdict and no error.
func (p *Pool) Replay(ctx context.Context, entry int, t *ktest.Test) (label.Verdict, error) {
	v, _, err := p.ReplayWhole(ctx, entry, t)
	return v, err
}

// Asked is an input that the program asked for, with the value it got: from the
// test, or one that the replay made up because the test does not hold it.
type Asked struct {
	Name   string
	Data   []byte
	MadeUp bool
	Ranged bool // asked for through klee_range: Low <= value <= High
	Low    int32
	High   int32
}

// ReplayWhole is Replay that also returns the inputs in the order in which the
// program asked for them; none if there were too many to note. Those of KLEE's
// POSIX runtime are not among them. Complete makes a test of them.
func (p *Pool) ReplayWhole(ctx context.Context, entry int, t *ktest.Test) (label.Verdict, []Asked, error) {
	return p.ReplayWithin(ctx, entry, t, 0)
}

// ReplayWithin is ReplayWhole with a time limit of its own, where that is longer
// than the pool's.
func (p *Pool) ReplayWithin(ctx context.Context, entry int, t *ktest.Test, limit time.Duration) (label.Verdict, []Asked,
	error) {
	return p.replayFor(ctx, entry, t, max(limit, p.opts.TestTimeout))
}

// ReplayBriefly is ReplayWhole with a time limit of its own, where that is shorter
// than the pool's.
func (p *Pool) ReplayBriefly(ctx context.Context, entry int, t *ktest.Test, limit time.Duration) (label.Verdict,
	[]Asked, error) {
	return p.replayFor(ctx, entry, t, min(limit, p.opts.TestTimeout))
}

func (p *Pool) replayFor(ctx context.Context, entry int, t *ktest.Test, limit time.Duration) (label.Verdict, []Asked,
	error) {
	var none label.Verdict
	if t == nil {
		return none, nil, errors.New("no test to replay")
	}
	// A closed pool refuses even when a worker is free.
	select {
	case <-p.closed:
		return none, nil, ErrClosed
	default:
	}
	select {
	case <-ctx.Done():
		return none, nil, ctx.Err()
	case <-p.closed:
		return none, nil, ErrClosed
	case w := <-p.idle:
		defer func() { p.idle <- w }()
		ctx, done := p.whileOpen(ctx)
		defer done()
		return w.replay(ctx, entry, t, limit)
	}
}

// whileOpen is a context that ends with the pool, too, and with done.
func (p *Pool) whileOpen(ctx context.Context) (in context.Context, done func()) {
	in, done = context.WithCancel(ctx)
	go func() {
		select {
		case <-p.closed:
			done()
		case <-in.Done():
		}
	}()
	return in, done
}

// Complete returns a test that holds exactly what the program asks for, in that
// order, and so replays the same everywhere, with KLEE's own tools too: they take
// objects one after another. What the POSIX runtime makes before main stays in
// front as the engine wrote it; of a test that no engine wrote, as the replay asked.
func Complete(t *ktest.Test, asked []Asked) *ktest.Test {
	whole := t.StripChoices()
	if len(asked) == 0 {
		return whole
	}
	posix := slices.ContainsFunc(t.Args, func(a string) bool {
		o := strings.TrimLeft(a, "-")
		return strings.HasPrefix(o, "sym-") || o == "max-fail" || o == "fd-fail"
	})
	askedFor := map[string]bool{}
	for _, a := range asked {
		askedFor[a.Name] = true
	}
	var objects []ktest.Object
	written := map[string]bool{}
	for _, o := range whole.Objects {
		if isPosix(o.Name) && (posix || !askedFor[o.Name]) {
			objects = append(objects, o)
			written[o.Name] = true
		}
	}
	for _, a := range asked {
		if !written[a.Name] {
			objects = append(objects, ktest.Object{Name: a.Name, Data: a.Data})
		}
	}
	whole.Objects = objects
	return whole
}

// isPosix tells the objects of KLEE's POSIX runtime, which programs do not ask
// for themselves.
func isPosix(name string) bool {
	switch name {
	case "n_args", "model_version", "stdin", "stdout", "stdin_stat", "stdout_stat", "stdin-stat", "stdout-stat",
		"stdin-read", "stdout-write", "syscall_clock", "read_fail", "write_fail", "close_fail", "ftruncate_fail",
		"getcwd_fail", "stdin_size":
		return true
	}
	return posixName.MatchString(name)
}

var posixName = regexp.MustCompile(`^(arg\d\d?|[A-Z][-_](data|data-stat|data_stat|stat|read|write))$`)

// Close stops the workers and removes their directories. Replays under way
// return an error. It may be called more than once.
func (p *Pool) Close() error {
	p.closing.Do(func() { close(p.closed) })
	p.watch.close()
	for range p.opts.Workers {
		w := <-p.idle
		w.stop()
		defer func() { p.idle <- w }()
	}
	return removeAll(p.dir)
}
