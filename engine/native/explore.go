package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"klabel/engine/native/exec"
)

// explore is one exploration of an image: with its own output directory, and
// nothing left behind for the next. args are the program's, its name first.
func (im *image) explore(ctx context.Context, s *settings, args []string, stderr io.Writer) (err error) {
	started := time.Now()
	out, err := newOutput(s.output, args, stderr)
	if err != nil {
		return err
	}
	defer out.close()
	rep := &report{Version: Version}
	defer func() {
		rep.Finished = true
		rep.Seconds = time.Since(started).Seconds()
		if err != nil {
			rep.Error = err.Error()
		}
		if e := out.writeInfo(started, rep); err == nil {
			err = e
		}
		if e := out.writeReport(rep); err == nil {
			err = e
		}
	}()
	// An engine that is killed has said at least that it had begun.
	if err := out.writeReport(rep); err != nil {
		return err
	}
	if m := s.explorer.MaxMemoryMB; m > 0 {
		debug.SetMemoryLimit(int64(m) << 20 * 3 / 4) // the rest is for what is allocated while memory is collected
	}
	debug.SetGCPercent(300)
	prog, err := im.program(ctx)
	if err != nil && ctx.Err() != nil { // told to stop: no error of the program's
		rep.Notes = []string{"stopped before the exploration began"}
		return nil
	}
	if err != nil {
		return err
	}
	labels, closeLabels, err := s.labels()
	if err != nil {
		return err
	}
	defer closeLabels()
	o := s.explorer
	o.Args = args
	for _, a := range args[1:] {
		option := strings.TrimPrefix(a, "-")
		if strings.HasPrefix(option, "-sym-") || option == "-max-fail" || option == "-fd-fail" {
			if o.Entry != "" && o.Entry != "main" {
				return errors.New("symbolic arguments are for main, not for " + o.Entry)
			}
			o.Entry = "klabel_posix_main"
			break
		}
	}
	var ex *exec.Engine
	o.Progress = func(st *exec.Stats) {
		fill(rep, st, ex)
		rep.Seconds = time.Since(started).Seconds()
		_ = out.writeReport(rep)
	}
	ex = exec.New(prog, out, labels, o)
	if s.replay != "" {
		rep.Replayed, err = replayTest(ctx, ex, s.replay)
		return err
	}
	stats, err := ex.Run(ctx)
	lost := out.tests.close()
	fill(rep, &stats, ex)
	rep.Tests = out.tests.written
	conclude(rep, &stats, err == nil, lost)
	fmt.Fprint(stderr, totals(rep))
	return err
}

func fill(r *report, s *exec.Stats, ex *exec.Engine) {
	q := ex.SolverStats()
	r.Paths, r.Completed, r.Partial = s.Completed+s.Partial, s.Completed, s.Partial
	r.Instructions, r.Tests, r.MaxStates, r.Seeds = s.Instructions, s.Tests, s.MaxStates, s.Seeds
	r.Merged, r.Rejoined = s.Merged, s.Rejoined
	r.Queries, r.SATQueries, r.SATSeconds = q.Questions, q.BySAT, q.SATTime.Seconds()
	if q.BadModels > 0 {
		r.Error = fmt.Sprintf("%d answers of the solver failed their check", q.BadModels)
	}
}

// conclude says what the exploration showed; lost is why a test could not be written,
// which may have happened after the last path, when the engine knew nothing of it.
func conclude(r *report, s *exec.Stats, whole bool, lost error) {
	r.Notes, r.Awaited, r.Undecided = notes(s), s.Awaited, s.Undecided
	if lost == nil {
		r.Complete, r.Infeasible = whole && len(s.Incomplete) == 0, s.Infeasible
	} else if why := fmt.Sprintf("cannot write tests: %v", lost); !slices.Contains(r.Notes, why) {
		r.Notes = append(r.Notes, why)
	}
}

func notes(s *exec.Stats) []string {
	n := s.Incomplete
	if s.Dropped > 0 {
		n = append(n, fmt.Sprintf("%d paths dropped by the memory limit", s.Dropped))
	}
	if s.TimedOut > 0 {
		n = append(n, fmt.Sprintf("%d queries took too long", s.TimedOut))
	}
	if s.Internal > 0 {
		n = append(n, fmt.Sprintf("%d paths ended by an internal error", s.Internal))
	}
	return n
}

// labels opens the live view, if there is one.
func (s *settings) labels() (exec.Labels, func(), error) {
	if s.view == "" {
		return ownView{}, func() {}, nil
	}
	v, err := openView(s.view)
	if err != nil {
		return nil, nil, err
	}
	return v, v.close, nil
}
