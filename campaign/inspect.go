package campaign

import (
	"context"
	"errors"
	"path/filepath"

	"klabel/csource"
	"klabel/engine"
	"klabel/instrument"
	"klabel/label"
	"klabel/report"
	"klabel/runtime_c"
	"klabel/store"
	"klabel/toolchain"
)

// HasResults reports whether a directory is the output of a run.
func HasResults(dir string) bool {
	return exists(filepath.Join(dir, "klabel.db"))
}

// Units returns the program of a job as engines get it before the mode: with
// the labels of criteria, and a driver, where the job asks for them. A program
// without main, or without labels, is none the less one.
func Units(ctx context.Context, j Job, rt runtime_c.Paths, tools *toolchain.Tools) ([]*csource.Unit, error) {
	p, err := programOf(ctx, j, rt, tools)
	if err != nil {
		return nil, err
	}
	return p.image.units, nil
}

func programOf(ctx context.Context, j Job, rt runtime_c.Paths, tools *toolchain.Tools) (*program, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	clang, err := tools.RequireClang()
	if err != nil {
		return nil, err
	}
	p, err := until(ctx, func() (*program, error) {
		return load(ctx, clang, rt, &j, start{}, map[string]string{})
	})
	if err != nil && !errors.Is(err, ErrNoMain) && !errors.Is(err, ErrNoLabels) {
		return nil, err
	}
	return p, nil
}

// SourceLabels lists the labels of a job's program, and its decisions under
// criteria of pairs, without running anything.
func SourceLabels(ctx context.Context, j Job, tools *toolchain.Tools) ([]report.LabelRow, []report.DecisionRow, error) {
	rt, done, err := runtime_c.Shared()
	if err != nil {
		return nil, nil, err
	}
	defer done()
	p, err := programOf(ctx, j, rt, tools)
	if err != nil {
		return nil, nil, err
	}
	snap := &store.Snapshot{Decisions: p.decisions}
	for _, l := range p.labels {
		s := store.LabelState{Label: l}
		if why := p.constant[l.ID]; why != "" {
			s.State = store.State{Status: label.Infeasible, Reason: &store.Reason{Method: "compiler", Text: why}}
		}
		snap.Labels = append(snap.Labels, s)
	}
	var rows []report.LabelRow
	for _, l := range p.labels {
		rows = append(rows, report.LabelRow{Label: l})
	}
	return rows, decisionRows(snap, labelRows(snap, nil)), nil
}

// Instrument returns the text of a job's only file in a mode.
func Instrument(ctx context.Context, j Job, mode engine.Mode, tools *toolchain.Tools) ([]byte, error) {
	calls, units, err := inspect(ctx, j, tools)
	if err != nil {
		return nil, err
	}
	o := instrument.Options{Mode: mode}
	for _, c := range calls {
		o.MaxID = max(o.MaxID, c.ID)
	}
	return instrument.Rewrite(units[0], o)
}

func inspect(ctx context.Context, j Job, tools *toolchain.Tools) ([]csource.LabelCall, []*csource.Unit, error) {
	rt, done, err := runtime_c.Shared()
	if err != nil {
		return nil, nil, err
	}
	defer done()
	units, err := Units(ctx, j, rt, tools)
	if err != nil {
		return nil, nil, err
	}
	calls, err := csource.AllLabels(units...)
	return calls, units, err
}
