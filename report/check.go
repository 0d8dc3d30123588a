package report

import (
	"fmt"
	"io"
	"strings"

	"klabel/label"
)

// Checked is what klabel's measure of MC/DC and a compiler's say of the same C
// tests, decision by decision.
type Checked struct {
	Compiler  string     `json:"compiler"`
	Decisions []CheckRow `json:"decisions"`
	Agree     int        `json:"agree"`
	Explained int        `json:"explained"`
	Open      int        `json:"open"` // that differ, and nobody knows why
	// Second is what another compiler says.
	Second *Checked `json:"second,omitempty"`
}

// Count counts the decisions anew.
func (c *Checked) Count() {
	c.Agree, c.Explained, c.Open = 0, 0, 0
	for _, x := range c.Decisions {
		switch {
		case x.Agrees:
			c.Agree++
		case x.Why != "":
			c.Explained++
		default:
			c.Open++
		}
	}
}

// masks reports whether the compiler measures masking, each value of a condition by
// itself, as gcc does.
func (c *Checked) masks() bool { return strings.HasPrefix(c.Compiler, "gcc") }

// CheckRow is a decision. Klabel and Compiler have a letter a condition: T where
// two evaluations are seen between which nothing else changes, F where not; they
// are empty where there is no measure. With gcc: T where the condition is seen to decide
// when it is true and when it is false, t and f where one of them is seen, F where none.
type CheckRow struct {
	Position  label.Position `json:"position"`
	Function  string         `json:"function,omitempty"`
	Text      string         `json:"text,omitempty"`
	Criterion string         `json:"criterion,omitempty"`
	Covered   int            `json:"covered"` // conditions, under the campaign's criterion
	Klabel    string         `json:"klabel,omitempty"`
	Compiler  string         `json:"compiler,omitempty"`
	Agrees    bool           `json:"agrees"`
	Why       string         `json:"why,omitempty"` // the kind of difference, by name
}

// Checks are the formats of a check.
var Checks = Formats[Checked]{
	{"text", ".txt", "a table", textOf(checkText)},
	{"json", ".json", "an object", jsonOf[Checked]()},
}

func checkText(w io.Writer, c Checked, o Options) error {
	g := grid{columns: []column{{title: "decision", wrap: 20}, {title: "klabel"},
		{title: strings.Fields(c.Compiler + " compiler")[0]}, {title: "remark", wrap: 24}}}
	single := 0
	for _, r := range c.Decisions {
		why := r.Why
		if len(r.Klabel) == 1 && r.Compiler == "" && !o.All && !c.masks() {
			single++
			continue
		}
		if why == "" && !r.Agrees {
			why = "NOT EXPLAINED: one measure is wrong, or the tests as C do not do what the replays do"
		}
		g.add(o.position(r.Position)+" "+r.Text, orDash(r.Klabel), orDash(r.Compiler), why)
	}
	if err := g.render(w, o.width()); err != nil {
		return err
	}
	if single > 0 {
		entry(w, o.width(), "left out", "%d decisions with one condition, which clang does not measure", single)
	}
	entry(w, o.width(), "compiler", "%s", c.Compiler)
	entry(w, o.width(), "decisions", "%d: %d agree, %d differ for a reason, %d without", len(c.Decisions), c.Agree,
		c.Explained, c.Open)
	legend := "T: two evaluations show the condition, nothing else changing (unique cause)"
	if c.masks() {
		legend = "T: the condition decides when true and when false (masking); t, f: when true, false alone"
	}
	if _, err := fmt.Fprintln(w, legend); err != nil || c.Second == nil {
		return err
	}
	fmt.Fprintln(w)
	return checkText(w, *c.Second, o)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
