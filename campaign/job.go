// Package campaign names every stage of klabel in order: read, build, explore,
// replay, conclude. It is the only package that knows the order.
//
// It exists so that stages need not know each other. It promises that what a
// replay has confirmed is on disk before anybody is told, that no process it
// started outlives Run, and that an interrupted campaign keeps what was found.
// Limits: the stages' own business is theirs: what a label means to a mode, how
// a test is judged or a proof found.
package campaign

import (
	"path/filepath"
	"strings"
	"time"

	"klabel/annotate"
	"klabel/cluster"
	"klabel/ctests"
	"klabel/drivers"
	"klabel/engine"
	"klabel/fault"
	"klabel/prune"
	"klabel/testcomp"
	"klabel/toolchain"
)

// Source is one C file and the flags that it alone is compiled with.
type Source struct {
	Path  string
	Flags toolchain.Flags
	Stubs bool // holds stubs of the user's: compiled along, never labelled
}

// Job says what to do. Zero values mean what Defaults sets.
type Job struct {
	Version string // of klabel, for what a result says of its tools

	Name        string // what the program is called; "": as its first source
	Sources     []Source
	Flags       toolchain.Flags // for every source: -I, -D, -std and the like
	LabelMacros []string        // names beside cov_label and pc_label
	Hyperlabels []string        // files of hyperlabels, beside those that stand by the sources
	OutputDir   string
	Fresh       bool // forget what is in OutputDir

	Criteria []string         // labels to write into the program; none: those of the source alone
	Annotate annotate.Options // further wishes of the annotator
	Function string           // an entry for it alone; none: the program has a main
	// AllFunctions asks for entries of every function, of those that Only names
	// and Skip does not (patterns).
	AllFunctions bool
	Only, Skip   []string
	// Unlabelled changes the job where the sources have no label and no criterion is
	// given; nil: it is an error.
	Unlabelled func(*Job)
	// WithoutMain changes the job where no file defines main, so that AllFunctions
	// holds; nil: it is an error.
	WithoutMain func(*Job) error
	mayJoin     bool // it may change so after a while of a program's own main, too
	comparing   bool // it must not
	// Adapt says what is special for one function; nil: nothing.
	Adapt    func(function string) (Wish, error)
	Parallel int             // slices of entries at a time; 0: the number of cores
	Driver   drivers.Options // further wishes of the driver
	// of a Test-Comp property; its criteria come on top, the suite is written in its format too
	Goal testcomp.Goal

	Engine string // one of Engines; empty: the best there is
	Mode   engine.Mode
	Budget time.Duration // of the whole campaign, wall clock
	// Strategy are steps one after the other, each with its engine and budget, in place
	// of one Engine, Mode and Budget.
	Strategy []Step
	// FunctionBudget is what engines may spend on each function; Budget does not
	// count then. 0: no such limit.
	FunctionBudget time.Duration
	SolverBudget   time.Duration // a query
	MaxMemoryMB    int           // an engine
	Searchers      []string
	Portfolio      int // engines side by side; 0 and 1: one
	Seed           int64
	EngineArgs     map[string][]string // by engine's name: passed to it as they are
	ProgramArgs    []string            // argv of the program under test, --sym-args and the like included

	TestTimeout  time.Duration // a replay
	TestMemoryMB int           // a replay
	Workers      int           // replays side by side
	NoSanitizers bool
	TestStyle    ctests.Style     // of the readable tests; empty: plain; NoCTests: none
	Oracle       string           // what they check; empty: what was observed
	LinkObjects  bool             // C tests are linked with objects where they need not include the source
	ByFunction   bool             // C tests are one program a function, not one a source file
	Existing     []string         // tests to start from: .ktest files, folders of them, patterns of C tests
	ExistingRun  string           // the project's own test command, run in a copy that records what it covers
	KeepAll      bool             // keep redundant tests
	Recheck      bool             // a hit counts only if klabel's interpreter meets it too
	CountFailing bool             // labels that only failing tests reach are covered
	SeekFailures bool             // entries are explored even if no label is open: not every failure has one
	NoRandom     bool             // no cheap pass of random and boundary inputs before the engine
	Prune        string           // PruneBeside, PruneFirst or PruneNever
	PruneMethods []prune.Method   // nil: all that the tools allow
	Cluster      *cluster.Options // nil: engines run in this process
	MaxPairs     int              // of labels compared; 0: the pruner's own bound

	engines []engineRow // in tests; nil: the table
}

// Wish is what the entries of one function want in place of what the Job says.
type Wish struct {
	Driver   drivers.Options
	Criteria []string // none: those of the job
}

// Defaults of a Job.
const (
	DefaultBudget       = 60 * time.Second
	DefaultSolverBudget = 5 * time.Second
	DefaultTestTimeout  = 2 * time.Second
	DefaultTestMemoryMB = 1024
	DefaultEngineMemory = 4000
)

// Output is the job's output directory, the default one if it names none.
func (j *Job) Output() string {
	if j.OutputDir == "" && len(j.Sources) > 0 {
		return j.program() + ".klabel"
	}
	return j.OutputDir
}

// check completes the job and refuses what makes no sense.
func (j *Job) check() error {
	if len(j.Sources) == 0 {
		return fault.Usagef("no C file given")
	}
	seen := map[string]bool{}
	for _, s := range j.Sources {
		if err := fault.CheckName(s.Path); err != nil {
			return err
		}
		abs, err := filepath.Abs(s.Path)
		if err != nil {
			return err
		}
		if seen[abs] {
			return fault.Usagef("%s is given twice", s.Path)
		}
		seen[abs] = true
	}
	if j.Budget == 0 {
		j.Budget = DefaultBudget
	}
	if j.SolverBudget == 0 {
		j.SolverBudget = DefaultSolverBudget
	}
	if j.TestTimeout == 0 {
		j.TestTimeout = DefaultTestTimeout
	}
	if j.TestMemoryMB == 0 {
		j.TestMemoryMB = DefaultTestMemoryMB
	}
	if j.MaxMemoryMB == 0 {
		j.MaxMemoryMB = DefaultEngineMemory
	}
	if j.Portfolio == 0 {
		j.Portfolio = 1
	}
	if j.Portfolio < 0 || j.Portfolio > 64 {
		return fault.Usagef("a portfolio of %d engines: want 1 to 64", j.Portfolio)
	}
	if j.Budget < 0 || j.FunctionBudget < 0 || j.SolverBudget < 0 || j.TestTimeout < 0 {
		return fault.Usagef("a time limit cannot be negative")
	}
	if err := j.checkRecheck(); err != nil {
		return err
	}
	if j.Engine == "" {
		j.Engine = autoEngine
	}
	if j.AllFunctions && j.Function != "" {
		return fault.Usagef("--function and --all-functions exclude each other")
	}
	if j.AllFunctions && len(j.Criteria) == 0 {
		return fault.Usagef("which criteria shall the functions be tested for? --criteria CC,MCC names some")
	}
	if j.engines == nil {
		j.engines = engineTable()
	}
	j.OutputDir = j.Output()
	return nil
}

// program is the name that reports and files use.
func (j *Job) program() string {
	if j.Name != "" {
		return j.Name
	}
	base := filepath.Base(j.Sources[0].Path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// lenient reports whether tests that fail count, too.
func (j *Job) lenient() bool { return j.CountFailing || j.Goal.Name != "" }
