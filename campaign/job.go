// Package campaign names every stage of klabel in order: read, build, explore,
// replay, conclude. It is the only package that knows the order.
//
// It exists so that stages need not know each other. It promises that what a
// replay has confirmed is on disk before anybody is told, that no process it
// started outlives Run, and that an interrupted campaign keeps what was found.
// It stops at the stages' own business: what a label means to a mode, how a
// test is judged or a proof found is theirs.
package campaign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"klabel/annotate"
	"klabel/ctests"
	"klabel/drivers"
	"klabel/engine"
	"klabel/prune"
	"klabel/testcomp"
)

// Source is one C file and the flags that it alone is compiled with.
type Source struct {
	Path  string
	Flags []string
	Stubs bool // holds stubs of the user's: compiled along, never labelled
}

// Job says what to do. Zero values mean what Defaults sets.
type Job struct {
	Sources     []Source
	Flags       []string // for every source: -I, -D, -std and the like
	LabelMacros []string // names beside cov_label and pc_label
	OutputDir   string
	Fresh       bool // forget what is in OutputDir

	Criteria []string         // labels to write into the program; none: those of the source alone
	Annotate annotate.Options // further wishes of the annotator
	Function string           // write a driver for it; none: the program has a main
	Driver   drivers.Options  // further wishes of the driver
	Goal     testcomp.Goal    // of a Test-Comp property; its criteria come on top, the suite is written in its format too

	Engine       string // "auto", "klee" or "native"
	Mode         engine.Mode
	Budget       time.Duration // for the engines, wall clock
	SolverBudget time.Duration // a query
	MaxMemoryMB  int           // an engine
	Searchers    []string
	Portfolio    int // engines side by side; 0 and 1: one
	Seed         int64
	KLEEArgs     []string // passed to KLEE as they are
	NativeArgs   []string // passed to the native engine as they are
	ProgramArgs  []string // argv of the program under test, --sym-args and the like included

	TestTimeout  time.Duration // a replay
	TestMemoryMB int           // a replay
	Workers      int           // replays side by side
	NoSanitizers bool
	TestStyle    ctests.Style   // of the readable tests; empty: plain; NoCTests: none
	Oracle       string         // what they check; empty: what was observed
	KeepAll      bool           // keep redundant tests
	NoRandom     bool           // no cheap pass of random and boundary inputs before the engine
	Prune        string         // PruneBeside, PruneFirst or PruneNever
	PruneMethods []prune.Method // nil: all that the tools allow
	MaxPairs     int            // of labels compared; 0: the pruner's own bound
}

// Defaults of a Job.
const (
	DefaultBudget       = 60 * time.Second
	DefaultSolverBudget = 5 * time.Second
	DefaultTestTimeout  = 2 * time.Second
	DefaultTestMemoryMB = 1024
	DefaultEngineMemory = 4000
)

// UsageError is a job that makes no sense, whatever the machine.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

func usagef(format string, a ...any) error { return &UsageError{fmt.Errorf(format, a...)} }

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
		return usagef("no C file given")
	}
	seen := map[string]bool{}
	for _, s := range j.Sources {
		abs, err := filepath.Abs(s.Path)
		if err != nil {
			return err
		}
		if seen[abs] {
			return usagef("%s is given twice", s.Path)
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
		return usagef("a portfolio of %d engines: 1 to 64 are possible", j.Portfolio)
	}
	if j.Budget < 0 || j.SolverBudget < 0 || j.TestTimeout < 0 {
		return usagef("a time limit cannot be negative")
	}
	if j.Engine == "" {
		j.Engine = "auto"
	}
	j.OutputDir = j.Output()
	return nil
}

// program is the name that reports and files use.
func (j *Job) program() string {
	base := filepath.Base(j.Sources[0].Path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// layout names the files of the output directory.
type layout struct{ dir string }

func (l layout) tests() string         { return filepath.Join(l.dir, "tests") }
func (l layout) runtimeErrors() string { return filepath.Join(l.dir, "runtime-errors") }
func (l layout) work(name string) string {
	return filepath.Join(l.dir, "work", name)
}
func (l layout) summary() string { return filepath.Join(l.dir, "summary.json") }

// engineDir returns a directory for one engine run that does not exist yet.
func (l layout) engineDir() (string, error) {
	base := filepath.Join(l.dir, "engine")
	if err := os.MkdirAll(base, 0o777); err != nil {
		return "", describe(err)
	}
	for n := 1; ; n++ {
		p := filepath.Join(base, fmt.Sprintf("run-%03d", n))
		if _, err := os.Lstat(p); errors.Is(err, os.ErrNotExist) {
			return p, nil
		} else if err != nil {
			return "", describe(err)
		}
	}
}

// make creates the folders.
func (l layout) make() error {
	if fi, err := os.Stat(l.dir); err == nil && !fi.IsDir() {
		return fmt.Errorf("%s is a file, a directory for the output is wanted\nhint: choose another one with -o", l.dir)
	}
	for _, d := range []string{l.dir, l.tests(), l.runtimeErrors(), l.work(""), filepath.Join(l.dir, "engine")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return describe(err)
		}
	}
	return nil
}

// describe turns an operating system error into what the user can act on.
func describe(err error) error {
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "\nhint: "):
		return err // described already
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%w\nhint: choose another output directory with -o", err)
	case isNoSpace(err):
		return fmt.Errorf("%w\nhint: free some space and run again with the same output directory: what was found is kept", err)
	}
	return err
}
