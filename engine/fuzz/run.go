package fuzz

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"klabel/engine"
	"klabel/ktest"
	"klabel/toolchain"
)

// The runtime knows the same numbers.
const (
	maxTest   = 1 << 17
	maxRecord = maxTest + 4<<10
)

const (
	scratchMB = 64
	processes = 64
	// A process that dies this often within its first seconds will not do better: one that
	// runs no input at all, and one that inputs end, by a signal that nothing catches.
	tries    = 5
	endings  = 50
	shortRun = 2 * time.Second
	// starting is what the first process may take until it runs an input: the budget is for
	// inputs, and where a machine is busy a short one would be over before the first.
	starting = 2 * time.Second
	// ending is how long one that has closed its records may take to be gone.
	ending = time.Second
	// silent is how long a process may report nothing, which it does ten times a second: an
	// input may have stopped it for good, with all signals blocked. Each that is ended for
	// that doubles it, for a machine may be busy.
	silent = 4 * time.Second
)

// Suffix ends the name of the file beside a test that says what the fuzzer saw:
// "covers 3 17", "fails 3" or "fails".
const (
	Suffix = "early"
	Covers = "covers"
	Fails  = "fails"
)

// run is one fuzzing of an entry.
type run struct {
	dir, binary, entry string
	options            engine.Options
	began              time.Time
	ctx                context.Context
	stop               context.CancelFunc
	done               chan struct{}
	seeds              chan []byte

	mu      sync.Mutex
	gone    uint64 // runs of processes that have ended
	current atomic.Uint64
	heard   atomic.Int64 // when the process reported last, after began
	silence time.Duration
	started sync.Once
	tests   int
	stats   engine.Stats
	err     error
}

func (r *run) Dir() string { return r.dir }

// Stop ends it at once: everything of worth is on disk already.
func (r *run) Stop() { r.stop() }

func (r *run) Wait() (engine.Stats, error) {
	<-r.done
	return r.stats, r.err
}

func (r *run) Progress() engine.Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return engine.Progress{Paths: r.gone + r.current.Load()}
}

// Seed hands a test over; where too many wait, it is dropped.
func (r *run) Seed(test []byte) {
	if len(test) > maxTest {
		return
	}
	select {
	case r.seeds <- test:
	default:
	}
}

// work starts processes until the time is up: one that dies is followed by another
// with the corpus.
func (r *run) work() {
	defer close(r.done)
	defer r.stop()
	short := 0
	for number := 0; r.ctx.Err() == nil; number++ {
		begin := time.Now()
		err := r.process(number)
		r.mu.Lock()
		ran := r.current.Swap(0)
		r.gone += ran
		runs := r.gone
		r.mu.Unlock()
		if r.ctx.Err() != nil {
			break
		}
		if time.Since(begin) > shortRun {
			short = 0
		} else if short++; short >= endings || short >= tries && ran == 0 {
			if runs == 0 {
				if err == nil || errors.Is(err, context.Canceled) {
					err = errors.New("the program ends, or closes what it was given, before its first run")
				}
				r.err = fmt.Errorf("the fuzzer does not run: %w", err)
			} else {
				r.stats.Notes = append(r.stats.Notes, "the fuzzed program ends its process over and over; "+
					"the fuzzer gave up early")
			}
			break
		}
	}
	r.stats.Paths = r.gone
	r.stats.Tests = uint64(r.tests)
	r.stats.Seconds = time.Since(r.began).Seconds()
}

// memory is what a process may have, in MB. libFuzzer looks once a second, and the kernel
// at what is written and the process's own: of the rest, code and stacks, there is some.
func (r *run) memory() int {
	if r.options.MaxMemoryMB > 0 {
		return r.options.MaxMemoryMB
	}
	return 2048
}

func dataOf(memory int) int { return max(memory-48, memory*3/4) }

// arguments are libFuzzer's. Signals and time limits are the runtime's.
func (r *run) arguments(number int) []string {
	args := []string{"-max_len=" + strconv.Itoa(maxTest), "-len_control=0", "-reload=0", "-close_fd_mask=3",
		"-detect_leaks=0", "-timeout=0", "-handle_abrt=0", "-handle_bus=0", "-handle_fpe=0", "-handle_ill=0",
		"-handle_segv=0", "-handle_xfsz=0", "-verbosity=0", "-artifact_prefix=./",
		"-rss_limit_mb=" + strconv.Itoa(r.memory()),
		"-seed=" + strconv.FormatInt(1+(r.options.Seed+int64(number))%1e6, 10)}
	if len(r.options.Searchers) > 0 && r.options.Searchers[0] == ValueProfile {
		args = append(args, "-use_value_profile=1")
	}
	args = append(args, r.options.ExtraArgs...)
	return append(args, r.options.Corpus)
}

// ValueProfile is a search heuristic: operands of all comparisons are progress too.
const ValueProfile = "value-profile"

// process runs one process to its end.
func (r *run) process(number int) error {
	scratch, err := os.MkdirTemp(r.dir, "cwd-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	view, err := os.Open(r.options.LiveView)
	if err != nil {
		if view, err = os.Open(os.DevNull); err != nil {
			return err
		}
	}
	defer view.Close()
	records, recordEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	defer records.Close()
	seedEnd, seeds, err := os.Pipe()
	if err != nil {
		recordEnd.Close()
		return err
	}
	defer seeds.Close()
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	p, err := toolchain.Start(ctx, toolchain.Command{
		Argv: append([]string{r.binary}, r.arguments(number)...), Dir: scratch,
		Env:        []string{"LC_ALL=C", "KLABEL_ENTRY=" + r.entry},
		ExtraFiles: []*os.File{view, recordEnd, seedEnd},
		Grace:      time.Millisecond, StopSignal: os.Kill, // nothing is lost
		Confine: &toolchain.Confinement{Scratch: scratch, ScratchMB: scratchMB, Writable: []string{r.options.Corpus},
			FileMB: scratchMB, DataMB: dataOf(r.memory()), Processes: processes, Alone: true},
		Hint: "does the program run by itself?",
	})
	recordEnd.Close()
	seedEnd.Close()
	if err != nil {
		return err
	}
	var feeding sync.WaitGroup
	feeding.Go(func() { r.feed(ctx, seeds) })
	feeding.Go(func() { r.endSilent(ctx, cancel) })
	if err = r.take(records); err == nil { // what ended it is worth more than that it was stopped
		select {
		case <-p.Done():
		case <-ctx.Done():
		case <-time.After(ending):
		}
	}
	cancel()
	seeds.Close()
	feeding.Wait()
	if _, ended := p.Wait(); ended != nil && (err == nil || !errors.Is(ended, toolchain.ErrStopped) &&
		!errors.Is(ended, context.Canceled)) {
		err = ended
	}
	return err
}

// endSilent ends the process once it has reported nothing for too long.
func (r *run) endSilent(ctx context.Context, end func()) {
	r.heard.Store(int64(time.Since(r.began)))
	for {
		quiet := time.Since(r.began) - time.Duration(r.heard.Load())
		if quiet > r.silence {
			r.silence *= 2
			end()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(r.silence - quiet + time.Millisecond):
		}
	}
}

// feed writes seeds into the process. Its end closes the pipe, which unblocks this.
func (r *run) feed(ctx context.Context, to *os.File) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-r.seeds:
			record := binary.BigEndian.AppendUint32(nil, uint32(len(s)))
			if _, err := to.Write(append(record, s...)); err != nil {
				return
			}
		}
	}
}

// take reads records until the process ends. What they say is the program's word:
// it is checked like any foreign file.
func (r *run) take(from io.Reader) error {
	in := bufio.NewReaderSize(from, 64<<10)
	for {
		var head [5]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return nil
		}
		n := binary.BigEndian.Uint32(head[1:])
		if n > maxRecord {
			return fmt.Errorf("the fuzzed program writes over its records")
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(in, b); err != nil {
			return nil
		}
		r.heard.Store(int64(time.Since(r.began)))
		switch {
		case head[0] == 'S' && n == 16:
			r.current.Store(binary.BigEndian.Uint64(b))
			r.begun()
		case head[0] == 'T':
			if err := r.find(b); err != nil {
				return err
			}
		}
	}
}

// begun is told that inputs are run: from the first time on the budget counts.
func (r *run) begun() {
	if r.options.Budget > 0 {
		r.started.Do(func() { time.AfterFunc(r.options.Budget, r.stop) })
	}
}

// find writes a test, and then what the fuzzer saw of it: how the run ended (1
// byte, 1 is normally), the number of open labels that it hit, these, the test.
func (r *run) find(b []byte) error {
	if len(b) < 5 {
		return nil
	}
	n := int(binary.BigEndian.Uint32(b[1:]))
	if n < 0 || len(b) < 5+4*n {
		return nil
	}
	words := []string{Fails}
	if b[0] == 1 {
		words[0] = Covers
	}
	for i := range n {
		words = append(words, strconv.FormatUint(uint64(binary.BigEndian.Uint32(b[5+4*i:])), 10))
	}
	t, err := ktest.Parse(b[5+4*n:])
	if err != nil {
		return nil
	}
	t.Args = append([]string{filepath.Base(r.binary)}, r.options.ProgramArgs...)
	r.tests++
	stem := filepath.Join(r.dir, fmt.Sprintf("test%06d.", r.tests))
	if err := os.WriteFile(stem+"ktest", t.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(stem+Suffix, []byte(strings.Join(words, " ")+"\n"), 0o644)
}
