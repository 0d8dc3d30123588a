package logic

// MaxAtoms bounds the decisions whose truth table is computed.
const MaxAtoms = 12

// Decision is a decision as its criteria see it.
type Decision struct {
	Form  *Form
	Atoms int // atoms are 0..Atoms-1, numbered from left to right
	// Guarded has bit i set when atom i may be evaluated only where the
	// decision evaluates it: it could fail elsewhere, or it is observed as the
	// decision runs because it has side effects.
	Guarded uint64

	dnf *[2][]Cube
}

// tri is the value of an atom under a partial assignment.
type tri int8

const (
	no tri = iota
	yes
	dunno // not evaluated
)

// reached reports which atoms the decision evaluates under the assignment, by
// following the short circuits.
func (d *Decision) reached(bits uint64) uint64 {
	var seen uint64
	var run func(f *Form) bool
	run = func(f *Form) bool {
		switch f.Op {
		case OpAtom:
			seen |= 1 << f.Atom
			return bits>>f.Atom&1 != 0
		case OpNot:
			return !run(f.Kids[0])
		case OpAnd:
			for _, k := range f.Kids {
				if !run(k) {
					return false
				}
			}
			return true
		case OpOr:
			for _, k := range f.Kids {
				if run(k) {
					return true
				}
			}
			return false
		}
		return f.Op == OpTrue
	}
	run(d.Form)
	return seen
}

// observable are the atoms that a predicate may look at under the assignment.
func (d *Decision) observable(bits uint64) uint64 {
	return d.reached(bits) | ^d.Guarded&(1<<d.Atoms-1)
}

// Table is the truth table of a form over n atoms.
type Table []bool

func tableOf(f *Form, n int) Table {
	t := make(Table, 1<<n)
	for b := range t {
		t[b] = f.Eval(uint64(b))
	}
	return t
}

// Cube is a conjunction of literals: the atoms of Mask have the signs of Bits.
type Cube struct{ Mask, Bits uint64 }

// Holds reports whether an assignment satisfies all literals.
func (c Cube) Holds(bits uint64) bool { return bits&c.Mask == c.Bits }

// form is the conjunction, atoms from left to right.
func (c Cube) form() *Form {
	var fs []*Form
	for i := 0; c.Mask>>i != 0; i++ {
		if c.Mask>>i&1 == 0 {
			continue
		}
		l := Atom(i)
		if c.Bits>>i&1 == 0 {
			l = Not(l)
		}
		fs = append(fs, l)
	}
	return And(fs...)
}

// Quant says how a condition is judged when an atom was not evaluated.
type Quant uint8

// The ways: MaybeSo is satisfied when some value of the unseen atoms satisfies
// it, ForSure when all values do.
const (
	MaybeSo Quant = iota
	ForSure
)

// Want is what a label asks of one evaluation of a decision: the literals of
// the cube, each of them observed, and a condition on all atoms.
type Want struct {
	Cube  Cube
	Cond  *Form // nil: no condition
	Quant Quant
}

// Render is the predicate of a want: a form that evaluates a guarded atom only
// where the decision does. It is OpFalse if no evaluation can satisfy the want.
//
// Without guarded atoms the predicate is the natural one. With some it is a
// tree of tests from left to right, in which an atom that the decision skips
// on that path is unknown: a literal of the cube then fails, and the condition
// is judged by Quant.
func (d *Decision) Render(w Want) *Form {
	if w.Cond == nil {
		w.Cond = formTrue
	}
	if d.Guarded == 0 {
		if w.Cond.Op != OpTrue && d.Atoms <= MaxAtoms && !d.possible(w) {
			return formFalse
		}
		return And(w.Cube.form(), w.Cond)
	}
	vals := make([]tri, d.Atoms)
	var cond0 Table
	if w.Cond.Op != OpTrue {
		cond0 = tableOf(w.Cond, d.Atoms)
	}
	return d.tree(w, cond0, vals, 0)
}

// possible reports whether some assignment satisfies the want.
func (d *Decision) possible(w Want) bool {
	free := ^w.Cube.Mask & (1<<d.Atoms - 1)
	for sub := free; ; sub = (sub - 1) & free {
		if w.Cond.Eval(w.Cube.Bits | sub) {
			return true
		}
		if sub == 0 {
			return false
		}
	}
}

func (d *Decision) tree(w Want, t Table, vals []tri, i int) *Form {
	if i == d.Atoms {
		return Const(holds(t, w.Quant, vals))
	}
	inCube := w.Cube.Mask>>i&1 != 0
	if d.Guarded>>i&1 != 0 && !d.evaluates(vals, i) {
		if inCube {
			return formFalse
		}
		vals[i] = dunno
		return d.tree(w, t, vals, i+1)
	}
	a, b := formFalse, formFalse
	if !inCube || w.Cube.Bits>>i&1 != 0 {
		vals[i] = yes
		a = d.tree(w, t, vals, i+1)
	}
	if !inCube || w.Cube.Bits>>i&1 == 0 {
		vals[i] = no
		b = d.tree(w, t, vals, i+1)
	}
	return cond(Atom(i), a, b)
}

// evaluates reports whether the decision gets to atom i when the atoms before
// it have these values. Atoms it skipped do not matter to it.
func (d *Decision) evaluates(vals []tri, i int) bool {
	var bits uint64
	for j := range i {
		if vals[j] == yes {
			bits |= 1 << j
		}
	}
	// Atoms from i on count as 0: what comes later cannot decide whether i is
	// evaluated, since evaluation runs from left to right.
	return d.reached(bits)>>i&1 != 0
}

// holds judges the condition over all values of the unknown atoms.
func holds(t Table, q Quant, vals []tri) bool {
	if t == nil {
		return true
	}
	var known, free uint64
	for i, v := range vals {
		switch v {
		case yes:
			known |= 1 << i
		case dunno:
			free |= 1 << i
		}
	}
	for sub := free; ; sub = (sub - 1) & free {
		if t[known|sub] == (q == MaybeSo) {
			return q == MaybeSo
		}
		if sub == 0 {
			return q == ForSure
		}
	}
}
