package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/engine"
	"klabel/project"
	"klabel/report"
	"klabel/toolchain"
)

// compareFlags are the command line of compare.
type compareFlags struct {
	prog   programFlags
	eng    engineFlags
	modes  string
	sides  []string // engines
	each   bool
	repeat int
	svg    string
	all    bool // functions
	format formatFlag[[]report.Summary]
}

func newCompareCmd() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare [FILE...] [-- ARG...]",
		Short: "Run several modes or engines and show them side by side",
		Long: `Runs the program once in each mode, or with each engine, one after the other,
each from nothing and with the same budget, and prints labels covered,
instructions, paths, tests kept and generated, and time. Each mode's results
stay in a folder of the output directory, NAME.compare. A klabel.toml counts as
for 'klabel run'.

With --each every C file, also of a folder, is a program of its own: a row of
the table. With --repeat N there are medians, the least and the greatest value,
and how likely a difference from the first column is by chance (the test of Mann
and Whitney). --svg draws, for each program, the labels covered over time; of
several runs their median at each moment.`,
		Example: `  klabel compare labelled.c
  klabel compare labelled.c --modes optim,fused --budget 20s --format markdown
  klabel compare f.c --function f --criteria CC --engines native,fuzz,auto
  klabel compare a.c b.c --all-functions --criteria MCDC --engines fuzz,native
  klabel compare programs --each --criteria MCC --engines native,auto --repeat 5`,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *compareFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.modes, "modes", "", "`modes` to compare, separated by commas (default: all that the engine has)")
	fs.StringSliceVar(&f.sides, "engines", nil, "`engines` to compare, each in its best mode, native,fuzz,native+fuzz "+
		"say, in place of modes of one")
	fs.BoolVar(&f.each, "each", false, "each C file, also of a folder that is named, is a program of its own")
	fs.IntVar(&f.repeat, "repeat", 1, "run everything `N` times, with other seeds")
	fs.StringVar(&f.svg, "svg", "", "draw labels over time, a file for each program, into this `folder`")
	fs.BoolVar(&f.all, "all-functions", false, "every function is a way into the program, as it is where no file "+
		"defines main (--functions and --skip-functions choose)")
	f.format.add(fs, report.Comparisons)
	f.prog.add(fs)
	f.eng.add(fs)
}

func (f *compareFlags) run(cmd *cobra.Command, args []string) error {
	out, err := f.format.renderer(cmd)
	if err != nil {
		return err
	}
	files, program := splitArgs(cmd, args)
	if f.repeat < 1 {
		return usageError(fmt.Errorf("--repeat %d: want 1 or more", f.repeat))
	}
	jobs, err := f.jobs(cmd, files, program)
	if err != nil {
		return err
	}
	tools, err := toolchain.Probe(cmd.Context(), f.prog.src.want(false))
	if err != nil {
		return err
	}
	list, err := f.compared(tools)
	if err != nil {
		return err
	}
	if f.svg != "" { // not known to be impossible when all has been run
		if err := os.MkdirAll(f.svg, 0o777); err != nil {
			return usageError(fmt.Errorf("--svg: %w", err))
		}
	}
	show := newProgress(cmd.ErrOrStderr())
	sums, err := campaign.Compare(cmd.Context(), jobs, list, f.repeat, tools, func(j campaign.Job,
		s campaign.Side) campaign.Observer {
		title := s.String()
		if len(jobs) > 1 {
			title = filepath.Base(j.Sources[0].Path) + ", " + title
		}
		show.Title(title)
		return show
	})
	show.Close()
	if err != nil && len(sums) == 0 {
		return err
	}
	if perr := out.Render(cmd.OutOrStdout(), sums); err == nil { // what there is of the comparison
		err = perr
	}
	if f.svg != "" {
		if derr := drawComparison(f.svg, sums); err == nil {
			err = derr
		}
	}
	return err
}

// drawComparison writes, for each program, the curves of all sides.
func drawComparison(dir string, sums []report.Summary) error {
	var programs, sides []string
	runs := map[[2]string][]report.Curve{}
	end := map[string]float64{}
	for _, s := range sums {
		c, seconds, err := campaign.CurveOf(s.OutputDir)
		if err != nil {
			return err
		}
		if !slices.Contains(programs, s.Program) {
			programs = append(programs, s.Program)
		}
		if !slices.Contains(sides, s.Side) {
			sides = append(sides, s.Side)
		}
		key := [2]string{s.Program, s.Side}
		runs[key] = append(runs[key], c)
		end[s.Program] = max(end[s.Program], seconds)
	}
	for _, p := range programs {
		var curves []report.Curve
		for _, side := range sides {
			curves = append(curves, report.MedianCurve(side, runs[[2]string{p, side}]))
		}
		var b bytes.Buffer
		if err := report.WriteCurves(&b, p+": labels covered over time", curves, end[p]); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(p)+".svg"), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// jobs is the program of the command line or, with --each, one for each file.
func (f *compareFlags) jobs(cmd *cobra.Command, files, args []string) (out []campaign.Job, err error) {
	programs := [][]string{files}
	if f.each {
		if programs, err = eachFile(files); err != nil {
			return nil, err
		}
	}
	typed := project.Changed(cmd.Flags())
	seen := map[string]bool{}
	for _, files := range programs {
		job, p, err := f.prog.job(cmd, files)
		if err != nil {
			return nil, err
		}
		every := func(job *campaign.Job) error {
			return f.prog.everyFunction(job, functionOverrides(p, cmd.Flags(), typed))
		}
		switch {
		case f.all:
			if err := every(&job); err != nil {
				return nil, err
			}
		case f.prog.function == "" && len(job.Criteria) > 0:
			job.WithoutMain = every
		}
		if len(args) > 0 {
			job.ProgramArgs = args
		}
		f.eng.fill(&job)
		name := filepath.Base(job.Sources[0].Path)
		name = strings.TrimSuffix(name, filepath.Ext(name))
		if seen[name] {
			return nil, usageError(fmt.Errorf("two programs are called %s", name))
		}
		seen[name] = true
		switch {
		case job.OutputDir == "":
			job.OutputDir = name + ".compare"
		case !typed["output"]: // the project's is that of runs
			job.OutputDir += ".compare"
		}
		if f.each && typed["output"] {
			job.OutputDir = filepath.Join(job.OutputDir, name)
		}
		out = append(out, job)
	}
	return out, nil
}

// eachFile lists the C files among the arguments and in folders among them.
func eachFile(args []string) (out [][]string, err error) {
	for _, a := range args {
		files := []string{a}
		st, err := os.Stat(a)
		if err != nil { // said now, not when the programs before it have been run
			return nil, usageError(fmt.Errorf("%s: cannot be read: %w", a, errors.Unwrap(err)))
		}
		if st.IsDir() {
			if files, err = filepath.Glob(filepath.Join(globEscape.Replace(a), "*.c")); err != nil || len(files) == 0 {
				return nil, usageError(fmt.Errorf("%s: no C file is in this folder", a))
			}
		}
		for _, file := range files {
			out = append(out, []string{file})
		}
	}
	if len(out) == 0 {
		return nil, usageError(errors.New("--each: want C files or folders of them"))
	}
	return out, nil
}

var globEscape = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`)

// compared are the engines of --engines, or the modes of one engine.
func (f *compareFlags) compared(tools *toolchain.Tools) (out []campaign.Side, err error) {
	if len(f.sides) > 0 && f.modes != "" {
		return nil, usageError(fmt.Errorf("--engines and --modes exclude each other"))
	}
	for _, e := range f.sides {
		if _, err := campaign.Modes(e, tools); err != nil { // before the first one has run
			return nil, err
		}
		out = append(out, campaign.Side{Engine: e})
	}
	if len(f.sides) > 0 {
		return out, nil
	}
	modes, err := compareModes(f.modes, f.eng.engine, tools)
	for _, m := range modes {
		out = append(out, campaign.Side{Engine: f.eng.engine, Mode: m})
	}
	return out, err
}

// compareModes reads --modes; without it, all modes of the engine that will run.
func compareModes(list, name string, tools *toolchain.Tools) ([]engine.Mode, error) {
	if list == "" {
		return campaign.Modes(name, tools)
	}
	var out []engine.Mode
	for _, s := range strings.Split(list, ",") {
		m, err := parseMode(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		if m == "" {
			return nil, usageError(fmt.Errorf("--modes %q names an empty mode", list))
		}
		out = append(out, m)
	}
	return out, nil
}
