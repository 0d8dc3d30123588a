package replayer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/toolchain"
)

// worker owns one fork server, which it starts when it needs one and starts
// again when it has died. One goroutine uses it at a time.
type worker struct {
	opts    Options
	dir     string
	symbols *symbols
	silent  *silence
	sites   *sites // nil: its runs are not watched

	watch   *toolchain.Breakpoints // of the server
	seen    *toolchain.Breakpoints // of the last run, whose server may have ended
	shm     *sharedMemory
	process *toolchain.Process
	command *os.File // one byte a replay
	answer  *os.File // one byte back
	cancel  context.CancelFunc
}

// grace is what a replay may take beyond its time limit before the server
// itself is taken for dead.
const grace = 5 * time.Second

// silence is of a program that never came to main: it is remembered, or each start
// would be waited for anew.
type silence struct{ why atomic.Pointer[error] }

// replay runs one test for at most limit.
func (w *worker) replay(ctx context.Context, entry int, t *ktest.Test, limit time.Duration) (label.Verdict, []Asked,
	error) {
	o := w.opts
	o.TestTimeout = limit
	test := t.StripChoices().Bytes()
	var failure error
	for range 2 { // a server that died between tests gets a second chance
		if err := ctx.Err(); err != nil {
			return label.Verdict{}, nil, err
		}
		if err := w.start(ctx, len(test)); err != nil {
			return label.Verdict{}, nil, err
		}
		w.shm.setTest(test, entry, o)
		if failure = w.exchange(ctx, limit+grace); failure == nil {
			asked := w.shm.inputs()
			return w.verdict(), asked, nil
		}
		if err := ctx.Err(); err != nil {
			w.stop()
			return label.Verdict{}, nil, err
		}
		failure = w.died(failure)
	}
	// A server that was ready, twice, and not after this test: it is the test.
	return label.Verdict{Outcome: label.Crashed, Reason: oneLine("ends the process that replays it: " +
		failure.Error())}, nil, nil
}

// exchange sends the command and waits for the answer.
func (w *worker) exchange(ctx context.Context, limit time.Duration) error {
	if w.watch != nil {
		w.watch.Reset()
		w.seen = w.watch
	}
	if _, err := w.command.Write([]byte{'r'}); err != nil {
		return err
	}
	return w.await(ctx, limit)
}

// await waits until the server says that it is ready for a test.
func (w *worker) await(ctx context.Context, limit time.Duration) error {
	answer := w.answer // the end of ctx may come when the worker has another already
	defer context.AfterFunc(ctx, func() {
		_ = answer.SetReadDeadline(time.Unix(1, 0)) // pipes have deadlines
	})()
	if err := answer.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if ctx.Err() != nil { // the deadline just set may have undone its end
		return ctx.Err()
	}
	var b [1]byte
	_, err := answer.Read(b[:])
	return err
}

// verdict reads what the server left. A server that could not clean up after the
// test ends; the next test gets another one.
func (w *worker) verdict() label.Verdict {
	v := judge(w.shm, w.symbols)
	if n := w.shm.get(offTooBig); n > 0 {
		v = label.Verdict{Outcome: label.Crashed, Duration: v.Duration,
			Reason: fmt.Sprintf("the program hit label %d, but the largest label is said to be %d", n-1, w.opts.MaxID)}
	}
	if w.shm.get(offDirty) != 0 {
		w.stop()
	}
	return v
}

func (w *worker) start(ctx context.Context, testSize int) error {
	if w.process != nil {
		select {
		case <-w.process.Done():
			w.stop()
		default:
			if testSize <= w.shm.room() {
				return nil
			}
			w.stop()
		}
	}
	if why := w.silent.why.Load(); why != nil {
		return *why
	}
	if err := removeAll(w.dir); err != nil {
		return fmt.Errorf("cannot empty the directory of a replay: %w", err)
	}
	if err := os.Mkdir(w.dir, 0o700); err != nil {
		return fmt.Errorf("cannot make the directory of a replay: %w", err)
	}
	shm, err := newSharedMemory(w.opts, testSize)
	if err != nil {
		return err
	}
	w.shm = shm
	err = w.startProcess()
	if err == nil && w.sites != nil {
		err = w.startWatch(ctx)
	}
	late := false
	if err == nil {
		if err = w.await(ctx, w.opts.StartLimit); err != nil && ctx.Err() == nil {
			late = errors.Is(err, os.ErrDeadlineExceeded)
			err = w.died(err)
			if w.sites != nil {
				err = fmt.Errorf("%w: %w", errUnwilling, err)
			}
		}
	}
	if err != nil {
		w.stop()
		err = fmt.Errorf("cannot start the replay program: %w", err)
		if late {
			w.silent.why.Store(&err)
		}
		return err
	}
	return nil
}

func (w *worker) startProcess() error {
	commandRead, commandWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	defer commandRead.Close()
	w.command = commandWrite
	answerRead, answerWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	defer answerWrite.Close()
	w.answer = answerRead
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	serve, env := "--klabel-serve", []string{"LC_ALL=C"} // the program itself gets none
	if w.sites != nil {
		serve += "-watched"
		env = append(env, toolchain.OtherMemory...) // in the runs that confirm
	}
	w.process, err = toolchain.Start(ctx, toolchain.Command{
		Argv: []string{w.opts.Binary, serve},
		Dir:  w.dir,
		Confine: &toolchain.Confinement{
			Scratch: w.dir, ScratchMB: 2 * w.opts.FileMB, Alone: true, Anywhere: true,
			Processes: w.opts.Processes + 2, // and the server
		},
		Env:        env,
		ExtraFiles: []*os.File{w.shm.file, commandRead, answerWrite},
		Grace:      200 * time.Millisecond,
		Capture:    4 << 10,
		Hint:       "does the replay program run by itself?",
	})
	return err
}

// died explains why there was no answer.
func (w *worker) died(cause error) error {
	process := w.process
	w.stop()
	if errors.Is(cause, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the replay program does not answer")
	}
	result, err := process.Wait()
	if text := strings.TrimSpace(string(result.Stderr)); text != "" {
		return fmt.Errorf("the replay program ended by itself: %s", text)
	}
	if err != nil && !errors.Is(err, toolchain.ErrStopped) {
		return fmt.Errorf("the replay program ended by itself: %w", err)
	}
	return fmt.Errorf("the replay program ended by itself: %w", cause)
}

// stop ends the server; the worker can be started again. The end of the
// command pipe is what ends a server whose test is running.
func (w *worker) stop() {
	for _, f := range []*os.File{w.command, w.answer} {
		if f != nil {
			f.Close()
		}
	}
	w.command, w.answer = nil, nil
	if w.process != nil {
		select {
		case <-w.process.Done():
		case <-time.After(500 * time.Millisecond):
			w.process.Kill()
		}
		_, _ = w.process.Wait() // how it ended is of no interest any more
		w.process = nil
	}
	w.watch = nil // it ends with the server
	if w.cancel != nil {
		w.cancel()
		w.cancel = nil
	}
	if w.shm != nil {
		w.shm.close()
		w.shm = nil
	}
}

// removeAll removes a tree, folders without permissions included.
func removeAll(path string) error {
	err := os.RemoveAll(path)
	if err == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700) // RemoveAll reports what this could not help
		}
		return nil
	})
	return os.RemoveAll(path)
}
