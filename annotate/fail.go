package annotate

import (
	"slices"

	"klabel/annotate/ctree"
)

// failureCalls: FAIL, the program says itself that something is wrong: it aborts,
// traps, or an assertion fails. Such a label is reached by a test that ends so.
type failureCalls struct{}

// failures are the functions that are called for nothing else: C's own, what
// assert becomes in the usual C libraries, and the words of Test-Comp.
var failures = map[string]bool{
	"abort": true, "__builtin_abort": true, "__builtin_trap": true, "__builtin_unreachable": true,
	"__assert_fail": true, "__assert_perror_fail": true, "__assert": true, "__assert2": true, "__assert_rtn": true,
	"__assert_func": true, "_assert": true,
	"reach_error": true, "__VERIFIER_error": true,
}

func (failureCalls) mark(f *function, tag string) {
	for _, e := range f.exprs {
		if e.Kind != ctree.Call || e.Closed || !failures[f.src(e.Kids[0])] {
			continue
		}
		if s := f.pre(e); s != nil {
			s.add("1", tag)
		}
	}
	if !slices.Contains(f.p.opts.Oracles, f.Name) {
		return
	}
	for _, st := range f.stmts { // an oracle says so by what it returns
		if st.Kind == ctree.Return && len(st.Exprs) > 0 && st.Exprs[0].Scalar() {
			if s, v := f.value(st.Exprs[0]); s != nil {
				s.add("!"+v, tag)
			}
		}
	}
}
