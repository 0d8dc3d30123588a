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

// bound is a condition that compares an integer with a constant.
type bound struct {
	subject string // the text of what is compared
	kind    string // its type in the comparison, and
	low     *big.Int
	high    *big.Int // the values of that
	op      string
	k       *big.Int
}

// ranges are the conditions of a decision that speak of the same integers: what
// they say of one value is known without any prover. By condition; nil where it
// is no such comparison.
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
		if d.pure {
			r.bounds[i] = f.bound(e)
		}
	}
	return r
}

func (f *function) bound(e *ctree.Expr) *bound {
	b := &bound{op: "!=", k: new(big.Int)}
	a := e
	var own, kind ctree.Num
	if e.Kind == ctree.Compare {
		c := e.Kids[1]
		a, b.op = e.Kids[0], e.Op
		if a.Const {
			a, c, b.op = c, a, mirrored[e.Op]
		}
		na, ok1 := a.Int()
		nc, ok2 := c.Int()
		k, ok3 := constInt(c)
		if a.Const || !ok1 || !ok2 || !ok3 {
			return nil
		}
		own, kind, b.k = na, ctree.Common(na, nc), k
	} else {
		n, ok := e.Int()
		if !ok || e.Const {
			return nil
		}
		own, kind = n, n.Promote()
	}
	b.subject, b.kind = f.plain(a), kind.C
	b.low, b.high = span(kind)
	// The constant as the comparison sees it.
	size := new(big.Int).Lsh(big.NewInt(1), uint(kind.Bits))
	b.k.Mod(b.k, size)
	if b.k.Cmp(b.high) > 0 {
		b.k.Sub(b.k, size)
	}
	// Conversion keeps the values of a type; whether char has a sign, flags say.
	if own.Promote().C == kind.C && a.Type.Kind() != cc.Char {
		b.low, b.high = span(own)
	}
	return b
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

// holds says what the comparison gives for a value.
func (b *bound) holds(z *big.Int) bool {
	c := z.Cmp(b.k)
	switch b.op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	case ">=":
		return c >= 0
	case "==":
		return c == 0
	}
	return c != 0
}

func (b *bound) like(o *bound) bool { return o != nil && b.subject == o.subject && b.kind == o.kind }

// impossible says why a vector cannot occur: its conditions ask of an integer
// what no value of it satisfies. "" if nothing is known against it.
func (r ranges) impossible(v logic.Vector) string {
	for i, b := range r.bounds {
		if b == nil || v.Seen>>i&1 == 0 {
			continue
		}
		var group []int
		for j := i; j < len(r.bounds); j++ {
			if v.Seen>>j&1 != 0 && b.like(r.bounds[j]) {
				group = append(group, j)
			}
		}
		if !r.together(v, group) {
			var parts []string
			for _, j := range group {
				parts = append(parts, fmt.Sprintf("%s %v", r.texts[j], v.Values>>j&1 != 0))
			}
			return fmt.Sprintf("no value of %s makes %s", b.subject, strings.Join(parts, " and "))
		}
	}
	return ""
}

// together reports whether one value gives all comparisons of a group their
// values: the limits, and the constants with their neighbours, stand for all.
func (r ranges) together(v logic.Vector, group []int) bool {
	first := r.bounds[group[0]]
	try := []*big.Int{first.low, first.high}
	for _, j := range group {
		k := r.bounds[j].k
		for d := int64(-1); d <= 1; d++ {
			try = append(try, new(big.Int).Add(k, big.NewInt(d)))
		}
	}
	return slices.ContainsFunc(try, func(z *big.Int) bool {
		return z.Cmp(first.low) >= 0 && z.Cmp(first.high) <= 0 && !slices.ContainsFunc(group, func(j int) bool {
			return r.bounds[j].holds(z) != (v.Values>>j&1 != 0)
		})
	})
}

// coupled says in words what keeps condition i from changing alone, "" if it is
// not seen from the conditions.
func (f *function) coupled(conds []*ctree.Expr, same []int, r ranges, i int) string {
	for j := range conds {
		if j != i && same[j] == same[i] {
			return fmt.Sprintf("%s cannot change alone: it stands in the decision twice, and both change", r.texts[i])
		}
	}
	var with []string
	for j, b := range r.bounds {
		if j != i && b != nil && b.like(r.bounds[i]) {
			with = append(with, r.texts[j])
		}
	}
	if len(with) == 0 {
		return ""
	}
	verb := "changes"
	if len(with) > 1 {
		verb = "change"
	}
	return fmt.Sprintf("%s cannot change alone: %s %s with it", r.texts[i], strings.Join(with, " and "), verb)
}
