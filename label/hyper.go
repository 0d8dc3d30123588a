package label

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Hyperlabel is a line of a .hyperlabels file: a combination of labels and
// sequences of labels, with guards over the values they bind. It expresses
// criteria that one label cannot: `<l1.l2|;pa!=pb;>` wants labels 1 and 2, both
// covered, with different values of the bound names pa and pb.
type Hyperlabel struct {
	ID     ID
	Expr   *HyperExpr
	Status Status // Unknown, Covered or Infeasible
	Note   string // what stands between the brackets, as it is
}

// HyperExpr is a node of a hyperlabel's expression.
type HyperExpr struct {
	Op    HyperOp
	ID    ID           // HyperLabel, HyperSequence
	Args  []*HyperExpr // HyperAnd, HyperOr: two or more; HyperGuard: one
	Binds string       // HyperGuard: the text between the bar and the first semicolon
	Guard []Guard      // HyperGuard: all must hold
}

// HyperOp says what a node is.
type HyperOp byte

// The nodes of a hyperlabel's expression, with the letters that write them.
const (
	HyperLabel    HyperOp = 'l'
	HyperSequence HyperOp = 's'
	HyperAnd      HyperOp = '.'
	HyperOr       HyperOp = '+'
	HyperGuard    HyperOp = '<'
)

// Guard compares two bound names.
type Guard struct {
	Left  string
	Equal bool // == or !=
	Right string
}

// Labels returns the labels that an expression names, sequences left out.
func (e *HyperExpr) Labels() []ID {
	if e.Op == HyperLabel {
		return []ID{e.ID}
	}
	var out []ID
	for _, a := range e.Args {
		out = append(out, a.Labels()...)
	}
	return out
}

func (e *HyperExpr) String() string {
	switch e.Op {
	case HyperLabel, HyperSequence:
		return string(e.Op) + e.ID.String()
	case HyperGuard:
		var g []string
		for _, x := range e.Guard {
			op := "!="
			if x.Equal {
				op = "=="
			}
			g = append(g, x.Left+op+x.Right)
		}
		return "<" + e.Args[0].String() + "|" + e.Binds + ";" + strings.Join(g, " && ") + ";>"
	}
	var parts []string
	for _, a := range e.Args {
		s := a.String()
		if a.Op == HyperOr || a.Op == e.Op {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, string(e.Op))
}

// ReadHyperFile reads a .hyperlabels file, as tolerantly as ReadFile does.
func ReadHyperFile(r io.Reader, name string) ([]Hyperlabel, error) {
	var out []Hyperlabel
	seen := map[ID]int{}
	err := eachLine(r, name, func(n int, line string) error {
		h, err := parseHyper(line)
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

// WriteHyperFile writes a .hyperlabels file.
func WriteHyperFile(w io.Writer, hs []Hyperlabel) error {
	b := bufio.NewWriter(w)
	for _, h := range hs {
		status := "UNKNOWN"
		switch h.Status {
		case Covered:
			status = "COVERED"
		case Infeasible:
			status = "UNCOVERABLE"
		}
		fmt.Fprintf(b, "%d) %s - %s - [%s],\n", h.ID, h.Expr, status, h.Note)
	}
	return b.Flush()
}

func parseHyper(line string) (Hyperlabel, error) {
	var h Hyperlabel
	num, rest, ok := strings.Cut(line, ")")
	if !ok {
		return h, errors.New("a hyperlabel starts with its number and a parenthesis, as in 1) <l1.l2>")
	}
	var err error
	if h.ID, err = ParseID(num); err != nil {
		return h, err
	}
	p := &hyperParser{s: rest}
	if h.Expr, err = p.expr(0); err != nil {
		return h, err
	}
	rest = clean(strings.TrimSuffix(clean(p.s), ","))
	if rest == "" {
		return h, nil
	}
	word, ok := strings.CutPrefix(rest, "-")
	if !ok {
		return h, fmt.Errorf("unexpected %q after the expression", short(rest))
	}
	word, note, hasNote := strings.Cut(clean(word), "-")
	s, err := ParseStatus(strings.ToLower(clean(word)))
	if err != nil {
		return h, err
	}
	h.Status = fileStatus(s)
	if note = clean(note); hasNote && note != "" {
		if note[0] != '[' || note[len(note)-1] != ']' {
			return h, fmt.Errorf("unexpected %q after the status, [...] is expected", short(note))
		}
		h.Note = clean(note[1 : len(note)-1])
	}
	return h, nil
}

func short(s string) string {
	if len(s) > 20 {
		return s[:20] + "..."
	}
	return s
}

// hyperParser reads an expression from the front of s.
type hyperParser struct{ s string }

func (p *hyperParser) eat(c byte) bool {
	p.s = strings.TrimLeft(p.s, " \t")
	if p.s != "" && p.s[0] == c {
		p.s = p.s[1:]
		return true
	}
	return false
}

// maxHyperDepth bounds nesting, so that no file exhausts the stack.
const maxHyperDepth = 100

func (p *hyperParser) expr(depth int) (*HyperExpr, error) {
	return p.list(HyperOr, func() (*HyperExpr, error) {
		return p.list(HyperAnd, func() (*HyperExpr, error) { return p.factor(depth) })
	})
}

func (p *hyperParser) list(op HyperOp, next func() (*HyperExpr, error)) (*HyperExpr, error) {
	e, err := next()
	if err != nil {
		return nil, err
	}
	args := []*HyperExpr{e}
	for p.eat(byte(op)) {
		if e, err = next(); err != nil {
			return nil, err
		}
		args = append(args, e)
	}
	if len(args) == 1 {
		return args[0], nil
	}
	return &HyperExpr{Op: op, Args: args}, nil
}

func (p *hyperParser) factor(depth int) (*HyperExpr, error) {
	if depth > maxHyperDepth {
		return nil, errors.New("the expression is nested too deeply")
	}
	switch {
	case p.eat('('):
		e, err := p.expr(depth + 1)
		if err == nil && !p.eat(')') {
			err = errors.New("a closing parenthesis is missing")
		}
		return e, err
	case p.eat('<'):
		return p.guarded(depth)
	case p.eat('l'):
		return p.atom(HyperLabel)
	case p.eat('s'):
		return p.atom(HyperSequence)
	}
	return nil, fmt.Errorf("l, s, < or ( is expected before %q", short(p.s))
}

func (p *hyperParser) atom(op HyperOp) (*HyperExpr, error) {
	n := 0
	for n < len(p.s) && p.s[n] >= '0' && p.s[n] <= '9' {
		n++
	}
	v, err := strconv.ParseUint(p.s[:n], 10, 32)
	if err != nil || v > uint64(MaxID) {
		return nil, fmt.Errorf("a label number is expected after %c", op)
	}
	p.s = p.s[n:]
	return &HyperExpr{Op: op, ID: ID(v)}, nil
}

func (p *hyperParser) guarded(depth int) (*HyperExpr, error) {
	e, err := p.expr(depth + 1)
	if err != nil {
		return nil, err
	}
	if !p.eat('|') {
		return nil, errors.New("a bar is missing: <labels|;guards;>")
	}
	binds, rest, ok := strings.Cut(p.s, ";")
	if !ok || strings.ContainsAny(binds, "<>") {
		return nil, errors.New("a semicolon is missing: <labels|;guards;>")
	}
	guards, rest, ok := strings.Cut(rest, ";")
	p.s = rest
	if !ok || !p.eat('>') {
		return nil, errors.New("the end ;> is missing: <labels|;guards;>")
	}
	g := &HyperExpr{Op: HyperGuard, Args: []*HyperExpr{e}, Binds: clean(binds)}
	if clean(guards) == "" {
		return g, nil
	}
	for _, part := range strings.Split(guards, "&&") {
		c, err := parseGuard(part)
		if err != nil {
			return nil, err
		}
		g.Guard = append(g.Guard, c)
	}
	return g, nil
}

func parseGuard(s string) (Guard, error) {
	for _, op := range []string{"==", "!="} {
		if l, r, ok := strings.Cut(s, op); ok {
			l, r = clean(l), clean(r)
			if isName(l) && isName(r) {
				return Guard{l, op == "==", r}, nil
			}
		}
	}
	return Guard{}, fmt.Errorf("guard %q is not a comparison (== or !=) of two names", short(clean(s)))
}

func isName(s string) bool {
	for _, c := range []byte(s) {
		if !(c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return s != ""
}
