package csource

import (
	"bytes"

	"modernc.org/cc/v4"
)

// Values that may change by themselves between two looks at them: volatile ones, and
// atomic ones, which another thread or a signal's handler sets. The parser's types keep
// the first of a declaration and lose both of a cast; of the second they keep the names
// of types alone.

// Restless reports whether values of a type may.
func (u *Unit) Restless(t cc.Type) bool {
	if t == nil {
		return false
	}
	d := t.Typedef()
	return t.Attributes().IsVolatile() || d != nil && u.atomicNames()[d.Name()]
}

// RestlessName reports whether the name of a type, that of a cast, says so of anything.
func (u *Unit) RestlessName(n *cc.TypeName) bool {
	found := false
	visit(n, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.TypeQualifier:
			found = found || x.Case == cc.TypeQualifierVolatile || x.Case == cc.TypeQualifierAtomic
		case *cc.TypeSpecifier:
			found = found || u.atomicSpecifier(x)
		}
		return !found
	})
	return found
}

// RestlessAccess reports whether a node itself leads to such a value, wherever that
// lies: through a pointer, a cast, or as a member that is one by itself.
func (u *Unit) RestlessAccess(n cc.Node) bool {
	through := func(e cc.ExpressionNode) bool { return !isArray(e) && u.restlessElem(e) }
	switch x := n.(type) {
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect:
			return u.restlessField(x.Field())
		case cc.PostfixExpressionPSelect:
			return u.restlessField(x.Field()) || through(x.PostfixExpression)
		case cc.PostfixExpressionIndex:
			return through(x.PostfixExpression)
		}
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref && through(x.CastExpression)
	case *cc.CastExpression:
		return x.Case == cc.CastExpressionCast && u.RestlessName(x.TypeName)
	}
	return false
}

// restlessField reports whether a member is such a value, or an array of them.
func (u *Unit) restlessField(f *cc.Field) bool {
	if f == nil {
		return false
	}
	t := f.Type()
	for a, ok := t.(*cc.ArrayType); ok; a, ok = t.(*cc.ArrayType) {
		t = a.Elem()
	}
	return u.Restless(t) || f.Declarator() != nil && f.Declarator().IsAtomic()
}

func (u *Unit) atomicSpecifier(s *cc.TypeSpecifier) bool {
	return s.Case == cc.TypeSpecifierAtomic ||
		s.Case == cc.TypeSpecifierTypeName && u.atomicNames()[s.Token.SrcStr()]
}

// atomicNames are the names of types that are atomic, atomic_int among them.
func (u *Unit) atomicNames() map[string]bool {
	u.atomicOnce.Do(func() {
		if !bytes.Contains(u.Text, []byte("_Atomic")) {
			return
		}
		u.atomic = map[string]bool{}
		for l := u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
			visit(l.ExternalDeclaration, func(n cc.Node) bool {
				if d, ok := n.(*cc.Declaration); ok {
					u.nameAtomic(d)
				}
				return true
			})
		}
	})
	return u.atomic
}

// nameAtomic notes the names that a declaration gives to atomic types.
func (u *Unit) nameAtomic(d *cc.Declaration) {
	named, atomic := false, false
	for s := d.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		switch s.Case {
		case cc.DeclarationSpecifiersStorage:
			named = named || s.StorageClassSpecifier.Case == cc.StorageClassSpecifierTypedef
		case cc.DeclarationSpecifiersTypeQual:
			atomic = atomic || s.TypeQualifier.Case == cc.TypeQualifierAtomic
		case cc.DeclarationSpecifiersTypeSpec:
			t := s.TypeSpecifier
			atomic = atomic || t.Case == cc.TypeSpecifierAtomic ||
				t.Case == cc.TypeSpecifierTypeName && u.atomic[t.Token.SrcStr()]
		}
	}
	for l := d.InitDeclaratorList; named && atomic && l != nil; l = l.InitDeclaratorList {
		u.atomic[l.InitDeclarator.Declarator.Name()] = true
	}
}
