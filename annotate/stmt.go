package annotate

import "klabel/annotate/ctree"

// statementCoverage: STMT, every statement is run. Blocks, empty statements and
// declarations are none.
type statementCoverage struct{}

func (statementCoverage) mark(f *function, tag string) {
	for _, s := range f.stmts {
		switch s.Kind {
		case ctree.Block, ctree.Null, ctree.Labelled, ctree.Case, ctree.Decl, ctree.Hand:
			continue
		}
		f.before(s).add("1", tag)
	}
}
