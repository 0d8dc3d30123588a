package drivers

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// What a pointer leads to is worth building only as deep as somebody looks. Many are only assigned and compared, as the
// previous state of a machine, or the last item of a list: of what they lead to, nobody follows a pointer.

// follow notes whether a pointer is looked behind, or may be: whatever is done with it but to assign it, and to compare
// it. Where it is assigned to something that has a name, that name tells.
func (f *facts) follow(n cc.ExpressionNode, above []cc.Node) {
	name := nameOf(n)
	if _, ok := n.Type().(*cc.PointerType); !ok || name == "" || f.followed[name] {
		return
	}
	at := cc.Node(n)
	for i := len(above) - 1; i >= 0; i-- {
		switch x := above[i].(type) {
		case *cc.PrimaryExpression, *cc.CastExpression:
			at = x
			continue
		case *cc.AssignmentExpression:
			if x.Case == cc.AssignmentExpressionAssign && x.UnaryExpression == at {
				return
			}
			if to := assignedName(x); x.Case == cc.AssignmentExpressionAssign && to != "" {
				f.carried[name] = append(f.carried[name], to)
				return
			}
		case *cc.Initializer:
			if i > 0 {
				if d, ok := above[i-1].(*cc.InitDeclarator); ok {
					f.carried[name] = append(f.carried[name], d.Declarator.Name())
					return
				}
			}
		case *cc.EqualityExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression:
			return
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionNot {
				return
			}
		case *cc.SelectionStatement, *cc.IterationStatement, *cc.ExpressionStatement:
			return
		}
		break
	}
	f.followed[name] = true
}

func assignedName(x *cc.AssignmentExpression) string {
	e, _ := x.UnaryExpression.(cc.ExpressionNode)
	if e == nil {
		return ""
	}
	return nameOf(csource.Unparen(e))
}

// follows reports whether functions may look behind what a pointer leads to.
func (a *analysis) follows(r reach, name string) bool {
	seen := []string{name}
	for i := 0; i < len(seen); i++ {
		for _, fn := range r.funcs {
			f := a.of(fn.Name)
			if f.followed[seen[i]] {
				return true
			}
			for _, to := range f.carried[seen[i]] {
				if !slices.Contains(seen, to) {
					seen = append(seen, to)
				}
			}
		}
	}
	return false
}

// follows is the same of a member that leads to a structure, in what an entry calls.
func (b *builder) follows(name string) bool {
	i := strings.LastIndexAny(name, ".>")
	if b.fn == nil || i < 0 || strings.HasSuffix(name, "]") {
		return true
	}
	return b.an.follows(b.reach, "."+name[i+1:])
}
