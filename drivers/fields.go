package drivers

import (
	"regexp"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// fieldsOf lists the names of the fields that a function mentions, itself and
// through the functions of the unit that it mentions. A field that none of them
// names is read by nobody: building what it points to would multiply the paths
// of the driver for nothing. The result is nil where that cannot be told: when
// a function of another file is called, or bytes of a structure are read by
// other means than their names.
func fieldsOf(u *csource.Unit, f *csource.Function, elsewhere map[string]bool) map[string]bool {
	fields := map[string]bool{}
	done := map[string]bool{f.Name: true}
	known := true
	for queue := []*csource.Function{f}; len(queue) > 0 && known; queue = queue[1:] {
		u.Walk(queue[0].Def.CompoundStatement, func(n cc.Node) bool {
			switch x := n.(type) {
			case *cc.PostfixExpression:
				if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
					fields[x.Token2.SrcStr()] = true
				}
			case *cc.CastExpression:
				if x.Case == cc.CastExpressionCast && x.CastExpression != nil && rawBytes(x.CastExpression.Type(), x.Type()) {
					known = false
				}
			case *cc.PrimaryExpression:
				if x.Case != cc.PrimaryExpressionIdent {
					break
				}
				name := x.Token.SrcStr()
				if elsewhere[name] || comparesBytes[name] {
					known = false
				}
				if def := u.Function(name); def != nil && !done[name] {
					done[name] = true
					queue = append(queue, def)
				}
			}
			return known
		})
	}
	if !known {
		return nil
	}
	return fields
}

var comparesBytes = map[string]bool{"memcmp": true, "bcmp": true, "__builtin_memcmp": true, "__builtin_bcmp": true}

// rawBytes reports whether a cast lets a structure be read as numbers.
func rawBytes(from, to cc.Type) bool {
	p, ok := from.(*cc.PointerType)
	if !ok || !isRecord(p.Elem()) {
		return false
	}
	q, ok := to.(*cc.PointerType)
	return ok && !isRecord(q.Elem()) && q.Elem().Kind() != cc.Void
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// fieldMatters reports whether the driver has to build a field apart: the code
// under test, or a relation of the user's, mentions its name.
func (b *builder) fieldMatters(f *cc.Field) bool {
	return b.fields == nil || f.Name() == "" || b.fields[f.Name()] || b.rel.mentions(f.Name())
}
