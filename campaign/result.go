package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"klabel/ctests"
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
		return nil, fmt.Errorf("%s is no output directory of klabel: no klabel.db in it", dir)
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
		Diverged: snap.Suite.Diverged, Confirmed: s.Tests.Confirmed}
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
			Reason: v.Reason, Hits: v.Hits,
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

// What a verdict's reason says of the place of an error.
var (
	failedAssertion = regexp.MustCompile(`^assertion failed: (.*) \((\S+):(\d+), (.*)\)$`)
	sanitized       = regexp.MustCompile(`^(?:Address|UndefinedBehavior)Sanitizer: (.*) at (\S+?):(\d+)(?::\d+)?$`)
	placed          = regexp.MustCompile(`^(.*) (?:at|in|\() ?(\S+?):(\d+)(?::\d+)?\)?$`)
)

// findings are the errors that tests show, each kind at each place once: those
// that end a test, and labels of RTE and FAIL that are reached without that.
func findings(tests []report.TestRow, snap *store.Snapshot) []report.Finding {
	at := map[report.Finding]int{}
	var out []report.Finding
	for _, t := range tests {
		outcome, reason := t.Outcome, t.Reason
		if rest, ok := strings.CutPrefix(reason, countedAll); ok {
			word, rest, _ := strings.Cut(rest, " ")
			outcome, reason = label.Outcome(word), rest
		}
		if !outcome.RuntimeError() || strings.HasPrefix(reason, unconfirmed) {
			continue // what only an engine says is nothing that a test shows
		}
		f := report.Finding{Kind: kinds[outcome], Message: reason}
		if m := failedAssertion.FindStringSubmatch(reason); m != nil {
			f.Kind, f.Message, f.File = "failed assertion", m[1], m[2]
			f.Line, _ = strconv.Atoi(m[3])
			if call, ok := strings.CutPrefix(f.Message, "oracle "); ok {
				f.Kind, f.Message = failedOracle, call
			}
		} else if m := sanitized.FindStringSubmatch(reason); m != nil {
			f.Message, f.File = m[1], m[2]
			f.Line, _ = strconv.Atoi(m[3])
			f.Kind, _, _ = strings.Cut(f.Message, ": ")
		} else if m := placed.FindStringSubmatch(reason); m != nil {
			f.Message, f.File = m[1], m[2]
			f.Line, _ = strconv.Atoi(m[3])
		}
		if f.File == "" { // the label that it was made for says where
			if i := slices.IndexFunc(snap.Labels, func(l store.LabelState) bool {
				return asksForError(l.Label) &&
					slices.Contains(t.Hits, l.ID)
			}); i >= 0 {
				l := snap.Labels[i]
				f.File, f.Line, f.Function = l.Position.File, l.Position.Line, l.Function
			}
		}
		key := report.Finding{File: f.File, Line: f.Line, Kind: f.Kind}
		if i, ok := at[key]; ok {
			out[i].Count++
			if doubt := doubtOf(t.Entry); out[i].Doubt != "" && doubt == "" { // a better witness
				out[i].Test, out[i].Path, out[i].Entry, out[i].Doubt = t.Name, t.File, t.Entry, ""
			}
			continue
		}
		at[key] = len(out)
		f.Test, f.Path, f.Entry, f.Count, f.Doubt = t.Name, t.File, t.Entry, 1, doubtOf(t.Entry)
		out = append(out, f)
	}
	out = append(out, reached(snap, tests, out)...)
	slices.SortStableFunc(out, func(a, b report.Finding) int {
		if (a.File == "") != (b.File == "") { // without a place: last
			return strings.Compare(b.File, a.File)
		}
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return out
}

// doubtOf says what makes a finding of an entry doubtful: what it sets may be a
// state that the program never gets into.
func doubtOf(entry string) string {
	switch _, variant, _ := strings.Cut(entry, "+"); variant {
	case "state":
		return "it sets variables freely, perhaps to a state that the program never gets into"
	case "sharing":
		return "it lets pointers share objects freely, perhaps as the program never does"
	}
	return ""
}

// reached are the labels of RTE and FAIL that tests satisfy at lines where no
// test was found to end in an error.
func reached(snap *store.Snapshot, tests []report.TestRow, found []report.Finding) []report.Finding {
	var out []report.Finding
	for _, l := range snap.Labels {
		known := slices.ContainsFunc(found, func(f report.Finding) bool {
			// What an oracle refuses is a finding of the function that it was asked about.
			oracle := f.Kind == failedOracle && strings.HasPrefix(f.Message, l.Function+"(")
			return oracle || filepath.Base(f.File) == filepath.Base(l.Position.File) && f.Line == l.Position.Line
		})
		meets := func(t report.TestRow) bool { return slices.Contains(t.Hits, l.ID) }
		i := slices.IndexFunc(tests, meets)
		// A line may fail in several ways: one of them is none of the other's.
		known = known && slices.ContainsFunc(tests, func(t report.TestRow) bool {
			return meets(t) && (t.Outcome.RuntimeError() || strings.HasPrefix(t.Reason, countedAll))
		})
		if l.Status != label.Covered || !asksForError(l.Label) || known || i < 0 {
			continue
		}
		t := tests[i]
		f := report.Finding{File: l.Position.File, Line: l.Position.Line, Function: l.Function,
			Kind: "reported failure", Test: t.Name, Path: t.File, Entry: t.Entry, Count: 1, Doubt: doubtOf(t.Entry)}
		if l.Predicate != "1" {
			f.Kind, f.Message = failureOf(l.Label), l.Predicate
		}
		out = append(out, f)
	}
	return out
}

// asksForError reports whether a label asks for an error.
func asksForError(l label.Label) bool {
	return slices.ContainsFunc(l.Criteria(), func(c string) bool { return c == "RTE" || c == "FAIL" })
}

// failureOf names what a label of RTE asks for.
func failureOf(l label.Label) string {
	for _, t := range l.Tags {
		if what, ok := failures[t]; ok {
			return what
		}
	}
	return "run-time error"
}

// failures are the kinds of labels of RTE, by their tags.
var failures = map[string]string{
	"RTE zero": "division by zero", "RTE overflow": "integer overflow", "RTE shift": "shift by too much",
	"RTE null": "null pointer", "RTE index": "index out of bounds", "RTE length": "more bytes than the array has",
}

// failedOracle is the kind of a result that the user's oracle refuses.
const failedOracle = "failed oracle"

// kinds names what went wrong where the reason does not.
var kinds = map[label.Outcome]string{
	label.Crashed: "crash", label.SanitizerErr: "sanitizer", label.Aborted: "abort", label.TimedOut: "timeout",
	label.OutOfMemory: "out of memory", label.ReportedErr: "reported error",
}
