package objective

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"klabel/label"
)

// Hyperlabel is a line of a .hyperlabels file: a combination of labels and
// sequences of labels, with guards over the values they bind. It expresses
// criteria that one label cannot: `<l1.l2|;pa!=pb;>` wants labels 1 and 2, both
// covered, with different values of the bound names pa and pb.
type Hyperlabel struct {
	ID     label.ID
	Expr   *Expr
	Status label.Status // Unknown, Covered or Infeasible
	Note   string       // what stands between the brackets, as it is
}

// ReadFile reads a .hyperlabels file, as tolerantly as ReadFile does.
func ReadFile(r io.Reader, name string) ([]Hyperlabel, error) {
	var out []Hyperlabel
	seen := map[label.ID]int{}
	err := label.EachLine(r, name, func(n int, line string) error {
		if strings.HasPrefix(line, "<") { // older files have no numbers
			line = fmt.Sprintf("%d) %s", len(out)+1, line)
		}
		h, err := parseLine(line)
		if err != nil {
			return err
		}
		if first, dup := seen[h.ID]; dup {
			return fmt.Errorf("hyperlabel %d is on line %d already", h.ID, first)
		}
		seen[h.ID] = n
		out = append(out, h)
		return nil
	})
	return out, err
}

// WriteFile writes a .hyperlabels file.
func WriteFile(w io.Writer, hs []Hyperlabel) error {
	b := bufio.NewWriter(w)
	for _, h := range hs {
		status := "UNKNOWN"
		switch h.Status {
		case label.Covered:
			status = "COVERED"
		case label.Infeasible:
			status = "UNCOVERABLE"
		}
		fmt.Fprintf(b, "%d) %s - %s - [%s],\n", h.ID, h.Expr, status, h.Note)
	}
	return b.Flush()
}

func parseLine(line string) (Hyperlabel, error) {
	var h Hyperlabel
	num, rest, ok := strings.Cut(line, ")")
	if !ok {
		return h, errors.New("a hyperlabel starts with its number and a parenthesis, as in 1) <l1.l2>")
	}
	var err error
	if h.ID, err = label.ParseID(num); err != nil {
		return h, err
	}
	p := &parser{s: rest}
	if h.Expr, err = p.expr(0); err != nil {
		return h, err
	}
	rest = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(p.s), ","))
	if rest == "" {
		return h, nil
	}
	word, ok := strings.CutPrefix(rest, "-")
	if !ok {
		return h, fmt.Errorf("unexpected %q after the expression", short(rest))
	}
	word, note, hasNote := strings.Cut(strings.TrimSpace(word), "-")
	s, err := label.ParseStatus(strings.ToLower(strings.TrimSpace(word)))
	if err != nil {
		return h, err
	}
	if s == label.Covered || s == label.Infeasible {
		h.Status = s
	}
	if note = strings.TrimSpace(note); hasNote && note != "" {
		if note[0] != '[' || note[len(note)-1] != ']' {
			return h, fmt.Errorf("unexpected %q after the status, [...] is expected", short(note))
		}
		h.Note = strings.TrimSpace(note[1 : len(note)-1])
	}
	return h, nil
}
