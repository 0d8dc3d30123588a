package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/drivers"
	"klabel/engine"
	"klabel/fault"
	"klabel/project"
	"klabel/testcomp"
)

// programFlags say what the program under test is: its C, the labels that are
// written into it, its driver. The commands that look at a program share them,
// and read them from the project file in the same way.
type programFlags struct {
	src       sourceFlags
	what      criteriaFlags
	drv       drivers.Flags
	proj      projectFlags
	function  string
	property  string
	stubFiles []string
}

func (f *programFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.property, "property", "", "label for this Test-Comp property `file` (coverage-branches.prp) and "+
		"write the suite in its format too")
	fs.StringArrayVar(&f.stubFiles, "stub-file", nil, "C `file` with functions that stand in for undefined ones "+
		"(repeatable)")
	fs.StringVar(&f.function, "function", "", "write a driver for this function: `NAME` or FILE:NAME")
	f.proj.add(fs)
	f.drv.Add(fs)
	f.what.add(fs)
	f.src.add(fs)
}

// job reads the project file, except the keys in but, and fills in the program
// of a job: the files of the command line or, without any, of the project.
func (f *programFlags) job(cmd *cobra.Command, files []string, but ...string) (campaign.Job, *project.Project, error) {
	var j campaign.Job
	files, err := f.task(cmd, f.src.take(files))
	if err != nil {
		return j, nil, usageError(err)
	}
	f.proj.folder = f.src.root
	named := len(files) > 0
	p, files, err := f.proj.apply(cmd, files, f.function, but...)
	if err != nil {
		return j, nil, err
	}
	if err := f.src.look(cmd, p, len(files) > 0); err != nil {
		return j, nil, err
	}
	if j.Sources, err = f.src.sources(files); err != nil {
		return j, nil, err
	}
	if !named && len(j.Sources) > 1 { // a project, not its first file
		j.Name = projectName(p, f.src.folder())
	}
	for _, s := range f.stubFiles {
		j.Sources = append(j.Sources, campaign.Source{Path: s, Stubs: true})
	}
	if f.src.found {
		fmt.Fprintf(cmd.ErrOrStderr(), "klabel: %s: %s\n", f.src.from(), f.src.taken(len(j.Sources)))
	}
	j.Flags, j.LabelMacros, j.Hyperlabels = f.src.flags(), f.src.labelMacros, f.src.hyper
	j.Criteria, j.Annotate = f.what.criteria, f.what.options(&f.src)
	if f.property != "" {
		if j.Goal, err = testcomp.ReadProperty(f.property); err != nil {
			return j, nil, usageError(err)
		}
	}
	if j.Function = f.function; j.Function != "" {
		if j.Driver, err = f.drv.Options(j.Function); err != nil {
			return j, nil, err
		}
	}
	if p != nil {
		j.ProgramArgs = p.Args
	}
	return j, p, nil
}

// task reads a Test-Comp task that a command line names in place of files.
func (f *programFlags) task(cmd *cobra.Command, files []string) ([]string, error) {
	if len(files) != 1 || !testcomp.IsTask(files[0]) {
		return files, nil
	}
	t, err := testcomp.ReadTask(files[0])
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(f.property); errors.Is(err, fs.ErrNotExist) {
		if of, ok := t.Named(f.property); ok {
			f.property = of
		}
	}
	if f.property == "" && len(f.what.criteria) == 0 {
		if f.property, err = t.Property(); err != nil {
			return nil, fmt.Errorf("%s: %w", files[0], err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "klabel: %s: --property %s\n", files[0], f.property)
	}
	f.src.cflags = append(f.src.cflags, t.Flags...)
	return t.Files, nil
}

// projectName is that of the folder with the project file, or of another.
func projectName(p *project.Project, dir string) string {
	if p != nil {
		dir = filepath.Dir(p.Path)
	}
	name := filepath.Base(abs(dir))
	if fault.CheckName(name) != nil || strings.Trim(name, "./") == "" {
		return ""
	}
	return name
}

// engineFlags say how a program is explored and how tests are judged.
type engineFlags struct {
	engine       string
	budget       time.Duration
	solver       time.Duration
	memory       int
	searchers    []string
	portfolio    int
	seed         int64
	args         map[string]*[]string // by engine
	testTimeout  time.Duration
	testMemory   int
	workers      int
	noSanitizers bool
	output       string
}

func (f *engineFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.engine, "engine", campaign.Engines()[0], "`engine` that explores: "+
		strings.Join(campaign.Engines(), ", ")+" (auto: native and the fuzzer; KLEE where --klee, KLABEL_KLEE, "+
		"--klee-arg or --mode asks for it), or native+fuzz and the like")
	fs.DurationVar(&f.budget, "budget", campaign.DefaultBudget, "`time` for the engine")
	fs.DurationVar(&f.solver, "solver-timeout", campaign.DefaultSolverBudget, "`time` for one query of the solver")
	fs.IntVar(&f.memory, "max-memory", campaign.DefaultEngineMemory, "memory of an engine, in `MB`")
	fs.StringSliceVar(&f.searchers, "searcher", nil, "search `heuristics`: dfs, bfs, random-path, random-state, "+
		"nurs:covnew, ... (several interleave)")
	fs.IntVar(&f.portfolio, "portfolio", 1, "run `N` engines with different heuristics side by side")
	fs.Int64Var(&f.seed, "seed", 0, "seed of the heuristics that draw by chance")
	f.args = map[string]*[]string{}
	for _, name := range campaign.Engines()[1:] {
		f.args[name] = fs.StringArray(name+"-arg", nil, "pass this `option` to the engine "+name+
			" as it is (repeatable)")
	}
	f.addReplay(fs)
}

// addReplay adds the flags that concern replays alone.
func (f *engineFlags) addReplay(fs *pflag.FlagSet) {
	fs.DurationVar(&f.testTimeout, "test-timeout", campaign.DefaultTestTimeout,
		"`time` for the replay of one test; a program's own main that meets open labels may get ten times that; "+
			"of a function whose tests hang the next get less, down to a sixteenth")
	fs.IntVar(&f.testMemory, "test-memory", campaign.DefaultTestMemoryMB, "memory for the replay of one test, in `MB`")
	fs.IntVar(&f.workers, "workers", 0, "replays side by side (default: the number of cores)")
	fs.BoolVar(&f.noSanitizers, "no-sanitizers", false, "build the replay binary without AddressSanitizer and UBSan")
	fs.StringVarP(&f.output, "output", "o", "", "output `dir`ectory (default: NAME.klabel)")
}

func (f *engineFlags) fill(j *campaign.Job) {
	j.Engine, j.Budget, j.SolverBudget, j.MaxMemoryMB = f.engine, f.budget, f.solver, f.memory
	j.Searchers, j.Portfolio, j.Seed = f.searchers, f.portfolio, f.seed
	j.EngineArgs = map[string][]string{}
	for name, args := range f.args {
		j.EngineArgs[name] = *args
	}
	j.TestTimeout, j.TestMemoryMB, j.Workers, j.NoSanitizers = f.testTimeout, f.testMemory, f.workers, f.noSanitizers
	j.OutputDir = f.output
}

// splitArgs separates the C files from the program's own arguments, which
// stand after "--".
func splitArgs(cmd *cobra.Command, args []string) (files, program []string) {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

func parseMode(s string) (engine.Mode, error) {
	switch m := engine.Mode(strings.ToLower(s)); m {
	case "", engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused, engine.Greybox, engine.Fuzz:
		return m, nil
	}
	return "", fault.WithHint(fault.Usagef("unknown mode %q: want ignore, naive, tight, optim, fused, greybox or fuzz",
		s), "'klabel help modes' explains them")
}

// everyFunction makes every function a way into the job's program, not main alone; adapt says
// what is special for one.
func (f *programFlags) everyFunction(job *campaign.Job, adapt func(string) (campaign.Wish, error)) (err error) {
	job.AllFunctions, job.Adapt = true, adapt
	job.Only, job.Skip = f.what.functions, f.what.skip
	job.Annotate.Functions, job.Annotate.SkipFunctions = nil, nil
	job.Driver, err = f.drv.Options("") // said once, not for each function
	return err
}
