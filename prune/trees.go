package prune

import (
	"fmt"
	"math/big"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A question is what the optimiser is asked of labels that are reached together: a tree of branches on
// the conditions of their predicates, with a probe at each leaf. After a choice the optimiser forgets
// on which way it came there. Labels asked for one by one would know less the later they
// stand, and a predicate of many conditions is no branch any more.
type question struct {
	labels []*labelSite // the first is where the text stands
	code   string
	leaves map[string][]bool // by probe: which labels hold there
}

// answer reports, of the probes that the optimiser leaves, whether the i-th label may be true where it stands, and
// whether it may be false.
func (q *question) answer(i int, left map[string]bool) (yes, no bool) {
	for probe, holds := range q.leaves {
		if left[probe] {
			yes, no = yes || holds[i], no || !holds[i]
		}
	}
	return yes, no
}

// Both bound a tree; the labels of a larger one are asked for in halves.
const (
	maxLeaves     = 512
	maxConditions = 12
)

// questions asks for the labels of a unit, which are in the order of its text.
func questions(u *csource.Unit, labels []*labelSite) (out []question) {
	for len(labels) > 0 {
		n := 1
		for n < len(labels) && follows(u, labels[n-1], labels[n]) {
			n++
		}
		var together []*labelSite
		for _, l := range labels[:n] {
			if l.mayFail || !u.Steady(l.PredExpr) {
				out = append(out, alone(l)) // its conditions are for their order in the predicate
			} else {
				together = append(together, l)
			}
		}
		out = append(out, trees(u, together)...)
		labels = labels[n:]
	}
	return out
}

// follows reports whether nothing happens between two labels.
func follows(u *csource.Unit, a, b *labelSite) bool {
	return a.Statement && b.Statement && !a.Body && !b.Body && a.fn == b.fn && a.Stmt.End <= b.Stmt.Start &&
		strings.TrimSpace(string(u.Text[a.Stmt.End:b.Stmt.Start])) == ""
}

func alone(l *labelSite) question {
	n, p := fmt.Sprintf("n%d", l.ID), fmt.Sprintf("p%d", l.ID)
	code := fmt.Sprintf("if (%s) klabel_probe_%s(); else klabel_probe_%s();", l.Predicate, n, p)
	return question{[]*labelSite{l}, code, map[string][]bool{n: {true}, p: {false}}}
}

func trees(u *csource.Unit, labels []*labelSite) []question {
	if len(labels) == 0 {
		return nil
	}
	t := tree{u: u, q: question{labels: labels, leaves: map[string][]bool{}}, names: map[string]string{}}
	ok := true
	for _, l := range labels {
		table, fits := t.of(l.PredExpr)
		t.tables, ok = append(t.tables, table), ok && fits
	}
	if ok && t.grow(everyRow, 0) {
		t.q.code = t.code.String()
		return []question{t.q}
	}
	if len(labels) == 1 {
		return []question{alone(labels[0])}
	}
	return append(trees(u, labels[:len(labels)/2]), trees(u, labels[len(labels)/2:])...)
}

type tree struct {
	u      *csource.Unit
	atoms  []string   // the conditions: the same text is the same condition
	tables []*big.Int // of the labels' predicates: a bit a row, whose number has the values of the conditions
	q      question
	names  map[string]string // of the probes, by the labels that hold there
	code   strings.Builder
	size   int
}

// grow writes the tree for some rows of the tables, in which the conditions before next have a value.
func (t *tree) grow(rows *big.Int, next int) bool {
	holds, open := make([]bool, len(t.tables)), []*big.Int{}
	for i, table := range t.tables {
		here := new(big.Int).And(table, rows)
		switch {
		case here.Cmp(rows) == 0:
			holds[i] = true
		case here.Sign() != 0:
			open = append(open, here)
		}
	}
	if len(open) == 0 {
		return t.leaf(holds)
	}
	for !dependent(open, next) {
		next++
	}
	fmt.Fprintf(&t.code, "if (%s) { ", t.atoms[next])
	if !t.grow(new(big.Int).And(rows, column[next]), next+1) {
		return false
	}
	t.code.WriteString("} else { ")
	ok := t.grow(new(big.Int).AndNot(rows, column[next]), next+1)
	t.code.WriteString("} ")
	return ok
}

func (t *tree) leaf(holds []bool) bool {
	key := fmt.Sprint(holds)
	if t.names[key] == "" {
		t.names[key] = fmt.Sprintf("t%d_%d", t.q.labels[0].ID, len(t.names))
		t.q.leaves[t.names[key]] = holds
	}
	fmt.Fprintf(&t.code, "klabel_probe_%s(); ", t.names[key])
	t.size++
	return t.size <= maxLeaves
}

// dependent reports whether one of the tables depends on a condition.
func dependent(tables []*big.Int, atom int) bool {
	for _, t := range tables {
		yes := new(big.Int).And(t, column[atom])
		if yes.Rsh(yes, 1<<atom).Cmp(new(big.Int).AndNot(t, column[atom])) != 0 {
			return true
		}
	}
	return false
}

// of is the table of an expression. It is missing if there are too many conditions.
func (t *tree) of(e cc.ExpressionNode) (*big.Int, bool) {
	e = csource.Unparen(e)
	switch e := e.(type) {
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionNot {
			x, ok := t.of(e.CastExpression)
			if !ok {
				return nil, false
			}
			return new(big.Int).AndNot(everyRow, x), true
		}
	case *cc.LogicalAndExpression:
		if e.Case == cc.LogicalAndExpressionLAnd {
			return t.both(e.LogicalAndExpression, e.InclusiveOrExpression, (*big.Int).And)
		}
	case *cc.LogicalOrExpression:
		if e.Case == cc.LogicalOrExpressionLOr {
			return t.both(e.LogicalOrExpression, e.LogicalAndExpression, (*big.Int).Or)
		}
	case *cc.ConditionalExpression:
		if e.Case == cc.ConditionalExpressionCond && e.ExpressionList != nil {
			c, ok := t.of(e.LogicalOrExpression)
			x, ok2 := t.of(e.ExpressionList)
			y, ok3 := t.of(e.ConditionalExpression)
			if !ok || !ok2 || !ok3 {
				return nil, false
			}
			return new(big.Int).Or(new(big.Int).And(c, x), new(big.Int).AndNot(y, c)), true
		}
	}
	return t.atom(e)
}

func (t *tree) both(l, r cc.ExpressionNode, join func(z, l, r *big.Int) *big.Int) (*big.Int, bool) {
	x, ok := t.of(l)
	y, ok2 := t.of(r)
	if !ok || !ok2 {
		return nil, false
	}
	return join(new(big.Int), x, y), true
}

// atom is a condition that is taken as a whole.
func (t *tree) atom(e cc.ExpressionNode) (*big.Int, bool) {
	if c, ok := csource.ConstInt(e); ok {
		if c == 0 {
			return new(big.Int), true
		}
		return everyRow, true
	}
	text := strings.ReplaceAll(t.u.Source(e), "\n", newline)
	for i, a := range t.atoms {
		if a == text {
			return column[i], true
		}
	}
	if text == "" || len(t.atoms) == maxConditions {
		return nil, false
	}
	t.atoms = append(t.atoms, text)
	return column[len(t.atoms)-1], true
}

// everyRow is the table of what is always true, and column that of each condition.
var everyRow, column = func() (all *big.Int, columns [maxConditions]*big.Int) {
	const rows = 1 << maxConditions
	for i := range columns {
		columns[i] = new(big.Int)
		for row := range rows {
			if row>>i&1 != 0 {
				columns[i].SetBit(columns[i], row, 1)
			}
		}
	}
	all = new(big.Int).Lsh(big.NewInt(1), rows)
	return all.Sub(all, big.NewInt(1)), columns
}()
