package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/fault"
	"klabel/label"
	"klabel/report"
	"klabel/toolchain"
)

// labelsFlags are the command line of labels.
type labelsFlags struct {
	prog                 programFlags
	status, output, show string
	objectives           bool
	criteria             []string
	format               formatFlag[report.LabelList]
}

func newLabelsCmd() *cobra.Command {
	var f labelsFlags
	cmd := &cobra.Command{
		Use:   "labels [DIR | FILE...]",
		Short: "List labels with status, position, predicate and covering test",
		Long: `Lists the labels of an output directory of 'klabel run', with the status of each
and the test that covered it or the reason for its status; or the labels of C
files, of which nothing is known yet, those that --criteria would write
included. Without an argument it lists what the last run of the project in
klabel.toml found or, before the first run, the labels of its files.

--show prints one label with its source lines, its proof or what was tried, and
the tests that cover it. --objectives prints the decisions of MC/DC and its
relatives: the truth table of each, whose rows are labels, and for each
condition the two tests that show it to decide by itself, or why there are none;
and what else is asked of several labels together: hyperlabels.`,
		Example: `  klabel labels triangle.klabel
  klabel labels triangle.klabel --status unknown --criterion MCC
  klabel labels triangle.klabel --show 34
  klabel labels triangle.klabel --objectives --status unknown
  klabel labels labelled.c --format json`,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *labelsFlags) add(fs *pflag.FlagSet) {
	f.format.add(fs, report.LabelLists)
	fs.StringVar(&f.status, "status", "", "only labels with one of these `statuses`, separated by commas")
	fs.StringSliceVar(&f.criteria, "criterion", nil, "only labels of these `criteria`")
	fs.StringVar(&f.show, "show", "", "print this label alone, by its `number`, with all that is known of it")
	fs.BoolVar(&f.objectives, "objectives", false, "list the decisions of MC/DC and their conditions instead")
	fs.StringVarP(&f.output, "output", "o", "",
		"output `dir`ectory of the project's runs (default: NAME.klabel)")
	f.prog.add(fs)
}

func (f *labelsFlags) run(cmd *cobra.Command, args []string) error {
	out, err := f.format.renderer(cmd)
	if err != nil {
		return err
	}
	filter := report.Filter{Criteria: f.criteria}
	if filter.Status, err = parseStatuses(f.status); err != nil {
		return err
	}
	res, err := labelsOf(cmd, &f.prog, args, &f.output)
	if err != nil {
		return err
	}
	if f.objectives {
		return showObjectives(cmd, res, filter, f.prog.function, f.format)
	}
	if f.show != "" {
		return showLabel(cmd, res, f.show, f.format)
	}
	if f.prog.function != "" && res.OutputDir != "" { // of sources it asks for a driver
		filter.Functions = []string{f.prog.function}
	}
	if err := known(res, filter); err != nil {
		return err
	}
	list := filter.List(res.Rows)
	if res.OutputDir != "" {
		list.Ratios = &res.Ratios
	}
	return out.Render(cmd.OutOrStdout(), list)
}

// known says which names of a filter nothing has: they are misspelt.
func known(res *report.Result, f report.Filter) error {
	criteria, functions := map[string]bool{}, map[string]bool{}
	for _, r := range res.Rows {
		functions[r.Function] = true
		for _, c := range r.Criteria() {
			criteria[strings.ToUpper(c)] = true
		}
	}
	for _, fn := range res.Functions {
		functions[fn.Name] = true
	}
	for _, c := range f.Criteria {
		if !criteria[strings.ToUpper(c)] {
			return usageError(fmt.Errorf("--criterion %q: no label is of it: want %s", c,
				strings.Join(slices.Sorted(maps.Keys(criteria)), ", ")))
		}
	}
	for _, name := range f.Functions {
		if !functions[name] {
			err := usageError(fmt.Errorf("--function %q: no label is in it", name))
			if near := fault.Nearest(name, slices.Sorted(maps.Keys(functions))); len(near) > 0 {
				err = fault.WithHint(err, "nearest: %s", strings.Join(near, ", "))
			}
			return err
		}
	}
	return nil
}

// labelsOf reads an output directory, named or the project's, or else sources.
func labelsOf(cmd *cobra.Command, prog *programFlags, args []string, output *string) (*report.Result, error) {
	if len(args) > 0 && isDir(args[0]) {
		if len(args) > 1 {
			return nil, usageError(fmt.Errorf("%d output directories: want one", len(args)))
		}
		return resultIn(cmd, args[0])
	}
	job, _, err := prog.job(cmd, args)
	if err != nil {
		return nil, err
	}
	job.OutputDir = *output // the project file may have set it
	if dir := job.Output(); len(args) == 0 && campaign.HasResults(dir) {
		return resultIn(cmd, dir)
	}
	tools, err := toolchain.Probe(cmd.Context(), prog.src.want(false))
	if err != nil {
		return nil, err
	}
	res := &report.Result{}
	if res.Rows, res.Decisions, err = campaign.SourceLabels(cmd.Context(), job, tools); err != nil {
		return nil, err
	}
	res.Reword()
	for _, s := range job.Sources {
		res.Sources = append(res.Sources, report.Source{Name: s.Path, Path: abs(s.Path)})
	}
	if len(res.Rows) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "klabel: no labels in %s; --criteria CC,MCC,WM shows those that would be "+
			"written\n", job.Sources[0].Path)
	}
	return res, nil
}

// resultIn reads an output directory, and says which of the tests that its labels name are
// not there any more.
func resultIn(cmd *cobra.Command, dir string) (*report.Result, error) {
	res, err := campaign.Result(dir)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, r := range res.Rows {
		named[r.Test] = r.Covered || named[r.Test]
	}
	var gone []string
	for _, t := range res.Suite {
		if _, err := os.Lstat(t.File); named[t.Name] && errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, t.Name)
		}
	}
	if n := len(gone); n > 0 {
		some := strings.Join(gone[:min(n, 3)], ", ")
		if n > 3 {
			some += " and others"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "klabel: tests that are gone: %d (%s); 'klabel run' with %s restores them\n", n,
			some, dir)
	}
	return res, nil
}

// showObjectives lists decisions.
func showObjectives(cmd *cobra.Command, res *report.Result, f report.Filter, function string,
	format formatFlag[report.LabelList]) error {
	some := formatFlag[[]report.DecisionRow]{formats: report.DecisionLists, name: format.name}
	out, err := some.renderer(cmd)
	if err != nil {
		return err
	}
	if function != "" {
		f.Functions = []string{function}
	}
	ds := f.Decisions(res.Decisions)
	if len(ds) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "klabel: no decisions; --criteria MCDC asks for them")
	}
	return out.Render(cmd.OutOrStdout(), ds)
}

// showLabel prints one label.
func showLabel(cmd *cobra.Command, res *report.Result, number string, format formatFlag[report.LabelList]) error {
	one := formatFlag[report.Detail]{formats: report.Details, name: format.name}
	out, err := one.renderer(cmd)
	if err != nil {
		return err
	}
	id, err := label.ParseID(number)
	if err != nil {
		return usageError(fmt.Errorf("--show: %w", err))
	}
	d, err := res.Detail(id)
	if err != nil {
		return usageError(err)
	}
	return out.Render(cmd.OutOrStdout(), d)
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func parseStatuses(list string) ([]label.Status, error) {
	if list == "" {
		return nil, nil
	}
	var out []label.Status
	for _, name := range strings.Split(list, ",") {
		s, err := label.ParseStatus(strings.TrimSpace(name))
		if err != nil {
			return nil, usageError(fmt.Errorf("--status: %w: want covered, unknown, infeasible, duplicate, subsumed "+
				"or deselected", err))
		}
		out = append(out, s)
	}
	return out, nil
}
