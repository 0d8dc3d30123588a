package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"klabel/disk"
	"klabel/label"
)

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

//go:embed page/page.js
var pageJS string

// testsShown bounds the tests that the page names for one label.
const testsShown = 12

// runsShown bounds the runs of engines that the page lists.
const runsShown = 12

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// htmlPage writes one page that needs nothing else: no network, no other file.
func htmlPage(w io.Writer, r *Result, o Options) error { return writePage(w, r, o, false) }

// LivePage is the page for a server, which answers data.json with PageData of
// the result as it is then, and events with server-sent events: a message
// whenever something has changed, the event "end" at the end.
func LivePage(w io.Writer, r *Result, o Options) error { return writePage(w, r, o, true) }

func writePage(w io.Writer, r *Result, o Options, live bool) error {
	n := r.Labels
	err := pageTemplate.Execute(w, struct {
		Title, Plain string
		Live         bool
		Style        template.CSS
		Script       template.JS
		Data         any
	}{r.title(), fmt.Sprintf("%d of %d feasible labels are covered (%s), %d infeasible.", n.Covered,
		n.Total-n.Infeasible, r.Ratios.Feasible, n.Infeasible),
		live, template.CSS(pageCSS), template.JS(pageJS), PageData(r, o)})
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// title names what was tested: a program of several files is more than its first.
func (r *Result) title() string {
	files := 0
	for _, s := range r.Sources {
		if filepath.Ext(s.Name) == ".c" {
			files++
		}
	}
	switch {
	case files == 2:
		return r.Program + " and another file"
	case files > 2:
		return fmt.Sprintf("%s and %d more files", r.Program, files-1)
	}
	return r.Program
}

// The data of the page, small: texts that repeat are numbers into Strings.
type (
	pageData struct {
		Summary   pageSummary    `json:"summary"`
		Criteria  []pageCount    `json:"criteria"`
		Files     []pageFile     `json:"files"`
		Functions []pageFunction `json:"functions"`
		Labels    [][]any        `json:"labels"` // id, file, line, column, status, criteria, predicate, function, reason, tests, more tests, tried, of, macro
		Tests     []pageTest     `json:"tests"`
		Decisions []pageDecision `json:"decisions,omitempty"`
		Findings  []pageFinding  `json:"findings"`
		Runs      []RunRow       `json:"runs,omitempty"` // the newest last
		Strings   []string       `json:"strings"`
	}
	pageSummary struct {
		Line   string   `json:"line"`
		Alerts []string `json:"alerts,omitempty"`
		Notes  []string `json:"notes,omitempty"`
	}
	pageCount struct {
		Name string `json:"name,omitempty"`
		Counts
	}
	pageFile struct {
		Name string    `json:"name"`
		Text string    `json:"text,omitempty"`
		N    pageCount `json:"n"`
	}
	pageFunction struct {
		Name    string     `json:"name"`
		File    int        `json:"file"`
		Line    int        `json:"line"`
		Static  bool       `json:"static,omitempty"`
		Status  string     `json:"status,omitempty"`
		Reason  string     `json:"reason,omitempty"`
		Tests   int        `json:"tests"`
		N       pageCount  `json:"n"`
		Entries []EntryRow `json:"entries,omitempty"`
	}
	pageTest struct {
		Name    string  `json:"name"`
		Entry   string  `json:"entry"`
		Engine  string  `json:"engine"`
		Outcome string  `json:"outcome"`
		Reason  string  `json:"reason"`
		Kept    bool    `json:"kept,omitempty"`
		Hits    int     `json:"hits"`
		First   int     `json:"first,omitempty"` // labels that it covered first
		At      float64 `json:"at,omitempty"`
		File    string  `json:"file"`
		C       string  `json:"c,omitempty"`
	}
	pageFinding struct {
		Place   string `json:"place"`
		Source  int    `json:"source"`
		Line    int    `json:"line"`
		Kind    string `json:"kind"`
		Message string `json:"message"`
		Test    string `json:"test"`
		Path    string `json:"path"`
		Count   int    `json:"count"`
		Doubt   string `json:"doubt,omitempty"`
	}
)

func (n *pageCount) add(s label.Status) {
	if s != label.Deselected {
		n.One(s)
	}
}

// stringTable gives strings numbers.
type stringTable struct {
	all []string
	at  map[string]int
}

func (t *stringTable) of(s string) int {
	i, ok := t.at[s]
	if !ok {
		i = len(t.all)
		t.at[s], t.all = i, append(t.all, s)
	}
	return i
}

// PageData is what the page shows, to be written as JSON.
func PageData(r *Result, o Options) any {
	d := &pageData{Criteria: []pageCount{}, Files: []pageFile{}, Functions: []pageFunction{}, Labels: [][]any{},
		Tests: []pageTest{}, Findings: []pageFinding{}}
	strs := &stringTable{at: map[string]int{}}
	strs.of("")
	d.Summary = pageSummaryOf(r)
	tests := d.addTests(r, o)
	files := map[string]int{}
	for _, f := range r.files() {
		files[f.Name] = len(d.Files)
		text := ""
		if b, err := disk.Read(f.Path); err == nil {
			text = strings.ReplaceAll(strings.ToValidUTF8(string(b), "\ufffd"), "\r\n", "\n")
		}
		name := o.relative(f)
		if filepath.IsAbs(name) {
			name = f.Name // as the run named it
		}
		d.Files = append(d.Files, pageFile{Name: name, Text: text})
	}
	functions := d.addFunctions(r, files)
	criteria := map[string]int{}
	criterion := func(name string) *pageCount {
		if _, ok := criteria[name]; !ok {
			criteria[name] = len(d.Criteria)
			d.Criteria = append(d.Criteria, pageCount{Name: name})
		}
		return &d.Criteria[criteria[name]]
	}
	vectors := vectorsOf(r.Decisions)
	for _, row := range r.Rows {
		file, ok := files[row.Position.File]
		if !ok {
			continue // deselected, in a file without others
		}
		names := row.Criteria()
		for _, c := range names {
			if !slices.Contains(vectors[row.ID], c) {
				criterion(c).add(row.Status)
			}
		}
		fn := functions[functionKey{row.Position.File, row.Function}]
		if row.own(vectors) { // of a row of a truth table its decision's conditions count
			d.Files[file].N.add(row.Status)
			d.Functions[fn].N.add(row.Status)
		}
		hitting := row.hitting()
		covering := []int{}
		for _, name := range hitting[:min(len(hitting), testsShown)] {
			if i, ok := tests[name]; ok {
				covering = append(covering, i)
			}
		}
		var tried []int
		for _, s := range row.Tried {
			tried = append(tried, strs.of(s))
		}
		reason := ""
		if row.Status != label.Covered {
			reason = row.Reason
			if row.Status == label.Deselected && reason == "" {
				reason = "nothing needs it"
			} else if row.Method != "" && row.Status != label.Unknown {
				reason = row.Method + ": " + reason
			}
		}
		d.Labels = append(d.Labels, []any{row.ID, file, row.Position.Line, row.Position.Column, uint8(row.Status),
			strs.of(strings.Join(names, " ")), row.asks(),
			fn, strs.of(reason), covering, max(0, len(hitting)-testsShown), tried, row.Of, strs.of(row.Position.Macro)})
	}
	for _, row := range r.Decisions {
		file, ok := files[row.Position.File]
		fn, ok2 := functions[functionKey{row.Position.File, row.Function}]
		for _, c := range row.Conditions {
			criterion(row.Criterion).add(c.Status)
			if ok && ok2 {
				d.Files[file].N.add(c.Status)
				d.Functions[fn].N.add(c.Status)
			}
		}
	}
	slices.SortFunc(d.Criteria, func(a, b pageCount) int { return strings.Compare(a.Name, b.Name) })
	d.Decisions = pageDecisions(r.Decisions, files)
	for _, f := range r.Findings {
		at, ok := files[f.File]
		if !ok {
			at = -1
		}
		d.Findings = append(d.Findings, pageFinding{f.place(o), at, f.Line, f.Kind, f.Message, f.Test, o.file(f.Path),
			f.Count, f.Doubt})
	}
	d.Strings = strs.all
	d.Runs = r.Runs[max(0, len(r.Runs)-runsShown):]
	return d
}

func pageSummaryOf(r *Result) pageSummary {
	s := pageSummary{Notes: r.Notes}
	parts := []string{fmt.Sprintf("%d tests kept of %d generated", r.Tests.Kept, r.Tests.Generated)}
	if how := r.Tests.howConfirmed(); how != "" {
		parts[0] += ", " + how
	}
	if r.Engine.Name != "" {
		parts = append(parts, fmt.Sprintf("%s %s, mode %s, %d paths", r.Engine.Name, r.Engine.Version, r.Engine.Mode,
			r.Engine.Paths))
	}
	if r.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("%.1f s", r.Seconds))
	}
	s.Line = strings.Join(parts, " · ")
	for _, c := range r.Contradictions {
		s.Alerts = append(s.Alerts, fmt.Sprintf("CONTRADICTION: label %s is covered by %s, and %s says: %s", c.Label,
			c.Test, c.Method, c.Reason))
	}
	if r.Interrupted {
		s.Alerts = append(s.Alerts, "The run was interrupted: this is what was found until then.")
	}
	if r.Failure != "" {
		s.Alerts = append(s.Alerts, "The run failed: "+r.Failure)
	}
	return s
}

func (d *pageData) addTests(r *Result, o Options) map[string]int {
	at := map[string]int{}
	first := map[string]int{}
	for _, row := range r.Rows {
		if row.Status == label.Covered {
			first[row.Test]++
		}
	}
	files := map[string]string{}
	for _, t := range r.Suite {
		at[t.Name] = len(d.Tests)
		p := pageTest{Name: t.Name, Entry: r.entryName(t.Entry), Engine: t.Engine, Outcome: string(t.Outcome),
			Reason: t.Reason, Kept: t.Kept,
			Hits: len(t.Hits), First: first[t.Name], At: t.Elapsed, File: o.file(t.File)}
		if t.C != "" {
			p.C = t.text(files)
		}
		d.Tests = append(d.Tests, p)
	}
	return at
}

type functionKey struct{ file, name string }

// addFunctions lists the functions: those of the result, then those that labels
// name besides.
func (d *pageData) addFunctions(r *Result, files map[string]int) map[functionKey]int {
	at := map[functionKey]int{}
	place := func(file string) int {
		if i, ok := files[file]; ok {
			return i
		}
		return -1
	}
	for _, f := range r.Functions {
		at[functionKey{f.File, f.Name}] = len(d.Functions)
		d.Functions = append(d.Functions, pageFunction{Name: f.Name, File: place(f.File), Line: f.Line,
			Static: f.Static, Status: string(f.Status), Reason: f.Reason,
			Tests: f.Tests.Kept, Entries: f.Entries})
	}
	tests := map[functionKey]map[string]bool{}
	for _, row := range r.Rows {
		k := functionKey{row.Position.File, row.Function}
		if _, ok := at[k]; !ok {
			at[k] = len(d.Functions)
			d.Functions = append(d.Functions, pageFunction{Name: row.Function, File: place(row.Position.File),
				Line: row.Position.Line, Status: string(Done)})
			tests[k] = map[string]bool{}
		}
		if tests[k] != nil {
			for _, t := range row.hitting() {
				tests[k][t] = true
			}
		}
	}
	for k, names := range tests {
		d.Functions[at[k]].Tests = len(names)
	}
	return at
}
