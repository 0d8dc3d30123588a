package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"klabel/csource"
	"klabel/drivers"
	"klabel/project"
)

func newInitCmd() *cobra.Command {
	var src sourceFlags
	var force bool
	cmd := &cobra.Command{
		Use:   "init [FILE...]",
		Short: "Write a klabel.toml with comments",
		Long: `Writes a klabel.toml beside the first file (no file: all of the directory): a table for each function that the
files define, with what klabel would guess of its arguments, and every key
explained. klabel reads the file in later runs; the command line wins over it.`,
		Example: `  klabel init sort.c
  klabel init src/*.c -I include
  klabel init --compile-commands build/compile_commands.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && src.compileDB == "" {
				var err error
				if args, err = filepath.Glob("*.c"); err != nil || len(args) == 0 {
					return usageError(errors.New("there is no C file in this directory; name the files"))
				}
			}
			sources, err := src.sources(args)
			if err != nil {
				return err
			}
			if len(sources) == 0 {
				return errors.New("there is no C file in " + src.compileDB)
			}
			dir := filepath.Dir(sources[0].Path)
			target := filepath.Join(dir, project.FileName)
			if _, err := os.Lstat(target); err == nil && !force {
				return fmt.Errorf("%s is there already\nhint: --force writes it anew", target)
			}
			var files []string
			var functions []project.Function
			seen := map[string]bool{}
			for _, s := range sources {
				u, err := src.load(cmd, s.Path)
				if err != nil {
					return err
				}
				name := s.Path
				if rel, err := filepath.Rel(dir, s.Path); err == nil {
					name = rel
				}
				files = append(files, name)
				for _, f := range u.Functions() {
					if f.Origin.System || f.Name == "main" || seen[f.Name] || filepath.Base(f.Origin.File) != filepath.Base(s.Path) {
						continue
					}
					seen[f.Name] = true
					functions = append(functions, describeFunction(u, f))
				}
			}
			text := project.Template(files, project.Flags{IncludeDirs: relative(dir, src.includes), Defines: src.defines, CFlags: src.cflags, Std: src.std}, functions)
			if err := os.WriteFile(target, []byte(text), 0o666); err != nil {
				return fmt.Errorf("writing the project file: %w", err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d functions\n", target, len(files), len(functions))
			return nil
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&force, "force", false, "overwrite a file that is there")
	src.add(fs)
	return cmd
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

func describeFunction(u *csource.Unit, f *csource.Function) project.Function {
	out := project.Function{Name: f.Name, Signature: csource.NormalizeSpace(u.Text[f.Span.Start:f.Body.Start])}
	if rs := drivers.Guess(u, f); len(rs) > 0 {
		line := "# array = ["
		for i, r := range rs {
			if i > 0 {
				line += ", "
			}
			line += fmt.Sprintf("%q", r.Name+":"+r.Text)
		}
		out.Relations = append(out.Relations, line+"]   # guessed; without the #, the numbers are not negative either")
	}
	return out
}
