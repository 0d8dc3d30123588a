package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/fault"
	"klabel/report"
	"klabel/toolchain"
)

// leastProgram is the least time that the engine gets for one of several programs: in
// less it is hardly compiled.
const leastProgram = 2 * time.Second

// RunPrograms runs several programs, each by itself and in a folder of its own: that they stand in
// one folder makes them no parts of each other. As many run at a time as there are cores, since a
// small one mostly waits for its compiler. The budget is for all: each gets an equal part of what is
// left. Those that had no turn are said, and come first when they are run again. each, where it is
// not 0, is the time of every one instead. The summary has a row for each, and the sum of all.
func RunPrograms(ctx context.Context, jobs []Job, budget, each time.Duration, tools *toolchain.Tools, obs Observer) (
	report.Summary, error) {
	start := time.Now()
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return began(jobs[a]) - began(jobs[b]) })
	t := together{rows: make([]report.FunctionRow, len(jobs))}
	atATime := min(runtime.NumCPU(), len(jobs), max(1, int(budget/leastProgram)))
	obs.Note(fmt.Sprintf("%d programs with a main, each by itself (--all-functions: as one, without a main)",
		len(jobs)))
	var (
		mu             sync.Mutex
		turns, waiting int
		shown          atomic.Pointer[watching]
		missing        error
	)
	// run gives the k-th program in order its turn.
	run := func(k int) {
		j, row := jobs[order[k]], &t.rows[order[k]]
		left := budget - time.Since(start)
		if j.Budget = share(left, atATime, len(jobs)-k); each != 0 {
			j.Budget = each
		}
		mu.Lock()
		*row = report.FunctionRow{Name: j.Sources[0].Path, File: j.Sources[0].Path, Line: 1, Status: report.LeftOut,
			OutputDir: j.OutputDir}
		late := each == 0 && turns > 0 && left < leastProgram/2
		switch {
		case ctx.Err() != nil:
			row.Reason = "interrupted"
		case late:
			row.Reason = "no time left"
			waiting++
		}
		skip := ctx.Err() != nil || late || missing != nil
		mu.Unlock()
		if skip {
			return
		}
		w := &watching{Observer: obs, shown: &shown}
		s, err := Run(ctx, j, tools, w)
		w.end()
		mu.Lock()
		defer mu.Unlock()
		if t.add(row, s, err); fault.Code(err) == fault.ToolMissing {
			missing = err
		}
		if s.OutputDir != "" {
			turns++
		}
		obs.Note(row.Sentence())
	}
	var g errgroup.Group
	g.SetLimit(atATime)
	for k := range order {
		g.Go(func() error { run(k); return nil })
	}
	_ = g.Wait() // what went wrong is in the rows
	if missing != nil {
		return t.sum, missing
	}
	if t.refused == len(jobs) {
		return t.sum, t.first // what was asked for makes no sense, whatever the program
	}
	t.sum.Functions, t.sum.Programs = t.rows, true
	t.sum.SumFunctions()
	t.sum.Interrupted = ctx.Err() != nil
	if waiting > 0 {
		t.sum.Notes = append(t.sum.Notes, fmt.Sprintf("programs that had no turn: %d; the next run begins with them "+
			"(--budget is for all, --function-budget for each)", waiting))
	}
	t.sum.Seconds = seconds(time.Since(start))
	return t.sum, nil
}

// share is what a program gets of the time that is left, when it and others wait, as many as that in all.
func share(left time.Duration, atATime, waiting int) time.Duration {
	return max(left*time.Duration(min(atATime, waiting))/time.Duration(waiting), leastProgram)
}

// began is 1 if there is a run to go on from, else 0.
func began(j Job) int {
	if !j.Fresh && exists(filepath.Join(j.OutputDir, "klabel.db")) {
		return 1
	}
	return 0
}

// watching is the observer of one program of several. What is noted of it is in its own summary; how far it is is shown
// of one at a time.
type watching struct {
	Observer
	shown *atomic.Pointer[watching]
}

func (w *watching) isShown() bool {
	w.shown.CompareAndSwap(nil, w)
	return w.shown.Load() == w
}

func (w *watching) end() { w.shown.CompareAndSwap(w, nil) }

func (w *watching) Stage(name string) {
	if w.isShown() {
		w.Observer.Stage(name)
	}
}

func (w *watching) Progress(p Progress) {
	if w.isShown() {
		w.Observer.Progress(p)
	}
}

func (w *watching) Note(string) {}

// together is what is known of several programs.
type together struct {
	rows    []report.FunctionRow
	sum     report.Summary
	refused int   // programs with an error of usage
	first   error // of these
}

// add takes the outcome of a program's run.
func (t *together) add(row *report.FunctionRow, s report.Summary, err error) {
	switch {
	case errors.Is(err, ErrNoLabels):
		row.Reason = "no labels in it"
		return
	case err != nil:
		if fault.Code(err) == fault.Usage {
			if t.refused++; t.first == nil {
				t.first = err
			}
		}
		row.Status = report.Failed
		row.Reason, _, _ = strings.Cut(err.Error(), "\n")
		if s.OutputDir == "" { // nothing was begun
			t.sum.Broken = append(t.sum.Broken, row.Reason)
			return
		}
	default:
		row.Status = report.Done
	}
	row.Labels, row.Tests, row.Seconds, row.Notes = s.Labels, s.Tests, s.Seconds, s.Notes
	row.Contradictions = len(s.Contradictions)
	for _, f := range s.Functions {
		row.Contradictions += f.Contradictions
	}
	for _, c := range s.Criteria {
		i := slices.IndexFunc(t.sum.Criteria, func(x report.CriterionCounts) bool { return x.Name == c.Name })
		if i < 0 {
			t.sum.Criteria = append(t.sum.Criteria, c)
			continue
		}
		t.sum.Criteria[i] = t.sum.Criteria[i].Plus(c)
	}
	e := &t.sum.Engine
	if e.Name == "" {
		e.Name, e.Version, e.Mode, e.Complete = s.Engine.Name, s.Engine.Version, s.Engine.Mode, true
		t.sum.Tools = s.Tools
	}
	e.Paths, e.Instructions = e.Paths+s.Engine.Paths, e.Instructions+s.Engine.Instructions
	e.Seconds, e.Complete = round(e.Seconds+s.Engine.Seconds), e.Complete && s.Engine.Complete
	t.sum.Findings = append(t.sum.Findings, s.Findings...)
	t.sum.Sources = append(t.sum.Sources, s.Sources...)
}
