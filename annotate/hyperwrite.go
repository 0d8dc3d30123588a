package annotate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"klabel/csource"
	"klabel/label"
)

// rewrite puts the new labels, and what remembers, into a unit.
func (h *hyper) rewrite(i int, u *csource.Unit) {
	e := u.Edits()
	calls, _ := u.Labels() // find has said what is wrong with them
	for _, c := range calls {
		if text := h.around(u, c); text != "" {
			put(e, c, text)
		}
	}
	used := map[*sequence]bool{}
	for _, c := range u.Sequences() {
		if c.Kind == csource.Condition {
			put(e, c, h.ending(u, c, used))
			continue
		}
		s := h.members[c.ID]
		put(e, c, h.member(u, c, s, c.Member))
	}
	if e.Len() == 0 {
		return
	}
	var head strings.Builder
	for _, s := range h.order {
		switch {
		case !slices.Contains(s.units, i) && !used[s]:
		case len(s.units) == 1 && s.units[0] == i:
			fmt.Fprintf(&head, "static unsigned %s; ", s.name)
		case s.units[0] == i:
			fmt.Fprintf(&head, "unsigned %s; ", s.name)
		default:
			fmt.Fprintf(&head, "extern unsigned %s; ", s.name)
		}
	}
	for _, id := range h.memories {
		head.WriteString(h.met[id].declared(i))
	}
	body := e.Apply()
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\n"), []byte("#")) {
		head.WriteByte('\n')
	}
	h.out.Texts[i] = append([]byte(head.String()), body...)
}

// put writes statements in place of a call.
func put(e *csource.Edits, c csource.LabelCall, text string) {
	switch {
	case c.Statement:
		e.Replace(c.Stmt, "{ "+text+"}")
	default:
		e.Replace(c.Call, "({ "+text+"(void)0; })")
	}
}

// around is a label with what is asked of it besides; "" for what stays as it is.
// The end of a chain is looked at before its label starts it anew.
func (h *hyper) around(u *csource.Unit, c csource.LabelCall) string {
	var b strings.Builder
	h.choices(&b, u, c)
	h.together(&b, u, c)
	for _, s := range h.order {
		for k, id := range slices.Backward(s.chain) {
			if id == c.ID && h.own(id) {
				b.WriteString(h.member(u, c, s, k+1))
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	own := string(u.Text[c.Call.Start:c.Call.End])
	if strings.ContainsAny(own, "\n#") {
		own = fmt.Sprintf("cov_label(%s, %s, %q)", c.Predicate, c.ID, strings.Join(c.Tags, ","))
	}
	return own + "; " + b.String()
}

// member is what a member of a sequence does: the last one is a label, the others
// note that the run has come so far.
func (h *hyper) member(u *csource.Unit, c csource.LabelCall, s *sequence, k int) string {
	if k == s.length {
		pred := "(" + c.Predicate + ")"
		if k > 1 {
			pred = fmt.Sprintf("(%s >> %d & 1u) && %s", s.name, k-2, pred)
		}
		var b strings.Builder
		id := h.fresh(&b, c, pred, SequenceCriterion+" "+s.text)
		if !slices.Contains(s.ends, id) {
			s.ends = append(s.ends, id)
		}
		return b.String()
	}
	pred := "(" + c.Predicate + ")"
	if g := u.Guard(c.PredExpr, nil); g != "" {
		pred = "(" + g + ") && " + pred
	}
	if k > 1 {
		pred = fmt.Sprintf("(%s >> %d & 1u) && %s", s.name, k-2, pred)
	}
	return fmt.Sprintf("if (%s) %s |= %du; ", pred, s.name, uint32(1)<<(k-1))
}

// ending forgets what a condition that does not hold ends.
func (h *hyper) ending(u *csource.Unit, c csource.LabelCall, used map[*sequence]bool) string {
	var b strings.Builder
	for _, s := range h.order {
		if m := s.under[c.Name]; m != 0 {
			used[s] = true
			fmt.Fprintf(&b, "%s &= ~%du; ", s.name, m)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	pred := "(" + c.Predicate + ")"
	if g := u.Guard(c.PredExpr, nil); g != "" { // what cannot be evaluated does not hold
		pred = "((" + g + ") && " + pred + ")"
	}
	return "if (!" + pred + ") { " + b.String() + "} "
}

// fresh writes a new label. One in a header has one number in all units.
func (h *hyper) fresh(b *strings.Builder, c csource.LabelCall, pred, tag string) label.ID {
	place := fmt.Sprintf("%v %s %q %s %s", c.Position, c.Function, pred, tag, c.ID)
	id, ok := h.given[place]
	if !ok {
		id = h.next
		h.next++
		h.given[place] = id
		l := label.Label{ID: id, Tags: []string{tag}, Position: c.Position, Predicate: pred, Function: c.Function}
		h.out.Labels = append(h.out.Labels, l)
		h.at[id] = l
	}
	if text := fmt.Sprintf("cov_label(%s, %s, %q); ", pred, id, tag); !strings.Contains(b.String(), text) {
		b.WriteString(text) // two guards may ask for the same
	}
	return id
}
