package drivers

import (
	"klabel/csource"
	"klabel/input"
)

// Driver is a program that calls one function: a unit with one entry, and a
// main function that runs it.
type Driver struct {
	// Text is C to append to the unit. Use Apply, which also renames a main
	// function that the unit has.
	Text string
	// Inputs describes the objects of a test.
	Inputs *input.Driver
	// Warnings are remarks for the user, a line each.
	Warnings []string

	unit *Unit
}

// ProbeMessage is the assertion that a probe fails.
const ProbeMessage = "klabel: an input exists"

// Generate writes a driver for Options.Function, which the unit defines.
func Generate(u *csource.Unit, o Options) (*Driver, error) {
	d, err := ForUnit(u, o, []Want{{Function: o.Function, Variant: o.Variant, Number: 1}})
	if err != nil {
		return nil, err
	}
	if len(d.LeftOut) > 0 {
		return nil, d.LeftOut[0].Err
	}
	e := d.Entries[0]
	return &Driver{Text: d.alone(e.Symbol, e.text), Inputs: e.Inputs, Warnings: d.Warnings, unit: d}, nil
}

// Apply returns the unit's text with the driver appended; see Unit.Apply.
func (d *Driver) Apply(u *csource.Unit) []byte { return d.unit.shared.apply(u, d.Text) }

// Guesses returns what tells of each function of a unit the relations that Generate takes for granted: which integers
// tell the number of items of which pointers.
func Guesses(u *csource.Unit) func(f *csource.Function) []Relation {
	s := &shared{unit: u, an: newAnalysis(u), said: said{names: map[string]bool{}},
		mentioned: map[string]map[string]use{}}
	return func(f *csource.Function) (out []Relation) {
		b := &builder{shared: s, fn: f, local: map[string]bool{}, o: Options{MaxArray: DefaultMaxArray}}
		b.uses = b.usesOf(f)
		b.rel = newRelations(&b.o)
		params := b.params()
		b.guessCounts(params)
		for _, p := range params {
			if n := b.rel.counts[p.name]; n != "" && !b.rel.upTo[p.name] { // no option says the latter
				out = append(out, Relation{p.name, n})
			}
		}
		return out
	}
}
