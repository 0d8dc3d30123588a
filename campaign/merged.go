package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"klabel/csource"
	"klabel/label"
	"klabel/objective"
)

// gather collects the labels of all units; what is wrong with any of them is
// one error.
func (p *program) gather() error {
	calls, err := csource.AllLabels(p.units...)
	if err != nil {
		return err
	}
	for _, c := range calls {
		l := c.Label()
		if as, ok := p.placed[l.ID]; ok {
			l.Position, l.Words = as.Position, as.Words
		}
		p.labels = append(p.labels, l)
		p.maxID = max(p.maxID, l.ID)
	}
	p.shared = map[label.ID]bool{}
	seen := map[label.ID]bool{}
	for _, u := range p.units {
		own, err := u.Labels()
		if err != nil {
			return err
		}
		for _, c := range own {
			p.shared[c.ID] = seen[c.ID]
			seen[c.ID] = true
		}
		for _, w := range u.LabelWarnings() {
			p.warnings = append(p.warnings, w.String())
		}
		if bytes.Contains(u.Text, []byte("__VERIFIER_")) || bytes.Contains(u.Text, []byte("reach_error")) {
			p.verifier = true
		}
	}
	for id, twice := range p.shared {
		if twice {
			delete(p.constant, id) // it may be so in one unit alone
		}
	}
	label.Sort(p.labels)
	p.decisions = slices.DeleteFunc(p.decisions, func(d objective.Decision) bool { // of a copy that has other numbers
		return slices.ContainsFunc(d.Labels(), func(id label.ID) bool { _, there := p.shared[id]; return !there })
	})
	return p.ofModules()
}

// sum identifies what decides the program's behaviour: text and flags, and what
// was asked of its entries. Where klabel's own headers lie does not; nor does
// which of the entries have been needed so far.
func (p *program) sum(headers string, j *Job) string {
	h := sha256.New()
	for _, u := range p.units {
		text := bytes.ReplaceAll(u.Text, []byte(headers), nil)
		fmt.Fprintf(h, "%d %q\n", len(text), u.Flags.Language())
		h.Write(text)
	}
	for _, m := range p.modules {
		fmt.Fprintf(h, "bitcode %d\n", len(m.text))
		h.Write(m.text)
	}
	if p.joining != nil { // tests of such entries may be there
		fmt.Fprint(h, p.joining.driver)
	}
	if j.Function != "" || j.AllFunctions {
		fmt.Fprintf(h, "%+v", j.Driver)
		for _, t := range p.asked {
			fmt.Fprintf(h, "%s", t.name)
			if j.Adapt == nil {
				continue
			}
			if w, err := j.Adapt(t.name); err == nil {
				fmt.Fprintf(h, "%+v", w)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
