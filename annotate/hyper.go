package annotate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"klabel/csource"
	"klabel/label"
	"klabel/objective"
)

// HyperFile is a .hyperlabels file of the user's.
type HyperFile struct {
	Path   string
	Labels []objective.Hyperlabel
}

// Hyper is a program in whose text labels stand for all that its hyperlabels speak
// of: sequences that come to their end, and labels with certain values of what
// they bind.
type Hyper struct {
	Texts      map[int][]byte       // of units that have changed
	Labels     []label.Label        // new ones
	Objectives []objective.Decision // one a hyperlabel
	Warnings   []string
	Next       label.ID
}

// HyperCriterion is what hyperlabels count for, and SequenceCriterion what a
// sequence counts for that no hyperlabel speaks of.
const (
	HyperCriterion    = objective.Hyper
	SequenceCriterion = "sequence"
)

// Hyperlabels writes what the user's hyperlabels speak of into the units as labels.
// What of a sequence is under way is remembered in a variable beside the program's
// own, a bit a member, so that its end is a label like any other: engines are led
// to it, replays confirm it, and what is under way when a run ends is forgotten.
// Bound values are truth values, as in LTest's replay, or integers.
// Labels that own does not know are the annotator's, of which hyperlabels do not
// speak. Numbers from first on are free.
func Hyperlabels(units []*csource.Unit, files []HyperFile, own func(label.ID) bool, first label.ID) (*Hyper, error) {
	h := &hyper{own: own, out: &Hyper{Texts: map[int][]byte{}}, next: first, members: map[label.ID]*sequence{},
		chains: map[string]*sequence{}, wanted: map[string]bool{}, given: map[string]label.ID{},
		terms: objective.Terms{Labels: map[label.ID]bool{}, Sequences: map[label.ID][]label.ID{},
			Chains: map[string][]label.ID{}, Bound: map[label.ID]objective.Binding{},
			Binds: map[label.ID][]string{}, Joint: map[string][]label.ID{}},
		at: map[label.ID]label.Label{}, in: map[label.ID][]int{}, integers: map[label.ID]bool{},
		joint: map[string]bool{}, met: map[label.ID]*remembered{}, asks: map[label.ID]label.ID{}}
	var errs []error
	for _, f := range files {
		for _, x := range f.Labels {
			for _, c := range x.Expr.Chains() {
				h.chain(c)
			}
		}
	}
	for i, u := range units {
		if err := h.find(i, u); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	h.bound(files)
	for i, u := range units {
		h.rewrite(i, u)
	}
	for _, f := range files {
		for _, x := range f.Labels {
			if err := h.objective(f.Path, x); err != nil {
				errs = append(errs, err)
			}
		}
	}
	h.unasked()
	h.incomplete()
	h.out.Next = h.next
	return h.out, errors.Join(errs...)
}

type hyper struct {
	out     *Hyper
	own     func(label.ID) bool
	next    label.ID
	members map[label.ID]*sequence // pc_label_sequence, by number
	chains  map[string]*sequence   // l1->l2 of the files, by text
	order   []*sequence
	wanted  map[string]bool     // names whose values are labels each
	given   map[string]label.ID // numbers of new labels, by place: headers come several times
	terms   objective.Terms
	at      map[label.ID]label.Label

	in       map[label.ID][]int // units that have a label
	integers map[label.ID]bool  // labels that bind some
	values   map[string][]objective.Value
	joint    map[string]bool // by key
	joints   []objective.Together
	met      map[label.ID]*remembered
	memories []label.ID            // of met, in order
	asks     map[label.ID]label.ID // labels with values: whose
}

// sequence is one of either kind.
type sequence struct {
	text   string // s3, l1->l2
	name   string // of the variable
	length int
	chain  []label.ID        // of a chain: its labels
	at     label.Position    // of its first member
	seen   uint64            // members that there are
	under  map[string]uint64 // by name: members behind which a condition of that name ends it
	units  []int
	ends   []label.ID
}

func (h *hyper) chain(e *objective.Expr) {
	text := e.String()
	if h.chains[text] != nil {
		return
	}
	s := &sequence{text: text, name: fmt.Sprintf("klb_chain_%d", len(h.chains)+1), length: len(e.Args)}
	for _, a := range e.Args {
		s.chain = append(s.chain, a.ID)
	}
	h.chains[text], h.order = s, append(h.order, s)
}

// find notes what labels and members a unit has.
func (h *hyper) find(i int, u *csource.Unit) error {
	calls, err := u.Labels()
	if err != nil {
		return err
	}
	var problems []csource.Warning
	for _, c := range calls {
		h.terms.Labels[c.ID] = h.own(c.ID)
		if _, ok := h.at[c.ID]; !ok {
			h.at[c.ID] = c.Label()
		}
		h.next = max(h.next, c.ID+1)
		for _, s := range h.order {
			for k, id := range s.chain {
				if id == c.ID && h.own(id) {
					s.meet(i, k+1, c.Position)
				}
			}
		}
		if !slices.Contains(h.in[c.ID], i) {
			h.in[c.ID] = append(h.in[c.ID], i)
		}
		for _, b := range c.Bound {
			if !slices.Contains(h.terms.Binds[c.ID], b.Name) {
				h.terms.Binds[c.ID] = append(h.terms.Binds[c.ID], b.Name)
			}
			h.integers[c.ID] = h.integers[c.ID] || b.Integer
		}
	}
	for _, c := range u.Sequences() {
		if c.Kind != csource.Sequence {
			continue
		}
		s := h.members[c.ID]
		if s == nil {
			s = &sequence{text: "s" + c.ID.String(), name: "klb_sequence_" + c.ID.String(), length: c.Length,
				under: map[string]uint64{}}
			h.members[c.ID], h.order = s, append(h.order, s)
		}
		if s.length != c.Length {
			problems = append(problems, csource.Warning{Position: c.Position, Message: fmt.Sprintf(
				"sequence %d has %d members here and %d at %s", c.ID, c.Length, s.length, s.at)})
		}
		s.meet(i, c.Member, c.Position)
		if c.Member < c.Length {
			s.under[c.Name] |= 1 << (c.Member - 1)
		}
	}
	if len(problems) > 0 {
		return &csource.LabelError{Problems: problems}
	}
	return nil
}

func (s *sequence) meet(unit, member int, at label.Position) {
	if s.at.Line == 0 || member == 1 {
		s.at = at
	}
	s.seen |= 1 << (member - 1)
	if !slices.Contains(s.units, unit) {
		s.units = append(s.units, unit)
	}
}

// names are those bound by a label whose values are labels each.
func (h *hyper) names(c csource.LabelCall) (out []csource.Bound) {
	for _, b := range c.Bound {
		if h.wanted[b.Name] {
			out = append(out, b)
		}
	}
	return out
}

// objective is a hyperlabel over the labels that there are now.
func (h *hyper) objective(path string, x objective.Hyperlabel) error {
	for id, s := range h.members {
		h.terms.Sequences[id] = s.ends
	}
	for text, s := range h.chains {
		h.terms.Chains[text] = s.ends
	}
	low, err := h.terms.Lower(x.Expr)
	if err != nil {
		return fmt.Errorf("%s: hyperlabel %s: %w", path, x.ID, err)
	}
	d := objective.Decision{Criterion: HyperCriterion, Text: cmp.Or(x.Note, "hyperlabel "+x.ID.String()), Hyper: true}
	for _, id := range involved(x.Expr, low) {
		if l := h.at[id]; d.Position.Line == 0 && l.Position.Line > 0 {
			d.Position, d.Function = l.Position, l.Function
		}
		d.Vectors = append(d.Vectors, objective.Vector{Label: id})
	}
	d.Conditions = []objective.Condition{{Text: x.Expr.String(), At: d.Position, Pairs: low, Written: &x}}
	h.out.Objectives = append(h.out.Objectives, d)
	return nil
}

// involved are the labels of an expression, as written and as it is now.
func involved(es ...*objective.Expr) (out []label.ID) {
	for _, e := range es {
		out = append(out, e.Labels()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// incomplete warns of sequences that lack a member: nothing covers them.
func (h *hyper) incomplete() {
	for _, s := range h.order {
		for k := range s.length {
			if s.seen>>k&1 == 0 && s.seen != 0 && s.chain == nil {
				h.out.Warnings = append(h.out.Warnings, fmt.Sprintf(
					"%s: sequence %s has no member %d of %d: nothing covers it", s.at, s.text, k+1, s.length))
			}
		}
	}
}
