package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/csource"
	"klabel/drivers"
	"klabel/engine"
	"klabel/fault"
	"klabel/project"
	"klabel/testcomp"
	"klabel/toolchain"
)

// sourceFlags say which C is meant and how it is compiled. Several commands
// share them.
type sourceFlags struct {
	includes    []string
	defines     []string
	std         string
	cflags      []string
	compileDB   string
	build       string
	labelMacros []string
	hyper       []string
	clang, klee string

	found   bool // klabel looked for the files itself
	asked   project.Build
	aside   int // files of it that are tests or examples
	missing int // files of it that are not here
	framaC  string
}

func (f *sourceFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVarP(&f.includes, "include-dir", "I", nil, "search this `dir` for headers (repeatable)")
	fs.StringArrayVarP(&f.defines, "define", "D", nil, "define this macro, `NAME[=VALUE]` (repeatable)")
	fs.StringVar(&f.std, "std", "", "C `standard`, as clang's -std")
	fs.StringArrayVar(&f.cflags, "cflag", nil, "pass this `flag` to clang (repeatable)")
	fs.StringVar(&f.compileDB, "compile-commands", "", "take files and flags from this compile_commands.json `file`")
	fs.StringVar(&f.build, "build", "", "ask the project's own `build` for files and flags: "+
		strings.Join(project.Ways, ", ")+" (default: what is here, where no C file is named)")
	fs.StringArrayVar(&f.labelMacros, "label-macro", nil,
		"`name` of a further label macro, beside cov_label and pc_label")
	fs.StringArrayVar(&f.hyper, "hyperlabels", nil,
		"`file` of hyperlabels over the labels of the sources, beside f.hyperlabels that stands by f.c (repeatable)")
	fs.StringVar(&f.clang, "clang", "", "use this clang (default: $CLANG, then PATH)")
	fs.StringVar(&f.klee, "klee", "", "use this KLEE (default: $KLABEL_KLEE, then PATH)")
	fs.StringVar(&f.framaC, "frama-c", "", "use this Frama-C (default: PATH)")
}

// flags are the compiler flags for every source. -std given here or among
// --cflag keeps its effect for one run of clang after another.
func (f *sourceFlags) flags() []string {
	var out []string
	for _, d := range f.includes {
		out = append(out, "-I"+d)
	}
	for _, d := range f.defines {
		out = append(out, "-D"+d)
	}
	if f.std != "" {
		out = append(out, "-std="+f.std)
	}
	return append(out, f.cflags...)
}

var macroDefinition = regexp.MustCompile(`(?s)^[\pL_$][\pL\pN_$]*(\([^)]*\))?(=.*)?$`)

// check refuses definitions that clang would not take, or would take for
// something else: with "A B" it defines A.
func (f *sourceFlags) check() error {
	for _, d := range f.defines {
		if !macroDefinition.MatchString(d) {
			return usageError(fmt.Errorf("--define %q: want NAME or NAME=VALUE", d))
		}
	}
	return nil
}

func (f *sourceFlags) want(all bool) toolchain.Want {
	return toolchain.Want{Clang: f.clang, KLEE: f.klee, FramaC: f.framaC, All: all}
}

// sources joins the files of the command line with the compilation database:
// files that are named take their flags from it; without any, it gives all.
func (f *sourceFlags) sources(args []string) ([]campaign.Source, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	for _, a := range args {
		if ext := filepath.Ext(a); ext == ".o" || ext == ".a" || ext == ".so" {
			return nil, fault.WithHint(fault.Usagef("%s is compiled: klabel reads C, and bitcode", a),
				"name the C files, a compile_commands.json ('bear -- make' writes one), or the program's bitcode "+
					"('klabel help bitcode')")
		}
	}
	var out []campaign.Source
	if f.compileDB == "" {
		for _, a := range args {
			out = append(out, campaign.Source{Path: a})
		}
		return out, nil
	}
	db, err := csource.ReadCompileCommands(f.compileDB)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return f.all(db)
	}
	byPath := map[string][]string{}
	for _, c := range db {
		byPath[abs(c.File)] = c.Flags
	}
	for _, a := range args {
		flags, ok := byPath[abs(a)]
		if !ok {
			return nil, usageError(fmt.Errorf("%s is not in %s", a, f.from()))
		}
		out = append(out, campaign.Source{Path: a, Flags: flags})
	}
	return out, nil
}

// look finds out where files and flags are from, if nobody has said so: from a
// compilation database here or below, else from the build: of the project file's
// folder, if that names it.
func (f *sourceFlags) look(cmd *cobra.Command, p *project.Project, named bool) error {
	if f.compileDB != "" && f.build != "" {
		return usageError(errors.New("--build and --compile-commands exclude each other"))
	}
	if f.compileDB != "" || named && f.build == "" {
		return nil
	}
	f.found = !named
	if f.build == "" {
		if f.compileDB = project.FindDatabase("."); f.compileDB != "" {
			return nil
		}
	}
	root := "."
	if p != nil && p.Build != nil && f.build == *p.Build {
		root = filepath.Dir(p.Path)
	}
	b, err := project.AskBuild(cmd.Context(), root, f.build)
	for _, p := range b.Passed {
		fmt.Fprintln(cmd.ErrOrStderr(), "klabel:", p)
	}
	if errors.Is(err, project.ErrNoBuild) && f.build == "" {
		return fault.WithHint(fault.Usagef("%s: want a C file: no %s, no %s, no build and no C file here", cmd.Name(),
			project.FileName, project.DatabaseName), "name C files, or go to the project's folder")
	}
	f.asked, f.compileDB = b, b.Database
	return err
}

// from is where files and flags are from, in words.
func (f *sourceFlags) from() string {
	if f.asked.Said != "" {
		return f.asked.Said
	}
	return f.compileDB
}

// all takes every file of a compilation database that is here, but for tests and
// examples when klabel found the database by itself.
func (f *sourceFlags) all(db []csource.CompileCommand) (out []campaign.Source, err error) {
	var gone []string
	root := abs(".")
	for _, c := range db {
		switch {
		case project.Missing(c.File):
			gone = append(gone, c.File)
		case f.found && project.Aside(root, c.File):
			f.aside++
		default:
			path := c.File
			if rel, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(rel, "..") {
				path = rel
			}
			out = append(out, campaign.Source{Path: path, Flags: c.Flags})
		}
	}
	switch {
	case len(db) == 0:
		return nil, fault.Usagef("%s names no C file", f.from())
	case len(gone) == len(db):
		return nil, fault.WithHint(fault.Usagef("%s: none of its %d files is here, the first is %s", f.from(),
			len(db), gone[0]),
			"it was made on another machine or in another folder: make it anew, or name C files")
	case len(out) == 0:
		return nil, fault.Usagef("%s has tests and examples alone: name the C files that you mean", f.from())
	}
	f.missing = len(gone)
	return out, nil
}

// taken says what of a database is meant.
func (f *sourceFlags) taken(n int) string {
	text := fmt.Sprintf("%d C files", n)
	if f.aside > 0 {
		text += fmt.Sprintf(", without %d of tests and examples", f.aside)
	}
	if f.missing > 0 {
		text += fmt.Sprintf(", without %d that are not here", f.missing)
	}
	return text
}

func abs(path string) string {
	if p, err := filepath.Abs(path); err == nil {
		return p
	}
	return path
}

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
		j.Name = projectName(p)
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

// projectName is that of the folder with the project file, or of this one.
func projectName(p *project.Project) string {
	dir := "."
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
		strings.Join(campaign.Engines(), ", ")+" (auto: KLEE where it is found), or native+fuzz and the like")
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
		"`time` for the replay of one test; one that meets open labels may get ten times that")
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
