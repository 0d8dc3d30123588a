package campaign

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/instrument"
	"klabel/label"
	"klabel/report"
	"klabel/store"
)

// What a verdict's reason says of the place of an error.
var (
	failedAssertion = regexp.MustCompile(`^assertion failed: (.*) \(([^()]+?):(\d+), (.*)\)$`)
	reported        = regexp.MustCompile(`^(.*) \(([^()]+?):(\d+), (\S+)\)$`) // by klee_report_error
	sanitized       = regexp.MustCompile(`^(?:Address|UndefinedBehavior)Sanitizer: (.*) at (.+?):(\d+)(?::\d+)?$`)
	placed          = regexp.MustCompile(`^(.*?)(?: at ([^()]+?)| \(([^()]+?)| in ([^()]+?)):(\d+)(?::\d+)?\)?$`)
)

// findings are the errors that tests show, each kind at each place once: those
// that end a test, and labels of RTE and FAIL that are reached without that.
func findings(tests []report.TestRow, snap *store.Snapshot) []report.Finding {
	type place struct {
		file string
		line int
		kind string
	}
	at := map[place]int{}
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
		} else if m := reported.FindStringSubmatch(reason); m != nil && outcome == label.ReportedErr {
			f.Message, f.File = m[1], m[2]
			f.Line, _ = strconv.Atoi(m[3])
			if endless(reason) {
				f.Kind, f.Message = "endless loop", ""
			}
		} else if m := sanitized.FindStringSubmatch(reason); m != nil {
			f.Message, f.File = m[1], m[2]
			f.Line, _ = strconv.Atoi(m[3])
			f.Kind, _, _ = strings.Cut(f.Message, ": ")
		} else if m, ok := strings.CutPrefix(reason, "AddressSanitizer: "); ok { // of a place without a line
			f.Message = m
			f.Kind, _, _ = strings.Cut(m, ": ")
		} else if m := placed.FindStringSubmatch(reason); m != nil {
			f.Message, f.File = m[1], cmp.Or(m[2], m[3], m[4])
			f.Line, _ = strconv.Atoi(m[5])
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
		key := place{f.File, f.Line, f.Kind}
		shownBy(&f, t)
		if i, ok := at[key]; ok {
			n := out[i].Count + 1
			if out[i].Doubt != "" && f.Doubt == "" { // a better witness
				out[i] = f
			}
			out[i].Count = n
			continue
		}
		at[key] = len(out)
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
			Kind: "reported failure"}
		if l.Predicate != "1" {
			f.Kind, f.Message = failureOf(l.Label), l.Predicate
		}
		shownBy(&f, t)
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

// endless reports whether a failing run's reason is a loop that nothing ends, as instrument reports it.
func endless(reason string) bool { return strings.HasSuffix(reason, ", "+instrument.EndlessSuffix+")") }

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
