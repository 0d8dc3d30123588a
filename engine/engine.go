// Package engine says what an engine (a symbolic execution engine, a fuzzer) is to klabel: a process
// that takes a compiled program, writes tests into an output directory in
// KLEE's format while it runs, and stops gently when told.
//
// It exists so that a campaign can run KLEE, the native engine or several of
// them in the same way. Limits: it promises nothing about how tests are found. Tests
// are not returned from here: they appear in Run.Dir, where the replayer's
// watcher picks them up.
package engine

import (
	"context"
	"time"

	"klabel/label"
)

// Mode says how labels are presented to the engine.
type Mode string

// The modes. Ignore to Optim are those of Berthier et al., SAC 2023.
const (
	Ignore  Mode = "ignore"
	Naive   Mode = "naive"
	Tight   Mode = "tight"
	Optim   Mode = "optim"
	Fused   Mode = "fused"
	Greybox Mode = "greybox"
	Fuzz    Mode = "fuzz"
)

// AssertTests reports whether in this mode a test counts only through its
// .assert.err file (the program's end is silent).
func (m Mode) AssertTests() bool { return m == Tight || m == Optim || m == Fused || m == Greybox }

// Live reports whether in this mode the engine reads the live view.
func (m Mode) Live() bool { return m == Optim || m == Fused || m == Greybox || m == Fuzz }

// Pends reports whether in this mode a label is marked as pending while its
// test is replayed, so that other paths pass it.
func (m Mode) Pends() bool { return m == Fused || m == Greybox }

// Own reports whether the mode is one of klabel's own, for which a campaign may do
// what it can. The others explore as the papers define it, to be compared.
func (m Mode) Own() bool { return m == Fused || m == Greybox || m == Fuzz }

// Program is a compiled program and the place where a run of it starts. Programs
// with the same files may share what an engine has read of them.
type Program struct {
	// one or more .bc or .ll files that make up the whole program, of which the first
	// holds main; or one native program that a fuzzer runs
	Files []string
	Entry string // C function that a run starts with; "" means main. Arguments are main's alone
}

// Options are the limits and wishes of one run. Zero values mean no limit or
// the engine's default.
type Options struct {
	Name      string // of the entry, for people
	Mode      Mode
	OutputDir string        // must not exist; its parent does
	LiveView  string        // path of the live view file; empty in modes that do not read it
	Preload   string        // shared library with covered() and nop(), for engines that call native code
	Budget    time.Duration // wall clock
	// Reading is what a run may take besides to read a program that the engine has not read yet.
	Reading      time.Duration
	SolverBudget time.Duration // a query
	// Unbounded lets queries take their time where the engine is faster without
	// a limit. A run that one of them holds up ends early, and says so in
	// Stats.HeldUp: go on with another, bounded one.
	Unbounded   bool
	MaxMemoryMB int
	MaxInstr    uint64
	MaxDepth    int
	MaxPaths    int
	Searchers   []string // KLEE's names; several interleave
	Seed        int64
	ProgramArgs []string // argv[1:] of the program, --sym-args and the like included
	EveryPath   bool     // a test for each path that ends normally, also in modes that keep fewer
	Failing     bool     // tests that end in an error are wanted for labels, too
	Proofs      bool     // labels that are proved infeasible are wanted, for all runs of the program or function
	Posix       bool     // the program reads argv, files or standard input symbolically
	// Corpus is a directory in which a fuzzer keeps the inputs of this entry from one
	// run to the next; Seeds are tests of others (.ktest) to begin with.
	Corpus    string
	Seeds     [][]byte
	ExtraArgs []string // passed to the engine as they are
}

// Stats are the totals of a finished run.
type Stats struct {
	Paths        uint64 // completed and partially completed
	Instructions uint64
	Queries      uint64
	Tests        uint64 // .ktest files written
	Seconds      float64
	Complete     bool       // the whole path space was explored: nothing given up, no limit hit
	Infeasible   []label.ID // only from an engine that can prove it (native, complete)
	Awaited      []label.ID // paths have passed them while a test for them was not judged
	// Undecided says why labels that paths have reached are neither met nor shown not to be.
	Undecided map[label.ID]string
	Notes     []string // for people: unsupported things met, limits hit
	HeldUp    bool     // one query held it up: see Options.Unbounded
	Full      bool     // it was ended for its memory: go on with another, which begins anew
}

// Progress is a glimpse at a running engine; fields are 0 when unknown.
type Progress struct {
	Paths        uint64
	Instructions uint64
}

// Engine starts runs.
type Engine interface {
	Name() string    // "klee", "native", "fuzz"
	Version() string // "3.1"
	Start(ctx context.Context, p Program, o Options) (Run, error)
	// Close ends what the engine keeps between runs, and runs that were not
	// waited for. Nothing may be started afterwards.
	Close() error
}

// Warmer is an Engine that gains from starting before there is a program. Warm
// may take as long as loading takes; it is called beside other work.
type Warmer interface {
	Warm(ctx context.Context)
}

// Run is one exploration. Cancelling the context given to Start, or calling
// Stop, ends it gently and, seconds later, for certain; Wait returns only when
// no process works on it any more.
type Run interface {
	Dir() string // where tests appear
	Stop()
	Progress() Progress
	Wait() (Stats, error)
}

// Seeded is a Run that makes use of tests that others find meanwhile.
type Seeded interface {
	Seed(test []byte) // a .ktest; returns at once
}

// Storing is a Run that keeps what it delivers until it hears that all of it is
// judged and on disk.
type Storing interface {
	Stored()
}

// Remote is an Engine whose runs are done elsewhere. Slots is how many of them at a
// time; it changes.
type Remote interface {
	Slots() int
}

// OpenInput reports whether an argument of a program says that its standard input
// has any length up to the number that follows.
func OpenInput(arg string) bool {
	return arg == "--sym-stdin-upto" || arg == "-sym-stdin-upto"
}
