package logic

// Vector is a way of evaluating a decision: which of its conditions are
// evaluated (or, without short circuit, seen), their values, and the outcome.
type Vector struct {
	Seen, Values uint64
	Outcome      bool
}

// Rule says which two vectors show that a condition decides by itself. In both
// the condition is seen and decides, it has different values, and so have the
// outcomes.
type Rule uint8

// The rules, by what is asked of the other conditions. A condition that is not
// seen is a "don't care": it has the value that helps.
const (
	Masking     Rule = iota // nothing: they may change where they are masked
	UniqueCause             // they have the same values
	CoupledOnly             // the same, but for those coupled with it, which may be masked
)

// Conditions is a decision as MC/DC sees it: every occurrence of an atom is a
// condition of its own, numbered from left to right. (Where clauses are meant,
// which stand for all their occurrences, an atom may stand more than once.)
type Conditions struct {
	Form  *Form // atoms are the conditions
	Count int
	// Same has, for each condition, the number of the first one that always has
	// the same value: the same text, without side effects.
	Same []int
	// Whole: conditions that the decision does not evaluate are seen too, but for
	// those of Guarded, which cannot be evaluated elsewhere.
	Whole   bool
	Guarded uint64
}

// Vectors enumerates what evaluations there are, those first in which conditions
// on the left are true; false if there are more than limit.
func (c *Conditions) Vectors(limit int) ([]Vector, bool) {
	var out []Vector
	have := map[Vector]bool{}
	add := func(v Vector) bool {
		if !have[v] {
			have[v] = true
			out = append(out, v)
		}
		return len(out) <= limit
	}
	ok := c.walk(c.Form, Vector{}, func(v Vector, outcome bool) bool {
		v.Outcome = outcome
		if !c.Whole {
			return add(v)
		}
		return c.complete(v, 0, add)
	})
	return out, ok
}

// walk evaluates a form with short circuits for all values of what it meets, and
// goes on with each; false stops it.
func (c *Conditions) walk(f *Form, v Vector, next func(Vector, bool) bool) bool {
	switch f.Op {
	case OpAtom:
		for _, value := range c.choices(v, f.Atom) {
			if !next(v.with(f.Atom, value), value) {
				return false
			}
		}
		return true
	case OpNot:
		return c.walk(f.Kids[0], v, func(v Vector, b bool) bool { return next(v, !b) })
	case OpAnd, OpOr:
		return c.chain(f.Kids, f.Op == OpOr, v, next)
	}
	return next(v, f.Op == OpTrue)
}

func (c *Conditions) chain(kids []*Form, stop bool, v Vector, next func(Vector, bool) bool) bool {
	return c.walk(kids[0], v, func(v Vector, b bool) bool {
		if b == stop || len(kids) == 1 {
			return next(v, b)
		}
		return c.chain(kids[1:], stop, v, next)
	})
}

// complete gives values to what the decision did not evaluate.
func (c *Conditions) complete(v Vector, i int, add func(Vector) bool) bool {
	for ; i < c.Count; i++ {
		if (v.Seen|c.Guarded)>>i&1 != 0 {
			continue
		}
		for _, value := range c.choices(v, i) {
			if !c.complete(v.with(i, value), i+1, add) {
				return false
			}
		}
		return true
	}
	return add(v)
}

// choices are the values that condition i can have after those of v.
func (c *Conditions) choices(v Vector, i int) []bool {
	for j := range c.Count {
		if c.Same[j] == c.Same[i] && v.Seen>>j&1 != 0 {
			return []bool{v.Values>>j&1 != 0}
		}
	}
	return []bool{true, false}
}

func (v Vector) with(i int, value bool) Vector {
	v.Seen |= 1 << i
	if value {
		v.Values |= 1 << i
	}
	return v
}

// Pair is two vectors, by their numbers: the condition is true in the first.
type Pair struct{ True, False int }

// Pairs are those that a rule accepts for condition i, in the vectors' order.
func (c *Conditions) Pairs(vs []Vector, i int, r Rule) []Pair {
	decides := make([]bool, len(vs))
	once := c.Form.times(i) == 1
	for j := range c.Count {
		once = once && c.Form.times(j) <= 1
	}
	for n, v := range vs {
		switch {
		case v.Seen>>i&1 == 0:
		case once:
			decides[n] = c.decides(c.Form, v, i)
		default:
			decides[n] = c.flips(v, i)
		}
	}
	var out []Pair
	for a, v := range vs {
		if !decides[a] || v.Values>>i&1 == 0 {
			continue
		}
		for b, w := range vs {
			if decides[b] && w.Values>>i&1 == 0 && v.Outcome != w.Outcome && c.others(v, w, i, r) {
				out = append(out, Pair{a, b})
			}
		}
	}
	return out
}

// others reports whether the rule allows how the other conditions differ.
func (c *Conditions) others(v, w Vector, i int, r Rule) bool {
	if r == Masking {
		return true
	}
	differ := v.Seen & w.Seen & (v.Values ^ w.Values) &^ (1 << i)
	if r == CoupledOnly {
		for j := range c.Count {
			if c.Same[j] == c.Same[i] {
				differ &^= 1 << j
			}
		}
	}
	return differ == 0
}

// decides reports whether the form's value changes with condition i alone, under
// some values of what is not seen. An occurrence is a leaf of its own, so that
// this can be judged from below: no operand beside the way to it masks it.
func (c *Conditions) decides(f *Form, v Vector, i int) bool {
	switch f.Op {
	case OpAtom:
		return f.Atom == i
	case OpNot:
		return c.decides(f.Kids[0], v, i)
	case OpAnd, OpOr:
		found := false
		for _, k := range f.Kids {
			if !found && c.decides(k, v, i) {
				found = true
			} else if !k.can(v, f.Op == OpAnd) {
				return false
			}
		}
		return found
	}
	return false
}

// flips is decides for a form in which conditions stand more than once.
func (c *Conditions) flips(v Vector, i int) bool {
	free := (1<<c.Count - 1) &^ v.Seen
	for sub := free; ; sub = (sub - 1) & free {
		bits := v.Values | sub
		if c.Form.Eval(bits) != c.Form.Eval(bits^1<<i) {
			return true
		}
		if sub == 0 {
			return false
		}
	}
}

// times is how often an atom stands in a form.
func (f *Form) times(atom int) int {
	if f.Op == OpAtom && f.Atom == atom {
		return 1
	}
	n := 0
	for _, k := range f.Kids {
		n += k.times(atom)
	}
	return n
}

// can reports whether the form has this value under some values of what is not
// seen. No condition stands in it twice.
func (f *Form) can(v Vector, value bool) bool {
	switch f.Op {
	case OpAtom:
		return v.Seen>>f.Atom&1 == 0 || v.Values>>f.Atom&1 != 0 == value
	case OpNot:
		return f.Kids[0].can(v, !value)
	case OpAnd, OpOr:
		all := value == (f.Op == OpAnd) // every operand, or one of them
		for _, k := range f.Kids {
			if k.can(v, value) != all {
				return !all
			}
		}
		return all
	}
	return value == (f.Op == OpTrue)
}
