package expr

// Evaluator computes expressions under models. It keeps scratch memory between
// calls and belongs to one goroutine.
type Evaluator struct {
	model *Model
	memo  []memoSlot
	gen   uint32
	used  int
}

type memoSlot struct {
	id  uint64
	gen uint32
	val Value
}

// Eval computes e under m.
func (ev *Evaluator) Eval(e *Expr, m *Model) Value {
	ev.begin(m)
	return ev.eval(e)
}

// Holds reports whether the boolean e is true under m.
func (ev *Evaluator) Holds(e *Expr, m *Model) bool { return ev.Eval(e, m).Lo == 1 }

// All reports whether all booleans of es are true under m; it shares work
// between them.
func (ev *Evaluator) All(es []*Expr, m *Model) bool {
	ev.begin(m)
	for _, e := range es {
		if ev.eval(e).Lo != 1 {
			return false
		}
	}
	return true
}

// Begin sets the model for calls of Value, which share work.
func (ev *Evaluator) Begin(m *Model) { ev.begin(m) }

// Value computes e under the model that Begin was given.
func (ev *Evaluator) Value(e *Expr) Value { return ev.eval(e) }

// Eval computes e under m.
func (b *Builder) Eval(e *Expr, m *Model) Value { return b.ev.Eval(e, m) }

// Holds reports whether the boolean e is true under m.
func (b *Builder) Holds(e *Expr, m *Model) bool { return b.ev.Holds(e, m) }

func (ev *Evaluator) begin(m *Model) {
	if ev.memo == nil {
		ev.memo = make([]memoSlot, 256)
	}
	ev.model = m
	ev.used = 0
	ev.gen++
	if ev.gen == 0 { // wrapped: old marks would look new
		clear(ev.memo)
		ev.gen = 1
	}
}

func (ev *Evaluator) slot(id uint64) *memoSlot {
	mask := uint64(len(ev.memo) - 1)
	for i := id * 0x9e3779b97f4a7c15 >> 20 & mask; ; i = (i + 1) & mask {
		s := &ev.memo[i]
		if s.gen != ev.gen || s.id == id {
			return s
		}
	}
}

func (ev *Evaluator) put(id uint64, v Value) {
	if ev.used*2 >= len(ev.memo) {
		old := ev.memo
		ev.memo = make([]memoSlot, len(old)*2)
		for _, s := range old {
			if s.gen == ev.gen {
				*ev.slot(s.id) = s
			}
		}
	}
	*ev.slot(id) = memoSlot{id, ev.gen, v}
	ev.used++
}

func (ev *Evaluator) eval(e *Expr) Value {
	switch e.op {
	case OpConst:
		return e.Value()
	case OpLeaf:
		return ev.model.bits(e.lo, int(e.width))
	case OpNot:
		return ev.eval(e.x).not().Mask(int(e.width))
	case OpExtract:
		return ev.eval(e.x).shr(uint(e.low)).Mask(int(e.width))
	case OpZExt:
		return ev.eval(e.x)
	case OpSExt:
		return ev.eval(e.x).signExtend(int(e.x.width), int(e.width))
	}
	if e.IsFloat() {
		s := ev.slot(e.id)
		if s.gen != ev.gen {
			var v [3]Value
			for i := 0; i < e.NumKids(); i++ {
				v[i] = ev.eval(e.Kid(i))
			}
			r := e.applyFloat(v[0], v[1], v[2])
			ev.put(e.id, r)
			return r
		}
		return s.val
	}
	simple := e.y.op <= OpLeaf && e.x.op <= OpLeaf && e.op != OpIte // cheaper to compute than to remember
	if !simple {
		if s := ev.slot(e.id); s.gen == ev.gen {
			return s.val
		}
	}
	var v Value
	switch e.op {
	case OpIte:
		if ev.eval(e.x).Lo != 0 {
			v = ev.eval(e.y)
		} else {
			v = ev.eval(e.z)
		}
	case OpConcat:
		hi, lo := ev.eval(e.x).shl(uint(e.y.width)), ev.eval(e.y)
		v = Value{hi.Lo | lo.Lo, hi.Hi | lo.Hi}
	case OpAnd, OpOr:
		x := ev.eval(e.x)
		if e.width == 1 && (x.Lo != 0) == (e.op == OpOr) { // decided
			v = x
			break
		}
		v = Apply(e.op, int(e.width), x, ev.eval(e.y))
	default:
		v = Apply(e.op, int(e.x.width), ev.eval(e.x), ev.eval(e.y))
	}
	if !simple {
		ev.put(e.id, v)
	}
	return v
}
