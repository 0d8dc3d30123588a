package objective

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"klabel/label"
)

// Expr is a node of a hyperlabel's expression.
type Expr struct {
	Op    Op
	ID    label.ID // OpLabel, OpSequence
	Args  []*Expr  // OpAnd, OpOr: two or more; OpThen: labels, two or more; OpGuard: one
	Binds string   // OpGuard: the text between the bar and the first semicolon
	Guard []Guard  // OpGuard: all must hold
}

// Op says what a node is.
type Op byte

// The nodes of a hyperlabel's expression, with the letters that write them.
const (
	OpLabel    Op = 'l'
	OpSequence Op = 's'
	OpAnd      Op = '.'
	OpOr       Op = '+'
	OpGuard    Op = '<'
	OpThen     Op = '>' // l1->l2: one after the other, in one run
)

// Labels returns the labels that an expression names, sequences left out.
func (e *Expr) Labels() []label.ID {
	if e.Op == OpLabel {
		return []label.ID{e.ID}
	}
	var out []label.ID
	for _, a := range e.Args {
		out = append(out, a.Labels()...)
	}
	return out
}

func (e *Expr) String() string {
	switch e.Op {
	case OpLabel, OpSequence:
		return string(e.Op) + e.ID.String()
	case OpGuard:
		var g []string
		for _, x := range e.Guard {
			g = append(g, x.String())
		}
		return "<" + e.Args[0].String() + "|" + e.Binds + ";" + strings.Join(g, " && ") + ";>"
	}
	sign := string(e.Op)
	if e.Op == OpThen {
		sign = "->"
	}
	var parts []string
	for _, a := range e.Args {
		s := a.String()
		if a.Op == OpOr || a.Op == e.Op {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, sign)
}

func short(s string) string {
	if len(s) > 20 {
		return s[:20] + "..."
	}
	return s
}

// parser reads an expression from the front of s.
type parser struct{ s string }

func (p *parser) eat(c byte) bool {
	p.s = strings.TrimLeft(p.s, " \t")
	if p.s != "" && p.s[0] == c {
		p.s = p.s[1:]
		return true
	}
	return false
}

// maxDepth bounds nesting, so that no file exhausts the stack.
const maxDepth = 100

func (p *parser) expr(depth int) (*Expr, error) {
	return p.list(OpOr, func() (*Expr, error) {
		return p.list(OpAnd, func() (*Expr, error) { return p.chain(depth) })
	})
}

// chain reads l1->l2->l3.
func (p *parser) chain(depth int) (*Expr, error) {
	e, err := p.factor(depth)
	c := &Expr{Op: OpThen, Args: []*Expr{e}}
	for err == nil && strings.HasPrefix(strings.TrimLeft(p.s, " \t"), "->") {
		p.s = strings.TrimLeft(p.s, " \t")[2:]
		if e, err = p.factor(depth); err == nil {
			c.Args = append(c.Args, e)
		}
	}
	if err != nil || len(c.Args) == 1 {
		return e, err
	}
	for _, a := range c.Args {
		if a.Op != OpLabel {
			return nil, errors.New("-> stands between labels alone: l1->l2")
		}
	}
	return c, nil
}

func (p *parser) list(op Op, next func() (*Expr, error)) (*Expr, error) {
	e, err := next()
	if err != nil {
		return nil, err
	}
	args := []*Expr{e}
	for p.eat(byte(op)) {
		if e, err = next(); err != nil {
			return nil, err
		}
		args = append(args, e)
	}
	if len(args) == 1 {
		return args[0], nil
	}
	return &Expr{Op: op, Args: args}, nil
}

func (p *parser) factor(depth int) (*Expr, error) {
	if depth > maxDepth {
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
		return p.atom(OpLabel)
	case p.eat('s'):
		return p.atom(OpSequence)
	}
	return nil, fmt.Errorf("l, s, < or ( is expected before %q", short(p.s))
}

func (p *parser) atom(op Op) (*Expr, error) {
	n := 0
	for n < len(p.s) && p.s[n] >= '0' && p.s[n] <= '9' {
		n++
	}
	v, err := strconv.ParseUint(p.s[:n], 10, 32)
	if err != nil || v > uint64(label.MaxID) {
		return nil, fmt.Errorf("a label number is expected after %c", op)
	}
	p.s = p.s[n:]
	return &Expr{Op: op, ID: label.ID(v)}, nil
}

func (p *parser) guarded(depth int) (*Expr, error) {
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
	g := &Expr{Op: OpGuard, Args: []*Expr{e}, Binds: strings.TrimSpace(binds)}
	if strings.TrimSpace(guards) == "" {
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
