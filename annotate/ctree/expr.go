// Package ctree is a smaller syntax tree of C functions, made for labelling.
//
// It exists because the grammar's tree has a node for every level of operator
// precedence, while criteria speak of decisions, operators and statements. It
// holds only what a program evaluates: no types, no static initialisers, no
// array bounds, no case constants, no operands of sizeof. It promises for each
// expression whether it can be evaluated twice (Pure), evaluated where the
// program would not (Safe), and replaced by a value (Wrap). Limits:
// what to insert, and where, is the business of the criteria.
package ctree

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// Kind says what an expression is.
type Kind uint8

// The kinds. Parentheses have no node of their own.
const (
	Leaf     Kind = iota // literal, sizeof, address of a label, ...
	Ident                // variable or enumeration constant
	Binary               // arithmetic, bitwise, shift: Op
	Compare              // < > <= >= == !=: Op
	Logic                // && ||: Op
	Not                  // !
	Unary                // - + ~: Op
	CondExpr             // a ? b : c; a ?: c has two Kids
	Assign               // = += ...: Op
	IncDec               // ++ --: Op; Postfix
	Call                 // Kids[0] is the callee
	Index                // a[i]
	Member               // a.f
	Arrow                // a->f
	Deref                // *a
	AddrOf               // &a
	Cast                 // (T)a
	Comma                // a, b, ...
	StmtExpr             // ({ ... })
	CompLit              // (T){ ... }
	Expect               // __builtin_expect(a, ...): the value of a
	Opaque               // not to be looked into: _Generic, most builtins, va_arg
)

// Expr is an expression that the program evaluates.
type Expr struct {
	Kind    Kind
	Op      string
	Postfix bool
	Kids    []*Expr
	Body    *Stmt        // StmtExpr
	Span    csource.Span // without parentheses around it
	OpAt    int          // offset of the operator of a binary kind, -1 if unknown
	Node    cc.ExpressionNode
	Type    cc.Type
	Parent  *Expr
	Stmt    *Stmt // the statement that evaluates it

	Pure    bool // no side effects, nothing volatile or atomic: may be evaluated twice
	Safe    bool // cannot fail: may be evaluated where the program would not
	Const   bool // constant for the compiler's front end
	Literal bool // a literal, perhaps with parentheses, a cast or a sign
	Wrap    bool // an rvalue: may be replaced by an expression of its value
	NoTemp  bool // holds what must not move into a block: setjmp, a compound literal
	Closed  bool // nothing in it is to be labelled
	Jumps   bool // holds a statement expression: its text must not be copied

	num *Num // see Num; shared, nil for what is not arithmetic
}

// Walk visits e and the expressions below it, the expressions of statement
// expressions included, parents first.
func (e *Expr) Walk(visit func(*Expr)) {
	visit(e)
	if e.Closed {
		return
	}
	for _, k := range e.Kids {
		k.Walk(visit)
	}
	if e.Body != nil {
		e.Body.WalkExprs(visit)
	}
}

// CalleeName is the name of a directly called function, "" if the callee is
// computed.
func (e *Expr) CalleeName() string {
	if e.Kind != Call || e.Kids[0].Kind != Ident {
		return ""
	}
	if p, ok := e.Kids[0].Node.(*cc.PrimaryExpression); ok {
		if d, ok := p.ResolvedTo().(*cc.Declarator); ok && d.Type().Kind() != cc.Function {
			return ""
		}
		return p.Token.SrcStr()
	}
	return ""
}

// Declarator is the declaration of an identifier, nil for other expressions.
func (e *Expr) Declarator() *cc.Declarator {
	if p, ok := e.Node.(*cc.PrimaryExpression); ok && e.Kind == Ident {
		d, _ := p.ResolvedTo().(*cc.Declarator)
		return d
	}
	return nil
}

// Variable reports whether e names a variable.
func (e *Expr) Variable() bool {
	if e.Kind != Ident {
		return false
	}
	d := e.Declarator()
	return d != nil && d.Type().Kind() != cc.Function
}
