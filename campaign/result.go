package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/ctests"
	"klabel/fault"
	"klabel/label"
	"klabel/report"
	"klabel/store"
)

// Result reads everything that an output directory holds. A directory without
// summary.json, of a run that goes on or was killed, gives what its store knows.
func Result(dir string) (*report.Result, error) {
	return resultOf(dir, func(dir string) (*store.Snapshot, bool, error) {
		snap, err := store.Read(dir)
		return snap, false, err
	})
}

// LiveResult is Result for a directory that a campaign may have right now.
func LiveResult(dir string) (*report.Result, error) { return resultOf(dir, store.ReadLive) }

func resultOf(dir string, read func(string) (*store.Snapshot, bool, error)) (*report.Result, error) {
	if !exists(filepath.Join(dir, "klabel.db")) {
		err := fmt.Errorf("%s is no output directory of klabel: no klabel.db in it", dir)
		if in, _ := filepath.Glob(filepath.Join(dir, "*", "klabel.db")); len(in) > 0 {
			err = fault.WithHint(err, "it has those of %d programs: %s, ...", len(in), filepath.Dir(in[0]))
		}
		return nil, err
	}
	snap, running, err := read(dir)
	if err != nil {
		return nil, err
	}
	s, err := ReadSummary(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", layout{dir}.summary(), err)
	}
	now := Summarize(s.Program, snap)
	if s.Program == "" {
		now.Program = strings.TrimSuffix(filepath.Base(filepath.Clean(dir)), ".klabel")
		s = now
	}
	s.Labels, s.Criteria, s.Ratios, s.Contradictions, s.OutputDir = now.Labels, now.Criteria, now.Ratios,
		now.Contradictions, dir
	if len(s.Sources) == 0 {
		s.Sources = sources(snap)
		for i, src := range s.Sources {
			if beside := filepath.Join(dir, "..", src.Name); !exists(src.Path) && exists(beside) {
				s.Sources[i].Path = beside
			}
		}
	}
	r := &report.Result{Summary: s}
	r.Suite = testRows(dir, snap)
	// What covers nothing new is counted, and not stored.
	r.Tests = report.Tests{Generated: max(len(r.Suite), s.Tests.Generated), RuntimeErrors: snap.Suite.RuntimeErrors,
		Diverged: snap.Suite.Diverged, Confirmed: s.Tests.Confirmed, OwnAlone: ownAlone(snap)}
	for _, t := range r.Suite {
		if t.Kept {
			r.Tests.Kept++
		}
	}
	r.Rows = labelRows(snap, r.Suite)
	r.Decisions = decisionRows(snap, r.Rows)
	r.Reword()
	addTried(r)
	r.Findings = findings(r.Suite, snap)
	for _, run := range snap.Runs {
		row := report.RunRow{Number: run.Number, Engine: run.Engine, Entry: run.Entry, Running: running &&
			run.End.IsZero(), Mode: string(run.Mode), Start: run.Start, Error: run.Error}
		if run.Stats != nil {
			row.Paths, row.Instructions, row.Complete, row.Seconds = run.Stats.Paths, run.Stats.Instructions,
				run.Stats.Complete, round(run.Stats.Seconds)
		}
		r.Runs = append(r.Runs, row)
	}
	return r, nil
}

// sources are the files that labels stand in, as they are found from here.
func sources(snap *store.Snapshot) []report.Source {
	var out []report.Source
	seen := map[string]bool{}
	for _, l := range snap.Labels {
		name := l.Position.File
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		path, err := filepath.Abs(name)
		if err != nil {
			path = name
		}
		out = append(out, report.Source{Name: name, Path: path})
	}
	slices.SortFunc(out, func(a, b report.Source) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func labelRows(snap *store.Snapshot, tests []report.TestRow) []report.LabelRow {
	names := map[uint64]string{}
	for _, t := range snap.Tests {
		names[t.Number] = t.Name
	}
	covering := map[label.ID][]string{}
	for _, t := range tests {
		if t.Kept {
			for _, id := range t.Hits {
				covering[id] = append(covering[id], t.Name)
			}
		}
	}
	rows := make([]report.LabelRow, 0, len(snap.Labels))
	for _, l := range snap.Labels {
		r := report.LabelRow{Label: l.Label, Status: l.Status, Covered: l.Status == label.Covered, Test: names[l.Test],
			Tests: covering[l.ID]}
		if l.Reason != nil {
			r.Method, r.Reason, r.Seconds = l.Reason.Method, l.Reason.Text, l.Reason.Seconds
		}
		if l.Relation != nil {
			r.Of = &l.Relation.Of
		}
		rows = append(rows, r)
	}
	return rows
}

// addTried says of each unknown label which entries of its function were tried,
// and what each leaves out.
func addTried(r *report.Result) {
	type function struct{ file, name string }
	tried := map[function][]string{}
	for _, f := range r.Functions {
		for _, e := range f.Entries {
			text := e.Name
			switch {
			case e.Reason != "":
				text += ": left out, " + e.Reason
			case len(e.Narrowed) > 0:
				text += ": not within " + strings.Join(e.Narrowed, ", ")
			}
			if e.Complete {
				text += " (every path was seen)"
			}
			k := function{f.File, f.Name}
			tried[k] = append(tried[k], text)
		}
	}
	for i, row := range r.Rows {
		if row.Status == label.Unknown {
			r.Rows[i].Tried = tried[function{row.Position.File, row.Function}]
		}
	}
}

func testRows(dir string, snap *store.Snapshot) []report.TestRow {
	cases := ctests.Places(filepath.Join(layout{dir}.tests(), "c"))
	clock := elapsed(snap)
	rows := make([]report.TestRow, 0, len(snap.Tests))
	for _, t := range snap.Tests {
		v := t.Verdict
		r := report.TestRow{Name: t.Name, Entry: t.Entry, File: t.File, SHA256: t.Sum,
			Engine: t.Engine, Outcome: v.Outcome,
			Reason: v.Reason, Hits: v.Hits, Given: t.Given,
			Seconds: v.Duration.Seconds(), Kept: !t.Dropped && v.Outcome == label.Normal && exists(t.File)}
		if r.Kept {
			r.C, r.Case = cases[t.Name].File, cases[t.Name].Function
		}
		if !t.At.IsZero() {
			r.Elapsed = round(clock(t.At).Seconds())
		}
		rows = append(rows, r)
	}
	return rows
}

// pause is how long nothing happens between two sessions of a campaign, at least.
const pause = 2 * time.Minute

// elapsed tells the time of a campaign: from its first test or engine on, without
// the pauses between sessions.
func elapsed(snap *store.Snapshot) func(time.Time) time.Duration {
	var events []time.Time
	for _, t := range snap.Tests {
		events = append(events, t.At)
	}
	for _, r := range snap.Runs {
		events = append(events, r.Start, r.End)
	}
	events = slices.DeleteFunc(events, time.Time.IsZero)
	slices.SortFunc(events, time.Time.Compare)
	at := map[time.Time]time.Duration{}
	var now time.Duration
	for i, e := range events {
		if i > 0 {
			gap := e.Sub(events[i-1])
			busy := slices.ContainsFunc(snap.Runs, func(r store.Run) bool {
				return r.Start.Before(e) && !r.End.Before(e)
			})
			if gap < pause || busy {
				now += gap
			}
		}
		at[e] = now
	}
	return func(t time.Time) time.Duration { return at[t] }
}
