package main

import (
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/report"
)

// formatFlag is --format over one of report's tables: a command looks the
// renderer up before it begins, and gives it a value at the end.
type formatFlag[T any] struct {
	formats report.Formats[T]
	name    string
	all     bool
}

func (f *formatFlag[T]) add(fs *pflag.FlagSet, formats report.Formats[T]) {
	f.formats = formats
	fs.StringVar(&f.name, "format", formats[0].Name, "what to print: "+formats.Names())
}

// renderer is the one that was chosen. Results are printed in brief: the rest
// of them is what 'klabel report' is for.
func (f *formatFlag[T]) renderer(cmd *cobra.Command) (report.Renderer[T], error) {
	format, err := f.formats.Find(f.name)
	if err != nil {
		return nil, usageError(err)
	}
	dir, _ := os.Getwd() // without it files are named in full
	return format.New(report.Options{Dir: dir, Width: terminalWidth(cmd), All: f.all, Brief: true}), nil
}

// terminalWidth is that of standard output, or COLUMNS; 0 where nobody knows.
func terminalWidth(cmd *cobra.Command) int {
	if w := columns(cmd.OutOrStdout()); w > 0 {
		return w
	}
	w, _ := strconv.Atoi(os.Getenv("COLUMNS")) // what is no number is no width
	return w
}
