package ctree

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Func is a function that a unit defines.
type Func struct {
	*csource.Function
	Unit *csource.Unit
	Root *Stmt // the body, a Block
}

// labelNames are the calls that hand-written labels are made of.
var labelNames = map[string]bool{
	"cov_label": true, "pc_label": true, "pc_label_bindings": true, "cov_label_bind": true,
	"cov_label_bind_values": true,
	"pc_label_sequence":     true, "pc_label_sequence_condition": true,
	"cov_sequence": true, "cov_sequence_condition": true,
}

// assumptions are calls whose argument is a precondition, not a decision.
var assumptions = map[string]bool{"klee_assume": true, "sc_assume": true, "__VERIFIER_assume": true, "ASSUME": true,
	"__builtin_assume": true}

var setjmps = map[string]bool{"setjmp": true, "_setjmp": true, "__setjmp": true, "sigsetjmp": true, "__sigsetjmp": true,
	"__builtin_setjmp": true, "vfork": true, "alloca": false}

// Build makes the tree of a function; macros are further label macro names.
func Build(u *csource.Unit, f *csource.Function, macros []string) *Func {
	b := &builder{u: u, macros: map[string]bool{}, nums: map[Num]*Num{}}
	for _, m := range macros {
		b.macros[m] = true
	}
	out := &Func{Function: f, Unit: u}
	out.Root = b.block(f.Def.CompoundStatement, nil)
	out.Root.Span = f.Body
	return out
}

type builder struct {
	u      *csource.Unit
	macros map[string]bool
	nums   map[Num]*Num // one of each, for millions of expressions
	cur    *Stmt
}

func (b *builder) span(n cc.Node) csource.Span {
	s, ok := b.u.Span(n)
	if !ok {
		return csource.Span{Start: -1, End: -1}
	}
	return s
}

func (b *builder) block(n *cc.CompoundStatement, parent *Stmt) *Stmt {
	s := &Stmt{Kind: Block, Span: b.span(n), Parent: parent, Node: n}
	s.Start = s.Span.Start + 1
	dead := false
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		it := l.BlockItem
		if it == nil {
			continue
		}
		switch it.Case {
		case cc.BlockItemDecl:
			if d := b.decl(it.Declaration, s); d != nil {
				d.Unreachable = dead
				s.Items = append(s.Items, d)
			}
		case cc.BlockItemLabel:
			if sp := b.span(it.LabelDeclaration); sp.End > 0 {
				s.Start = sp.End
			}
		case cc.BlockItemStmt:
			st := b.stmt(it.Statement, s)
			if st == nil {
				continue
			}
			st.InList = true
			if st.Kind == Labelled || st.Kind == Case {
				dead = false
			}
			st.Unreachable = dead
			switch st.Inner().Kind {
			case Return, Goto, Break, Continue:
				dead = true
			}
			s.Items = append(s.Items, st)
		}
	}
	return s
}

// decl keeps a declaration for what its initialisers evaluate.
func (b *builder) decl(n *cc.Declaration, parent *Stmt) *Stmt {
	s := &Stmt{Kind: Decl, Span: b.span(n), Parent: parent, InList: true, Node: n}
	if n == nil || s.Span.Start < 0 {
		return nil
	}
	save := b.cur
	b.cur = s
	defer func() { b.cur = save }()
	if n.Case == cc.DeclarationAuto && n.Initializer != nil {
		b.initializer(n.Initializer, s)
		return s
	}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator
		if d == nil || d.Initializer == nil {
			continue
		}
		if d.Declarator.IsStatic() || d.Declarator.IsExtern() || d.Declarator.IsTypename() ||
			d.Declarator.IsThreadLocal() {
			s.DeclStatic = true
			continue
		}
		b.initializer(d.Initializer, s)
	}
	return s
}

func (b *builder) initializer(n *cc.Initializer, s *Stmt) {
	switch n.Case {
	case cc.InitializerExpr:
		if e := b.expr(n.AssignmentExpression, nil); e != nil {
			s.Exprs = append(s.Exprs, e)
		}
	case cc.InitializerInitList:
		for l := n.InitializerList; l != nil; l = l.InitializerList {
			if l.Initializer != nil {
				b.initializer(l.Initializer, s)
			}
		}
	}
}

func (b *builder) stmt(n *cc.Statement, parent *Stmt) *Stmt {
	if n == nil {
		return nil
	}
	s := &Stmt{Span: b.span(n), Parent: parent, Node: n}
	save := b.cur
	b.cur = s
	defer func() { b.cur = save }()
	switch n.Case {
	case cc.StatementCompound:
		c := b.block(n.CompoundStatement, parent)
		c.Node = n
		return c
	case cc.StatementLabeled:
		b.labeled(n.LabeledStatement, s)
	case cc.StatementExpr:
		b.exprStmt(n.ExpressionStatement, s)
	case cc.StatementSelection:
		b.selection(n.SelectionStatement, s)
	case cc.StatementIteration:
		b.iteration(n.IterationStatement, s)
	case cc.StatementJump:
		j := n.JumpStatement
		switch j.Case {
		case cc.JumpStatementGoto:
			s.Kind = Goto
		case cc.JumpStatementGotoExpr:
			s.Kind, s.Computed = Goto, true
			b.add(s, j.ExpressionList)
		case cc.JumpStatementContinue:
			s.Kind = Continue
		case cc.JumpStatementBreak:
			s.Kind = Break
		case cc.JumpStatementReturn:
			s.Kind = Return
			b.add(s, j.ExpressionList)
		}
	default:
		s.Kind = Asm
	}
	return s
}

func (b *builder) add(s *Stmt, e cc.ExpressionNode) {
	if x := b.expr(e, nil); x != nil {
		s.Exprs = append(s.Exprs, x)
	}
}

func (b *builder) exprStmt(n *cc.ExpressionStatement, s *Stmt) {
	if isNil(n.ExpressionList) {
		s.Kind = Null
		s.NullAttr = n.AttributeSpecifierList != nil || !strings.HasPrefix(
			strings.TrimSpace(string(b.u.Text[max(0, s.Span.Start):max(0, s.Span.End)])), ";")
		return
	}
	s.Kind = ExprStmt
	e := b.expr(n.ExpressionList, nil)
	if e == nil {
		return
	}
	if name := e.CalleeName(); labelNames[name] || b.macros[name] {
		s.Kind = Hand
		return
	}
	s.Exprs = []*Expr{e}
}

func (b *builder) labeled(n *cc.LabeledStatement, s *Stmt) {
	s.Kind = Case
	switch n.Case {
	case cc.LabeledStatementLabel:
		s.Kind = Labelled
	case cc.LabeledStatementCaseLabel:
		s.Low = n.ConstantExpression
	case cc.LabeledStatementRange:
		s.Low, s.High = n.ConstantExpression, n.ConstantExpression2
	case cc.LabeledStatementDefault:
		s.IsDefault = true
	}
	s.Body = b.stmt(n.Statement, s)
	for p := s.Parent; p != nil; p = p.Parent {
		if p.Loop() {
			p.JumpsIn = true
		}
		if p.Kind == Switch && s.Kind == Case {
			p.Cases = append(p.Cases, s)
			break
		}
	}
	if s.Body == nil { // a label at the end of a block
		s.Body = &Stmt{Kind: Null, Span: csource.Span{Start: s.Span.End, End: s.Span.End}, Parent: s, NullAttr: true}
	}
}

func (b *builder) selection(n *cc.SelectionStatement, s *Stmt) {
	s.Kind = If
	if n.Case == cc.SelectionStatementSwitch {
		s.Kind = Switch
	}
	s.Cond = b.expr(n.ExpressionList, nil)
	s.Body = b.stmt(n.Statement, s)
	if n.Case == cc.SelectionStatementIfElse {
		s.Else = b.stmt(n.Statement2, s)
	}
}

func (b *builder) iteration(n *cc.IterationStatement, s *Stmt) {
	switch n.Case {
	case cc.IterationStatementWhile:
		s.Kind = While
		s.Cond = b.expr(n.ExpressionList, nil)
	case cc.IterationStatementDo:
		s.Kind = Do
		s.Cond = b.expr(n.ExpressionList, nil)
	case cc.IterationStatementFor:
		s.Kind = For
		b.add(s, n.ExpressionList)
		s.Cond = b.expr(n.ExpressionList2, nil)
		s.Post = b.expr(n.ExpressionList3, nil)
	case cc.IterationStatementForDecl:
		s.Kind = For
		if d := b.decl(n.Declaration, s); d != nil {
			s.Exprs = append(s.Exprs, d.Exprs...)
		}
		s.Cond = b.expr(n.ExpressionList, nil)
		s.Post = b.expr(n.ExpressionList2, nil)
	}
	s.Body = b.stmt(n.Statement, s)
}
