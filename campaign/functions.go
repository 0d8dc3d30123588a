package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sync/errgroup"

	"klabel/drivers"
	"klabel/report"
	"klabel/toolchain"
)

// FunctionsJob is a campaign for each function of a program.
type FunctionsJob struct {
	Job                       // what all functions have in common; OutputDir gets a folder for each
	Only     []string         // patterns of the functions meant; none: all
	Skip     []string         // patterns of those not meant
	Parallel int              // campaigns at a time; 0: the number of cores
	Adapt    func(*Job) error // what is special for Job.Function; nil: nothing
}

// target is a function to test.
type target struct {
	name string // as Job.Function names it: FILE:NAME where NAME alone says too little
	dir  string // its folder in the output directory
	row  report.FunctionRow
}

// RunFunctions drives each function by itself, several at a time, and sums up.
// A function that cannot be driven is left out, with the reason in its row; an
// interruption keeps the functions that are finished. The error is for what
// concerns all: a file that does not compile, a tool that is missing.
func RunFunctions(ctx context.Context, fj FunctionsJob, tools *toolchain.Tools, obs Observer) (report.Functions, error) {
	begin := time.Now()
	var out report.Functions
	if err := fj.check(); err != nil {
		return out, err
	}
	if len(fj.Criteria) == 0 {
		return out, usagef("which criteria shall the functions be tested for? --criteria CC,MCC names some")
	}
	trial := campaign{job: fj.Job, tools: tools, obs: Silent{}}
	if err := trial.choose(); err != nil {
		return out, err
	}
	obs.Stage("reading")
	targets, err := fj.targets(ctx, tools)
	if err != nil {
		return out, err
	}
	cores := runtime.NumCPU()
	if fj.Parallel <= 0 {
		fj.Parallel = cores
	}
	fj.Parallel = min(fj.Parallel, len(targets))
	if fj.Workers == 0 {
		fj.Workers = max(1, cores/fj.Parallel)
	}
	out.Program, out.OutputDir = fj.program(), fj.OutputDir
	out.Functions = make([]report.FunctionRow, len(targets))
	for i, t := range targets {
		out.Functions[i] = t.row
		out.Functions[i].Status = report.NotStarted
	}
	var mu sync.Mutex
	finished := 0
	var g errgroup.Group
	g.SetLimit(fj.Parallel)
	obs.Stage("exploring")
	for i, t := range targets {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			row := fj.one(ctx, t, tools)
			mu.Lock()
			defer mu.Unlock()
			finished++
			out.Functions[i] = row
			obs.Note(fmt.Sprintf("%d of %d: %s", finished, len(targets), row.Sentence()))
			return nil
		})
	}
	_ = g.Wait() // every error is in its row
	obs.Stage("concluding")
	out.Interrupted = ctx.Err() != nil
	out.Sum()
	out.Seconds = seconds(time.Since(begin))
	var b bytes.Buffer
	if err := report.Encode(&b, out); err != nil {
		return out, err
	}
	if err := os.MkdirAll(fj.OutputDir, 0o777); err != nil {
		return out, describe(err)
	}
	return out, writeFile(filepath.Join(fj.OutputDir, "functions.json"), b.Bytes())
}

// one runs the campaign of one function.
func (fj *FunctionsJob) one(ctx context.Context, t target, tools *toolchain.Tools) report.FunctionRow {
	row := t.row
	begin := time.Now()
	j := fj.Job
	j.Function = t.name
	j.OutputDir = filepath.Join(fj.OutputDir, t.dir)
	// Each function answers for its own labels alone: those of what it calls
	// count in the rows of what it calls.
	j.Annotate.Functions, j.Annotate.SkipFunctions = []string{row.Name}, nil
	var err error
	if fj.Adapt != nil {
		err = fj.Adapt(&j)
	}
	var s report.Summary
	if err == nil {
		s, err = Run(ctx, j, tools, Silent{})
	}
	row.Seconds = seconds(time.Since(begin))
	var noType *drivers.TypeError
	switch {
	case err == nil:
		row.Status, row.Labels, row.Tests, row.OutputDir = report.Done, s.Labels, s.Tests, s.OutputDir
		row.Contradictions, row.Notes = len(s.Contradictions), s.Notes
		if s.Interrupted {
			row.Status = report.Interrupted
		}
	case ctx.Err() != nil:
		row.Status = report.Interrupted
	case errors.Is(err, ErrNoLabels):
		row.Status, row.Reason = report.LeftOut, "it has nothing that the criteria label"
	case errors.As(err, &noType):
		row.Status, row.Reason = report.LeftOut, fmt.Sprintf("%s has type %s, %s", noType.Name, noType.Type, noType.Reason)
	case errors.Is(err, ErrNoInput):
		row.Status, row.Reason = report.LeftOut, ErrNoInput.Error()
	default:
		row.Status, row.Reason = report.Failed, err.Error()
		row.Labels, row.Tests, row.OutputDir, row.Notes = s.Labels, s.Tests, s.OutputDir, s.Notes
	}
	return row
}

// targets lists the functions: those that the sources or headers of the user's
// define, but main, each once.
func (fj *FunctionsJob) targets(ctx context.Context, tools *toolchain.Tools) ([]target, error) {
	for _, globs := range [][]string{fj.Only, fj.Skip} {
		for _, g := range globs {
			if !doublestar.ValidatePattern(g) {
				return nil, usagef("%q is not a pattern\nhint: * and ? match, [a-z] is a set", g)
			}
		}
	}
	var out []target
	defined := map[string]int{}
	var sources []Source
	for _, s := range fj.Sources {
		if !s.Stubs {
			sources = append(sources, s)
		}
	}
	rt, done, err := headers()
	if err != nil {
		return nil, err
	}
	defer done()
	// Without labels and drivers, which are each function's own.
	units, err := Units(ctx, Job{Sources: sources, Flags: fj.Flags, LabelMacros: fj.LabelMacros}, rt, tools)
	if err != nil {
		return nil, err
	}
	places := map[string]bool{}
	for _, u := range units {
		for _, f := range u.Functions() {
			at := f.Origin.Position().String() + " " + f.Name
			if f.Origin.System || f.Name == "main" || places[at] {
				continue
			}
			places[at] = true
			defined[f.Name]++
			if len(fj.Only) > 0 && !matches(fj.Only, f.Name) || matches(fj.Skip, f.Name) {
				continue
			}
			out = append(out, target{name: u.Path + ":" + f.Name, dir: f.Name,
				row: report.FunctionRow{Name: f.Name, File: f.Origin.File, Line: f.Origin.Line, Static: f.Static}})
		}
	}
	if len(out) == 0 {
		if len(defined) == 0 {
			return nil, usagef("%s: no function but main is defined", fj.Sources[0].Path)
		}
		return nil, usagef("no function matches --functions %s", strings.Join(fj.Only, ","))
	}
	taken := map[string]int{}
	for i := range out {
		t := &out[i]
		if defined[t.row.Name] == 1 {
			t.name = t.row.Name
		} else {
			base := filepath.Base(t.row.File)
			t.dir = strings.TrimSuffix(base, filepath.Ext(base)) + "." + t.row.Name
		}
		taken[t.dir]++
		if n := taken[t.dir]; n > 1 {
			t.dir = fmt.Sprintf("%s-%d", t.dir, n)
		}
	}
	return out, nil
}

func matches(globs []string, name string) bool {
	for _, g := range globs {
		if ok, _ := doublestar.Match(g, name); ok {
			return true
		}
	}
	return false
}
