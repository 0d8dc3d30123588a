package drivers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// Variant is a way of giving a function what it works on.
type Variant uint8

// The variants, in the order in which they are worth a try.
const (
	Arguments Variant = iota // its parameters alone
	State                    // the variables, too, that it and its callees read and someone writes
	Room                     // much more memory behind pointers than numbers of items tell
	Calls                    // objects that the unit's own functions make, and change, before the call
	Sequences                // the same, by more functions, one of them called many times
	Failing                  // the same, and an allocation of the function's fails
	Sharing                  // pointers that lead to the same: aliases, back links, cycles
	Wider                    // more items and characters, one pointer deeper
	Widest                   // still more
)

// Variants lists them all.
var Variants = []Variant{Arguments, State, Room, Calls, Sequences, Failing, Sharing, Wider, Widest}

var variantNames = [...]string{Arguments: "", State: "+state", Room: "+room", Calls: "+calls", Sequences: "+sequences",
	Failing: "+failing", Sharing: "+sharing", Wider: "+wider", Widest: "+widest"}

// String is what follows the function in an entry's name: "+state".
func (v Variant) String() string { return variantNames[v] }

// ParseVariant reads "state" or "+state"; "" is Arguments.
func ParseVariant(s string) (Variant, error) {
	var names []string
	for _, v := range Variants {
		name := strings.TrimPrefix(v.String(), "+")
		if strings.TrimPrefix(s, "+") == name {
			return v, nil
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return 0, &RelationError{Relation: "--variant " + s, Reason: "want one of " + strings.Join(names, ", ")}
}

// Want asks for an entry.
type Want struct {
	Function string // or FILE:NAME
	Variant  Variant
	Number   int // of the entry, 1 or more
	// Options are what is wished for this entry alone, in place of the unit's;
	// nil for the unit's. Stubs and Defined always are the unit's.
	Options *Options
}

// Entry is a way into a unit: a C function without parameters and results
// that builds the inputs of a function and calls it.
type Entry struct {
	Number   int
	Name     string // the function with its variant: "push+state"
	Function string
	Variant  Variant
	Symbol   string // the C function
	Inputs   *input.Driver
	// Narrowed says what the entry leaves out of all that a caller can give to
	// the function, or do before the call, in words to be read after "not
	// within: ".
	Narrowed []string
	// Memory are functions that give it and never fail, where the variant is another
	// than Failing. Engines may know better: those that follow what happens if one does.
	Memory []string
	// Remembers are variables in which labels note where the program's own were set, and
	// which the function finds as calls before it have left them. What speaks of none of
	// them does not depend on them: nothing else reads them.
	Remembers []string
	// Assumed are the assumptions that narrow it by the user's wish.
	Assumed []string

	text, probe string
}

// LeftOut is an entry that was wanted and is not there.
type LeftOut struct {
	Function string
	Variant  Variant
	Number   int
	Reason   string
	Err      error // what the reason says, nil for an entry that was dropped
	// Nothing says that the variant adds nothing to those before it: no loss,
	// and nothing that people want to read of.
	Nothing bool
}

// nothingNew is why a variant adds nothing to those before.
type nothingNew struct{ reason string }

func (e *nothingNew) Error() string { return e.reason }

// Unit holds the entries of a unit and what they share.
type Unit struct {
	Entries  []Entry
	LeftOut  []LeftOut
	Warnings []string      // for the user, a line each
	Lacks    []string      // functions and variables that the unit mentions and nobody defines
	Stubs    []*input.Call // those of them that stubs stand for

	shared *shared
}

// ForUnit writes entries for functions of a unit. What all of them need is
// there once: declarations, helpers, stubs for what nobody defines. An entry
// that cannot be written is left out with its reason. Relations among the
// unit's options concern those entries that have such inputs. The error is for
// what concerns all of them: stubs, or relations, that fit none. Without wants
// the result still defines what the unit lacks.
func ForUnit(u *csource.Unit, o Options, wants []Want) (*Unit, error) {
	s := newShared(u, o)
	s.alone = len(wants) == 1
	d := &Unit{shared: s}
	var found []Want
	var functions []*csource.Function
	for _, w := range wants {
		_, fn, err := Find([]*csource.Unit{u}, w.Function)
		if err != nil {
			d.leave(w, err)
			continue
		}
		found, functions = append(found, w), append(functions, fn)
	}
	// How deep pointers are followed is each entry's matter, and the stubs'.
	needed := slices.Clone(functions)
	for i, w := range found {
		needed = append(needed, s.preparers(functions[i], w.Variant)...)
	}
	if len(o.Defined) > 0 { // entries of other files may come here
		for _, f := range u.Functions() {
			if !f.Static && !f.Origin.System {
				needed = append(needed, f)
			}
		}
	}
	if err := s.complete(found, functions, needed); err != nil {
		return nil, err
	}
	for i, w := range found {
		e, err := s.entry(functions[i], w)
		if err != nil {
			d.leave(w, err)
			continue
		}
		d.Entries = append(d.Entries, e)
	}
	if err := newRelations(&o).unused(s.stubValues, s.stubRel.used); err != nil && len(d.Entries) > 1 {
		return nil, err
	}
	d.Warnings, d.Lacks = s.warnings, s.nowhere
	for _, st := range s.stubbed {
		if !st.replaces {
			d.Stubs = append(d.Stubs, st.call)
		}
	}
	return d, nil
}

// Lacking lists the functions that the unit's own functions and variables mention and,
// as far as the unit and Options.Defined tell, nobody defines.
func Lacking(u *csource.Unit, o Options) (names []string) {
	s := newShared(u, o)
	for _, d := range s.an.rest(reach{}) {
		if _, ok := d.Type().(*cc.FunctionType); ok && s.lacks(d) {
			names = append(names, d.Name())
		}
	}
	return names
}

// StandIns defines what the unit lacks and its functions mention, for a program that
// runs from its own main: a stub returns symbolic values. The unit has no entry.
func StandIns(u *csource.Unit, o Options) (*Unit, error) {
	s := newShared(u, o)
	delete(s.renames, "main")
	var own []*csource.Function
	for _, f := range u.Functions() {
		if !f.Origin.System {
			own = append(own, f)
		}
	}
	if err := s.complete(nil, nil, own); err != nil {
		return nil, err
	}
	return &Unit{shared: s, Warnings: s.warnings}, nil
}

func (d *Unit) leave(w Want, err error) {
	reason := err.Error()
	var te *TypeError
	if errors.As(err, &te) {
		reason = fmt.Sprintf("%s has type %s, %s", te.Name, te.Type, te.Reason)
	}
	var nothing *nothingNew
	d.LeftOut = append(d.LeftOut, LeftOut{Function: w.Function, Variant: w.Variant, Number: w.Number, Reason: reason,
		Err:     err,
		Nothing: errors.As(err, &nothing)})
}

// Drop takes an entry out, such as one that does not compile.
func (d *Unit) Drop(number int, reason string) {
	for i, e := range d.Entries {
		if e.Number == number {
			d.Entries = slices.Delete(d.Entries, i, i+1)
			d.LeftOut = append(d.LeftOut, LeftOut{Function: e.Function, Variant: e.Variant, Number: number,
				Reason: reason})
			return
		}
	}
}

var place = regexp.MustCompile(`driver (\d+) of `)

// placeOf is the file that line markers name for an entry.
func placeOf(number int, function string) string {
	return fmt.Sprintf("driver %d of %s", number, function)
}

// Blame lists the entries that a compiler's message names as places.
func Blame(message string) []int {
	var out []int
	for _, m := range place.FindAllStringSubmatch(message, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Text is the C to append to the unit.
func (d *Unit) Text() string {
	var entries strings.Builder
	for _, e := range d.Entries {
		entries.WriteString(e.text)
	}
	return d.shared.program(entries.String())
}

// Apply returns the unit's text with what is shared and all entries appended.
// A main function of the unit's own, and functions that a stub replaces, get
// another name where they are defined. The unit may hold labels. Where there is nothing
// to append or to rename it is the unit's own text.
func (d *Unit) Apply(u *csource.Unit) []byte {
	if len(d.Entries) == 0 && d.shared.text.Len() == 0 && len(d.shared.renames) == 0 {
		return u.Text
	}
	return d.shared.apply(u, d.Text())
}

// alone is a program of one entry, from its C.
func (d *Unit) alone(symbol, text string) string {
	return d.shared.program(text) + fmt.Sprintf(own+"int main(void)\n{\n    %s();\n"+
		"    return 0;\n}\n", symbol)
}

// Probe returns a program that builds the inputs of an entry and does not call
// the function: it fails the assertion ProbeMessage on every path that has an
// input. When an engine explores all of it and reports no such failure, the
// relations contradict each other.
func (d *Unit) Probe(u *csource.Unit, e Entry) []byte {
	return d.shared.apply(u, d.alone(e.Symbol, e.probe))
}

// apply appends text to the unit and renames what must give way.
func (s *shared) apply(u *csource.Unit, text string) []byte {
	e := u.Edits()
	if to, ok := s.renames["main"]; ok {
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			switch x := n.(type) {
			case *cc.Declarator:
				if _, isFunc := x.Type().(*cc.FunctionType); isFunc && x.Name() == "main" {
					if s, ok := u.Span(x.NameTok()); ok {
						e.Replace(s, to)
					}
				}
			case *cc.PrimaryExpression:
				if x.Case == cc.PrimaryExpressionIdent && x.Token.SrcStr() == "main" {
					if s, ok := u.Span(x); ok {
						e.Replace(s, to)
					}
				}
			}
			return true
		})
	}
	for from, to := range s.renames {
		def := u.Function(from)
		if from == "main" || def == nil {
			continue
		}
		at, ok := u.Span(def.Def.Declarator.NameTok())
		if !ok {
			continue
		}
		// Calls keep the name: they need a declaration where the definition was.
		head := csource.NormalizeSpace(u.Text[def.Span.Start:def.Body.Start])
		e.Insert(def.Span.Start, head+"; ")
		e.Replace(at, to)
	}
	out := e.Apply()
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return append(out, text...)
}
