package annotate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"klabel/csource"
	"klabel/label"
	"klabel/objective"
)

// remembered is a label whose bound values a variable keeps for the labels that
// stand together with it.
type remembered struct {
	name  string // of the variable that says that the label was met
	names []string
	units []int
}

// bound plans what guards ask of bound values. Truth values, and sets of integers
// where two labels or more take part, are labels each. Where integers take part, one
// label more says that the guard holds: of this label alone, or of the values here
// and those that the other label bound earlier in the run.
func (h *hyper) bound(files []HyperFile) {
	var guards [][]objective.Guard
	for _, f := range files {
		for _, x := range f.Labels {
			for _, t := range h.terms.Together(x.Expr) {
				guards = append(guards, t.Guard)
				integers := slices.ContainsFunc(t.IDs, func(id label.ID) bool { return h.integers[id] })
				if integers && len(t.IDs) <= 2 {
					h.join(t)
				}
				if integers && len(t.IDs) == 1 {
					continue
				}
				for _, n := range objective.Names(t.Guard) {
					h.wanted[n] = true
				}
			}
		}
	}
	h.values = objective.Integers(guards)
}

// join notes labels that stand together.
func (h *hyper) join(t objective.Together) {
	if _, have := h.joint[t.Key()]; have || len(t.IDs) == 0 {
		return
	}
	h.joint[t.Key()], h.joints = true, append(h.joints, t)
	if len(t.IDs) == 1 {
		return
	}
	for k, id := range t.IDs {
		m := h.met[id]
		if m == nil {
			m = &remembered{name: "klb_met_" + id.String(), units: slices.Clone(h.in[id])}
			h.met[id], h.memories = m, append(h.memories, id)
		}
		for _, g := range t.Guard {
			for _, n := range []string{g.Left, g.Right} {
				if slices.Contains(h.terms.Binds[id], n) && !slices.Contains(m.names, n) {
					m.names = append(m.names, n)
				}
			}
		}
		for _, u := range h.in[t.IDs[1-k]] { // where it is read
			if !slices.Contains(m.units, u) {
				m.units = append(m.units, u)
			}
		}
	}
}

// choices writes a label for each choice of values of what a label binds.
func (h *hyper) choices(b *strings.Builder, u *csource.Unit, c csource.LabelCall) {
	names := h.names(c)
	if len(names) == 0 {
		return
	}
	bind := objective.Binding{}
	choices := 1
	for _, n := range names {
		values := objective.Truths
		if n.Integer {
			values = h.values[n.Name]
		}
		bind.Names, bind.Values = append(bind.Names, n.Name), append(bind.Values, values)
		if choices *= len(values); choices > objective.MaxValues {
			return
		}
	}
	for v := range choices {
		pred, rest := "("+c.Predicate+")", v
		for k, n := range names {
			value := bind.Values[k][rest%len(bind.Values[k])]
			rest /= len(bind.Values[k])
			if has := hasValue(u, n, value); has != "" {
				pred += " && " + has
			}
		}
		bind.With = append(bind.With, h.withValues(b, c, pred))
	}
	h.terms.Bound[c.ID] = bind
}

// withValues writes a label that asks for certain values of what another binds.
func (h *hyper) withValues(b *strings.Builder, c csource.LabelCall, pred string) label.ID {
	id := h.fresh(b, c, pred, strings.Join(append(slices.Clone(c.Tags), "with values"), " "))
	h.asks[id] = c.ID
	return id
}

// unasked are labels with values that no way to make a hyperlabel true needs: they
// belong to it all the same, so that they count for nothing by themselves.
func (h *hyper) unasked() {
	for i := range h.out.Objectives {
		for _, v := range h.out.Objectives[i].Vectors {
			delete(h.asks, v.Label)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(h.asks)) {
		for i := range h.out.Objectives {
			o := &h.out.Objectives[i]
			if slices.ContainsFunc(o.Vectors, func(v objective.Vector) bool { return v.Label == h.asks[id] }) {
				o.Vectors = append(o.Vectors, objective.Vector{Label: id})
				break
			}
		}
	}
}

// hasValue is the predicate that an expression has a value of a set; "" if it
// cannot but have one.
func hasValue(u *csource.Unit, b csource.Bound, v objective.Value) string {
	text := valueOf(u, b)
	switch {
	case !b.Integer && v.Low == 0:
		return "!" + strings.TrimPrefix(text, "!!")
	case !b.Integer:
		return text
	case v.Low == v.High:
		return text + " == " + literal(v.Low)
	}
	var parts []string
	if v.Low != math.MinInt64 {
		parts = append(parts, text+" >= "+literal(v.Low))
	}
	if v.High != math.MaxInt64 {
		parts = append(parts, text+" <= "+literal(v.High))
	}
	return strings.Join(parts, " && ")
}

// valueOf is what a name is bound to, in C.
func valueOf(u *csource.Unit, b csource.Bound) string {
	text := csource.NormalizeSpace(u.Text[b.Value.Start:b.Value.End])
	if b.Integer {
		return "(long long)(" + text + ")"
	}
	return "!!(" + text + ")"
}

// literal is an integer in C.
func literal(n int64) string {
	switch {
	case n == math.MinInt64:
		return "(-9223372036854775807LL - 1)"
	case n < 0:
		return fmt.Sprintf("(%dLL)", n)
	case n > math.MaxInt32:
		return fmt.Sprintf("%dLL", n)
	}
	return fmt.Sprint(n)
}

// together writes the labels that hold where a guard does, and remembers what the
// label binds for the other one.
func (h *hyper) together(b *strings.Builder, u *csource.Unit, c csource.LabelCall) {
	for _, t := range h.joints {
		if !slices.Contains(t.IDs, c.ID) {
			continue
		}
		pred := "(" + c.Predicate + ")"
		for _, id := range t.IDs {
			if id != c.ID {
				pred = h.met[id].name + " && " + pred
			}
		}
		for _, g := range t.Guard {
			pred += " && " + h.operand(u, c, t, g.Left) + " " + g.Op + " " + h.operand(u, c, t, g.Right)
		}
		id := h.withValues(b, c, pred)
		if key := t.Key(); !slices.Contains(h.terms.Joint[key], id) {
			h.terms.Joint[key] = append(h.terms.Joint[key], id)
		}
	}
	m := h.met[c.ID]
	if m == nil {
		return
	}
	pred := "(" + c.Predicate + ")"
	if g := u.Guard(c.PredExpr, nil); g != "" {
		pred = "(" + g + ") && " + pred
	}
	set := m.name + " = 1u; "
	for _, n := range c.Bound {
		if !slices.Contains(m.names, n.Name) {
			continue
		}
		if g := u.Guard(n.Expr, nil); g != "" {
			pred += " && (" + g + ")"
		}
		set += fmt.Sprintf("%s_%s = %s; ", m.name, n.Name, valueOf(u, n))
	}
	fmt.Fprintf(b, "if (%s) { %s} ", pred, set)
}

// operand of a guard, at a label of those that stand together.
func (h *hyper) operand(u *csource.Unit, c csource.LabelCall, t objective.Together, name string) string {
	if n, ok := objective.Constant(name); ok {
		return literal(n)
	}
	for _, b := range c.Bound {
		if b.Name == name {
			return valueOf(u, b)
		}
	}
	for _, id := range t.IDs {
		if slices.Contains(h.terms.Binds[id], name) {
			return h.met[id].name + "_" + name
		}
	}
	return "0" // Lower refuses such a guard
}

// declared are the variables of a unit that remember.
func (m *remembered) declared(unit int) string {
	kind := "extern "
	switch {
	case !slices.Contains(m.units, unit):
		return ""
	case len(m.units) == 1:
		kind = "static "
	case m.units[0] == unit:
		kind = ""
	}
	text := fmt.Sprintf("%sunsigned %s; ", kind, m.name)
	for _, n := range m.names {
		text += fmt.Sprintf("%slong long %s_%s; ", kind, m.name, n)
	}
	return text
}
