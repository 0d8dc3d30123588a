package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"klabel/disk"
	"klabel/label"
)

// UsedTool is a program that a result rests on.
type UsedTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Compiled is what the tested program was made of beside the sources, and how.
type Compiled struct {
	Replay  []string `json:"replay_flags"` // of all files, in the program that confirms tests
	Units   []Unit   `json:"units"`
	Headers []Header `json:"headers"`
}

// Unit is a file that was compiled.
type Unit struct {
	Name    string   `json:"name"`
	Path    string   `json:"path"` // where it is read, absolute
	SHA256  string   `json:"sha256,omitempty"`
	Flags   []string `json:"flags"`
	Headers []string `json:"headers,omitempty"` // by name, in the order of their first use
}

// Header is a file that units include.
type Header struct {
	Name   string `json:"name"`
	Path   string `json:"path"` // where it is read, absolute
	SHA256 string `json:"sha256,omitempty"`
	System bool   `json:"system,omitempty"`
}

// Evidence is what shows the conditions of a program: for a review, and for
// programs that keep such things.
type Evidence struct {
	Program   string            `json:"program"`
	Tools     []UsedTool        `json:"tools"`
	Sources   []EvidenceSource  `json:"sources"`
	Compiled  *Compiled         `json:"compiled,omitempty"`
	Criteria  []CriterionCounts `json:"criteria"`
	Tests     []EvidenceTest    `json:"tests"` // those that the pairs name
	Decisions []DecisionRow     `json:"decisions"`
	Notes     []string          `json:"notes,omitempty"` // what makes the evidence void, in part or whole
}

// EvidenceSource is a file with decisions, as it was when it was tested.
type EvidenceSource struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"`
}

// EvidenceTest is a test that a pair names.
type EvidenceTest struct {
	Name   string `json:"name"`
	Entry  string `json:"entry,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	C      string `json:"c_case,omitempty"`
}

func (r *Result) evidence() Evidence {
	e := Evidence{Program: r.Program, Tools: append([]UsedTool{}, r.Tools...), Sources: []EvidenceSource{},
		Criteria: []CriterionCounts{}, Tests: []EvidenceTest{}, Decisions: []DecisionRow{}}
	for _, d := range r.Decisions {
		if !d.Hyper {
			e.Decisions = append(e.Decisions, d)
		}
	}
	if r.Engine.Name != "" {
		e.Tools = append(e.Tools, UsedTool{"engine " + r.Engine.Name, r.Engine.Version})
	}
	for _, c := range r.Criteria {
		if c.Decisions > 0 {
			e.Criteria = append(e.Criteria, c)
		}
	}
	named := map[string]bool{}
	files := map[string]bool{}
	for _, d := range e.Decisions {
		files[d.Position.File] = true
		for _, c := range d.Conditions {
			if c.Pair != nil {
				named[c.Pair.True.Test], named[c.Pair.False.Test] = true, true
			}
		}
	}
	for _, s := range r.Sources {
		if !files[s.Name] {
			continue
		}
		e.Sources = append(e.Sources, EvidenceSource{s.Name, s.SHA256})
		e.changed(s.Name, s.Path, s.SHA256)
	}
	if e.Compiled = r.Compiled; r.Compiled != nil {
		for _, u := range r.Compiled.Units {
			if !files[u.Name] {
				e.changed(u.Name, u.Path, u.SHA256)
			}
		}
		for _, h := range r.Compiled.Headers {
			if !files[h.Name] {
				e.changed(h.Name, h.Path, h.SHA256)
			}
		}
	}
	for _, t := range r.Suite {
		if named[t.Name] {
			e.Tests = append(e.Tests, EvidenceTest{t.Name, t.Entry, t.SHA256, t.Case})
			if !t.Kept {
				e.Notes = append(e.Notes, t.Name+" is not in the suite any more: run again")
			}
		}
	}
	for _, c := range r.Contradictions {
		e.Notes = append(e.Notes, fmt.Sprintf("CONTRADICTION: label %s is covered by %s, and %s says: %s", c.Label,
			c.Test, c.Method, c.Reason))
	}
	if len(e.Decisions) == 0 {
		e.Notes = append(e.Notes, "there are no decisions: klabel run with --criteria MCDC")
	}
	return e
}

// changed notes that a file is no longer what was tested.
func (e *Evidence) changed(name, path, sum string) {
	if text, err := disk.Read(path); err != nil {
		e.Notes = append(e.Notes, name+" is not there any more")
	} else if digest(string(text)) != sum {
		e.Notes = append(e.Notes, name+" is not what was tested: it has changed, or its hash is not known")
	}
}

// tables of a compiled program.
func (c *Compiled) markdown(w io.Writer) error {
	units := grid{columns: []column{{title: "file"}, {title: "options"}, {title: "SHA-256"}}}
	for _, u := range c.Units {
		units.add(plainMarkdown(u.Name), strings.Join(u.Flags, " "), u.SHA256)
	}
	headers := grid{columns: []column{{title: "file"}, {title: "of the system"}, {title: "SHA-256"}}}
	for _, h := range c.Headers {
		headers.add(plainMarkdown(h.Name), map[bool]string{true: "yes"}[h.System], h.SHA256)
	}
	fmt.Fprintf(w, "## Compiled files\n\nThe program that confirms tests is compiled with `%s` before the options of "+
		"each file.\n\n", strings.Join(c.Replay, " "))
	if err := units.markdown(w); err != nil {
		return err
	}
	fmt.Fprint(w, "\n## Headers, as they were read\n\n")
	if err := headers.markdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func evidenceJSON(w io.Writer, r *Result, _ Options) error { return Encode(w, r.evidence()) }

// evidenceMarkdown is the same for a person, with a place to sign.
func evidenceMarkdown(w io.Writer, r *Result, o Options) error {
	e := r.evidence()
	fmt.Fprintf(w, "# MC/DC evidence: %s\n\n", plainMarkdown(e.Program))
	for _, c := range e.Criteria {
		fmt.Fprintf(w, "**%s**: of %d conditions in %d decisions, %d are shown by a pair of tests, %d are proved to "+
			"have no pair, %d are open.\n\n", c.Name, c.Conditions, c.Decisions, c.Covered, c.Infeasible, c.Unknown)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(w, "**Note**: %s.\n\n", plainMarkdown(n))
	}
	tables := []struct {
		title string
		g     grid
	}{{"Tools", grid{columns: []column{{title: "tool"}, {title: "version"}}}},
		{"Sources, as they were tested", grid{columns: []column{{title: "file"}, {title: "SHA-256"}}}},
		{"Tests", grid{columns: []column{{title: "test"}, {title: "entry"}, {title: "as C"}, {title: "SHA-256"}}}}}
	for _, t := range e.Tools {
		tables[0].g.add(t.Name, t.Version)
	}
	for _, s := range e.Sources {
		tables[1].g.add(plainMarkdown(s.Name), s.SHA256)
	}
	for _, t := range e.Tests {
		tables[2].g.add(plainMarkdown(t.Name), plainMarkdown(t.Entry), plainMarkdown(t.C), t.SHA256)
	}
	for _, t := range tables {
		fmt.Fprintf(w, "## %s\n\n", t.title)
		if err := t.g.markdown(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if e.Compiled != nil {
		if err := e.Compiled.markdown(w); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "## Decisions\n\nA letter a condition, in their order: T, F, and - where it is not evaluated.\n\n")
	for _, d := range e.Decisions {
		if err := d.markdown(w, o); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(w, "| reviewed by | date | signature |\n|---|---|---|\n|  |  |  |\n")
	return err
}

func (d DecisionRow) markdown(w io.Writer, o Options) error {
	fmt.Fprintf(w, "### %d. %s %s\n\n", d.Number, plainMarkdown(o.position(d.Position)), d.Function)
	fmt.Fprintf(w, "`%s` (%s)\n\n", strings.ReplaceAll(d.Text, "`", "'"), d.Criterion)
	if d.Note != "" {
		fmt.Fprintf(w, "%s.\n\n", d.Note)
	}
	g := grid{columns: []column{{title: "condition"}, {title: "is true in"}, {title: "is false in"}, {title: "status"},
		{title: "why"}}}
	for _, c := range d.Conditions {
		yes, no := "", ""
		if c.Pair != nil {
			yes, no = c.Pair.True.sentence(), c.Pair.False.sentence()
		}
		status := map[label.Status]string{label.Covered: "shown", label.Infeasible: "no pair exists"}[c.Status]
		if status == "" {
			status = "OPEN"
		}
		g.add("`"+strings.ReplaceAll(c.Text, "`", "'")+"`", yes, no, status, c.Reason)
	}
	if err := g.markdown(w); err != nil {
		return err
	}
	if i := slices.IndexFunc(d.Vectors, func(v VectorRow) bool { return v.Status == label.Infeasible }); i >= 0 {
		fmt.Fprintln(w)
		for _, v := range d.Vectors {
			if v.Status == label.Infeasible {
				fmt.Fprintf(w, "- %s cannot be: %s\n", v.Values, v.Reason)
			}
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}
