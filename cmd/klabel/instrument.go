package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/engine"
	"klabel/instrument"
	"klabel/toolchain"
)

// instrumentFlags are the command line of instrument.
type instrumentFlags struct {
	prog programFlags
	mode string
}

func newInstrumentCmd() *cobra.Command {
	var f instrumentFlags
	cmd := &cobra.Command{
		Use:   "instrument [FILE]",
		Short: "Print the C that an engine gets in a mode",
		Long: `Prints the instrumented C of a labelled file: preprocessed, with #line
directives, so that an engine's messages point at your source. Mode "replay"
prints what the native build is made of. With --criteria, --function and their
like, or a klabel.toml that says so, it is what 'klabel run' makes of a plain
file.`,
		Example: `  klabel instrument labelled.c --mode optim > engine.c
  clang-14 -c -g -emit-llvm engine.c`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *instrumentFlags) add(fs *pflag.FlagSet) {
	fs.StringVarP(&f.mode, "mode", "m", "fused", "ignore, naive, tight, optim, fused, greybox, fuzz or replay")
	f.prog.add(fs)
}

func (f *instrumentFlags) run(cmd *cobra.Command, args []string) error {
	job, _, err := f.prog.job(cmd, args)
	if err != nil {
		return err
	}
	m := engine.Mode(f.mode)
	if m != instrument.Replay {
		em, err := parseMode(f.mode)
		if err != nil {
			return err
		}
		if em == "" {
			return usageError(fmt.Errorf("--mode names no mode"))
		}
		m = engine.Mode(em)
	}
	if n := len(job.Sources); n != 1 {
		return usageError(fmt.Errorf("one C file is instrumented at a time, there are %d: name the one", n))
	}
	tools, err := toolchain.Probe(cmd.Context(), f.prog.src.want(false))
	if err != nil {
		return err
	}
	text, err := campaign.Instrument(cmd.Context(), job, m, tools)
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}
