package native

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"klabel/engine/native/exec"
)

// list is a repeatable, comma-separated flag.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }
func (l *list) Set(s string) error {
	*l = append(*l, strings.Split(s, ",")...)
	return nil
}

// seconds reads "10", "3.5" and Go's "1m30s".
type seconds time.Duration

func (d *seconds) String() string { return time.Duration(*d).String() }
func (d *seconds) Set(s string) error {
	if f, err := strconv.ParseFloat(s, 64); err == nil && f >= 0 {
		*d = seconds(f * float64(time.Second))
		return nil
	}
	v, err := time.ParseDuration(longWords(s))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no duration (10, 3.5, 1m30s)", s)
	}
	*d = seconds(v)
	return nil
}

// settings are the options of one exploration.
type settings struct {
	output   string
	view     string
	replay   string // a test to run in place of an exploration
	explorer exec.Options
	maxTime  seconds
	query    seconds
}

func (s *settings) flags(fs *flag.FlagSet) {
	o := &s.explorer
	fs.StringVar(&s.output, "output-dir", "", "directory to make and to write to")
	fs.StringVar(&s.view, "live-view", "", "file with the labels' statuses")
	fs.StringVar(&s.replay, "replay", "", "run this test alone, and say which labels it meets")
	fs.StringVar(&o.Entry, "entry-point", "", "function to start with (default main)")
	fs.BoolVar(&o.Greybox, "greybox", false, "ask labels of the solver where they stand")
	fs.BoolVar(&o.Merge, "merge", false, "do not fork where the arms of a branch only compute")
	fs.BoolVar(&o.Proofs, "proofs", false, "follow allocations that fail, too, before a label is infeasible")
	fs.BoolVar(&o.EmitAllErrors, "emit-all-errors", false, "write a test for each error, even at the same place")
	fs.BoolVar(&o.Failing, "failing-labels", false, "write tests for labels that a path meets which ends in an error")
	fs.Var(&s.maxTime, "max-time", "stop after this time")
	fs.Var(&s.query, "max-solver-time", "give a query up after this time")
	fs.IntVar(&o.MaxMemoryMB, "max-memory", 2000, "drop paths beyond this many MB")
	fs.Uint64Var(&o.MaxInstr, "max-instructions", 0, "stop after this many instructions")
	fs.IntVar(&o.MaxDepth, "max-depth", 0, "do not fork beyond this depth")
	fs.IntVar(&o.MaxPaths, "max-paths", 0, "stop after this many paths")
	fs.IntVar(&o.MaxForks, "max-forks", 0, "do not fork more often")
	fs.IntVar(&o.MaxTests, "max-tests", 0, "stop after this many tests")
	fs.Var((*list)(&o.Searchers), "search", "order of exploration; several interleave")
	fs.Int64Var(&o.Seed, "seed", 1, "seed of random choices")
	fs.Int64Var(&o.Seed, "rng-initial-seed", 1, "the same, as KLEE calls it")
	fs.BoolVar(&o.OnlyNew, "only-output-states-covering-new", false, "no test for a path that covers nothing new")
	fs.BoolVar(&o.ExitOnError, "exit-on-error", false, "stop at the first error")
	kleeFlags(fs)
}

// parse reads the options; fs may know more than these. It says what is wrong
// on the flag set's output, too.
func (s *settings) parse(fs *flag.FlagSet, args []string) error {
	s.flags(fs)
	if err := fs.Parse(args); err != nil {
		return err
	}
	if err := exec.CheckSearchers(s.explorer.Searchers); err != nil {
		fmt.Fprintf(fs.Output(), "%s: %v\n", Subcommand, err)
		return err
	}
	s.explorer.MaxTime, s.explorer.SolverTime = time.Duration(s.maxTime), time.Duration(s.query)
	return nil
}

func newFlagSet(stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet(Subcommand, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {} // an error names the option; -help lists them
	return fs
}
