package expr

// andBool simplifies a conjunction of two booleans, neither constant.
func (b *Builder) andBool(x, y *Expr) *Expr {
	for i := 0; i < 2; i++ {
		switch {
		case y.op == OpAnd:
			if y.x == x || y.y == x {
				return y
			}
			if b.complementary(x, y.x) || b.complementary(x, y.y) {
				return b.no
			}
		case y.op == OpOr:
			if y.x == x || y.y == x {
				return x
			}
			if b.complementary(x, y.x) {
				return b.And(x, y.y)
			}
			if b.complementary(x, y.y) {
				return b.And(x, y.x)
			}
		}
		if e := b.meet(x, y); e != nil {
			return e
		}
		x, y = y, x
	}
	return b.ordered(OpAnd, x, y)
}

// meet joins two predicates on the same term with constants.
func (b *Builder) meet(x, y *Expr) *Expr {
	t, k, below := constPredicate(x)
	if t == nil {
		return nil
	}
	u, c, uBelow := constPredicate(y)
	if u != t {
		if y.op == OpNot && y.x.op == OpEq && y.x.x == t && y.x.y.op == OpConst {
			// t < k and t != k-1, and the like, stay as they are; t == k decides.
			if x.op == OpEq {
				return b.pickIf(k != y.x.y.Value(), x)
			}
			if !holds(x, t, y.x.y.Value()) { // the excluded value is outside anyhow
				return x
			}
		}
		return nil
	}
	switch {
	case x.op == OpEq:
		return b.pickIf(holds(y, t, k), x)
	case y.op == OpEq:
		return b.pickIf(holds(x, t, c), y)
	case x.op == y.op && below == uBelow: // two bounds on the same side
		tight := k.Cmp(c) < 0
		if x.op == OpSlt {
			tight = k.SCmp(c, int(t.width)) < 0
		}
		if tight == below {
			return x
		}
		return y
	case x.op == y.op: // a window: c < t < k; empty or one value?
		lo, hi := k, c
		if below {
			lo, hi = c, k
		}
		w := int(t.width)
		first := lo.add(Value{Lo: 1}).Mask(w)
		cmp := first.Cmp(hi)
		if x.op == OpSlt {
			cmp = first.SCmp(hi, w)
		}
		if cmp >= 0 {
			return b.no
		}
		if first.add(Value{Lo: 1}).Mask(w) == hi {
			return b.Eq(t, b.ConstValue(w, first))
		}
	}
	return nil
}

func (b *Builder) pickIf(ok bool, e *Expr) *Expr {
	if ok {
		return e
	}
	return b.no
}

// constPredicate takes apart t == k, t < k (below) and k < t, signed or not.
func constPredicate(e *Expr) (t *Expr, k Value, below bool) {
	switch e.op {
	case OpEq, OpUlt, OpSlt:
		if e.y.op == OpConst {
			return e.x, e.y.Value(), true
		}
		if e.x.op == OpConst {
			return e.y, e.x.Value(), false
		}
	}
	return nil, Value{}, false
}

// holds evaluates a predicate of constPredicate's forms for t == v.
func holds(e, t *Expr, v Value) bool {
	w := int(t.width)
	if e.x == t {
		return Apply(e.op, w, v, e.y.Value()).Lo == 1
	}
	return Apply(e.op, w, e.x.Value(), v).Lo == 1
}

// orBool simplifies a disjunction of two booleans, neither constant.
func (b *Builder) orBool(x, y *Expr) *Expr {
	for i := 0; i < 2; i++ {
		switch {
		case y.op == OpOr:
			if y.x == x || y.y == x {
				return y
			}
			if b.complementary(x, y.x) || b.complementary(x, y.y) {
				return b.yes
			}
		case y.op == OpAnd:
			if y.x == x || y.y == x {
				return x
			}
			if b.complementary(x, y.x) {
				return b.Or(x, y.y)
			}
			if b.complementary(x, y.y) {
				return b.Or(x, y.x)
			}
		}
		x, y = y, x
	}
	if nx, ny := b.negatedPredicate(x), b.negatedPredicate(y); nx != nil && ny != nil {
		if e := b.meet(nx, ny); e != nil {
			return b.Not(e)
		}
		if e := b.meet(ny, nx); e != nil {
			return b.Not(e)
		}
	}
	return b.ordered(OpOr, x, y)
}

// negatedPredicate returns not e where that is a predicate on a term and a
// constant, else nil.
func (b *Builder) negatedPredicate(e *Expr) *Expr {
	switch e.op {
	case OpNot:
		if e.x.op == OpEq && e.x.y.op == OpConst {
			return e.x
		}
	case OpEq, OpUlt, OpSlt:
		if e.x.op == OpConst || e.y.op == OpConst {
			return b.Not(e)
		}
	}
	return nil
}
