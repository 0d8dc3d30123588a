package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/disk"
	"klabel/report"
)

// reportFlags are the command line of report.
type reportFlags struct {
	formats      []string
	output, base string
}

func newReportCmd() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Show what a run found as pages, or as CI systems read it",
		Long: `Writes what an output directory of 'klabel run' holds in one or more formats.
One format goes to standard output or to the file of -o; several go into a
folder, -o or DIR/report. Nothing else in DIR is changed.

Formats:
` + formatHelp() + `
In the formats of other coverage tools a label is a branch of its line, and an
infeasible one is none: covered branches over branches is klabel's own share of
the feasible labels. Lines are those that have labels.`,
		Example: `  klabel report triangle.klabel --format html -o triangle.html
  klabel report triangle.klabel --format lcov -o labels.info
  klabel report triangle.klabel --format html,cobertura,sarif,junit -o reports`,
		Args: cobra.ExactArgs(1),
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *reportFlags) add(fs *pflag.FlagSet) {
	fs.StringSliceVar(&f.formats, "format", []string{"text"}, "`formats` to write, separated by commas")
	fs.StringVarP(&f.output, "output", "o", "", "`file` to write or, for several formats, the folder")
	fs.StringVar(&f.base, "base", "", "name files from this `dir` where a format names them in relation to "+
		"one (default: the working directory)")
}

func (f *reportFlags) run(cmd *cobra.Command, args []string) error {
	chosen, err := findFormats(f.formats)
	if err != nil {
		return err
	}
	res, err := campaign.Result(args[0])
	if err != nil {
		return err
	}
	o := report.Options{Width: terminalWidth(cmd), All: true, Dir: f.base}
	if o.Dir == "" {
		o.Dir, _ = os.Getwd() // without it files are named in full
	}
	if len(chosen) > 1 {
		if f.output == "" {
			f.output = filepath.Join(args[0], "report")
		}
		return writeReports(f.output, chosen, res, o)
	}
	r := chosen[0].New(o)
	if f.output == "" || f.output == "-" {
		return r.Render(cmd.OutOrStdout(), res)
	}
	if isDir(f.output) {
		return writeReports(f.output, chosen, res, o)
	}
	return disk.Output(f.output, func(w io.Writer) error { return r.Render(w, res) })
}

// formatHelp is a line for each format.
func formatHelp() string {
	var b strings.Builder
	for _, f := range report.Results {
		fmt.Fprintln(&b, report.Wrapped(fmt.Sprintf("  %-15s ", f.Name), f.Help, 80))
	}
	return b.String()
}

func findFormats(names []string) ([]report.Format[*report.Result], error) {
	var out []report.Format[*report.Result]
	for _, n := range names {
		f, err := report.Results.Find(strings.TrimSpace(n))
		if err != nil {
			return nil, usageError(err)
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, usageError(fmt.Errorf("--format names no format: want %s", report.Results.Names()))
	}
	return out, nil
}

// writeReports writes a file a format into a folder.
func writeReports(dir string, formats []report.Format[*report.Result], res *report.Result, o report.Options) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range formats {
		if err := disk.WriteFrom(filepath.Join(dir, res.Program+f.Ext),
			func(w io.Writer) error { return f.New(o).Render(w, res) }); err != nil {
			return err
		}
	}
	return nil
}

// reportFlag is --report: formats that a run writes when it has ended.
type reportFlag struct {
	names  []string
	chosen []report.Format[*report.Result]
}

// find looks the formats up, before the work begins.
func (f *reportFlag) find() (err error) {
	if len(f.names) > 0 {
		f.chosen, err = findFormats(f.names)
	}
	return err
}

// write reads the output directory back and writes its reports into it.
func (f *reportFlag) write(dir string) error {
	if len(f.chosen) == 0 {
		return nil
	}
	res, err := campaign.Result(dir)
	if err != nil {
		return err
	}
	here, _ := os.Getwd() // without it files are named in full
	return writeReports(filepath.Join(dir, "report"), f.chosen, res, report.Options{All: true, Dir: here})
}
