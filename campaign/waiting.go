package campaign

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"slices"
	"sync"
	"time"

	"klabel/disk"
	"klabel/engine"
	"klabel/ktest"
	"klabel/replayer"
)

// Engines may write tests faster than they can be replayed: a mode that explores
// every path writes one for each. The budget holds all the same. What was not
// replayed in time waits: for the end of the engines, if that leaves time, and
// else, in a file, for the next run in the directory.

// waitingBytes bounds the tests that wait.
const waitingBytes = 64 << 20

// leastReplays is what replays of a turn may take after its engine's end at least, of a
// short budget a part; at most, where other entries wait, as long again as the turn.
func (c *session) leastReplays() time.Duration {
	const least, part = 2 * time.Second, 5
	if c.job.FunctionBudget > 0 || c.job.Budget <= 0 {
		return least
	}
	return min(least, c.job.Budget/part)
}

// waiting are tests that were not replayed.
type waiting struct {
	mu    sync.Mutex
	tests []waitingTest
	bytes int
	late  int // tests that were put off, so far
	lost  int // tests for which there was no room
}

// waitingTest is a test without the choices of its mode.
type waitingTest struct {
	Entry  string      `json:"entry"`
	Engine string      `json:"engine,omitempty"`
	Mode   engine.Mode `json:"mode,omitempty"`
	Error  string      `json:"error,omitempty"` // with which the engine ended it: it counts for nothing
	Test   []byte      `json:"test"`
}

// postpone keeps a test for later; counts is false if the engine ended it with an
// error.
func (w *waiting) postpone(from origin, f replayer.TestFile, counts bool) {
	t := waitingTest{Entry: from.entry.name, Engine: from.by, Mode: from.mode, Test: f.Test.StripChoices().Bytes()}
	if !counts {
		t.Error = f.Error
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.late++
	if w.bytes+len(t.Test) > waitingBytes {
		w.lost++
		return
	}
	w.bytes += len(t.Test)
	w.tests = append(w.tests, t)
}

// count is how many have been put off so far.
func (w *waiting) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.late
}

// take returns what waits, which is nobody's then.
func (w *waiting) take() []waitingTest {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.tests
	w.tests, w.bytes = nil, 0
	return out
}

// replaysEnd is when no replay begins any more: what is left of the time after the
// budget is for the summary.
func (c *session) replaysEnd() time.Time {
	if c.job.FunctionBudget > 0 {
		return time.Now().Add(24 * time.Hour) // each entry has its own limit
	}
	return c.began.Add(c.job.Budget + c.job.Budget/50 + time.Second)
}

// replayWaiting judges the tests that wait, for so long; what is left waits on.
func (c *session) replayWaiting(ctx context.Context, until time.Time) error {
	k := c.judge
	tests := k.waiting.take()
	if len(tests) == 0 || c.st.AllResolved() {
		return k.failed()
	}
	c.obs.Stage("replaying")
	ctx, stop := context.WithDeadline(ctx, until)
	defer stop()
	queue := make(chan waitingTest)
	var wg sync.WaitGroup
	for range k.pool.Workers() {
		wg.Go(func() {
			for t := range queue {
				k.takeWaiting(ctx, c.prog, t)
			}
		})
	}
	for _, t := range k.quickFirst(tests) {
		queue <- t
	}
	close(queue)
	wg.Wait()
	return k.failed()
}

// quickFirst sorts tests by how long replays of their entries have taken, roughly: a function
// that sleeps, or runs on until its time is up, shall not take the time of all others.
func (k *judge) quickFirst(tests []waitingTest) []waitingTest {
	k.mu.Lock()
	defer k.mu.Unlock()
	slow := map[string]int{}
	for _, t := range tests {
		if y := k.tallies[t.Entry]; y != nil && y.replays > 0 {
			slow[t.Entry] = bits.Len64(uint64((y.took / time.Duration(y.replays)) / quickReplay))
		}
	}
	slices.SortStableFunc(tests, func(a, b waitingTest) int { return cmp.Compare(slow[a.Entry], slow[b.Entry]) })
	return tests
}

// quickReplay is what a replay takes that is not worth to be told from others.
const quickReplay = 8 * time.Millisecond

// takeWaiting judges a test as it would have been; but what it was made for is not
// asked: labels may have other numbers now.
func (k *judge) takeWaiting(ctx context.Context, p *program, w waitingTest) {
	t, err := ktest.Parse(w.Test)
	if err != nil {
		return // the file was damaged; an engine finds it again
	}
	from := origin{mode: engine.Ignore, by: w.Engine}
	if e, ok := p.named(w.Entry); ok {
		from.entry = e
		f := replayer.TestFile{Path: "a test of an earlier run", Test: t, Error: w.Error}
		k.judged(ctx, from, f, w.Error == "")
	}
}

// recallWaiting reads what the last run has left.
func (c *session) recallWaiting() {
	b, err := disk.Read(c.layout.waiting())
	if err != nil {
		return
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 2*waitingBytes)
	for lines.Scan() {
		var t waitingTest
		if json.Unmarshal(lines.Bytes(), &t) == nil {
			c.judge.waiting.tests = append(c.judge.waiting.tests, t)
			c.judge.waiting.bytes += len(t.Test)
		}
	}
}

// leaveWaiting writes what waits for the next run, and says that it does.
func (c *session) leaveWaiting() error {
	w := &c.judge.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.tests)
	if n == 0 || c.st.AllResolved() {
		if err := os.Remove(c.layout.waiting()); !errors.Is(err, fs.ErrNotExist) {
			return describe(err)
		}
		return nil
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	for _, t := range w.tests {
		if err := to.Encode(t); err != nil {
			return err
		}
	}
	c.unfinished = true
	text := fmt.Sprintf("tests not replayed, no time left: %d", n+w.lost)
	if w.lost == 0 {
		text += "; the next run with this output directory begins with them"
	} else {
		text += fmt.Sprintf("; the next run with this output directory begins with %d of them", n)
	}
	c.note(text)
	return describe(disk.Write(c.layout.waiting(), out.Bytes()))
}
