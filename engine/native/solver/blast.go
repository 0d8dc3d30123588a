package solver

import (
	"slices"
	"time"

	"klabel/engine/native/expr"
)

// blaster turns conjunctions into clauses and asks the core. Each question gets
// a fresh instance of the cone it needs: a satisfiable answer costs time in
// proportion to everything in the instance.
type blaster struct {
	g       gates
	bits    []lit            // of all blasted nodes, one after the other
	at      map[uint64]int32 // node ID: its first bit in bits
	bytes   map[uint64]lit   // position of a variable byte: its lowest bit; the others follow
	order   []uint64         // the positions, as met
	divs    map[[2]uint64]division
	clauses int

	nonZero map[uint64]*expr.Expr // node ID: the constraint that says it is not zero
	relied  []*expr.Expr          // constraints that shaped the circuits

	relaxed bool // an operation has more results in the circuit than in fact
	late    bool // the time was over before the circuits were whole
	until   time.Time

	depth  depth // which floating-point operations have circuits
	lemmas bool  // facts about floating-point operations are added to circuits
	facts  []fact
}

// division is the circuit of a quotient and a remainder.
type division struct{ q, r []lit }

func newBlaster(c core) *blaster {
	own, _ := c.(*cdcl)
	return &blaster{g: gates{core: c, own: own}, at: make(map[uint64]int32), bytes: make(map[uint64]lit),
		divs:    make(map[[2]uint64]division),
		nonZero: make(map[uint64]*expr.Expr), depth: exact}
}

// check decides the conjunction of cs until the deadline.
func (t *blaster) check(cs []*expr.Expr, deadline time.Time) (Result, *expr.Model, []*expr.Expr) {
	t.g.reset()
	t.bits = t.bits[:0]
	clear(t.at)
	clear(t.bytes)
	clear(t.divs)
	t.order = t.order[:0]
	t.relaxed, t.late, t.until = false, false, deadline
	t.facts = t.facts[:0]
	t.findNonZero(cs)
	assume := make([]lit, 0, len(cs))
	for i := len(cs) - 1; i >= 0; i-- { // the question, which is first, last
		l := t.blast(cs[i])[0]
		if l == litFalse {
			return Unsat, nil, append(cs[i:i+1:i+1], t.relied...)
		}
		assume = append(assume, l)
		if i%16 == 15 && time.Now().After(deadline) {
			return Unknown, nil, nil
		}
	}
	if t.late {
		return Unknown, nil, nil
	}
	r := t.g.core.solve(assume, func() bool { return time.Now().After(deadline) })
	t.clauses = t.g.n
	switch r {
	case Sat:
		return Sat, t.model(), nil
	case Unsat:
		bad := t.g.core.failed()
		why := append([]*expr.Expr(nil), t.relied...)
		for i, l := range assume {
			for _, f := range bad {
				if f == l {
					if k := cs[len(cs)-1-i]; !slices.Contains(t.relied, k) {
						why = append(why, k)
					}
					break
				}
			}
		}
		return Unsat, nil, why
	}
	return Unknown, nil, nil
}

// outOfTime reports whether the deadline passed while circuits are built.
func (t *blaster) outOfTime() bool {
	t.late = t.late || time.Now().After(t.until)
	return t.late
}

// findNonZero collects the terms that a constraint keeps from being zero: a
// division by one of them needs no case for the division by zero, and operands
// with few bits then make quotient and remainder short.
func (t *blaster) findNonZero(cs []*expr.Expr) {
	clear(t.nonZero)
	t.relied = t.relied[:0]
	for _, c := range cs {
		switch c.Op() {
		case expr.OpNot:
			if e := c.Kid(0); e.Op() == expr.OpEq && e.Kid(1).IsConst() && e.Kid(1).Value().IsZero() {
				t.nonZero[e.Kid(0).ID()] = c
			}
		case expr.OpUlt: // anything < y
			t.nonZero[c.Kid(1).ID()] = c
		case expr.OpSlt:
			if x := c.Kid(0); x.IsConst() && !x.Value().Bit(x.Width()-1) {
				t.nonZero[c.Kid(1).ID()] = c
			}
		}
	}
}

// notZero returns the constraint that keeps e from being zero, nil for none.
// Extensions of a term are zero when the term is.
func (t *blaster) notZero(e *expr.Expr) *expr.Expr {
	for {
		if c := t.nonZero[e.ID()]; c != nil {
			return c
		}
		if op := e.Op(); op != expr.OpZExt && op != expr.OpSExt {
			return nil
		}
		e = e.Kid(0)
	}
}

func (t *blaster) model() *expr.Model {
	m := &expr.Model{}
	for _, pos := range t.order {
		base := t.bytes[pos]
		v := byte(0)
		for i := lit(0); i < 8; i++ {
			if t.g.core.value(base + 2*i) {
				v |= 1 << i
			}
		}
		m.SetAt(pos, v)
	}
	return m
}

// input returns the literal of a bit of the variables.
func (t *blaster) input(bit uint64) lit {
	base, ok := t.bytes[bit/8]
	if !ok {
		base = t.g.core.newVar()
		for i := 1; i < 8; i++ {
			t.g.core.newVar()
		}
		if t.g.own != nil {
			for i := lit(0); i < 8; i++ {
				t.g.own.prefer(base+2*i, 1e-6*float64(i+1))
			}
		}
		t.bytes[bit/8] = base
		t.order = append(t.order, bit/8)
	}
	return base + 2*lit(bit%8)
}

// blast returns the bits of e, lowest first. The slice is valid until the next
// question and must not be changed.
func (t *blaster) blast(e *expr.Expr) []lit {
	if i, ok := t.at[e.ID()]; ok {
		return t.bits[i : int(i)+e.Width()]
	}
	v := t.encode(e)
	t.at[e.ID()] = int32(len(t.bits))
	t.bits = append(t.bits, v...)
	return t.bits[len(t.bits)-len(v):]
}

func (t *blaster) encode(e *expr.Expr) []lit {
	w := e.Width()
	switch e.Op() {
	case expr.OpConst:
		return constBits(e.Value(), w)
	case expr.OpLeaf:
		out := make([]lit, w)
		for i := range out {
			out[i] = t.input(e.LeafPos() + uint64(i))
		}
		return out
	case expr.OpNot:
		return notBits(t.blast(e.Kid(0)))
	case expr.OpExtract:
		return t.blast(e.Kid(0))[e.Low() : e.Low()+w]
	case expr.OpZExt:
		return extend(t.blast(e.Kid(0)), w, litFalse)
	case expr.OpSExt:
		x := t.blast(e.Kid(0))
		return extend(x, w, x[len(x)-1])
	case expr.OpConcat:
		hi, lo := t.blast(e.Kid(0)), t.blast(e.Kid(1))
		return append(append(make([]lit, 0, w), lo...), hi...)
	case expr.OpIte:
		c, x, y := t.blast(e.Kid(0))[0], t.blast(e.Kid(1)), t.blast(e.Kid(2))
		return t.muxBits(c, x, y)
	}
	if e.IsFloat() {
		return t.float(e)
	}
	x, y := t.blast(e.Kid(0)), t.blast(e.Kid(1))
	switch e.Op() {
	case expr.OpAdd:
		s, _ := t.addBits(x, y, litFalse)
		return s
	case expr.OpSub:
		s, _ := t.addBits(x, notBits(y), litTrue)
		return s
	case expr.OpMul:
		return t.mulBits(x, y)
	case expr.OpUDiv, expr.OpURem:
		q, r := t.divide(e, x, y)
		if e.Op() == expr.OpUDiv {
			return q
		}
		return r
	case expr.OpSDiv, expr.OpSRem:
		return t.signedDivide(e, x, y)
	case expr.OpAnd:
		return t.zip(x, y, t.g.and)
	case expr.OpOr:
		return t.zip(x, y, t.g.or)
	case expr.OpXor:
		return t.zip(x, y, t.g.xor)
	case expr.OpShl:
		return reverse(t.shiftRight(reverse(x), y, litFalse))
	case expr.OpLShr:
		return t.shiftRight(x, y, litFalse)
	case expr.OpAShr:
		return t.shiftRight(x, y, x[len(x)-1])
	case expr.OpEq:
		return []lit{t.equal(x, y)}
	case expr.OpUlt:
		return []lit{t.less(x, y)}
	case expr.OpUle:
		return []lit{t.less(y, x).not()}
	case expr.OpSlt:
		return []lit{t.less(flipTop(x), flipTop(y))}
	case expr.OpSle:
		return []lit{t.less(flipTop(y), flipTop(x)).not()}
	}
	panic("solver: no circuit for " + e.Op().String())
}
