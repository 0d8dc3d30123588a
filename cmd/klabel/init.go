package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/disk"
	"klabel/fault"
	"klabel/project"
	"klabel/toolchain"
)

// initFlags are the command line of init.
type initFlags struct {
	src   sourceFlags
	force bool
}

func newInitCmd() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init [FILE... | DIR]",
		Short: "Write a klabel.toml with comments",
		Long: `Writes a klabel.toml beside the first file (no file: all of DIR, or of this
one): a table for each function that the files define, with what klabel would
guess of its arguments, and every key explained. klabel reads the file in later
runs; the command line wins over it.`,
		Example: `  klabel init sort.c
  klabel init src/*.c -I include
  klabel init --compile-commands build/compile_commands.json`,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *initFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.force, "force", false, "overwrite a file that is there")
	f.src.add(fs)
}

func (f *initFlags) run(cmd *cobra.Command, args []string) error {
	args = f.src.take(args)
	if err := f.src.look(cmd, nil, len(args) > 0); err != nil {
		return err
	}
	sources, err := f.src.sources(args)
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		return errors.New("no C file in " + f.src.from())
	}
	dir := filepath.Dir(sources[0].Path)
	if f.src.found {
		dir = f.src.folder()
		fmt.Fprintf(cmd.ErrOrStderr(), "klabel: %s: %s\n", f.src.from(), f.src.taken(len(sources)))
	}
	target := filepath.Join(dir, project.FileName)
	if _, err := os.Lstat(target); err == nil && !f.force {
		return fault.WithHint(fmt.Errorf("%s is there already", target), "--force writes it anew")
	}
	tools, err := toolchain.Probe(cmd.Context(), f.src.want(false))
	if err != nil {
		return err
	}
	j := campaign.Job{Sources: sources, Flags: f.src.flags(), LabelMacros: f.src.labelMacros,
		Criteria: []string{defaultCriterion}, AllFunctions: true}
	survey, err := campaign.Survey(cmd.Context(), j, tools)
	if err != nil {
		return err
	}
	var paths []string
	for _, s := range survey.Sources {
		paths = append(paths, s.Path)
	}
	files := relative(dir, paths)
	flags := project.Flags{IncludeDirs: relative(dir, f.src.includes), Defines: f.src.defines, CFlags: f.src.cflags,
		Std: f.src.std, Criterion: defaultCriterion}
	switch asked := f.src.asked; {
	case asked.Way == "folder": // what was assumed is written out
		flags.IncludeDirs = append(flags.IncludeDirs, asked.Headers...)
	case asked.Way != "":
		flags.Build = asked.Way
	case f.src.compileDB != "":
		flags.Database = relative(dir, []string{f.src.compileDB})[0]
	}
	text := project.Template(files, flags, survey.Functions)
	if err := disk.Write(target, []byte(text)); err != nil {
		return fmt.Errorf("writing the project file: %w", err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d functions, %d labels for %s\n", target, len(files),
		len(survey.Functions), survey.Labels, defaultCriterion)
	for i, b := range survey.Broken {
		if left := len(survey.Broken) - i; i == mostBroken && left > 1 {
			fmt.Fprintf(cmd.ErrOrStderr(), "klabel: left out: %d more files\n", left)
			break
		}
		fmt.Fprintln(cmd.ErrOrStderr(), "klabel: left out:", firstLine(b))
	}
	return nil
}

// mostBroken bounds the files of which init says why they are left out.
const mostBroken = 8

func firstLine(text any) string {
	line, _, _ := strings.Cut(fmt.Sprint(text), "\n")
	return line
}

// relative makes folders relative to the project file, as it wants them.
func relative(dir string, folders []string) (out []string) {
	for _, f := range folders {
		if rel, err := filepath.Rel(abs(dir), abs(f)); err == nil {
			f = rel
		}
		out = append(out, f)
	}
	return out
}
