package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/drivers"
	"klabel/project"
)

// projectFlags name the project file, or turn it down.
type projectFlags struct {
	file   string
	none   bool
	folder string // the command line names this folder in place of files: what lies elsewhere is none of it
}

func (f *projectFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.file, "project", "", "project `file` (default: klabel.toml beside the first C file; 'klabel help "+
		"project-file')")
	fs.BoolVar(&f.none, "no-project", false, "read no project file")
}

// load reads the project file that goes with the files of the command line;
// nil when there is none.
func (f *projectFlags) load(files []string) (*project.Project, error) {
	if f.none {
		if f.file != "" {
			return nil, usageError(errors.New("--project and --no-project exclude each other"))
		}
		return nil, nil
	}
	path := f.file
	if own := filepath.Join(f.folder, project.FileName); path == "" && f.folder != "" {
		if project.Missing(own) {
			return nil, nil
		}
		path = own
	}
	if path == "" {
		at := "."
		if len(files) > 0 {
			at = files[0]
		}
		var err error
		if path, err = project.Find(at); err != nil || path == "" {
			return nil, err
		}
	}
	p, err := project.Load(path)
	if err != nil {
		return nil, usageError(err)
	}
	return p, nil
}

// apply reads the project file and fills the flags that the command line leaves
// open, except those in but. It returns the files that are meant: those of the
// command line or, without any, those of the project.
func (f *projectFlags) apply(cmd *cobra.Command, files []string, function string, but ...string) (*project.Project,
	[]string, error) {
	p, err := f.load(files)
	if err != nil || p == nil {
		return nil, files, err
	}
	if function == "" && p.Function != nil && cmd.Flags().Lookup("function") != nil &&
		!cmd.Flags().Changed("all-functions") {
		function = *p.Function
	}
	database := cmd.Flags().Changed("compile-commands") // on the command line
	if err := p.Apply(cmd.Flags(), function, but...); err != nil {
		return nil, nil, usageError(err)
	}
	if len(files) == 0 && !database {
		files = p.Files
	}
	return p, files, nil
}

// functionOverrides returns what is special for one function among many: the
// relations of the command line, with those of the project for it.
func functionOverrides(p *project.Project, given *pflag.FlagSet, typed map[string]bool) func(string) (campaign.Wish,
	error) {
	return func(function string) (w campaign.Wish, err error) {
		var drv drivers.Flags
		fs := pflag.NewFlagSet("function", pflag.ContinueOnError)
		drv.Add(fs)
		fs.StringSliceVar(&w.Criteria, "criteria", nil, "")
		for name := range typed {
			to := fs.Lookup(name)
			if to == nil {
				continue
			}
			to.Changed = true
			from := given.Lookup(name).Value
			if list, ok := from.(pflag.SliceValue); ok {
				if err := to.Value.(pflag.SliceValue).Replace(list.GetSlice()); err != nil {
					return w, err
				}
			} else if err := fs.Set(name, from.String()); err != nil {
				return w, err
			}
		}
		// Visit wants flags that were set, which Changed alone does not tell it.
		var but []string
		for name := range typed {
			but = append(but, name)
		}
		if p != nil {
			if err := p.Apply(fs, function, but...); err != nil {
				return w, err
			}
		}
		w.Driver, err = drv.Options(function)
		return w, err
	}
}

// steps are those of the project's strategy. An engine, a mode or a budget on the
// command line is in its place.
func steps(p *project.Project, typed map[string]bool) (out []campaign.Step, err error) {
	if p == nil || typed["engine"] || typed["mode"] || typed["budget"] {
		return nil, nil
	}
	for i, s := range p.Strategy {
		step := campaign.Step{Engine: s.Engine, Searchers: s.Searcher}
		if step.Mode, err = parseMode(s.Mode); err == nil && s.Budget != "" {
			step.Budget, err = time.ParseDuration(s.Budget)
		}
		if err != nil {
			return nil, usageError(fmt.Errorf("%s: step %d of the strategy: %w", p.Path, i+1, err))
		}
		out = append(out, step)
	}
	return out, nil
}
