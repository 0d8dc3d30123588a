package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/engine"
	"klabel/report"
	"klabel/toolchain"
)

// compareFlags are the command line of compare.
type compareFlags struct {
	prog   programFlags
	eng    engineFlags
	modes  string
	sides  []string // engines
	format formatFlag[[]report.Summary]
}

func newCompareCmd() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare [FILE...] [-- ARG...]",
		Short: "Run several modes or engines on the same program and show them side by side",
		Long: `Runs the program once in each mode, or with each engine, one after the other, each from nothing and
with the same budget, and prints labels covered, instructions, paths, tests kept
and generated, and time. Each mode's results stay in a folder of the output
directory, NAME.compare. A klabel.toml counts as for 'klabel run'.`,
		Example: `  klabel compare labelled.c
  klabel compare labelled.c --modes optim,fused --budget 20s --format markdown
  klabel compare f.c --function f --criteria CC --engines native,fuzz,native+fuzz`,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *compareFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.modes, "modes", "", "`modes` to compare, separated by commas (default: all that the engine has)")
	fs.StringSliceVar(&f.sides, "engines", nil, "`engines` to compare, each in its best mode, native,fuzz,native+fuzz "+
		"say, in place of modes of one")
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
	typed := cmd.Flags().Changed("output")
	job, _, err := f.prog.job(cmd, files)
	if err != nil {
		return err
	}
	if len(program) > 0 {
		job.ProgramArgs = program
	}
	f.eng.fill(&job)
	switch {
	case job.OutputDir == "":
		name := filepath.Base(job.Sources[0].Path)
		job.OutputDir = strings.TrimSuffix(name, filepath.Ext(name)) + ".compare"
	case !typed: // the project's is that of runs
		job.OutputDir += ".compare"
	}
	tools, err := toolchain.Probe(cmd.Context(), f.prog.src.want(false))
	if err != nil {
		return err
	}
	list, err := f.compared(tools)
	if err != nil {
		return err
	}
	show := newProgress(cmd.ErrOrStderr())
	sums, err := campaign.Compare(cmd.Context(), job, list, tools, func(s campaign.Side) campaign.Observer {
		show.Title(s.String())
		return show
	})
	show.Close()
	if err != nil && len(sums) == 0 {
		return err
	}
	if perr := out.Render(cmd.OutOrStdout(), sums); err == nil { // what there is of the comparison
		err = perr
	}
	return err
}

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
