package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/annotate"
	"klabel/campaign"
	"klabel/label"
	"klabel/toolchain"
)

// criteriaFlags say what is labelled. annotate and run share them.
type criteriaFlags struct {
	criteria  []string
	functions []string
	skip      []string
	files     []string
	lines     []string
	mccLimit  int
	idpDepth  int
	simplify  bool
	patch     string
	revisions string
}

func (f *criteriaFlags) add(fs *pflag.FlagSet) {
	fs.StringSliceVar(&f.criteria, "criteria", nil, "coverage `criteria` to label for, as in 'klabel criteria'")
	fs.StringSliceVar(&f.functions, "functions", nil, "label these functions only (`patterns`: parse_*)")
	fs.StringSliceVar(&f.skip, "skip-functions", nil, "do not label these functions (`patterns`)")
	fs.StringSliceVar(&f.files, "files", nil, "label code of these files only, headers included (`patterns`: src/**)")
	fs.StringSliceVar(&f.lines, "lines", nil, "label these `lines` only: 10-20 or f.c:10-20")
	fs.IntVar(&f.mccLimit, "mcc-limit", 8, "`atoms` of a decision up to which MCC, IC and UTPC are computed in full")
	fs.IntVar(&f.idpDepth, "idp-depth", 0, "how many pointers IDP follows (default: 1 in functions that --functions "+
		"names, else none; -1: none)")
	fs.BoolVar(&f.simplify, "simplify", false, "leave out labels whose predicate is constant for the compiler")
	fs.StringVar(&f.patch, "patch", "", "unified diff `file` for the criterion PATCH")
	fs.StringVar(&f.revisions, "revisions", "", "git revision `range` for the criterion PATCH: HEAD~1..HEAD")
}

func (f *criteriaFlags) options(src *sourceFlags) annotate.Options {
	return annotate.Options{
		Criteria: f.criteria, Flags: src.flags(), LabelMacros: src.labelMacros,
		Functions: f.functions, SkipFunctions: f.skip, FileGlobs: f.files, Lines: f.lines,
		MCCLimit: f.mccLimit, IDPDepth: f.idpDepth, Simplify: f.simplify, Patch: f.patch, Revisions: f.revisions,
	}
}

// annotateFlags are the command line of annotate.
type annotateFlags struct {
	src     sourceFlags
	what    criteriaFlags
	job     annotate.Job
	firstID uint32
	proj    projectFlags
}

func newAnnotateCmd() *cobra.Command {
	var f annotateFlags
	cmd := &cobra.Command{
		Use:   "annotate FILE... --criteria LIST",
		Short: "Put the labels of coverage criteria into C files",
		Long: `Writes each file preprocessed and with labels, and a .labels file that says
where each label stands in the source. Several criteria may be asked for at
once: a label that they share is written once, with all their names. Labelled
files behave as the originals do, and compile by themselves.

With several files, or a compilation database, -o names a folder. A copy of the
project that its own build system can build is made by --in-place-copy.

A comment "klabel: ignore" keeps labels off its line, "klabel: ignore-begin" and
"klabel: ignore-end" off all lines between.`,
		Example: `  klabel annotate triangle.c --criteria CC,MCC,WM -o labelled.c
  klabel annotate --compile-commands build/compile_commands.json --criteria DC \
    --in-place-copy ../labelled
  klabel annotate parser.c --criteria PATCH --revisions main..HEAD -o labelled.c`,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *annotateFlags) add(fs *pflag.FlagSet) {
	fs.StringVarP(&f.job.Output, "output", "o", "", "`file` (or folder, for several files) for the result; - is "+
		"standard output")
	fs.StringVar(&f.job.LabelFile, "labels", "", "`file` for the list of labels (default: next to the output)")
	fs.StringVar(&f.job.Copy, "in-place-copy", "", "copy the project to this `folder`, with the labelled files in "+
		"place of the originals")
	fs.StringVar(&f.job.Root, "root", "", "`folder` that --in-place-copy copies (default: the one that "+
		"holds all files)")
	fs.IntVar(&f.job.Parallel, "jobs", 0, "files at once (default: the number of cores)")
	fs.Uint32Var(&f.firstID, "first-id", 1, "`number` of the first label")
	f.proj.add(fs)
	f.what.add(fs)
	f.src.add(fs)
}

func (f *annotateFlags) run(cmd *cobra.Command, args []string) error {
	// The project's output and jobs are those of runs.
	p, args, err := f.proj.apply(cmd, args, "", "output", "jobs")
	if err == nil && f.src.build != "" {
		err = f.src.look(cmd, p, len(args) > 0)
	}
	if err != nil {
		return err
	}
	if err := f.src.check(); err != nil {
		return err
	}
	tools, err := toolchain.Probe(cmd.Context(), f.src.want(false))
	if err != nil {
		return err
	}
	f.job.Options = f.what.options(&f.src)
	f.job.First = label.ID(f.firstID)
	f.job.Files, f.job.Database = args, f.src.compileDB
	res, err := campaign.Annotate(cmd.Context(), f.job, tools)
	if res != nil {
		printAnnotated(cmd, res)
	}
	return err
}

func printAnnotated(cmd *cobra.Command, res *annotate.Result) {
	for _, w := range res.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "klabel: warning:", w)
	}
	if res.Text != nil {
		_, _ = cmd.OutOrStdout().Write(res.Text)
		return
	}
	for _, f := range res.Files {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d labels in %s\n", f.Source, f.Labels, f.Output)
	}
	if n := len(res.Reasons); n > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "%d of %d labels are infeasible: constant false for the compiler\n", n,
			len(res.Labels))
	}
}
