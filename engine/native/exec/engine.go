// Package exec explores the paths of a decoded program: it is the symbolic
// executor of the native engine.
//
// It exists so that labels can be asked of the solver where they stand (mode
// greybox) and so that klabel works where there is no KLEE. It promises KLEE's
// outcomes: the same suffix and first line for each kind of error of the program,
// a test with the same objects in the same order. What it gives up on (a query
// without an answer in time, a limit, something that it has no meaning for) is
// never called an error of the program: the path ends with a test for a native
// run (.early), and the exploration is called incomplete.
//
// What an exploration misses is known by where the state stood that was not
// followed: labels to which nothing of that leads are decided all the same
// (missed.go). Hard questions wait until the easy ones are answered (later.go).
//
// With Options.Merge a branch whose arms only compute is no fork (merge.go), and a path
// that comes round a loop with what another one held there ends (rounds.go).
//
// What a state is run for is its role: a path, a predicate beside a path, given
// values. The rest of the code does not ask.
//
// What C or the machine leaves open is not decided: memory that was never set
// holds any value, errno after functions that may set it, too, comparisons of
// strings return any number of the right sign. The order of unrelated objects
// and arithmetic with the number of an address count as given up.
//
// Tests of others (seeds) change the order in which paths are explored, and nothing
// else.
//
// It is one goroutine. Limits: no threads, no world outside, little assembly. Of
// floating point: no rounding direction but to nearest, no exception flags; sin,
// exp and the like are sampled. These are counted as given up.
package exec

import (
	"context"
	"fmt"
	"math/rand"
	"runtime"
	"sort"
	"sync/atomic"
	"time"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
	"klabel/label"
)

// Options steer an exploration. Zero values mean no limit.
type Options struct {
	Greybox       bool
	EmitAllErrors bool
	Failing       bool // labels of paths that end in an error get tests, too
	OnlyNew       bool // no test for a path that ends normally and covered nothing new
	Merge         bool // branches whose arms only compute are no forks, paths that meet one: merge.go, rounds.go
	Proofs        bool // labels that are proved infeasible are wanted: runs count that no test shows, see refused.go
	ExitOnError   bool // stop at the first error of the program
	MaxTime       time.Duration
	MaxMemoryMB   int
	MaxInstr      uint64
	MaxDepth      int
	MaxPaths      int
	MaxForks      int
	MaxTests      int
	Searchers     []string
	Seed          int64
	SolverTime    time.Duration
	Args          []string        // argv, the program's name first
	Entry         string          // function to start with; "main" if empty
	Progress      func(*Stats)    // called now and then
	Seeds         <-chan []Object // inputs that others find meanwhile; nil: none
	Record        Record          // sees every question that reaches the SAT core, or nil
}

// Record is told a question, its answer and how long it took.
type Record func(constraints []*expr.Expr, r solver.Result, took time.Duration)

// Test is what the engine found out about one path.
type Test struct {
	Objects []Object
	Suffix  string // "", "assert.err", ...
	Text    string // content of the suffix file
}

// Object is a symbolic input with its value.
type Object struct {
	Name string
	Data []byte
}

// Sink takes tests and messages as they come.
type Sink interface {
	Test(t *Test) error
	Message(line string)
	Warning(line string)
}

// Labels is the live view.
type Labels interface {
	Status(id uint32) label.Status
	Claim(id uint32) bool // unknown -> pending; true if the label was open
}

// Stats are the totals.
type Stats struct {
	Completed    uint64 // paths that ran to an end of their own
	Partial      uint64 // paths that were given up
	Forks        uint64
	Instructions uint64
	Tests        uint64
	Dropped      uint64 // by the memory limit
	TimedOut     uint64 // by the solver's time limit
	Internal     uint64 // by a mistake inside the engine
	Concretised  uint64
	Merged       uint64 // branches, and calls of the C library, that were no forks
	Rejoined     uint64 // paths that came to where another one had been: see rounds.go
	MaxStates    int
	LabelTests   uint64
	Seeds        uint64            // inputs of others that led to a path
	Incomplete   []string          // why the exploration is not complete; empty if it is
	Undecided    map[uint32]string // why labels that paths have reached are open
	Infeasible   []uint32
	Awaited      []uint32 // paths have passed them while a test for them was not judged
}

// Engine explores one program.
type Engine struct {
	o      Options
	ctx    context.Context
	p      *code.Program
	b      *expr.Builder
	s      *solver.Solver
	space  *memory.Layout
	ptr    uint8  // bits of an address
	mask   uint64 // of an address
	sink   Sink
	labels Labels
	rng    *rand.Rand

	search  searcher
	starts  []*code.Func    // where paths begin: the entry and the constructors
	copying bool            // bytes are copied, whatever they are
	last    []*code.Func    // the destructors, in the order in which they run
	missing map[string]bool // external variables without a definition that entered code refers to
	added   []*State        // by the step that runs
	live    int
	nextID  uint64
	found   [cacheSize]*memory.Object
	cached  *memory.Space
	emitted map[errorKey]bool
	vain    int // paths in a row that ended in errors which were known
	warned  map[string]bool
	whys    map[string]bool
	missed  missed
	later   later
	halt    bool
	start   time.Time
	told    time.Time
	tick    uint64
	hard    hard
	look    bool        // at the memory, before the next state has its turn
	over    atomic.Bool // the time is over
	memory  gauge

	origins map[*expr.Expr]uint64 // objects that addresses were computed from: see anchor
	merges  map[*code.Inst]*merging
	grey    greybox
	seeding seeding
	dashing dashing
	asUnset func(*memory.Info, uint64) (byte, memory.Cell) // unsetByte, made once

	rounds   rounds
	refusals refusals

	fruitless uint64 // reads in a row that get nothing, before a path is left
	stats     Stats
}

const cacheSize = 16

// New prepares an exploration.
func New(p *code.Program, sink Sink, labels Labels, o Options) *Engine {
	if o.SolverTime == 0 {
		o.SolverTime = solver.DefaultTimeout
	}
	ex := &Engine{o: o, p: p, b: p.Builder, sink: sink, labels: labels, rng: rand.New(rand.NewSource(o.Seed)),
		missing: map[string]bool{}, emitted: map[errorKey]bool{}, warned: map[string]bool{}, whys: map[string]bool{},
		merges: map[*code.Inst]*merging{}, origins: map[*expr.Expr]uint64{}}
	ex.space, ex.ptr = p.Layout, uint8(8*p.Layout.AddressSize)
	ex.mask = ^uint64(0) >> (64 - ex.ptr)
	ex.s = solver.New(p.Builder, solver.Options{Timeout: o.SolverTime, Record: o.Record})
	ex.stats.Undecided = map[uint32]string{}
	ex.asUnset = ex.unsetByte
	ex.grey.init()
	ex.rounds = rounds{loops: map[*code.Edge]*loopRounds{}, seen: map[[16]byte][]uint32{}}
	ex.fruitless = mostFruitless
	return ex
}

// SolverStats returns the solver's totals.
func (ex *Engine) SolverStats() solver.Stats { return ex.s.Stats }

// Run explores until nothing is left, a limit is hit or the context ends.
func (ex *Engine) Run(ctx context.Context) (Stats, error) {
	defer ex.begin(ctx)()
	first, err := ex.initial(path{})
	if err != nil {
		return ex.stats, err
	}
	ex.later.begin(ex)
	ex.search = ex.newSearcher()
	ex.search.add(first)
	ex.live = 1
	for !ex.halt {
		ex.takeSeed(false)
		st := ex.pick()
		for st == nil && ex.takeSeed(true) {
			st = ex.pick()
		}
		if st == nil && (ex.takeLater() || ex.takeRefused()) {
			st = ex.pick()
		}
		if st == nil || ex.halt {
			break
		}
		ex.runProtected(st)
		ex.ranBeside(st)
		ex.dashed(st)
		ex.settle(st)
		ex.checkLimits()
	}
	ex.neverAsked()
	ex.neverRefused()
	if ex.live > 0 {
		ex.search.find(func(st *State) bool { ex.miss(st); return false })
		ex.stats.Partial += uint64(ex.live)
		ex.whys[fmt.Sprintf("stopped with %d paths left", ex.live)] = true
	}
	for _, name := range ex.p.Undefined {
		ex.missing[name] = true
	}
	for name := range ex.missing {
		ex.incomplete("external variable %s has no definition; it holds nothing", name)
	}
	ex.finishLabels()
	for w := range ex.whys {
		ex.stats.Incomplete = append(ex.stats.Incomplete, w)
	}
	sort.Strings(ex.stats.Incomplete)
	return ex.stats, nil
}

// begin starts the clock and looks at the memory; the function that it returns ends
// that.
func (ex *Engine) begin(ctx context.Context) (end func()) {
	ex.memory.start()
	ex.ctx, ex.start = ctx, time.Now()
	cancel := func() {}
	if ex.o.MaxTime > 0 {
		ex.ctx, cancel = context.WithTimeout(ctx, ex.o.MaxTime)
	}
	ex.over.Store(ex.ctx.Err() != nil)
	stop := context.AfterFunc(ex.ctx, func() { ex.over.Store(true) })
	return func() { stop(); cancel(); ex.memory.close() }
}

// settle tells the searcher what became of a state and of those it begot.
func (ex *Engine) settle(st *State) {
	for _, c := range ex.added {
		if !c.done {
			ex.live++
		}
	}
	ex.stats.MaxStates = max(ex.stats.MaxStates, ex.live)
	ex.search.update(st, ex.added)
	if st.done {
		ex.live--
	}
	ex.added = ex.added[:0]
}

// runProtected runs a state for a while; a mistake inside the engine ends that
// state only.
func (ex *Engine) runProtected(st *State) {
	defer func() {
		if e := recover(); e != nil {
			if _, over := e.(endPath); over {
				return
			}
			ex.internal(fmt.Sprint(e))
			func() {
				defer func() { _ = recover() }() // the state may be no more than half made
				ex.giveUp(st, "a path ended by an internal error")
			}()
			st.done = true
		}
	}()
	ex.run(st)
}

// internal notes a mistake inside the engine.
func (ex *Engine) internal(what string) {
	ex.stats.Internal++
	ex.incomplete("a path ended by an internal error")
	buf := make([]byte, 2048)
	buf = buf[:runtime.Stack(buf, false)]
	ex.warnOnce(fmt.Sprintf("internal error: %s\n%s", what, buf))
}

// endPath is panicked to leave the interpreter from deep inside an instruction,
// once the state was dealt with.
type endPath struct{}

// incomplete notes that the exploration misses something, wherever that may be.
func (ex *Engine) incomplete(format string, args ...any) {
	ex.missed.all = true
	ex.whys[fmt.Sprintf(format, args...)] = true
}

func (ex *Engine) warnOnce(msg string) {
	if !ex.warned[msg] {
		ex.warned[msg] = true
		ex.sink.Warning(msg)
	}
}

func (ex *Engine) stop(format string, args ...any) {
	if !ex.halt {
		ex.halt = true
		msg := fmt.Sprintf(format, args...)
		ex.sink.Message("HaltTimer: " + msg)
		ex.whys[msg] = true // what is missed are the states that are left
	}
}
