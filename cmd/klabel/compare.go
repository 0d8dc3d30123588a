package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/engine"
	"klabel/fault"
	"klabel/report"
	"klabel/toolchain"
)

func newCompareCmd() *cobra.Command {
	var prog programFlags
	var eng engineFlags
	var modes string
	var format formatFlag[[]report.Summary]
	cmd := &cobra.Command{
		Use:   "compare [FILE...] [-- ARG...]",
		Short: "Run several modes on the same program and show them side by side",
		Long: `Runs the program once in each mode, one after the other, each from nothing and
with the same budget, and prints labels covered, instructions, paths, tests kept
and generated, and time. Each mode's results stay in a folder of the output
directory, NAME.compare. A klabel.toml counts as for 'klabel run'.`,
		Example: `  klabel compare labelled.c
  klabel compare labelled.c --modes optim,fused --budget 20s --format markdown`,
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := format.renderer(cmd)
			if err != nil {
				return err
			}
			files, program := splitArgs(cmd, args)
			typed := cmd.Flags().Changed("output")
			base, _, err := prog.job(cmd, files)
			if err != nil {
				return err
			}
			if len(program) > 0 {
				base.ProgramArgs = program
			}
			base.Fresh, base.NoRandom, base.Prune, base.TestStyle = true, true, campaign.PruneNever, campaign.NoCTests
			eng.fill(&base)
			switch {
			case base.OutputDir == "":
				name := filepath.Base(base.Sources[0].Path)
				base.OutputDir = strings.TrimSuffix(name, filepath.Ext(name)) + ".compare"
			case !typed: // the project's is that of runs
				base.OutputDir += ".compare"
			}
			tools, err := toolchain.Probe(cmd.Context(), prog.src.want(false))
			if err != nil {
				return err
			}
			list, err := compareModes(modes, eng.engine, tools)
			if err != nil {
				return err
			}
			sums := []report.Summary{}
			var failed error // what there is of the comparison is printed all the same
			show := newProgress(cmd.ErrOrStderr())
			defer show.Close()
			for _, m := range list {
				job := base
				job.Mode, job.OutputDir = m, filepath.Join(base.OutputDir, string(m))
				show.Title(string(m))
				s, err := campaign.Run(cmd.Context(), job, tools, show)
				if err != nil {
					failed = fmt.Errorf("mode %s: %w", m, err)
				}
				if err == nil || s.OutputDir != "" {
					sums = append(sums, s)
				}
				if err != nil || s.Interrupted {
					break
				}
			}
			show.Close()
			if failed != nil && len(sums) == 0 {
				return failed
			}
			if err := out.Render(cmd.OutOrStdout(), sums); err != nil && failed == nil {
				return err
			}
			if failed != nil {
				return failed
			}
			if n := len(sums); n > 0 && sums[n-1].Interrupted {
				return fault.WithCode(fault.Interrupted, fmt.Errorf("interrupted in mode %s", sums[n-1].Engine.Mode))
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&modes, "modes", "", "`modes` to compare, separated by commas (default: all that the engine has)")
	format.add(fs, report.Comparisons)
	prog.add(fs)
	eng.add(fs)
	return cmd
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
