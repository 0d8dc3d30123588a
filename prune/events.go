package prune

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// event is a place in a function where something may change, or that is reached other
// than from the text before it.
type event struct {
	at     int
	name   string                 // a variable of the function's own that changes, or a name that is declared
	memory bool                   // what others see may change
	entry  bool                   // a label that is jumped to
	of     *cc.SelectionStatement // a case: of this switch
	always bool                   // default
}

// returnsTwice are functions after which more may have happened than stands before.
var returnsTwice = []string{"setjmp", "vfork", "getcontext"}

// eventsIn lists the events of a function; false if there may be others.
func (p *program) eventsIn(f *function, own *ownVars) (out []event, ok bool) {
	if f.asm || f.cleanup {
		return nil, false
	}
	for name := range f.calls {
		for _, t := range returnsTwice {
			if strings.Contains(name, t) {
				return nil, false
			}
		}
	}
	u, ok := f.unit, true
	trusted := len(u.PureSpans()) == 0 // what is promised there nobody checks
	u.WalkParents(f.Def.CompoundStatement, func(n cc.Node, above []cc.Node) bool {
		s, has := u.Span(n)
		change := func(e cc.ExpressionNode) {
			if d := own.of(e); d != nil {
				out = append(out, event{at: s.Start, name: d.Name()})
			} else {
				out = append(out, event{at: s.Start, memory: true})
			}
		}
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			if x.Case != cc.AssignmentExpressionCond {
				ok = ok && has
				change(x.UnaryExpression)
			}
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
				ok = ok && has
				change(x.UnaryExpression)
			}
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				ok = ok && has
				change(x.PostfixExpression)
			case cc.PostfixExpressionCall:
				ok = ok && has
				name := csource.Callee(x)
				if call, _, _ := searchOf(x); call != nil && p.library(name) {
					return true // it looks alone
				}
				if p.macros[name] {
					return false // a label
				}
				if !trusted || u.Effect(x) != csource.NoEffect {
					out = append(out, event{at: s.Start, memory: true})
				}
			}
		case *cc.Declarator:
			if has && x.Name() != "" { // __func__ stands nowhere
				out = append(out, event{at: s.Start, name: x.Name()})
			}
		case *cc.LabeledStatement:
			ok = ok && has
			e := event{at: s.Start, entry: true, always: x.Case == cc.LabeledStatementDefault}
			if x.Case != cc.LabeledStatementLabel {
				for i := len(above) - 1; i >= 0 && e.of == nil; i-- {
					if w, is := above[i].(*cc.SelectionStatement); is && w.Case == cc.SelectionStatementSwitch {
						e.of = w
					}
				}
			}
			out = append(out, e)
		case *cc.BlockItem:
			ok = ok && x.Case != cc.BlockItemFuncDef
		}
		return ok
	})
	return out, ok
}

// words are the names in the text of an object.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
