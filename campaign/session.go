package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/replayer"
	"klabel/runtime_c"
	"klabel/sample"
	"klabel/store"
	"klabel/toolchain"
)

// session is one opening of a campaign: whoever runs, replays, measures or
// prunes opens it step by step, as far as it needs, and closes it.
type session struct {
	job    Job
	tools  *toolchain.Tools
	clang  *toolchain.Clang // of the user's machine: reads sources, builds replays
	obs    Observer
	layout layout

	row      engineRow // of the engine chosen
	engine   engine.Engine
	beside   *beside    // nil: the engine works alone
	ownInput bool       // klabel chose how long the input of the program's own main may be
	cluster  *clustered // nil: engines run on this machine
	build    builder
	prog     *program
	further  []*image // after the first
	st       *store.Store
	judge    *judge
	pairs    *pairs
	passing  bool           // the output directory is of the moment
	proofs   *pruner        // nil: nothing is pruned
	joined   bool           // functions are entries beside the program's own main, see joining.go
	dried    bool           // which has had its time alone
	pace     pace           // guarded by mu, as is slow
	slow     bool           // too few labels for it to go on alone
	given    Job            // as it was before
	early    []*way         // of functions that joined in earlier runs
	earlier  engine.Program // that has them
	resting  bool           // what rests is made, too

	closers []func() // last opened, first closed

	began     time.Time
	used      time.Duration         // of the processors, then
	firstTook time.Duration         // to compile the first image
	poolTook  time.Duration         // of that to compile it for replays
	busy      float64               // so many times as long all takes, because of others on the machine
	runs      atomic.Int64          // of engines
	replays   []store.ReplayProgram // one an image
	explored  map[string]bool       // entries of which an engine has seen every path
	memory    *memory               // what earlier runs have left
	stored    map[string]bool       // entries that there are tests of
	sums      map[string]string     // of the sources, where they are known before they are read
	bounded   map[string]bool       // entries with queries that held an engine up

	turned   chan struct{} // closed by hadTurns
	hadTurns func()        // every function has had a turn

	mu            sync.Mutex
	done          map[string]bool                // entries that find nothing new
	proved        map[string][]label.ID          // labels that entries have proved infeasible
	barred        map[label.ID]store.Reason      // proofs about labels that failing tests reach
	survived      map[label.ID]string            // why no proof counts about labels behind an error that a run survives
	undecided     map[string]map[label.ID]string // by entry: why labels that paths have reached are open
	tried         map[string]bool                // entries that engines have worked on
	pruned        bool                           // provers have looked at all labels
	over          bool                           // nothing was left to do when the engines ended
	unfinished    bool                           // something was
	replayedAgain int                            // tests of earlier runs
	besideFailed  bool                           // and this has been said
	allocator     sync.Once                      // sets asksMemory
	asksMemory    bool
	hidden        sync.Once // sets notInC
	notInC        string
	notes         []string // guarded by mu: provers remark things while engines run
}

// newSession checks the job and finds the compiler. Nothing is written yet.
func newSession(j Job, tools *toolchain.Tools, obs Observer) (*session, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	clang, err := tools.RequireClang()
	if err != nil {
		return nil, err
	}
	c := &session{job: j, tools: tools, clang: clang, obs: &once{Observer: obs}, layout: layout{dir: j.OutputDir},
		began: time.Now(), used: processorTime(), busy: 1, explored: map[string]bool{},
		bounded: map[string]bool{}, done: map[string]bool{},
		proved: map[string][]label.ID{}, barred: map[label.ID]store.Reason{}, survived: map[label.ID]string{},
		undecided: map[string]map[label.ID]string{}, tried: map[string]bool{}, memory: recallFrom(nil)}
	c.turned = make(chan struct{})
	c.hadTurns = sync.OnceFunc(func() { close(c.turned) })
	c.build = builder{layout: c.layout, native: clang, engine: clang, args: j.ProgramArgs}
	c.beginsAt(c.began)
	return c, nil
}

// beginsAt says when the budget began to run.
func (c *session) beginsAt(t time.Time) {
	c.began = t
	if c.job.FunctionBudget == 0 && c.job.Budget > 0 {
		c.build.end = t.Add(c.job.Budget)
	}
}

// newPassing is newSession for what leaves nothing behind unless the job names
// an output directory.
func newPassing(j Job, tools *toolchain.Tools, obs Observer) (*session, error) {
	if j.OutputDir != "" {
		return newSession(j, tools, obs)
	}
	dir, err := os.MkdirTemp("", "klabel-")
	if err != nil {
		return nil, describe(err)
	}
	remove := func() { os.RemoveAll(dir) }
	j.OutputDir = dir
	c, err := newSession(j, tools, obs)
	if err != nil {
		remove()
		return nil, err
	}
	c.passing = true
	c.closers = append(c.closers, remove)
	return c, nil
}

func (c *session) close() {
	for i := len(c.closers) - 1; i >= 0; i-- {
		c.closers[i]()
	}
	c.closers = nil
}

// chooseEngine picks engine, mode and the compiler that goes with them.
func (c *session) chooseEngine() error {
	if narrow, err := c.narrow(context.Background()); err != nil {
		return err
	} else if narrow {
		c.job.engines = enginesFor32(c.job.engines)
	}
	name, extra, err := splitEngines(c.job.Engine, c.job.engines)
	if err != nil {
		return err
	}
	row, passed, err := pickEngine(c.job.engines, name, c.job.Mode, c.job.EngineArgs, c.tools)
	if err != nil {
		return err
	}
	if passed != "" {
		c.note(passed)
	}
	c.row, c.job.Engine = row, row.name
	c.job.Driver.Floats, c.job.Driver.WholeArrays = row.floats, row.wholeArrays
	patient := name == autoEngine && extra == nil && c.job.Mode == "" && row.form != fuzzed
	if patient {
		extra = fuzzer(c.job.engines)
	}
	if c.job.Mode == "" {
		c.job.Mode = row.best
	}
	if c.build.engine, err = row.clang(c.tools); err != nil {
		return err
	}
	c.build.form = row.form
	c.engine = row.open(c.tools, c.build.engine)
	c.closers = append(c.closers, func() { _ = c.engine.Close() })
	return c.openBeside(extra, patient)
}

// read loads the program. A mistake in the source leaves no trace on disk.
func (c *session) read(ctx context.Context) error {
	c.obs.Stage("reading")
	rt, done, err := runtime_c.Shared()
	if err != nil {
		return err
	}
	c.closers = append(c.closers, done)
	c.build.rt = rt
	s := start{stored: map[string]bool{}}
	if !c.job.Fresh {
		s = startAfter(c.layout.dir)
	}
	c.stored = s.stored
	if c.engine != nil {
		s.began, s.used = c.began, c.used
	}
	ctx, stop := c.starting(c.compiling(ctx, leastStart))
	defer stop()
	p, err := until(ctx, func() (*program, error) { return load(ctx, c.clang, rt, &c.job, s, c.sums) })
	err = c.tooLong(ctx, err)
	if p != nil {
		c.prog = p
		for _, w := range p.warnings {
			c.obs.Note(w)
		}
	}
	return err
}

// openStore makes the output directory and tells the store of the program.
func (c *session) openStore() error {
	if err := c.layout.make(); err != nil {
		return err
	}
	st, err := store.Open(c.layout.dir, store.Options{Fresh: c.job.Fresh})
	if err != nil {
		return err
	}
	c.st = st
	c.closers = append(c.closers, func() { st.Close() })
	c.noteRepairs()
	c.layout.sweep()
	if c.job.Fresh {
		err = c.layout.clear()
	} else {
		err = c.settleReplays()
	}
	if err != nil {
		return err
	}
	if c.build.rt, err = runtime_c.Extract(c.layout.work("c")); err != nil {
		return describe(err)
	}
	// What was not watched before, or not run twice, is not covered now.
	program := c.prog.hash + " watched"
	if c.job.Recheck {
		program += " recheck"
	}
	if c.job.lenient() { // what no run that ends normally meets, another one may
		program += " failing"
	}
	if err := c.recall(program); err != nil {
		return err
	}
	if _, err := st.SetProgram(program); err != nil {
		return err
	}
	if err := st.SetLabels(c.prog.labels); err != nil {
		return err
	}
	c.pairs = newPairs(c.prog.decisions, c.prog.labels)
	return st.SetDecisions(c.prog.decisions)
}

// startAfter is what the last run in a directory leaves to this one's first image.
func startAfter(dir string) start {
	out := start{stored: map[string]bool{}, rested: map[string]bool{}}
	if !exists(filepath.Join(dir, "klabel.db")) {
		return out
	}
	snap, err := store.Read(dir)
	if err != nil {
		return out // opening it will tell
	}
	for _, t := range snap.Tests {
		if filepath.Base(filepath.Dir(t.File)) == "tests" {
			out.stored[t.Entry] = true
		}
	}
	m := recallFrom(snap)
	for name, r := range m.Entries {
		out.rested[name] = r.Done || r.Complete
	}
	return out
}

// openJudge builds the replay program and starts what replays with it. What still holds
// of earlier runs counts from here on, and not before: until the store knows this
// program, 'klabel verify' replays with the one before, which numbers labels otherwise.
func (c *session) openJudge(ctx context.Context) error {
	c.logTimes("read, and entries written,")
	c.obs.Stage("compiling")
	begin, used := time.Now(), usedByTools()
	pool, done, err := c.openPool(ctx, c.build, c.prog.image)
	if err != nil {
		return err
	}
	c.busy = busyness(time.Since(begin), usedByTools()-used)
	c.poolTook = time.Since(begin)
	c.firstTook = c.prog.took + c.poolTook
	if spent := time.Since(c.began); spent > c.job.Budget && c.job.Budget >= leastStart && c.prog.image.open() {
		c.remark(fmt.Sprintf("reading and compiling took %v, the budget is %v: with --budget %v engines have time",
			spent.Round(time.Second), c.job.Budget, (5*spent + time.Minute/2).Round(time.Minute)))
	}
	c.closers = append(c.closers, done)
	if err := c.takeCarried(); err != nil {
		return err
	}
	c.judge = newJudge(c.st, pool, c.layout, c.row.name, c.obs)
	if c.judge.recheck, err = c.openRecheck(ctx); err != nil {
		return err
	}
	c.judge.mode, c.judge.limit = c.job.Mode, c.job.TestTimeout
	if c.job.FunctionBudget == 0 {
		c.judge.hangs = c.job.Budget / ofBudget
	}
	c.judge.all = c.job.KeepAll || c.engine == nil // a user's own tests are all wanted
	c.judge.patience = extension{limit: patient * c.job.TestTimeout, until: c.judge.began.Add(c.job.Budget * 3 / 4),
		part: c.job.Budget / ofBudget}
	most := c.job.Budget / endingShare
	if len(c.prog.all()) > 1 { // the program is one of many entries
		most /= endingFew
	}
	c.judge.endings = sample.NewEndings(c.prog.constants().Endings(), most)
	c.judge.ownInput = c.ownInput
	c.judge.news, c.judge.aimed = c.unneeded, c.aimed
	c.judge.lenient, c.judge.loops, c.judge.bare = c.job.lenient(), c.job.CountFailing, !c.sanitized()
	return nil
}

// leastStart is what a replay program may take before main, however short the budget
// is: on a busy machine the sanitizers' start alone takes seconds.
const leastStart = 10 * time.Second

// sanitized reports whether a replay ends where proofs take a run to end: at an access
// outside an object, say.
func (c *session) sanitized() bool {
	return !c.job.NoSanitizers && c.build.native.HasASan && c.build.native.HasUBSan
}

// openPool builds the replay program of an image. done closes the pool.
func (c *session) openPool(ctx context.Context, b builder, im *image) (pool *replayer.Pool, done func(), err error) {
	binary := b.layout.work(b.stem("replay"))
	compiling, stopCompiling := ctx, func() {}
	if im == c.prog.image {
		compiling, stopCompiling = c.starting(c.compiling(ctx, leastStart))
	}
	defer stopCompiling()
	if err := b.replayBinary(compiling, c.prog, im, !c.job.NoSanitizers, binary+upcoming); err != nil {
		return nil, nil, c.tooLong(compiling, err)
	}
	workers := c.job.Workers
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	if err := c.noteReplay(binary, im); err != nil {
		return nil, nil, err
	}
	poolCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	pool, err = replayer.New(poolCtx, replayer.Options{
		Binary: binary, Workers: workers, TestTimeout: c.job.TestTimeout, MemoryMB: c.job.TestMemoryMB,
		MaxID: c.prog.maxID, TempDir: c.layout.work(""),
		StartLimit: min(max(c.job.Budget, leastStart), replayer.DefaultStartLimit),
	})
	if err != nil {
		stop()
		return nil, nil, err
	}
	return pool, func() { pool.Close(); stop() }, nil
}

// note tells a person something, and the summary.
func (c *session) note(text string) {
	c.remark(text)
	c.obs.Note(text)
}

// remark is a note that the summary tells soon enough.
func (c *session) remark(text string) {
	c.mu.Lock()
	c.notes = append(c.notes, text)
	c.mu.Unlock()
}

func (c *session) takeNotes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.notes...)
}
