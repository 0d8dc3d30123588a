package campaign

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/store"
)

// judge replays tests, stores the verdicts, and keeps the files that count.
type judge struct {
	st     *store.Store
	pool   *replayer.Pool
	layout layout
	mode   engine.Mode
	engine string
	obs    Observer
	began  time.Time

	mu        sync.Mutex
	seen      map[[32]byte]label.Verdict // inputs already replayed
	patterns  map[string]bool            // sets of hits that a kept test has
	serial    int                        // of files in tests/ and runtime-errors/
	generated int
	replayed  int
	errors    int
	diverged  int
	lastLabel time.Duration
	refused   map[label.ID]bool // labels whose first test was not confirmed, since takeRefused
	failure   error             // the first thing that makes going on pointless
}

// take handles one test file of an engine: the one place where it is decided
// what counts. A test with an error of the engine's own finding covers nothing.
func (k *judge) take(ctx context.Context, f replayer.TestFile) {
	if f.Problem != nil {
		k.obs.Note(fmt.Sprintf("%s is skipped: %v", f.Path, f.Problem))
		return
	}
	k.mu.Lock()
	k.generated++
	k.mu.Unlock()
	switch {
	case f.Suffix == "":
		if k.mode.AssertTests() {
			return // a test of this mode counts through its assertion alone
		}
		k.replay(ctx, f, true)
	case f.Suffix == "assert.err" && f.HasLabel:
		k.replay(ctx, f, true)
	case strings.HasSuffix(f.Suffix, "err"):
		k.replay(ctx, f, false)
	}
}

func (k *judge) replay(ctx context.Context, f replayer.TestFile, counts bool) {
	t := f.Test
	if k.mode.AssertTests() {
		t = t.StripChoices()
	}
	hash := t.Hash()
	k.mu.Lock()
	v, again := k.seen[hash]
	k.mu.Unlock()
	whole := t
	if !again {
		var err error
		var asked []replayer.Asked
		v, asked, err = k.pool.ReplayWhole(ctx, t)
		if err != nil {
			if ctx.Err() == nil {
				k.fail(fmt.Errorf("replaying %s: %w", f.Path, err))
			}
			return
		}
		// A test that ends at its label leaves later inputs open: what the replay
		// chose belongs to the test.
		whole = replayer.Complete(t, asked)
		k.mu.Lock()
		k.seen[hash] = v
		k.replayed++
		k.mu.Unlock()
	}
	// A label that the program does not have may be met in tests that were made
	// for an earlier version of it.
	state, known := k.st.Status(f.Label)
	if counts && f.HasLabel && known && !confirms(v, f.Label) {
		why := "its test does not reach it when replayed"
		if v.Outcome != label.Normal {
			why = fmt.Sprintf("its test does not end normally: %s %s", v.Outcome, v.Reason)
		}
		if gaveUp, err := k.st.Refuse(f.Label, why); err != nil {
			k.fail(err)
		} else if gaveUp {
			k.obs.Note(fmt.Sprintf("label %s is given up: %s", f.Label, why))
		} else if !state.Refused {
			k.mu.Lock()
			k.refused[f.Label] = true
			k.mu.Unlock()
		}
	}
	if again {
		return
	}
	if !counts && v.Outcome == label.Normal {
		v.Outcome = label.ReportedErr
		v.Reason = fmt.Sprintf("the engine reports %q; the native run shows nothing", f.Error)
		v.Hits = nil
	}
	if err := k.keep(whole, whole.Hash(), v, written(f.Path), k.engine); err != nil {
		k.fail(err)
	}
}

// takeRefused returns the labels that were refused for the first time since it
// was called last.
func (k *judge) takeRefused() []label.ID {
	k.mu.Lock()
	defer k.mu.Unlock()
	ids := slices.Collect(maps.Keys(k.refused))
	clear(k.refused)
	return ids
}

// written is when the engine wrote the test.
func written(path string) time.Time {
	if fi, err := os.Stat(path); err == nil {
		return fi.ModTime()
	}
	return time.Now()
}

func confirms(v label.Verdict, id label.ID) bool {
	if v.Outcome != label.Normal {
		return false
	}
	for _, h := range v.Hits {
		if h == id {
			return true
		}
	}
	return false
}

// keep writes a judged test where it belongs and records it; by says who made it.
func (k *judge) keep(t *ktest.Test, hash [32]byte, v label.Verdict, at time.Time, by string) error {
	switch {
	case v.Outcome == label.Diverged:
		k.mu.Lock()
		k.diverged++
		k.mu.Unlock()
		return nil
	case v.Outcome.RuntimeError():
		return k.keepError(t, hash, v, at, by)
	case len(v.Hits) == 0:
		return nil
	}
	k.mu.Lock()
	pattern := fmt.Sprint(v.Hits)
	if k.patterns[pattern] {
		k.mu.Unlock()
		return nil // another test satisfies exactly the same labels
	}
	k.patterns[pattern] = true
	name := k.nextName()
	k.mu.Unlock()

	path := filepath.Join(k.layout.tests(), name+".ktest")
	if err := writeFile(path, t.Bytes()); err != nil {
		return err
	}
	newly, err := k.st.Record(store.TestResult{Name: name, File: path, Hash: hex.EncodeToString(hash[:]), Engine: by, Mode: string(k.mode), At: at, Verdict: v})
	if err != nil {
		return err
	}
	if len(newly) > 0 && by == k.engine {
		k.mu.Lock()
		k.lastLabel = max(k.lastLabel, at.Sub(k.began))
		k.mu.Unlock()
	}
	return nil
}

// keepError keeps a test that ends in a run-time error apart, with its reason.
func (k *judge) keepError(t *ktest.Test, hash [32]byte, v label.Verdict, at time.Time, by string) error {
	k.mu.Lock()
	k.errors++
	name := k.nextName()
	k.mu.Unlock()
	path := filepath.Join(k.layout.runtimeErrors(), name+".ktest")
	if err := writeFile(path, t.Bytes()); err != nil {
		return err
	}
	if err := writeFile(strings.TrimSuffix(path, ".ktest")+".txt", []byte(fmt.Sprintf("%s: %s\n", v.Outcome, v.Reason))); err != nil {
		return err
	}
	_, err := k.st.Record(store.TestResult{Name: name, File: path, Hash: hex.EncodeToString(hash[:]), Engine: by, Mode: string(k.mode), At: at, Verdict: v})
	return err
}

// nextName is called with the lock held. Names that an earlier campaign in this
// directory has used are passed over.
func (k *judge) nextName() string {
	for {
		k.serial++
		name := fmt.Sprintf("test%06d", k.serial)
		if !exists(filepath.Join(k.layout.tests(), name+".ktest")) && !exists(filepath.Join(k.layout.runtimeErrors(), name+".ktest")) {
			return name
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

func (k *judge) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failure == nil {
		k.failure = describe(err)
	}
}

func (k *judge) failed() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failure
}

// writeFile writes a file whole or not at all.
func writeFile(path string, data []byte) error {
	tmp := path + ".part"
	if err := os.WriteFile(tmp, data, 0o666); err != nil {
		os.Remove(tmp)
		return describe(err)
	}
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp)
		return describe(err)
	}
	return nil
}
