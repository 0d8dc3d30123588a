package prune

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// hasBitfield reports whether a type is, holds or points to a structure with
// bit-fields.
func hasBitfield(t cc.Type, depth int) bool {
	if t == nil || depth > 4 {
		return false
	}
	type fields interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	}
	if s, ok := t.(fields); ok {
		for i := range s.NumFields() {
			if f := s.FieldByIndex(i); f != nil && (f.IsBitfield() || hasBitfield(f.Type(), depth+1)) {
				return true
			}
		}
		return false
	}
	return hasBitfield(element(t), depth+1)
}

// isPointer reports whether an expression is a pointer, and not written as NULL.
func isPointer(e cc.ExpressionNode) bool {
	if e == nil || e.Type() == nil || e.Type().Kind() != cc.Ptr && e.Type().Kind() != cc.Array {
		return false
	}
	inner := csource.Unparen(e)
	for {
		c, ok := inner.(*cc.CastExpression)
		if !ok || c.Case != cc.CastExpressionCast {
			break
		}
		inner = csource.Unparen(c.CastExpression)
	}
	v, ok := csource.ConstInt(inner)
	return !ok || v != 0
}

func isArray(e cc.ExpressionNode) bool {
	t := e.Type()
	return t != nil && t.Undecay() != nil && t.Undecay().Kind() == cc.Array
}

// punning reports whether a cast lets an object be seen as another type.
func punning(from cc.ExpressionNode, to cc.Type) bool {
	if from == nil || to == nil || to.Kind() != cc.Ptr || from.Type() == nil {
		return false
	}
	if v, ok := csource.ConstInt(from); ok && v == 0 {
		return false
	}
	if from.Type().Kind() != cc.Ptr && from.Type().Kind() != cc.Array {
		return true // an integer becomes a pointer
	}
	a, b := element(from.Type()), element(to)
	if a == nil || b == nil || b.Kind() == cc.Void {
		return false
	}
	return a.Kind() != b.Kind() || a.String() != b.String()
}

func element(t cc.Type) cc.Type {
	switch x := t.(type) {
	case *cc.PointerType:
		return x.Elem()
	case *cc.ArrayType:
		return x.Elem()
	}
	return nil
}

// punsImplicitly reports unions and conversions from void pointers, which need
// no cast.
func (p *program) punsImplicitly(u *csource.Unit, f *function) bool {
	found := false
	u.Walk(f.Def, func(n cc.Node) bool {
		e, ok := n.(cc.ExpressionNode)
		if !ok || found {
			return !found
		}
		t := e.Type()
		if t == nil {
			return true
		}
		if t.Kind() == cc.Union {
			found = true
		}
		if t.Kind() == cc.Ptr {
			if el := element(t); el != nil && el.Kind() == cc.Void {
				// Any void pointer that is more than an argument on the spot.
				if pr, ok := n.(*cc.PrimaryExpression); ok && pr.Case == cc.PrimaryExpressionIdent {
					found = true
				}
			}
		}
		return true
	})
	return found
}
