package campaign

import (
	"context"
	"errors"
	"fmt"
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
	return exists(filepath.Join(dir, "klabel.db")) || exists(filepath.Join(dir, "functions.json"))
}

// Labels lists the labels of an output directory.
func Labels(dir string) ([]report.LabelRow, error) {
	if !exists(filepath.Join(dir, "klabel.db")) && HasResults(dir) {
		return nil, fmt.Errorf("%s has the results of each function in a directory of its own\nhint: klabel labels %s", dir, filepath.Join(dir, "FUNCTION"))
	}
	if !exists(filepath.Join(dir, "klabel.db")) {
		return nil, fmt.Errorf("%s is no output directory of klabel: there is no klabel.db in it", dir)
	}
	snap, err := store.Read(dir)
	if err != nil {
		return nil, err
	}
	names := map[uint64]string{}
	for _, t := range snap.Tests {
		names[t.Number] = t.Name
	}
	rows := make([]report.LabelRow, 0, len(snap.Labels))
	for _, l := range snap.Labels {
		r := report.LabelRow{Label: l.Label, Status: l.Status, Covered: l.Status == label.Covered, Test: names[l.Test]}
		if l.Reason != nil {
			r.Method, r.Reason = l.Reason.Method, l.Reason.Text
		}
		if l.Relation != nil {
			r.Of = &l.Relation.Of
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Units returns the program of a job as engines get it before the mode: with
// the labels of criteria, and a driver, where the job asks for them. A program
// without main, or without labels, is none the less one.
func Units(ctx context.Context, j Job, rt runtime_c.Paths, tools *toolchain.Tools) ([]*csource.Unit, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	clang, err := tools.RequireClang()
	if err != nil {
		return nil, err
	}
	p, err := load(ctx, clang, rt, &j)
	if err != nil && !errors.Is(err, ErrNoMain) && !errors.Is(err, ErrNoLabels) {
		return nil, err
	}
	return p.units, nil
}

// SourceLabels lists the labels of a job's program, without running anything.
func SourceLabels(ctx context.Context, j Job, tools *toolchain.Tools) ([]report.LabelRow, error) {
	calls, _, err := inspect(ctx, j, tools)
	if err != nil {
		return nil, err
	}
	var rows []report.LabelRow
	for _, c := range calls {
		rows = append(rows, report.LabelRow{Label: c.Label()})
	}
	return rows, nil
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
	rt, done, err := headers()
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
