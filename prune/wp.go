package prune

import (
	"context"
	"fmt"
	"os"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/label"
)

// wpStandsBack says why WP's answers for a function would not be sound. WP
// looks at one function and assumes the memory of different types to be apart
// and unknown functions to leave the program's variables alone; it does not cut
// values to the width of a bit-field, and its floating point knows no NaN.
func (p *program) wpStandsBack(f *function) string {
	switch {
	case f.asm:
		return "inline assembly"
	case f.floats:
		return "floating point"
	case f.bits:
		return "bit-fields"
	case f.calls["__builtin_memcpy"]:
		return "memory is copied byte by byte"
	case f.meets:
		return "addresses are compared, in ways that depend on where objects stand"
	case p.isOpen && f.derefs:
		return "pointers, of which callers that are not seen may make anything"
	case p.puns && f.derefs:
		return "pointers, in a program that sees objects as several types"
	}
	for c := range f.calls {
		if p.funcs[c] == nil && !framacKnows(c) && !p.macros[c] {
			return fmt.Sprintf("it calls %s, of which nothing is known", c)
		}
	}
	return ""
}

// aliased lists the variables that a pointer may point to: WP must keep them in
// memory, or it takes for granted that no pointer reaches them. In an open
// program those are all that other files see, too.
func (p *program) aliased() []string {
	names := map[string]bool{}
	for _, f := range p.order {
		for g := range f.globals {
			if p.isOpen {
				names[g] = true
			}
		}
	}
	for _, u := range p.units {
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			var e cc.ExpressionNode
			switch x := n.(type) {
			case *cc.UnaryExpression:
				if x.Case != cc.UnaryExpressionAddrof {
					return true
				}
				e = x.CastExpression
			case *cc.PrimaryExpression:
				if x.Case != cc.PrimaryExpressionIdent || !isArray(x) {
					return true
				}
				e = x // an array; that it is only indexed is not worth telling
			default:
				return true
			}
			if d := root(e); d != nil && d.Name() != "" {
				names[d.Name()] = true
			}
			return true
		})
	}
	return sortedKeys(names)
}

// root is the variable of which an expression names a part.
func root(e cc.ExpressionNode) *cc.Declarator {
	for {
		switch x := csource.Unparen(e).(type) {
		case *cc.PrimaryExpression:
			d, _ := x.ResolvedTo().(*cc.Declarator)
			return d
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionIndex && x.Case != cc.PostfixExpressionSelect {
				return nil
			}
			e = x.PostfixExpression
		default:
			return nil
		}
	}
}

// wp has Frama-C's WP prove the open labels of each function infeasible. With
// EvaWP the function is told what Eva knows of its variables.
func (j *job) wp(ctx context.Context, m Method) error {
	if m == EvaWP && j.facts == nil {
		return standBack("Eva has no answer for this program")
	}
	var goals []goal
	for _, l := range j.p.labels {
		if l.fn != nil && j.open(l.ID) {
			goals = append(goals, never(l))
		}
	}
	why := "the weakest precondition of a hit is proved unsatisfiable" + knowing(m)
	left, err := j.askWP(ctx, m, goals, func(g goal) bool { return j.open(g.labels[0].ID) }, func(a answer) {
		if id := a.labels[0].ID; a.proved && j.open(id) {
			j.found(Finding{ID: id, Status: label.Infeasible, Method: m, Step: 1, Text: why, Seconds: a.seconds,
				Cached: a.cached})
		}
	})
	if err == nil && left > 0 {
		err = ctx.Err()
	}
	return err
}

// knowing says on what a proof of WP rests.
func knowing(m Method) string {
	if m == EvaWP {
		return " with what value analysis knows of the variables"
	}
	return ""
}

// shorten empties the bodies of other functions. WP does not look at them, only
// that they are there (a function without a body it would believe to leave the
// program's variables alone), so that the answer depends on this function.
func (p *program) shorten(f *function, e *csource.Edits) {
	for _, g := range p.order {
		if g != f && g.unit == f.unit {
			e.Replace(g.Body, "{ while (1) ; }")
		}
	}
}

// provers lists the provers that why3 found and goals are given to, the better
// ones first. Pairs of labels are many, and most of them false: the first
// prover alone is asked about them.
func (j *job) provers(goals []goal) string {
	b, _ := os.ReadFile(j.file("why3.conf"))
	var out []string
	for _, p := range []string{"z3", "cvc4", "cvc5", "alt-ergo"} {
		if strings.Contains(strings.ToLower(string(b)), p) {
			out = append(out, p)
		}
	}
	most := 2
	if len(goals[0].labels) > 1 {
		most = 1
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out[:min(most, len(out))], ",")
}
