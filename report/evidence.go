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

// Evidence is what shows the conditions of a program: for a review, and for
// programs that keep such things.
type Evidence struct {
	Program   string            `json:"program"`
	Tools     []UsedTool        `json:"tools"`
	Sources   []EvidenceSource  `json:"sources"`
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
		if text, err := disk.Read(s.Path); err != nil {
			e.Notes = append(e.Notes, s.Name+" is not there any more")
		} else if digest(string(text)) != s.SHA256 {
			e.Notes = append(e.Notes, s.Name+" is not what was tested: it has changed, or its hash is not known")
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

func evidenceJSON(w io.Writer, r *Result, _ Options) error { return Encode(w, r.evidence()) }

// evidenceMarkdown is the same for a person, with a place to sign.
func evidenceMarkdown(w io.Writer, r *Result, o Options) error {
	e := r.evidence()
	fmt.Fprintf(w, "# MC/DC evidence: %s\n\n", e.Program)
	for _, c := range e.Criteria {
		fmt.Fprintf(w, "**%s**: of %d conditions in %d decisions, %d are shown by a pair of tests, %d are proved to "+
			"have no pair, %d are open.\n\n", c.Name, c.Conditions, c.Decisions, c.Covered, c.Infeasible, c.Unknown)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(w, "**Note**: %s.\n\n", n)
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
		tables[1].g.add(s.Name, s.SHA256)
	}
	for _, t := range e.Tests {
		tables[2].g.add(t.Name, t.Entry, t.C, t.SHA256)
	}
	for _, t := range tables {
		fmt.Fprintf(w, "## %s\n\n", t.title)
		if err := t.g.markdown(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
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
	fmt.Fprintf(w, "### %d. %s %s\n\n", d.Number, o.position(d.Position), d.Function)
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
