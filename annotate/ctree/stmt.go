package ctree

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// StmtKind says what a statement is.
type StmtKind uint8

// The kinds of statements. A declaration among statements is one too.
const (
	Block StmtKind = iota
	ExprStmt
	Null
	If
	Switch
	While
	Do
	For
	Return
	Goto // computed goto too
	Break
	Continue
	Labelled // a label, with Body
	Case     // case, case range and default, with Body
	Asm
	Decl
	Hand // a label written by hand
)

// Stmt is a statement or a declaration among statements.
type Stmt struct {
	Kind   StmtKind
	Span   csource.Span
	Parent *Stmt
	InList bool    // a direct item of a block: text may stand before and after it
	Items  []*Stmt // Block
	Cond   *Expr   // If, Switch and loops; nil for for(;;)
	Exprs  []*Expr // other expressions it evaluates: initialisers, for clauses, returned value
	Post   *Expr   // For
	Body   *Stmt   // loops, Switch, Labelled, Case; If: then
	Else   *Stmt
	Cases  []*Stmt // Switch: its cases in order
	Node   cc.Node

	// Case: constants; Low is nil for default, High for a single value.
	Low, High   cc.ExpressionNode
	Start       int  // Block: offset after { and local label declarations
	JumpsIn     bool // a loop that a label or case in its body lets jump into
	IsDefault   bool
	DeclStatic  bool
	NullAttr    bool // a null statement with an attribute: fallthrough
	Computed    bool // computed goto
	Unreachable bool // follows a jump, and has no label
}

// Loop reports whether s is a loop.
func (s *Stmt) Loop() bool { return s.Kind == While || s.Kind == Do || s.Kind == For }

// Inner is the statement behind labels and cases.
func (s *Stmt) Inner() *Stmt {
	for s.Kind == Labelled || s.Kind == Case {
		s = s.Body
	}
	return s
}

// kids are the statements directly below s.
func (s *Stmt) kids() []*Stmt {
	if s.Kind == Block {
		return s.Items
	}
	var out []*Stmt
	if s.Body != nil {
		out = append(out, s.Body)
	}
	if s.Else != nil {
		out = append(out, s.Else)
	}
	return out
}

// roots are the full expressions of s itself, in the order of the text.
func (s *Stmt) roots() []*Expr {
	out := s.Exprs
	if s.Cond != nil {
		out = append(out[:len(out):len(out)], s.Cond)
	}
	if s.Post != nil {
		out = append(out[:len(out):len(out)], s.Post)
	}
	return out
}

// Walk visits s and the statements below it, those in statement expressions
// included.
func (s *Stmt) Walk(visit func(*Stmt)) {
	visit(s)
	for _, e := range s.roots() {
		e.Walk(func(x *Expr) {
			if x.Body != nil {
				// Expr.Walk has gone into the body for expressions only.
				x.Body.walkStmts(visit)
			}
		})
	}
	for _, k := range s.kids() {
		k.Walk(visit)
	}
}

// walkStmts visits statements without their expressions: whoever found the
// statement expression walks those.
func (s *Stmt) walkStmts(visit func(*Stmt)) {
	visit(s)
	for _, k := range s.kids() {
		k.walkStmts(visit)
	}
}

// WalkExprs visits every expression below s once, parents first.
func (s *Stmt) WalkExprs(visit func(*Expr)) {
	for _, e := range s.roots() {
		e.Walk(visit)
	}
	for _, k := range s.kids() {
		k.WalkExprs(visit)
	}
}
