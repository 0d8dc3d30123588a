package annotate

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
	"klabel/annotate/logic"
)

// subject is an integer that conditions compare: its text and, where the comparison
// converts it to another value, the type of that.
type subject struct {
	name      string
	low, high *big.Int // the values that it can have
}

// bound is a condition that compares an integer with a constant or with another
// integer: left - right op k. right is nil for a constant.
type bound struct {
	left, right *subject
	op          string
	k           *big.Int
}

// ranges are the conditions of a decision that compare integers: what they say of
// the same values is known without any prover. By condition; nil where it is no such
// comparison.
type ranges struct {
	bounds []*bound
	texts  []string
}

// ranges finds them. Where an operand has side effects, what is compared may
// change from one condition to the next: then there are none.
func (f *function) ranges(d *decision, conds []*ctree.Expr) ranges {
	r := ranges{bounds: make([]*bound, len(conds))}
	for i, e := range conds {
		r.texts = append(r.texts, f.plain(e))
		if d.steady {
			r.bounds[i] = f.bound(e)
		}
	}
	return r
}

func (f *function) bound(e *ctree.Expr) *bound {
	if e.Kind != ctree.Compare {
		n, ok := e.Int()
		if !ok || e.Const {
			return nil
		}
		return &bound{left: f.subject(e, n, n.Promote()), op: "!=", k: new(big.Int)}
	}
	a, c, op := e.Kids[0], e.Kids[1], e.Op
	if a.Const {
		a, c, op = c, a, mirrored[e.Op]
	}
	na, ok1 := a.Int()
	nc, ok2 := c.Int()
	if a.Const || !ok1 || !ok2 {
		return nil
	}
	kind := ctree.Common(na, nc)
	b := &bound{left: f.subject(a, na, kind), op: op, k: new(big.Int)}
	if !c.Const {
		b.right = f.subject(c, nc, kind)
		return b
	}
	k, ok := constInt(c)
	if !ok {
		return nil
	}
	// The constant as the comparison sees it.
	size := new(big.Int).Lsh(big.NewInt(1), uint(kind.Bits))
	_, high := span(kind)
	b.k.Mod(k, size)
	if b.k.Cmp(high) > 0 {
		b.k.Sub(b.k, size)
	}
	return b
}

// subject is an operand as a comparison in a type sees it.
func (f *function) subject(e *ctree.Expr, own, kind ctree.Num) *subject {
	s := &subject{name: bare(f.plain(e))}
	s.low, s.high = span(own)
	if e.Type.Kind() == cc.Char { // whether it has a sign, flags say
		s.low, s.high = big.NewInt(-128), big.NewInt(255)
	}
	low, high := span(kind)
	if s.low.Cmp(low) < 0 || s.high.Cmp(high) > 0 { // the conversion may change the value
		s.name += " as " + kind.C
		s.low, s.high = low, high
	}
	return s
}

// bare takes the parentheses around a whole text away.
func bare(s string) string {
	for strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		depth := 0
		for i, c := range s {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			case '"', '\'':
				return s
			}
			if depth == 0 && i < len(s)-1 {
				return s
			}
		}
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// span is the least and the greatest value of an integer type.
func span(n ctree.Num) (low, high *big.Int) {
	if n.Bool {
		return new(big.Int), big.NewInt(1)
	}
	size := new(big.Int).Lsh(big.NewInt(1), uint(n.Bits))
	low, high = new(big.Int), new(big.Int).Sub(size, big.NewInt(1))
	if n.Signed {
		low.Neg(new(big.Int).Rsh(size, 1))
		high.Add(low, high)
	}
	return low, high
}

var mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}

var negated = map[string]string{"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}

func constInt(e *ctree.Expr) (*big.Int, bool) {
	if !e.Const {
		return nil, false
	}
	switch v := e.Node.Value().(type) {
	case cc.Int64Value:
		return big.NewInt(int64(v)), true
	case cc.UInt64Value:
		return new(big.Int).SetUint64(uint64(v)), true
	}
	return nil, false
}

// conflict finds conditions whose values in a vector no integers give them
// together, as few as will do: without any of them there are such integers. nil if
// nothing is known against the vector.
func (r ranges) conflict(v logic.Vector) []int {
	var of []int
	for i, b := range r.bounds {
		if b != nil && v.Seen>>i&1 != 0 {
			of = append(of, i)
		}
	}
	if r.together(v, of) {
		return nil
	}
	for n := 0; n < len(of); {
		without := slices.Delete(slices.Clone(of), n, n+1)
		if r.together(v, without) {
			n++
		} else {
			of = without
		}
	}
	return of
}

// together reports whether integers may give these conditions their values.
func (r ranges) together(v logic.Vector, of []int) bool {
	d := newDifferences()
	for _, i := range of {
		b, op := r.bounds[i], r.bounds[i].op
		if v.Values>>i&1 == 0 {
			op = negated[op]
		}
		d.compare(d.node(b.left), d.node(b.right), op, b.k)
	}
	return d.possible(mostSplits)
}

// impossible says in words why a vector cannot occur.
func (r ranges) impossible(v logic.Vector, conflict []int) string {
	var names, parts []string
	for _, i := range conflict {
		for _, s := range []*subject{r.bounds[i].left, r.bounds[i].right} {
			if s != nil && !slices.Contains(names, s.name) {
				names = append(names, s.name)
			}
		}
		parts = append(parts, fmt.Sprintf("%s %v", r.texts[i], v.Values>>i&1 != 0))
	}
	head := "no value of " + names[0] + " makes "
	if n := len(names) - 1; n > 0 {
		head = "no values of " + strings.Join(names[:n], ", ") + " and " + names[n] + " make "
	}
	return head + strings.Join(parts, " and ")
}

// coupled says in words what keeps condition i from changing alone, "" if it is
// not seen from the conditions. conflicts are those of the vectors that its pairs
// need.
func (r ranges) coupled(same []int, conflicts [][]int, i int) string {
	for j := range same {
		if j != i && same[j] == same[i] {
			return fmt.Sprintf("%s cannot change alone: it stands in the decision twice, and both change", r.texts[i])
		}
	}
	var with []int
	for _, c := range conflicts {
		if slices.Contains(c, i) {
			with = append(with, c...)
		}
	}
	slices.Sort(with)
	var texts []string
	for _, j := range slices.Compact(with) {
		if j != i {
			texts = append(texts, r.texts[j])
		}
	}
	switch n := len(texts) - 1; {
	case n < 0:
		return ""
	case n == 0:
		return fmt.Sprintf("%s cannot change alone: %s changes with it", r.texts[i], texts[0])
	default:
		return fmt.Sprintf("%s cannot change alone: %s and %s change with it", r.texts[i],
			strings.Join(texts[:n], ", "), texts[n])
	}
}
