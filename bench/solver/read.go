package main

import (
	"fmt"
	"strconv"
	"strings"

	"klabel/engine/native/expr"
)

// node is an s-expression: an atom or a list.
type node struct {
	atom string
	kids []node
}

// parse reads the s-expressions of a text without comments and strings.
func parse(text string) ([]node, error) {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	stack := [][]node{nil}
	for _, t := range tokens {
		top := len(stack) - 1
		switch t {
		case "(":
			stack = append(stack, nil)
		case ")":
			if top == 0 {
				return nil, fmt.Errorf("a bracket too many")
			}
			stack[top-1] = append(stack[top-1], node{kids: stack[top]})
			stack = stack[:top]
		default:
			stack[top] = append(stack[top], node{atom: t})
		}
	}
	if len(stack) != 1 {
		return nil, fmt.Errorf("a bracket too few")
	}
	return stack[0], nil
}

// reader turns the SMT-LIB that smt.Write writes into expressions again.
// Simplification is the Builder's, so that the own core sees what it would see.
type reader struct {
	b     *expr.Builder
	space *expr.Var
	first uint64
	names map[string]*expr.Expr
}

// read returns the asserted booleans.
func read(b *expr.Builder, text string) ([]*expr.Expr, error) {
	cmds, err := parse(text)
	if err != nil {
		return nil, err
	}
	r := &reader{b: b, names: make(map[string]*expr.Expr)}
	bytes := 0
	var cs []*expr.Expr
	for _, c := range cmds {
		switch c.kids[0].atom {
		case "declare-fun": // consecutive bytes stay consecutive: reads of several join
			pos, err := strconv.ParseUint(c.kids[1].atom[1:], 10, 64)
			if err != nil {
				return nil, err
			}
			if bytes == 0 {
				r.space = b.Var("bytes", 1<<20)
				r.first = pos
			}
			bytes++
			r.names[c.kids[1].atom] = b.Byte(r.space, int(pos-r.first)+1<<19)
		case "define-fun":
			e, err := r.term(c.kids[4])
			if err != nil {
				return nil, err
			}
			r.names[c.kids[1].atom] = e
		case "assert":
			e, err := r.boolean(c.kids[1])
			if err != nil {
				return nil, err
			}
			cs = append(cs, e)
		}
	}
	return cs, nil
}

var binaries = map[string]expr.Op{
	"bvadd": expr.OpAdd, "bvsub": expr.OpSub, "bvmul": expr.OpMul, "bvudiv": expr.OpUDiv, "bvsdiv": expr.OpSDiv,
	"bvurem": expr.OpURem, "bvsrem": expr.OpSRem, "bvand": expr.OpAnd, "bvor": expr.OpOr, "bvxor": expr.OpXor,
	"bvshl": expr.OpShl, "bvlshr": expr.OpLShr, "bvashr": expr.OpAShr,
	"=": expr.OpEq, "bvult": expr.OpUlt, "bvule": expr.OpUle, "bvslt": expr.OpSlt, "bvsle": expr.OpSle,
}

// boolean reads a term of sort Bool.
func (r *reader) boolean(n node) (*expr.Expr, error) {
	op, ok := binaries[n.kids[0].atom]
	if !ok {
		return nil, fmt.Errorf("unknown predicate %s", n.kids[0].atom)
	}
	x, err := r.term(n.kids[1])
	if err != nil {
		return nil, err
	}
	y, err := r.term(n.kids[2])
	if err != nil {
		return nil, err
	}
	return r.b.Binary(op, x, y), nil
}

func (r *reader) term(n node) (*expr.Expr, error) {
	if n.atom != "" {
		if digits, ok := strings.CutPrefix(n.atom, "#b"); ok {
			var v expr.Value
			for _, d := range digits {
				v = expr.Value{Lo: v.Lo<<1 | uint64(d-'0'), Hi: v.Hi<<1 | v.Lo>>63}
			}
			return r.b.ConstValue(len(digits), v), nil
		}
		if e := r.names[n.atom]; e != nil {
			return e, nil
		}
		return nil, fmt.Errorf("unknown name %s", n.atom)
	}
	head := n.kids[0]
	if head.atom == "ite" {
		c, err := r.boolean(n.kids[1])
		if err != nil {
			return nil, err
		}
		return r.ite(c, n.kids[2], n.kids[3])
	}
	args := make([]*expr.Expr, len(n.kids)-1)
	for i := range args {
		var err error
		if args[i], err = r.term(n.kids[i+1]); err != nil {
			return nil, err
		}
	}
	if head.atom == "" { // (_ extract 7 0) and the like
		a, _ := strconv.Atoi(head.kids[2].atom)
		switch head.kids[1].atom {
		case "extract":
			low, _ := strconv.Atoi(head.kids[3].atom)
			return r.b.Extract(args[0], low, a-low+1), nil
		case "zero_extend":
			return r.b.ZExt(args[0], args[0].Width()+a), nil
		case "sign_extend":
			return r.b.SExt(args[0], args[0].Width()+a), nil
		}
	}
	switch head.atom {
	case "bvnot":
		return r.b.Not(args[0]), nil
	case "concat":
		e := args[0]
		for _, x := range args[1:] {
			e = r.b.Concat(e, x)
		}
		return e, nil
	}
	if op, ok := binaries[head.atom]; ok && len(args) == 2 {
		return r.b.Binary(op, args[0], args[1]), nil
	}
	return nil, fmt.Errorf("unknown operation %s", head.atom)
}

func (r *reader) ite(c *expr.Expr, a, b node) (*expr.Expr, error) {
	x, err := r.term(a)
	if err != nil {
		return nil, err
	}
	y, err := r.term(b)
	if err != nil {
		return nil, err
	}
	return r.b.Ite(c, x, y), nil
}
