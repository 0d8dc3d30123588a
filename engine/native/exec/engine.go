// Package exec explores the paths of a decoded program: it is the symbolic
// executor of the native engine.
//
// It exists so that labels can be asked of the solver where they stand (mode
// greybox) and so that klabel works where there is no KLEE. It promises KLEE's
// outcomes: the same suffix and first line for each kind of error, a test with
// the same objects in the same order. What it gives up on (a query without an
// answer in time, a limit, a symbolic value made concrete) is counted, and the
// exploration is then called incomplete.
//
// It is one goroutine. Where it stops: no threads, no files, no floating-point
// reasoning (symbolic floats are made concrete), no vectors.
package exec

import (
	"context"
	"fmt"
	"math/rand"
	"runtime"
	"sort"
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
	Fallback      solver.Fallback // for questions that the own core does not answer, or nil
	Args          []string        // argv, the program's name first
	Entry         string          // function to start with; "main" if empty
	Progress      func(*Stats)    // called now and then
}

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
	MaxStates    int
	LabelTests   uint64
	Incomplete   []string // why the exploration is not complete; empty if it is
	SideOnly     map[uint32]string
	Infeasible   []uint32
}

// Engine explores one program.
type Engine struct {
	o      Options
	ctx    context.Context
	p      *code.Program
	b      *expr.Builder
	s      *solver.Solver
	sink   Sink
	labels Labels
	rng    *rand.Rand

	search  searcher
	added   []*State // by the step that runs
	live    int
	nextID  uint64
	found   [cacheSize]*memory.Object
	cached  *memory.Space
	emitted map[errorKey]bool
	warned  map[string]bool
	whys    map[string]bool
	halt    bool
	start   time.Time
	told    time.Time
	tick    uint64

	grey  greybox
	stats Stats
}

const cacheSize = 16

// OnQuestion, when set, sees what reaches the SAT core of engines made from then
// on: the benchmark of the solver records it.
var OnQuestion func(cs []*expr.Expr, r solver.Result, took time.Duration)

// New prepares an exploration.
func New(p *code.Program, sink Sink, labels Labels, o Options) *Engine {
	ex := &Engine{o: o, p: p, b: p.Builder, sink: sink, labels: labels, rng: rand.New(rand.NewSource(o.Seed)),
		emitted: map[errorKey]bool{}, warned: map[string]bool{}, whys: map[string]bool{}}
	ex.s = solver.New(p.Builder, solver.Options{Timeout: o.SolverTime, Fallback: o.Fallback, Record: OnQuestion})
	ex.stats.SideOnly = map[uint32]string{}
	ex.grey.init()
	return ex
}

// SolverStats returns the solver's totals.
func (ex *Engine) SolverStats() solver.Stats { return ex.s.Stats }

// Run explores until nothing is left, a limit is hit or the context ends.
func (ex *Engine) Run(ctx context.Context) (Stats, error) {
	ex.ctx, ex.start = ctx, time.Now()
	if ex.o.MaxTime > 0 {
		var cancel context.CancelFunc
		ex.ctx, cancel = context.WithTimeout(ctx, ex.o.MaxTime)
		defer cancel()
	}
	first, err := ex.initial(nil)
	if err != nil {
		return ex.stats, err
	}
	ex.search = ex.newSearcher()
	ex.search.add(first)
	ex.live = 1
	for !ex.halt {
		st := ex.search.pick()
		if st == nil {
			break
		}
		ex.runProtected(st)
		ex.settle(st)
		ex.checkLimits()
	}
	if ex.live > 0 {
		ex.stats.Partial += uint64(ex.live)
		ex.incomplete("stopped with %d paths left", ex.live)
	}
	if len(ex.p.Undefined) > 0 {
		ex.incomplete("external variables without a definition")
	}
	ex.finishLabels()
	for w := range ex.whys {
		ex.stats.Incomplete = append(ex.stats.Incomplete, w)
	}
	sort.Strings(ex.stats.Incomplete)
	return ex.stats, nil
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
			ex.stats.Internal++
			ex.incomplete("a path ended by an internal error")
			buf := make([]byte, 2048)
			buf = buf[:runtime.Stack(buf, false)]
			ex.warnOnce(fmt.Sprintf("internal error: %v\n%s", e, buf))
			if !st.done {
				func() {
					defer func() {
						if recover() != nil {
							st.done = true
						}
					}()
					ex.errorAt(st, "internal error: "+fmt.Sprint(e), "internal.err", "")
				}()
				st.done = true
			}
		}
	}()
	ex.run(st)
}

// endPath is panicked to leave the interpreter from deep inside an instruction,
// once the state was dealt with.
type endPath struct{}

func (ex *Engine) incomplete(format string, args ...any) {
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
		ex.incomplete("%s", msg)
	}
}

// checkLimits looks at the clock and at the totals.
func (ex *Engine) checkLimits() {
	if ex.ctx.Err() != nil {
		if ex.o.MaxTime > 0 && time.Since(ex.start) >= ex.o.MaxTime {
			ex.stop("time limit of %s reached", ex.o.MaxTime)
		} else {
			ex.stop("stopped from outside")
		}
	}
	if ex.o.MaxInstr > 0 && ex.stats.Instructions >= ex.o.MaxInstr {
		ex.stop("instruction limit of %d reached", ex.o.MaxInstr)
	}
	if n := ex.stats.Completed + ex.stats.Partial; ex.o.MaxPaths > 0 && n >= uint64(ex.o.MaxPaths) && ex.live > 0 {
		ex.stop("path limit of %d reached", ex.o.MaxPaths)
	}
	if ex.o.MaxTests > 0 && ex.stats.Tests >= uint64(ex.o.MaxTests) && ex.live > 0 {
		ex.stop("test limit of %d reached", ex.o.MaxTests)
	}
	if ex.tick++; ex.tick%512 == 0 {
		ex.checkMemory()
	}
	if ex.o.Progress != nil && ex.tick%32 == 0 && time.Since(ex.told) > 300*time.Millisecond {
		ex.told = time.Now()
		ex.o.Progress(&ex.stats)
	}
}

// checkMemory drops states when the heap outgrows its limit.
func (ex *Engine) checkMemory() {
	if ex.o.MaxMemoryMB <= 0 || ex.live < 2 {
		return
	}
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	limit := uint64(ex.o.MaxMemoryMB) << 20
	if ms.HeapAlloc < limit {
		return
	}
	runtime.GC()
	runtime.ReadMemStats(&ms)
	if ms.HeapAlloc < limit*9/10 {
		return
	}
	ex.b.SetLimit(ex.b.Nodes() / 2)
	n := max(1, ex.live/4)
	dropped := ex.search.drop(n)
	ex.live -= dropped
	ex.stats.Dropped += uint64(dropped)
	ex.stats.Partial += uint64(dropped)
	ex.incomplete("paths were dropped to stay within %d MB", ex.o.MaxMemoryMB)
	ex.warnOnce(fmt.Sprintf("killing states (over the memory limit of %d MB)", ex.o.MaxMemoryMB))
	runtime.GC()
}
