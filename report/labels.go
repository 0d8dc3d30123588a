package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"klabel/disk"
	"klabel/label"
)

// LabelList is a choice of labels.
type LabelList struct {
	Rows   []LabelRow
	Of     int     // labels that there are; 0: these
	Ratios *Ratios // of all of them; nil: nothing is known of any
}

// Filter chooses labels. Its zero value takes all.
type Filter struct {
	Status    []label.Status
	Criteria  []string
	Functions []string
}

// List is the choice among the labels of a result.
func (f Filter) List(rows []LabelRow) LabelList {
	out := LabelList{Rows: []LabelRow{}, Of: len(rows)}
	for _, r := range rows {
		if f.takes(r) {
			out.Rows = append(out.Rows, r)
		}
	}
	return out
}

func (f Filter) takes(r LabelRow) bool {
	if len(f.Status) > 0 && !slices.Contains(f.Status, r.Status) || len(f.Functions) > 0 &&
		!slices.Contains(f.Functions, r.Function) {
		return false
	}
	for _, c := range r.Criteria() {
		if len(f.Criteria) == 0 || slices.ContainsFunc(f.Criteria,
			func(name string) bool { return strings.EqualFold(name, c) }) {
			return true
		}
	}
	return false
}

// labelsText is a table, with the reasons below it: many labels share one.
func labelsText(w io.Writer, l LabelList, o Options) error {
	g := grid{columns: []column{number("label"), {title: "status"}, {title: "criteria", wrap: 8},
		{title: "position", wrap: 20, whole: true},
		{title: "predicate", wrap: 12}, {title: "test, note", wrap: 10}}}
	var notes []string
	for _, r := range l.Rows {
		why := r.Test
		if reason := r.reason(); reason != "" && r.Status != label.Covered {
			i := slices.Index(notes, reason)
			if i < 0 {
				i = len(notes)
				notes = append(notes, reason)
			}
			why = fmt.Sprintf("note %d", i+1)
		}
		g.add(r.ID, r.Status, strings.Join(r.Tags, ", "), o.position(r.Position), r.asks(), why)
	}
	if err := g.render(w, o.width()); err != nil {
		return err
	}
	for i, n := range notes {
		entry(w, o.width(), fmt.Sprintf("note %d", i+1), "%s", n)
	}
	if l.Of > len(l.Rows) {
		entry(w, o.width(), "shown", "%d of %d labels", len(l.Rows), l.Of)
	}
	if l.Ratios != nil && l.Ratios.All.Defined() {
		entry(w, o.width(), "ratios", "%s", *l.Ratios)
	}
	return nil
}

// reason says why the label has its status, and by what.
func (r LabelRow) reason() string {
	text := r.Reason
	if r.Method != "" && text != "" && r.Status != label.Unknown {
		text = r.Method + ": " + text
	}
	if r.Of != nil && (r.Status == label.Duplicate || r.Status == label.Subsumed) {
		text += fmt.Sprintf(" (%s: label %s)", r.Status, *r.Of)
	}
	return strings.TrimSpace(text)
}

func labelsJSON(w io.Writer, l LabelList, _ Options) error {
	if l.Rows == nil {
		l.Rows = []LabelRow{}
	}
	return Encode(w, l.Rows)
}

// labelsFile writes the status file of LTest and its relatives.
func labelsFile(w io.Writer, l LabelList, _ Options) error {
	out := make([]label.Row, len(l.Rows))
	for i, r := range l.Rows {
		out[i] = label.RowOf(r.Label, r.Status, "klabel")
		out[i].Drivers = r.Test
	}
	return label.WriteFile(w, out)
}

// Detail is one label of a result, to be shown with all that is known of it.
type Detail struct {
	Result *Result
	Row    LabelRow
}

// Detail finds a label by its number.
func (r *Result) Detail(id label.ID) (Detail, error) {
	for _, row := range r.Rows {
		if row.ID == id {
			return Detail{r, row}, nil
		}
	}
	return Detail{}, fmt.Errorf("unknown label %s: want a number of 'klabel labels'", id)
}

// Details are the formats of one label.
var Details = Formats[Detail]{
	{"text", ".txt", "what is known of it, with its source", textOf(detailText)},
	{"json", ".json", "an object", textOf(func(w io.Writer, d Detail, _ Options) error { return Encode(w, d.Row) })},
}

// around is the number of source lines shown before and after a label's.
const around = 3

func detailText(w io.Writer, d Detail, o Options) error {
	r, width := d.Row, o.width()
	entry(w, width, "label", "%s, %s", r.ID, r.Status)
	entry(w, width, "criteria", "%s", strings.Join(r.Tags, ", "))
	place := o.position(r.Position)
	if r.Position.Macro != "" {
		place += ", in the macro " + r.Position.Macro
	}
	if r.Function != "" {
		place += ", function " + r.Function
	}
	entry(w, width, "position", "%s", place)
	entry(w, width, "predicate", "%s", r.asks())
	if r.Words != "" {
		entry(w, width, "written", "%s", r.Predicate)
	}
	if reason := r.reason(); reason != "" {
		entry(w, width, map[bool]string{true: "proof", false: "reason"}[r.Method != "" && r.Status == label.Infeasible],
			"%s", reason)
	}
	for _, t := range r.Tried {
		entry(w, width, "tried", "%s", t)
	}
	if len(r.Tests) > 0 {
		entry(w, width, "tests", "%s", strings.Join(r.Tests, ", "))
	} else if r.Test != "" {
		entry(w, width, "test", "%s (not kept)", r.Test)
	}
	if lines := d.Result.lines(r.Position.File); r.Position.Line > 0 && r.Position.Line <= len(lines) {
		fmt.Fprintln(w)
		for n := max(1, r.Position.Line-around); n <= min(len(lines), r.Position.Line+around); n++ {
			mark := " "
			if n == r.Position.Line {
				mark = ">"
			}
			fmt.Fprintf(w, "%s%5d  %s\n", mark, n, lines[n-1])
		}
	}
	for _, name := range r.Tests {
		if file, text := d.Result.testText(name); text != "" {
			_, err := fmt.Fprintf(w, "\n%s:\n%s", file, text)
			return err // one shows how
		}
	}
	return nil
}

// lines is the text of a source file; nil where it cannot be read.
func (r *Result) lines(name string) []string {
	for _, s := range r.Sources {
		if s.Name != name {
			continue
		}
		b, err := disk.Read(s.Path)
		if err != nil {
			return nil
		}
		return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n"), "\n")
	}
	return nil
}

// testText is a test as C and its file, "" where there is none.
func (r *Result) testText(name string) (file, text string) {
	for _, t := range r.Suite {
		if t.Name == name && t.C != "" {
			return t.C, t.text(map[string]string{})
		}
	}
	return "", ""
}

// text cuts the test's function out of its file; files keeps what was read.
func (t TestRow) text(files map[string]string) string {
	all, ok := files[t.C]
	if !ok {
		b, err := disk.Read(t.C)
		if err != nil {
			return ""
		}
		all = string(b)
		files[t.C] = all
	}
	// Its comment begins with its name; what follows depends on the style, and on
	// the project's formatter.
	at := strings.Index(all, "/* "+t.Name+".")
	if at < 0 {
		return ""
	}
	end := strings.Index(all[at:], "\n}\n")
	if end < 0 {
		return ""
	}
	return all[at : at+end+3]
}
