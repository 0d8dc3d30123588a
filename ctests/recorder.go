package ctests

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/disk"
	"klabel/toolchain"
)

// Recorder compiles a recording runner once and runs it: what Options.Observe
// wants. flags are those of the source, sources the other files of the program.
// The returned function removes what was built.
func Recorder(ctx context.Context, clang *toolchain.Clang, flags []string,
	sources ...string) (observe func(string, []string) ([]byte, error), clean func(), err error) {
	objects, remove, err := NewObjects(clang)
	if err != nil {
		return nil, nil, err
	}
	observe, done, err := objects.Recorder(ctx, flags, nil, sources...)
	if err != nil {
		remove()
		return nil, nil, err
	}
	return observe, func() { done(); remove() }, nil
}

// Recorder is one that shares its objects with others, which stay. own are flags of sources that are compiled with
// others than flags.
func (objects *Objects) Recorder(ctx context.Context, flags []string, own map[string]toolchain.Flags,
	sources ...string) (observe func(string, []string) ([]byte, error), clean func(), err error) {
	dir, err := os.MkdirTemp("", "klabel-record-")
	if err != nil {
		return nil, nil, err
	}
	r := &recorder{objects: objects, dir: dir, flags: flags, own: own, sources: sources,
		further: furtherRuns,
		here:    compiled{out: filepath.Join(dir, "record")},
		moved:   compiled{out: filepath.Join(dir, "moved")}}
	switch hurry := !objects.Hurry.IsZero() && time.Now().After(objects.Hurry); {
	case hurry:
		r.further = fewRuns
	case objects.clang.HasASan && !r.sanitized():
		r.moved.extra = []string{addressed, unset}
		if objects.clang.Major >= 16 { // without a further flag
			r.here.extra = []string{zeroed}
		}
	}
	ctx, stop := context.WithCancel(ctx)
	observe = func(runner string, args []string) ([]byte, error) { return r.run(ctx, runner, args) }
	return observe, func() {
		stop()
		r.ahead.Wait()
		_ = os.RemoveAll(dir)
	}, nil
}

// recorder compiles a runner when it changes, and runs it, several at a time.
type recorder struct {
	objects        *Objects
	dir            string
	flags, sources []string
	own            map[string]toolchain.Flags
	further        int // runs that again asks for

	here, moved compiled
	ahead       sync.WaitGroup // builds before anybody asks
}

// compiled is a runner's program as of its text.
type compiled struct {
	out   string
	extra []string

	mu      sync.Mutex
	of      os.FileInfo
	text    []byte
	built   string
	refused error // why the text is not
}

// addressed has AddressSanitizer lay memory out in its own way, and look on: what it refuses
// would fail in the hands of whoever builds the tests with it.
const addressed = "-fsanitize=address"

// unset fills local variables that nobody has set: where klabel replays a test they are zero, and elsewhere what
// happens to lie there. A test that does not end then would hang or fail in the hands of others. What it is compared
// with has them zero: what they hold by chance may do what the pattern does.
const (
	unset  = "-ftrivial-auto-var-init=pattern"
	zeroed = "-ftrivial-auto-var-init=zero"
)

// program is the runner, compiled, for a run where memory lies elsewhere or not.
func (r *recorder) program(ctx context.Context, runner string, elsewhere bool) (path string, sanitized bool,
	err error) {
	if elsewhere && r.moved.extra != nil {
		if path, err = r.build(ctx, runner, &r.moved); err == nil || ctx.Err() != nil {
			return path, true, err
		}
	}
	if r.moved.extra != nil {
		r.ahead.Go(func() { _, _ = r.build(ctx, runner, &r.moved) }) // it is wanted next
	}
	path, err = r.build(ctx, runner, &r.here)
	return path, r.sanitized(), err
}

// sanitized reports whether the tests' own flags ask for a sanitizer.
func (r *recorder) sanitized() bool {
	return slices.ContainsFunc(r.flags, func(f string) bool { return strings.HasPrefix(f, "-fsanitize") })
}

// build compiles the runner, unless it is that of before.
func (r *recorder) build(ctx context.Context, runner string, c *compiled) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, err := os.Stat(runner)
	if err != nil {
		return "", err
	}
	if c.of == nil || !os.SameFile(c.of, now) || !c.of.ModTime().Equal(now.ModTime()) { // else it is not even read
		text, err := disk.Read(runner)
		if err != nil {
			return "", err
		}
		if c.of = now; !bytes.Equal(c.text, text) {
			c.text, c.built, c.refused = text, "", nil
		}
	}
	if c.built != "" || c.refused != nil {
		return c.built, c.refused
	}
	all := append([]string{"-O0", "-fwrapv", "-ferror-limit=0", "-fno-caret-diagnostics"}, r.flags...)
	if !slices.Contains(r.flags, Undeclared) { // -w would silence it
		all = append(all, "-w")
	}
	others, err := r.objects.of(ctx, r.sources, func(source string) []string {
		flags := slices.Clone(all)
		if own, ok := r.own[source]; ok {
			flags = append([]string{"-O0", "-fwrapv", "-fno-caret-diagnostics", "-w"}, own...)
		}
		if dir := filepath.Dir(runner); brought(dir) {
			flags = append(flags, "-idirafter", dir)
		}
		return flags
	})
	if err == nil {
		all = append(append(all, c.extra...), "-I"+filepath.Dir(runner), "-lm")
		if isWrapped(c.text) {
			all = append(all, wrapping...)
		}
		err = r.objects.clang.Executable(ctx, append([]string{runner}, others...), c.out, all)
	}
	switch {
	case err == nil:
		c.built = c.out
	case ctx.Err() != nil:
		return "", err
	default:
		c.refused = fmt.Errorf("the C tests do not compile: %w", compileFailure(err))
	}
	return c.built, c.refused
}

// run is Options.Observe.
func (r *recorder) run(ctx context.Context, runner string, args []string) ([]byte, error) {
	how := args[max(0, len(args)-1):]
	far := slices.Equal(how, []string{elsewhere})
	program, sanitized, err := r.program(ctx, runner, far)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, nil
	}
	scratch, err := os.MkdirTemp(r.dir, "run")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	c := confined(scratch)
	if !sanitized && !toolchain.ConfinementMeans().Namespaces {
		c.MemoryMB = addressesMB
	}
	out, env := limited{left: recorderOutput}, environment(c)
	if slices.Equal(how, []string{again}) {
		args, env = args[:len(args)-1], append(env, fmt.Sprint("KLABEL_AGAIN=", r.further))
		env = append(env, toolchain.OtherMemory...)
	}
	stdout := io.Writer(&out)
	if far {
		args, env = args[:len(args)-1], append(env, away, "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1")
		// A program may look at what it prints to: the tests may do so to a pipe, or to a file.
		f, err := os.OpenFile(scratch+".out", os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
		if err != nil {
			return nil, err
		}
		defer func() { f.Close(); os.Remove(f.Name()) }()
		stdout = f
	}
	_, err = toolchain.Run(ctx, toolchain.Command{Argv: append([]string{program}, args...), Dir: c.Scratch,
		Env: env, Confine: c,
		Stdout: stdout, Timeout: (testSeconds + 10) * time.Second})
	if f, ok := stdout.(*os.File); ok {
		if _, failed := io.Copy(&out, io.NewSectionReader(f, 0, math.MaxInt64)); failed != nil && err == nil {
			err = failed
		}
	}
	return out.b.Bytes(), err
}

// What the recorder allows a run.
const (
	recorderOutput = 16 << 20
	residentMB     = 2048 // of all processes of a C test, sanitized ones too
	// Where nobody can watch what a test uses, the addresses that it may have. An allocation that
	// is refused for that alone the user's own run of the test would be given.
	addressesMB = 1024
)

// limited is a buffer that refuses what is too much for it.
type limited struct {
	b    bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fmt.Errorf("prints more than %d MB", recorderOutput>>20)
	}
	return l.b.Write(p)
}

// confined says what a C test may do: write in a folder of its own, and in the
// files given.
func confined(scratch string, writable ...string) *toolchain.Confinement {
	return &toolchain.Confinement{Scratch: scratch, ScratchMB: 256, FileMB: 256, Processes: 256, Writable: writable,
		Family: true, ResidentMB: residentMB, Anywhere: true}
}

// environment is that of a C test: nothing of the user's.
func environment(c *toolchain.Confinement, more ...string) []string {
	if toolchain.ConfinementMeans().Landlock == 0 {
		more = append(more, "KLABEL_UNCONFINED=1") // it cannot confine itself, and has no need to
	}
	return append([]string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "HOME=" + c.Home(), "TMPDIR=" + c.Home()},
		more...)
}
