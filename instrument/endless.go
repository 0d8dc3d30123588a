package instrument

import (
	"regexp"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A loop without an end and without a body is where programs stop that have nowhere to
// return to: what an assertion of an embedded system fails into, the end of its main. A test that comes
// there never ends normally. That is said at once: an engine would go round until its time is over, and
// a replay wait for its limit.
//
// A signal's handler, or another thread, may still end the program: where the unit has
// anything of the kind its loops stay as they are.

// endlessLoop ends a run as an error of the program's.
const endlessLoop = `klee_report_error(__FILE__, __LINE__, "a loop without an end", "` + EndlessSuffix + `");`

// EndlessSuffix tells such an error from others that klee_report_error reports.
const EndlessSuffix = "endless.err"

const endlessDeclaration = "void klee_report_error(const char *, int, const char *, const char *) " +
	"__attribute__((noreturn));\n"

// interrupting are functions after which more than one thing happens at a time.
var interrupting = []string{"signal", "sigaction", "bsd_signal", "sigset", "alarm", "ualarm", "setitimer",
	"timer_create", "timer_settime", "pthread_create", "thrd_create", "fork", "vfork", "clone", "kill", "raise"}

// statementInExpression finds what statements within expressions begin with, and some more.
var statementInExpression = regexp.MustCompile(`\(\s*\{`)

// endless ends runs at loops of the unit that nothing ends, and reports whether there are any.
func (r *rewriter) endless() (any bool) {
	if len(r.u.Identifiers(interrupting...)) > 0 {
		return false
	}
	within := statementInExpression.Match(r.u.Text)
	for _, f := range r.u.Functions() {
		if f.Def == nil {
			continue
		}
		r.u.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
			if _, is := n.(cc.ExpressionNode); is { // most of a tree
				return within
			}
			x, ok := n.(*cc.IterationStatement)
			if !ok || !goesOn(x) {
				return true
			}
			at, ok := r.u.Span(x.Statement)
			if !ok || !isEmpty(x.Statement) {
				return true
			}
			any = true
			if r.u.Text[at.Start] == '{' {
				r.edits.Insert(at.Start+1, " "+endlessLoop+" ")
			} else {
				r.edits.Replace(at, " "+endlessLoop)
			}
			return true
		})
	}
	return any
}

// goesOn reports whether a loop has no condition, or one that is always true, and does nothing between its rounds.
func goesOn(x *cc.IterationStatement) bool {
	switch x.Case {
	case cc.IterationStatementWhile, cc.IterationStatementDo:
		return isTrue(x.ExpressionList)
	case cc.IterationStatementFor:
		return (x.ExpressionList2 == nil || isTrue(x.ExpressionList2)) && x.ExpressionList3 == nil
	}
	return false
}

// isTrue reports whether an expression is a constant other than 0.
func isTrue(e cc.ExpressionNode) bool {
	if e == nil {
		return false
	}
	switch v := csource.Unparen(e).Value().(type) {
	case cc.Int64Value:
		return v != 0
	case cc.UInt64Value:
		return v != 0
	}
	return false
}

// isEmpty reports whether a statement does nothing.
func isEmpty(s *cc.Statement) bool {
	switch s.Case {
	case cc.StatementExpr:
		return s.ExpressionStatement.ExpressionList == nil
	case cc.StatementCompound:
		return s.CompoundStatement.BlockItemList == nil
	}
	return false
}
