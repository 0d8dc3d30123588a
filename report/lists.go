package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"klabel/label"
)

// Verification is what a replay of a kept suite shows.
type Verification struct {
	Tests     int `json:"tests"`     // replayed
	Covered   int `json:"covered"`   // labels that the store says are
	Confirmed int `json:"confirmed"` // of those
	// Elsewhere counts the labels that nothing confirms but the project's own
	// tests, which are not run.
	Elsewhere int        `json:"elsewhere,omitempty"`
	Open      []label.ID `json:"open,omitempty"`
	Late      []label.ID `json:"late,omitempty"`     // their tests did not end in time: nothing is known
	Problems  []string   `json:"problems,omitempty"` // tests that cannot be replayed
}

// Verifications are the formats of a verification.
var Verifications = Formats[Verification]{
	{"text", ".txt", "a line", textOf(verificationText)},
	{"json", ".json", "an object", jsonOf[Verification]()},
}

func verificationText(w io.Writer, v Verification, o Options) error {
	for _, p := range v.Problems {
		test, problem, _ := strings.Cut(p, ": ")
		fmt.Fprintln(w, Wrapped(test+": ", problem, o.width()))
	}
	_, err := fmt.Fprintf(w, "%d of %d covered labels confirmed by %d tests\n", v.Confirmed, v.Covered, v.Tests)
	if v.Elsewhere > 0 {
		_, err = fmt.Fprintf(w, "%d are covered by the project's own tests alone, of 'klabel run --existing-run'\n",
			v.Elsewhere)
	}
	return err
}

// Tool is what is known of one tool.
type Tool struct {
	Tool    string `json:"tool"`
	Purpose string `json:"purpose"`
	Needed  bool   `json:"needed"` // klabel's main job does not work without it
	OK      bool   `json:"ok"`     // found and usable
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"`
	Note    string `json:"note,omitempty"`
	Install string `json:"install,omitempty"` // only when there is something to do
}

// Tools are the formats of what is known of tools.
var Tools = Formats[[]Tool]{
	{"text", ".txt", "a table", textOf(toolsText)},
	{"json", ".json", "a list of objects", jsonOf[[]Tool]()},
}

func toolsText(to io.Writer, tools []Tool, o Options) error {
	name, version := 0, 0
	for _, f := range tools {
		name, version = max(name, len(f.Tool)), max(version, len(f.Version))
	}
	for _, f := range tools {
		state := "ok"
		switch {
		case !f.OK && f.Needed:
			state = "MISSING"
		case !f.OK:
			state = "absent"
		}
		about := []string{f.Purpose, f.Path, f.Note}
		if !f.OK && f.Install != "" {
			about = append(about, "install: "+f.Install)
		}
		about = slices.DeleteFunc(about, func(s string) bool { return s == "" })
		head := fmt.Sprintf("%-7s  %-*s  %-*s  ", state, name, f.Tool, version, f.Version)
		if _, err := fmt.Fprintln(to, Wrapped(head, strings.Join(about, "\n"), o.width())); err != nil {
			return err
		}
	}
	return nil
}

// Criterion is a coverage criterion as people choose it.
type Criterion struct {
	Name    string
	Tag     string // in labels, where it is not the name
	Meaning string
	Example string
	Of      string // the criterion that includes it
}

// Criteria are the formats of a list of criteria.
var Criteria = Formats[[]Criterion]{
	{"text", ".txt", "a table", textOf(criteriaText)},
	{"json", ".json", "a list of objects", jsonOf[[]Criterion]()},
}

func criteriaText(to io.Writer, list []Criterion, o Options) error {
	name := 0
	for _, c := range list {
		name = max(name, len(c.Name))
	}
	for _, c := range list {
		about := c.Meaning
		if c.Example != "" {
			about += "\ne.g. " + c.Example
		}
		if _, err := fmt.Fprintln(to, Wrapped(fmt.Sprintf("%-*s  ", name, c.Name), about, o.width())); err != nil {
			return err
		}
	}
	return nil
}
