package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"

	"klabel/csource"
	"klabel/label"
	"klabel/linkage"
)

// What an entry can do is decided by the text of its driver and of all functions
// and variables that it may reach, by what stands around functions in their units
// (types, prototypes, variables), by the labels, and by a few wishes. The sum of
// these names the entry's work: where it is the same as before, a test shows
// the same, and exploring it again finds nothing else.
//
// A function is taken as it is preprocessed, without the labels: their numbers
// change with every label before them. Lines count as far as the program
// knows of them (__LINE__).

// texts are what sums are made of.
type texts struct {
	prog    *program
	image   *image
	around  []string                   // of each unit: sum of what stands around its functions
	body    map[linkage.Place][]byte   // of the program's functions
	written []map[string]bool          // what drivers wrote, by unit
	labels  map[linkage.Place][]string // of functions
	always  []linkage.Place            // functions that run before any entry
	sums    map[linkage.Place]string   // of what one function or variable adds, the same for each entry
}

// sumsOf returns the sum of each entry of an image, by name. wishes is what counts
// for all of them.
func (p *program) sumsOf(im *image, wishes string, j *Job) map[string]string {
	t := &texts{prog: p, image: im, body: map[linkage.Place][]byte{}, labels: map[linkage.Place][]string{},
		sums: map[linkage.Place]string{}}
	byID := map[label.ID]label.Label{}
	for _, l := range p.labels {
		byID[l.ID] = l
	}
	for at, ids := range p.byPlace {
		for _, id := range ids {
			l := byID[id]
			t.labels[at] = append(t.labels[at], fmt.Sprintf("%q %q", l.Predicate, l.Tags))
		}
	}
	for i := range im.units {
		t.unit(i)
	}
	graph := linkage.CallsOf(im.units)
	out := map[string]string{}
	for _, e := range im.entries {
		h := sha256.New()
		fmt.Fprintf(h, "%s\n%s %d\n", wishes, e.name, len(p.modules))
		if e.ownMain() || len(p.modules) > 0 {
			fmt.Fprintln(h, p.hash) // all that there is may matter
		}
		if w, err := wishOf(j, e.target); err == nil {
			fmt.Fprintln(h, w)
		}
		t.add(h, graph, e)
		out[e.name] = hex.EncodeToString(h.Sum(nil))
	}
	return out
}

// wishOf is what a job wants of one function.
func wishOf(j *Job, target string) (string, error) {
	if j.Adapt == nil || target == "" {
		return "", nil
	}
	w, err := j.Adapt(target)
	return fmt.Sprintf("%+v", w), err
}

// unit reads one unit.
func (t *texts) unit(i int) {
	u := t.prog.plain[i]
	known := map[string]bool{}
	for _, f := range u.Functions() {
		known[f.Name] = true
		if f.Origin.System {
			continue
		}
		t.body[linkage.Place{Unit: i, Name: f.Name}] = settled(u.Text[f.Span.Start:f.Span.End])
		if bytes.Contains(u.Text[f.Span.Start:f.Span.End], []byte("constructor")) {
			t.always = append(t.always, linkage.Place{Unit: i, Name: f.Name})
		}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %q\n", u.Path, u.Flags.Language())
	h.Write(settled(outside(u, 0)))
	// What drivers have added, variables and prototypes.
	im := t.image.units[i]
	t.written = append(t.written, map[string]bool{})
	for _, f := range im.Functions() {
		if !known[f.Name] {
			t.written[i][f.Name] = true
		}
	}
	if at := bytes.LastIndex(im.Text, []byte("\n# 1 \"shared by the drivers\"")); at >= 0 {
		h.Write(settled(outside(im, at)))
	}
	t.around = append(t.around, hex.EncodeToString(h.Sum(nil)))
}

// outside is the text of a unit from a place on without the functions that it
// defines; those of system headers stay.
func outside(u *csource.Unit, from int) []byte {
	var out []byte
	for _, f := range u.Functions() {
		if f.Origin.System || f.Span.Start < from {
			continue
		}
		out = append(append(out, u.Text[from:f.Span.Start]...), '\n')
		from = f.Span.End
	}
	return append(out, u.Text[from:]...)
}

// add writes all that an entry may reach.
func (t *texts) add(h interface{ Write([]byte) (int, error) }, graph *linkage.Calls, e entry) {
	symbol := e.symbol
	if symbol == "" {
		symbol = "main"
	}
	reached := graph.From(append([]linkage.Place{{Unit: e.unit, Name: symbol}}, t.always...)...)
	units := map[int]bool{}
	sums := make([]string, 0, len(reached))
	for _, at := range reached {
		units[at.Unit] = true
		sums = append(sums, t.sum(at.Place, e))
	}
	for i, sum := range t.around {
		if units[i] {
			fmt.Fprintf(h, "unit %d %s\n", i, sum)
		}
	}
	slices.Sort(sums)
	for _, sum := range sums {
		fmt.Fprintln(h, sum)
	}
}

// sum is that of one function or variable that an entry may reach: its text, and labels.
func (t *texts) sum(at linkage.Place, e entry) string {
	if known, ok := t.sums[at]; ok {
		return known
	}
	name, ofEntry := t.plainName(at, e), false
	text := t.body[linkage.Place{Unit: at.Unit, Name: name}]
	if t.written[at.Unit][at.Name] && text == nil {
		f := t.image.units[at.Unit].Function(at.Name)
		text = settled(t.image.units[at.Unit].Text[f.Span.Start:f.Span.End])
		if ofEntry = bytes.Contains(text, []byte("klabel_entry_")); ofEntry && e.symbol != "" {
			text = bytes.ReplaceAll(text, []byte(e.symbol), []byte("klabel_entry"))
		}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %d %q\n", at.Unit, name, len(text), t.labels[linkage.Place{Unit: at.Unit, Name: name}])
	h.Write(text)
	sum := hex.EncodeToString(h.Sum(nil))
	if !ofEntry {
		t.sums[at] = sum
	}
	return sum
}

// plainName is what a function of an image is called in every image.
func (t *texts) plainName(at linkage.Place, e entry) string {
	switch at.Name {
	case e.symbol:
		return "klabel_entry"
	case linkage.MainOf(at.Unit), "klabel_program_main":
		return "main"
	}
	return at.Name
}

var marker = regexp.MustCompile(`^\s*#\s*(line\s+)?\d`)

// settled is text without what no compiler cares for: line markers and white space
// around lines.
func settled(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' && marker.Match(line) {
			continue
		}
		out = append(append(out, line...), '\n')
	}
	return out
}
