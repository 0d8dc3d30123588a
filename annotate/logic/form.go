// Package logic knows decisions as Boolean functions of their atoms and what
// the logic coverage criteria want of them.
//
// It exists so that the encodings of MCC, n-CC, GACC, GICC, IC and UTPC can be
// stated, and proved by enumeration, away from any C. It promises that a
// predicate it builds evaluates an atom that could fail only where the
// decision itself would have evaluated it (see Render). Limits: it knows
// no C; atoms are numbers here, and the caller gives them their texts.
package logic

// Op is the operator of a Form or a Pred.
type Op uint8

// The operators.
const (
	OpAtom Op = iota
	OpTrue
	OpFalse
	OpNot
	OpAnd
	OpOr
	OpCond // Kids[0] ? Kids[1] : Kids[2]
	OpNeq
)

// Form is a Boolean expression over numbered atoms. As a decision it holds
// atoms, constants, !, && and ||; the predicates of labels use the rest too.
type Form struct {
	Op   Op
	Atom int
	Kids []*Form
}

var (
	formTrue  = &Form{Op: OpTrue}
	formFalse = &Form{Op: OpFalse}
)

// Atom, Const, Not, And and Or build forms. They simplify constants away, so
// that a predicate holds no more than it needs.
func Atom(i int) *Form { return &Form{Op: OpAtom, Atom: i} }

// Const is true or false.
func Const(v bool) *Form {
	if v {
		return formTrue
	}
	return formFalse
}

// Const reports whether the form is a constant, and which.
func (f *Form) Const() (v, ok bool) { return f.Op == OpTrue, f.Op == OpTrue || f.Op == OpFalse }

// Not negates.
func Not(f *Form) *Form {
	switch f.Op {
	case OpTrue:
		return formFalse
	case OpFalse:
		return formTrue
	case OpNot:
		return f.Kids[0]
	}
	return &Form{Op: OpNot, Kids: []*Form{f}}
}

// And is the conjunction in the given order.
func And(fs ...*Form) *Form { return join(OpAnd, OpTrue, OpFalse, fs) }

// Or is the disjunction in the given order.
func Or(fs ...*Form) *Form { return join(OpOr, OpFalse, OpTrue, fs) }

// join drops the neutral constant and stops at the absorbing one.
func join(op, neutral, absorbing Op, fs []*Form) *Form {
	var kids []*Form
	for _, f := range fs {
		add := []*Form{f}
		switch f.Op {
		case neutral:
			continue
		case absorbing:
			return f
		case op:
			add = f.Kids
		}
		for _, k := range add {
			same, opposite := among(kids, k)
			switch {
			case opposite:
				return &Form{Op: absorbing}
			case !same:
				kids = append(kids, k)
			}
		}
	}
	switch len(kids) {
	case 0:
		return &Form{Op: neutral}
	case 1:
		return kids[0]
	}
	return &Form{Op: op, Kids: kids}
}

// among reports whether a form, or its negation, is in the list. Only literals
// are compared: that is what predicates repeat.
func among(list []*Form, f *Form) (same, opposite bool) {
	atom, neg := f, false
	if f.Op == OpNot {
		atom, neg = f.Kids[0], true
	}
	if atom.Op != OpAtom {
		return false, false
	}
	for _, k := range list {
		switch {
		case k.Op == OpAtom && k.Atom == atom.Atom:
			same, opposite = same || !neg, opposite || neg
		case k.Op == OpNot && k.Kids[0].Op == OpAtom && k.Kids[0].Atom == atom.Atom:
			same, opposite = same || neg, opposite || !neg
		}
	}
	return same, opposite
}

// Neq is true when the two differ.
func Neq(a, b *Form) *Form {
	switch {
	case a.Op == OpFalse:
		return b
	case b.Op == OpFalse:
		return a
	case a.Op == OpTrue:
		return Not(b)
	case b.Op == OpTrue:
		return Not(a)
	}
	return &Form{Op: OpNeq, Kids: []*Form{a, b}}
}

// cond is c ? a : b without needless parts.
func cond(c, a, b *Form) *Form {
	switch {
	case Equal(a, b):
		return a
	case a.Op == OpTrue && b.Op == OpFalse:
		return c
	case a.Op == OpFalse && b.Op == OpTrue:
		return Not(c)
	case b.Op == OpFalse:
		return And(c, a)
	case a.Op == OpFalse:
		return And(Not(c), b)
	case a.Op == OpTrue:
		return Or(c, b)
	case b.Op == OpTrue:
		return Or(Not(c), a)
	}
	return &Form{Op: OpCond, Kids: []*Form{c, a, b}}
}

// Equal reports whether two forms are written the same.
func Equal(a, b *Form) bool {
	if a == b {
		return true
	}
	if a.Op != b.Op || a.Atom != b.Atom || len(a.Kids) != len(b.Kids) {
		return false
	}
	for i := range a.Kids {
		if !Equal(a.Kids[i], b.Kids[i]) {
			return false
		}
	}
	return true
}

// Eval is the value under an assignment: bit i is atom i.
func (f *Form) Eval(bits uint64) bool {
	switch f.Op {
	case OpAtom:
		return bits>>f.Atom&1 != 0
	case OpTrue:
		return true
	case OpNot:
		return !f.Kids[0].Eval(bits)
	case OpAnd:
		for _, k := range f.Kids {
			if !k.Eval(bits) {
				return false
			}
		}
		return true
	case OpOr:
		for _, k := range f.Kids {
			if k.Eval(bits) {
				return true
			}
		}
	case OpCond:
		if f.Kids[0].Eval(bits) {
			return f.Kids[1].Eval(bits)
		}
		return f.Kids[2].Eval(bits)
	case OpNeq:
		return f.Kids[0].Eval(bits) != f.Kids[1].Eval(bits)
	}
	return false
}

// Set replaces an atom by a constant and simplifies.
func (f *Form) Set(atom int, v bool) *Form {
	switch f.Op {
	case OpAtom:
		if f.Atom == atom {
			return Const(v)
		}
		return f
	case OpNot:
		return Not(f.Kids[0].Set(atom, v))
	case OpAnd, OpOr:
		kids := make([]*Form, len(f.Kids))
		for i, k := range f.Kids {
			kids[i] = k.Set(atom, v)
		}
		if f.Op == OpAnd {
			return And(kids...)
		}
		return Or(kids...)
	case OpCond:
		return cond(f.Kids[0].Set(atom, v), f.Kids[1].Set(atom, v), f.Kids[2].Set(atom, v))
	case OpNeq:
		return Neq(f.Kids[0].Set(atom, v), f.Kids[1].Set(atom, v))
	}
	return f
}

// Size is the number of nodes, by which callers bound the text they emit.
func (f *Form) Size() int {
	n := 1
	for _, k := range f.Kids {
		n += k.Size()
	}
	return n
}

// C writes the form as a C expression; atom gives an atom's text, which must
// be parenthesised or a name.
func (f *Form) C(atom func(int) string) string { return string(f.appendC(nil, atom)) }

func (f *Form) appendC(b []byte, atom func(int) string) []byte {
	switch f.Op {
	case OpAtom:
		return append(b, atom(f.Atom)...)
	case OpTrue:
		return append(b, '1')
	case OpFalse:
		return append(b, '0')
	case OpNot:
		return f.Kids[0].operand(append(b, '!'), atom)
	case OpAnd, OpOr:
		op := " && "
		if f.Op == OpOr {
			op = " || "
		}
		for i, k := range f.Kids {
			if i > 0 {
				b = append(b, op...)
			}
			b = k.operand(b, atom)
		}
		return b
	case OpNeq:
		b = f.Kids[0].truth(b, atom)
		return f.Kids[1].truth(append(b, " != "...), atom)
	}
	b = f.Kids[0].operand(b, atom)
	b = f.Kids[1].operand(append(b, " ? "...), atom)
	return f.Kids[2].operand(append(b, " : "...), atom)
}

func (f *Form) operand(b []byte, atom func(int) string) []byte {
	if f.Op <= OpNot {
		return f.appendC(b, atom)
	}
	return append(f.appendC(append(b, '('), atom), ')')
}

// truth writes an operand of !=, which must be 0 or 1: an atom of C need not be.
func (f *Form) truth(b []byte, atom func(int) string) []byte {
	if f.Op == OpAtom {
		b = append(b, "!!"...)
	}
	return f.operand(b, atom)
}
