package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"klabel/csource"
	"klabel/engine"
	"klabel/instrument"
	"klabel/report"
	"klabel/store"
	"klabel/toolchain"
)

// Labels lists the labels of an output directory.
func Labels(dir string) ([]report.LabelRow, error) {
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
		r := report.LabelRow{Label: l.Label, Status: l.Status, Test: names[l.Test]}
		if l.Reason != nil {
			r.Method, r.Reason = l.Reason.Method, l.Reason.Text
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// SourceLabels lists the labels of C files, without running anything.
func SourceLabels(ctx context.Context, sources []Source, flags, macros []string, tools *toolchain.Tools) ([]report.LabelRow, error) {
	var rows []report.LabelRow
	err := withUnits(ctx, sources, flags, macros, tools, func(units []*csource.Unit) error {
		calls, err := csource.AllLabels(units...)
		if err != nil {
			return err
		}
		for _, c := range calls {
			rows = append(rows, report.LabelRow{Label: c.Label()})
		}
		return nil
	})
	return rows, err
}

// Instrument returns the text of one file in a mode.
func Instrument(ctx context.Context, s Source, flags, macros []string, mode engine.Mode, tools *toolchain.Tools) ([]byte, error) {
	var text []byte
	err := withUnits(ctx, []Source{s}, flags, macros, tools, func(units []*csource.Unit) error {
		calls, err := csource.AllLabels(units...)
		if err != nil {
			return err
		}
		o := instrument.Options{Mode: mode}
		for _, c := range calls {
			o.MaxID = max(o.MaxID, c.ID)
		}
		text, err = instrument.Rewrite(units[0], o)
		return err
	})
	return text, err
}

// withUnits loads sources.
func withUnits(ctx context.Context, sources []Source, flags, macros []string, tools *toolchain.Tools, f func([]*csource.Unit) error) error {
	clang, err := tools.RequireClang()
	if err != nil {
		return err
	}
	rt, done, err := headers()
	if err != nil {
		return err
	}
	defer done()
	var units []*csource.Unit
	var failed []error
	for _, s := range sources {
		u, err := csource.Load(ctx, s.Path, csource.Options{
			Clang: clang, Flags: append(append([]string{}, flags...), s.Flags...), LabelMacros: macros, IncludeDirs: []string{rt.Include},
		})
		if err != nil {
			failed = append(failed, err)
			continue
		}
		units = append(units, u)
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	return f(units)
}
