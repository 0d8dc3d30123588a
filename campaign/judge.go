package campaign

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/report"
	"klabel/sample"
	"klabel/store"
)

// judge replays tests, stores the verdicts, and keeps the files that count.
type judge struct {
	st      *store.Store
	pool    *replayer.Pool // of the first image
	layout  layout
	engine  string
	mode    engine.Mode // of the campaign
	obs     Observer
	began   time.Time
	lenient bool                   // tests that fail count
	loops   bool                   // so do those that go into a loop without an end
	bare    bool                   // replays have no sanitizers
	all     bool                   // tests that cover nothing new are kept, too
	recheck *rechecker             // nil: one run is enough
	limit   time.Duration          // of a replay
	load    func() float64         // machineLoad
	hangs   time.Duration          // how much of the campaign such tests may take; 0: whatever they do
	news    func([]label.ID) error // told of labels that are covered
	aimed   func([]seed) []int     // chooses tests that have shown half of what is open

	mu        sync.Mutex
	further   []*replayer.Pool         // of the images after the first
	seen      map[string]label.Verdict // tests already replayed, by entry and inputs
	patterns  map[string]bool          // sets of hits that tests have
	most      int                      // hits that one kept test has
	failures  map[string]bool          // ends of failing tests, by entry, of which one is kept
	failing   map[label.ID]failure     // labels that failing tests reached
	truth     sync.RWMutex             // held while a proof is written; by readers while a test is
	proved    map[label.ID]bool        // of runs from main, see proper; nil: all entries are alike
	related   []relation
	mains     map[label.ID]bool // that confirmed runs from main satisfy
	claimed   map[label.ID]bool // labels that a program claims and no breakpoint shows
	tallies   map[string]*tally // by entry
	serial    int               // of files in tests/ and runtime-errors/
	generated int
	replayed  int
	errors    int
	diverged  int
	lastLabel time.Duration
	nextCount time.Time // of labels, for progress
	paths     uint64    // of the explorations that have ended
	shown     uint64    // the most paths that progress has told of
	newsAt    time.Time // when a label was covered last
	finds     finds
	seeds     seeds
	refused   map[label.ID]bool // labels whose first test was not confirmed, since takeRefused
	failure   error             // the first thing that makes going on pointless
	patience  extension
	endings   *sample.Endings
	ownInput  bool           // the program's own main reads an input of any length
	hung      map[string]int // by entry: tests out of time since one ended
	hanging   time.Duration  // what tests out of time took, of all entries
	waiting   waiting
}

// failure is a failing test that reached a label.
type failure struct {
	test, reason string
	main         bool // it begins at the program's own main
}

// tally counts what the tests of an entry came to.
type tally struct {
	normal, failed int
	reasons        map[string]int // of failures
	newly          map[string]int // labels that they covered first, by who made them
	replays        int
	took           time.Duration // that the replays have, together, by the clock
	seconds        float64       // of engines
	paths          uint64
	// An error of the engine's that no native run shows: the path goes on where
	// the engine stopped, so that it has not seen all.
	unconfirmed string
}

// origin says where a test comes from.
type origin struct {
	entry entry
	mode  engine.Mode
	by    string // the engine's name; "": the campaign's own
}

func newJudge(st *store.Store, pool *replayer.Pool, l layout, engine string, obs Observer) *judge {
	return &judge{st: st, pool: pool, layout: l, engine: engine, obs: obs, began: time.Now(),
		limit: DefaultTestTimeout, load: machineLoad, hung: map[string]int{}, endings: sample.NewEndings(nil, 0),
		seen: map[string]label.Verdict{}, patterns: map[string]bool{}, failures: map[string]bool{},
		failing: map[label.ID]failure{}, claimed: map[label.ID]bool{}, news: func([]label.ID) error { return nil },
		aimed:   func([]seed) []int { return nil },
		tallies: map[string]*tally{}, refused: map[label.ID]bool{}}
}

// key tells tests apart: the same inputs mean something else to another entry.
func key(e entry, t *ktest.Test) string {
	hash := e.named(t).Hash()
	return hex.EncodeToString(hash[:])
}

// named returns a test that says by itself what it is a test of.
func (e entry) named(t *ktest.Test) *ktest.Test {
	if e.ownMain() {
		return t
	}
	named := *t
	named.Args = []string{e.name}
	return &named
}

// tallyOf is called with the lock held.
func (k *judge) tallyOf(e entry) *tally {
	t := k.tallies[e.name]
	if t == nil {
		t = &tally{reasons: map[string]int{}, newly: map[string]int{}}
		k.tallies[e.name] = t
	}
	return t
}

// newly is how many labels tests of an entry were the first to cover.
func (k *judge) newly(e entry) (all int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range k.tallyOf(e).newly {
		all += n
	}
	return all
}

// newlyBy counts those that an engine has made alone.
func (k *judge) newlyBy(e entry, engine string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tallyOf(e).newly[engine]
}

// take handles one test file of an engine: the one place where it is decided
// what counts. A test with an error of the engine's own finding covers nothing.
func (k *judge) take(ctx context.Context, from origin, f replayer.TestFile) {
	if f.Problem != nil {
		k.obs.Note(fmt.Sprintf("%s is skipped: %v", f.Path, f.Problem))
		return
	}
	k.mu.Lock()
	k.generated++
	k.mu.Unlock()
	switch {
	case f.Suffix == "":
		if from.mode.AssertTests() {
			return // a test of this mode counts through its assertion alone
		}
		k.judged(ctx, from, f, true)
	case f.Suffix == "assert.err" && f.HasLabel:
		k.judged(ctx, from, f, true)
	case f.Suffix == "early": // where the engine gave up; the native run goes on
		k.judged(ctx, from, f, true)
	case strings.HasSuffix(f.Suffix, "err"):
		k.judged(ctx, from, f, false)
	}
}

// judged replays a test, or lets it wait for a better time.
func (k *judge) judged(ctx context.Context, from origin, f replayer.TestFile, counts bool) {
	if ctx.Err() != nil || !k.replay(ctx, from, f, counts) {
		k.waiting.postpone(from, f, counts)
	}
}

// replay returns false if the time was up before there was a verdict.
func (k *judge) replay(ctx context.Context, from origin, f replayer.TestFile, counts bool) bool {
	t := f.Test
	if from.mode.AssertTests() {
		t = t.StripChoices()
	}
	id := key(from.entry, t)
	k.mu.Lock()
	v, again := k.seen[id]
	k.mu.Unlock()
	whole, checked := t, false
	if !again {
		var err error
		var asked []replayer.Asked
		v, asked, err = k.run(ctx, from.entry, t)
		if err != nil {
			if ctx.Err() == nil {
				k.fail(fmt.Errorf("replaying %s: %w", f.Path, err))
			}
			return ctx.Err() == nil
		}
		t, v, asked = k.left(ctx, from.entry, t, v, asked)
		// A test that ends at its label leaves later inputs open: what the replay
		// chose belongs to the test.
		whole = k.fixedInput(ctx, from.entry, replayer.Complete(t, asked), v)
		if v, checked, err = k.confirmed(ctx, from.entry, whole, v); err != nil {
			if ctx.Err() == nil {
				k.fail(err)
			}
			return ctx.Err() == nil
		}
		k.mu.Lock()
		k.seen[id] = v
		k.replayed++
		y := k.tallyOf(from.entry)
		y.replays, y.took = y.replays+1, y.took+v.Duration
		k.mu.Unlock()
	}
	native := v.Outcome
	v = k.counted(v)
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
	if counts {
		k.release(f, v)
	}
	k.noteFind(f, v)
	if again {
		return true
	}
	// What crashes with this input may go on with another one at the same place, of
	// which engines write no second test; sanitizers end both.
	if !counts && k.bare && native == label.Crashed {
		k.mu.Lock()
		k.tallyOf(from.entry).unconfirmed = "may go on, without sanitizers: " + f.Error
		k.mu.Unlock()
	}
	if !counts && native == label.TimedOut { // it may end, and show no error
		k.mu.Lock()
		k.tallyOf(from.entry).unconfirmed = "runs on: " + f.Error
		k.mu.Unlock()
	}
	if !counts && native == label.Normal {
		k.mu.Lock()
		k.tallyOf(from.entry).unconfirmed = "goes on: " + f.Error
		k.mu.Unlock()
		v.Outcome = label.ReportedErr
		where := ""
		if f.AtNull {
			where = atNull
		}
		v.Reason = fmt.Sprintf("%s%q%s; the native run shows nothing", unconfirmed, f.Error, where)
		v.Hits = nil
	}
	if err := k.keep(whole, from, v, checked, written(f.Path), cmp.Or(from.by, k.engine)); err != nil {
		k.fail(err)
	}
	return true
}

// release opens the labels again that waited for a test and are not covered by it.
func (k *judge) release(f replayer.TestFile, v label.Verdict) {
	var lost []label.ID
	for _, id := range f.Also {
		if state, known := k.st.Status(id); known && !state.Refused && !confirms(v, id) {
			lost = append(lost, id)
		}
	}
	if err := k.st.Release(lost); err != nil {
		k.fail(err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range lost {
		k.refused[id] = true
	}
}

// How the reasons of verdicts begin that are not the replay's own.
const (
	unconfirmed = "the engine reports "
	atNull      = " at NULL"
	countedAll  = "it fails, and counts all the same: "
)

// counted makes a failing test count where the user wants that. Assertions of embedded code end in a loop without
// an end, which a replay reports; a goal of competitions wants no tests that run on.
func (k *judge) counted(v label.Verdict) label.Verdict {
	if k.lenient && countsFailing(v, k.loops) && len(v.Hits) > 0 {
		v.Reason = fmt.Sprintf("%s%s %s", countedAll, v.Outcome, v.Reason)
		v.Outcome = label.Normal
	}
	return v
}

// countsFailing reports whether a test that ends so covers labels where failing tests
// do; with loops, one that goes into a loop without an end, too. That of a program which never ends is over where
// its inputs are.
func countsFailing(v label.Verdict, loops bool) bool {
	return v.Outcome == label.Crashed || v.Outcome == label.SanitizerErr || v.Outcome == label.Aborted ||
		loops && v.Outcome == label.ReportedErr && endless(v.Reason) || replayer.Exhausted(v)
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

// tests counts what was judged; kept is the size of the suite.
func (k *judge) tests(kept int) report.Tests {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := report.Tests{Generated: k.generated, Kept: kept, RuntimeErrors: k.errors, Diverged: k.diverged}
	switch {
	case kept == 0 || k.pool == nil:
	case k.recheck != nil:
		t.Confirmed = report.Interpreted
	case k.pool.Watchable() == nil:
		t.Confirmed = report.SecondRun
	}
	return t
}

// poolOf replays the tests of an entry.
func (k *judge) poolOf(e entry) *replayer.Pool {
	if e.image == 0 {
		return k.pool
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.further[e.image-1]
}

func (k *judge) lastLabelAfter() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lastLabel
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
