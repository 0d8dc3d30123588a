package instrument

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/engine"
)

// Programs find out where a member stands by &((struct s *)0)->member: container_of, or their own offsetof. Nothing
// is read there, and UBSan ends such a run all the same. In functions that do so it does not ask for NULL: what is read
// through it is an error without that question.

const unasked = `__attribute__((no_sanitize("null"))) `

// offsets lets replays through functions that compute offsets so.
func (r *rewriter) offsets(m engine.Mode) {
	if m != Replay {
		return
	}
	for _, f := range r.u.Functions() {
		if f.Def == nil {
			continue
		}
		found := false
		r.u.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
			x, ok := n.(*cc.PostfixExpression)
			if ok && x.Case == cc.PostfixExpressionPSelect && isNull(x.PostfixExpression) {
				found = true
			}
			return !found
		})
		if at, ok := r.u.Span(f.Def); found && ok {
			r.edits.Insert(at.Start, unasked)
		}
	}
}

// isNull reports whether a pointer is a constant 0.
func isNull(e cc.ExpressionNode) bool {
	for {
		switch x := csource.Unparen(e).(type) {
		case *cc.CastExpression:
			if x.Case != cc.CastExpressionCast {
				return false
			}
			e = x.CastExpression
		case *cc.PrimaryExpression:
			return x.Case == cc.PrimaryExpressionInt && strings.Trim(x.Token.SrcStr(), "0xXuUlL") == ""
		default:
			return false
		}
	}
}
