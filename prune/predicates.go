package prune

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"klabel/csource"
	"klabel/runtime_c"

	"modernc.org/cc/v4"
)

// predicateLimit is how long the predicates of a unit are looked at by themselves. Most take a moment: what takes
// seconds on a busy machine is to compile them, and that would be in vain.
const predicateLimit = 5 * time.Second

// predicates has the engine look for values of what a predicate reads that make it true:
// where there are none, no state of the program does. Conditions that contradict each
// other, as some of MCC's do, are found so in functions of which nothing else can be said.
func (j *job) predicates(ctx context.Context) {
	j.alone(ctx, "predicates", "the predicates are not looked at alone", j.predicateDriver,
		"makes the predicate true: no values of what it reads do")
}

// alone has the engine explore what a driver makes of each unit: a main function with labels
// alone, or nothing when the time is up. why says what it proves of those that are not met;
// failed, that it cannot be asked.
func (j *job) alone(ctx context.Context, name, failed string,
	driver func(context.Context, *csource.Unit) ([]byte, []*labelSite), why string) {
	if j.p.early {
		return // a constructor's body, which is left out, would keep main from being reached
	}
	for i, u := range j.p.units {
		text, open := driver(ctx, u)
		if len(open) == 0 || ctx.Err() != nil {
			continue
		}
		o, name := j.CSource, fmt.Sprintf("%s%d", name, i)
		o.Flags = u.Flags
		unit, err := csource.Parse(ctx, name+".c", text, o)
		if err != nil {
			j.note("native: %s: %s", failed, oneLine(err))
			continue
		}
		limit := time.Until(deadline(ctx))
		if !j.Alone {
			limit /= 2 // others want to ask, too
		}
		j.explore(ctx, name, unit, open, min(limit, predicateLimit), why)
	}
}

// predicateDriver is the unit with a main function that has nothing but its open labels,
// each with inputs in place of what its predicate reads.
func (j *job) predicateDriver(ctx context.Context, u *csource.Unit) (text []byte, open []*labelSite) {
	var b strings.Builder
	for _, l := range j.p.labels {
		if ctx.Err() != nil {
			return nil, nil
		}
		if l.unit != u || !j.open(l.ID) || !u.Pure(l.PredExpr) {
			continue
		}
		r := reads{u: u, names: map[string]string{}, prefix: fmt.Sprintf("klabel_%d_", l.ID), library: j.p.library,
			macros: j.p.macros}
		before, pred := r.label(l)
		if pred == "" || j.Explored && !j.Alone && !r.fractions && !r.classes && !r.divides && ands(u, l.PredExpr) < 2 {
			continue // two conditions on integers the optimiser knows as well, for less
		}
		open = append(open, l)
		b.WriteString(r.inputs.String())
		fmt.Fprintf(&b, "{ %scov_label(%s, %d, \"\"); }\n", before, pred, l.ID)
	}
	return append(j.p.emptied(u), mainOf(b.String())...), open
}

// ands is how many conditions a predicate joins, less one.
func ands(u *csource.Unit, pred cc.ExpressionNode) (n int) {
	u.Walk(pred, func(x cc.Node) bool {
		if and, ok := x.(*cc.LogicalAndExpression); ok && and.Case == cc.LogicalAndExpressionLAnd {
			n++
		}
		return true
	})
	return n
}

// mainOf is a main function with statements, and what these need.
func mainOf(text string) string {
	head := "\nvoid klee_make_symbolic(void *, unsigned long, const char *);\n"
	if strings.Contains(text, "klabel_class(") {
		head += runtime_c.Piece("prune/classes.c")
	}
	if strings.Contains(text, "klabel_among(") {
		head += runtime_c.Piece("prune/among.c")
	}
	return head + "int main(void) {\n" + text + "return 0; }\n"
}

// emptied is a unit without what its functions do, and without main.
func (p *program) emptied(u *csource.Unit) []byte {
	e := u.Edits()
	for _, f := range p.order {
		if f.unit != u {
			continue
		}
		if s, ok := u.Span(f.Def); ok && f.Name == "main" {
			e.Replace(s, "")
		} else if ok {
			e.Replace(f.Body, "{ for (;;) ; }")
		}
	}
	return e.Apply()
}

// reads are the objects that a predicate reads, by their text: without side effects the
// same text is the same value, and other texts may be any.
type reads struct {
	u      *csource.Unit
	prefix string
	names  map[string]string
	inputs strings.Builder
	spans  []csource.Span
	with   []string // for each span

	fractions bool              // some are floating-point numbers
	divides   bool              // some are divided
	classes   bool              // some are classes of characters, or looked for in a literal
	library   func(string) bool // whether a function is left to the C library

	kept    map[string]bool // variables that stand in the driver as they are: see decision
	keeps   bool            // the expression at hand reads some
	macros  map[string]bool // what labels are called
	objects []string        // texts of what the expression at hand reads
	memory  map[string]bool // those that others than the function's own text may change
	own     *ownVars        // nil where nothing is asked of it
}

// expression is the text of one that is arithmetic on objects and surely has a value, with
// inputs in it, and what it reads; false for others.
func (r *reads) expression(e cc.ExpressionNode) (text string, objects []string, ok bool) {
	s, ok := r.u.Span(e)
	r.spans, r.with, r.objects = nil, nil, nil
	if !ok || !r.certain(e) || !r.truth(e) || len(r.objects) == 0 {
		return "", nil, false
	}
	return "(" + r.text(s) + ")", r.objects, true
}

// certain reports whether nothing in an expression divides, shifts or calls: what such a
// one comes to may be nothing.
func (r *reads) certain(e cc.ExpressionNode) bool {
	ok := true
	r.u.Walk(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.MultiplicativeExpression:
			ok = ok && x.Case != cc.MultiplicativeExpressionDiv && x.Case != cc.MultiplicativeExpressionMod
		case *cc.ShiftExpression:
			ok = ok && x.Case == cc.ShiftExpressionAdd
		case *cc.PostfixExpression:
			if c := classOf(x); c != nil {
				ok = ok && r.certain(c)
				return false
			}
			if call, _, char := searchOf(x); call != nil {
				ok = ok && r.certain(char)
				return false
			}
			ok = ok && x.Case != cc.PostfixExpressionCall
		}
		return ok
	})
	return ok
}

// of reports whether an expression is arithmetic on such objects.
func (r *reads) of(n cc.ExpressionNode) bool {
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionIdent:
			if e, ok := x.ResolvedTo().(*cc.Enumerator); ok {
				return r.everywhere(e.Token.SrcStr(), e)
			}
			if r.kept[x.Token.SrcStr()] {
				r.keeps = true
				return true
			}
			return r.object(x)
		case cc.PrimaryExpressionInt, cc.PrimaryExpressionFloat, cc.PrimaryExpressionChar:
			return true
		case cc.PrimaryExpressionExpr:
			return r.kids(x, r.of)
		}
		return false
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionPrimary:
			return r.kids(x, r.of)
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			f := x.Field()
			return f != nil && !f.IsBitfield() && r.object(x)
		case cc.PostfixExpressionIndex:
			if c := classOf(x); c != nil {
				return r.class(x, c)
			}
			return r.object(x)
		}
		return false
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPostfix, cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
			return r.kids(x, r.of)
		case cc.UnaryExpressionNot:
			return r.kids(x, r.truth)
		case cc.UnaryExpressionDeref:
			return r.object(x)
		}
		return false
	case *cc.AssignmentExpression:
		c := keptCondition(x)
		return c != nil && r.kept[nameIn(x.UnaryExpression)] && r.of(c)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return r.kids(n, r.truth)
	case *cc.EqualityExpression:
		if call, _, _ := searchOf(x.EqualityExpression); call != nil {
			return r.found(x)
		}
		return r.kids(n, r.of)
	case *cc.CastExpression, *cc.MultiplicativeExpression, *cc.AdditiveExpression, *cc.ShiftExpression,
		*cc.RelationalExpression, *cc.AndExpression, *cc.ExclusiveOrExpression,
		*cc.InclusiveOrExpression, *cc.ConditionalExpression, *cc.ExpressionList:
		if m, ok := x.(*cc.MultiplicativeExpression); ok && m.Case != cc.MultiplicativeExpressionMul {
			r.divides = true
		}
		return numberType(n.Type()) != "" && r.kids(n, r.of)
	}
	return false
}

func (r *reads) kids(n cc.ExpressionNode, of func(cc.ExpressionNode) bool) bool {
	kids := r.u.Children(n)
	for _, k := range kids {
		if t, ok := k.(*cc.TypeName); ok { // of a cast
			if d := t.Type().Typedef(); d != nil && !r.everywhere(d.Name(), d) {
				return false
			}
			continue
		}
		if e, ok := k.(cc.ExpressionNode); !ok || !of(e) {
			return false
		}
	}
	return len(kids) > 0
}

// everywhere reports whether a name means the same outside of functions.
func (r *reads) everywhere(name string, is cc.Node) bool {
	return slices.Contains(r.u.AST.Scope.Nodes[name], is)
}

// object makes an input of what a predicate reads, if that is a number.
func (r *reads) object(n cc.ExpressionNode) bool {
	s, ok := r.u.Span(n)
	if !ok {
		return false
	}
	key := csource.NormalizeSpace(r.u.Text[s.Start:s.End])
	name := r.input(key, n.Type())
	if name == "" {
		return false
	}
	r.fractions = r.fractions || intType(n.Type()) == ""
	r.replace(s, name)
	r.objects = append(r.objects, key)
	if r.own != nil && r.own.of(n) == nil {
		r.memory[key] = true
	}
	return true
}

// input is the name of the input that stands for the object with this text; "" if it is
// no number.
func (r *reads) input(key string, typ cc.Type) string {
	t := numberType(typ)
	if t == "" || r.names[key] != "" {
		return r.names[key]
	}
	name := fmt.Sprintf("%s%d", r.prefix, len(r.names))
	r.names[key] = name
	fmt.Fprintf(&r.inputs, "%s %s; klee_make_symbolic(&%s, sizeof %s, \"%s\");\n", t, name, name, name, name)
	return name
}

// variable is the input that stands for a variable.
func (r *reads) variable(d *cc.Declarator) string { return r.input(d.Name(), d.Type()) }

// text is the predicate with the inputs in it.
func (r *reads) text(pred csource.Span) string {
	var b strings.Builder
	at := pred.Start
	for i, s := range r.spans { // in the order of the text
		b.Write(r.u.Text[at:s.Start])
		b.WriteString(r.with[i])
		at = s.End
	}
	b.Write(r.u.Text[at:pred.End])
	return csource.NormalizeSpace([]byte(b.String()))
}

// numberType is a C type with the values of an arithmetic type, "" for others.
func numberType(t cc.Type) string {
	if t == nil {
		return ""
	}
	switch t.Kind() {
	case cc.Float:
		return "float"
	case cc.Double:
		return "double"
	case cc.LongDouble:
		return "long double"
	}
	return intType(t)
}
