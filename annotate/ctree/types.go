package ctree

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Num is an arithmetic type as the criteria need it.
type Num struct {
	Signed bool
	Float  bool
	Bits   int    // width; of a bit-field its own
	C      string // the type in C, after promotion
	U      string // its unsigned counterpart; "" for floats
	Bool   bool
	Field  bool // a bit-field narrower than its type
}

// Min and Max are the limits of an integer type as C constants.
func (n Num) Min() string {
	if !n.Signed {
		return "0"
	}
	if n.Bits == 64 {
		return "(-9223372036854775807LL - 1)"
	}
	return fmt.Sprintf("(-%d - 1)", int64(1)<<(n.Bits-1)-1)
}

// Max is the largest value as a C constant.
func (n Num) Max() string {
	switch {
	case n.Bool:
		return "1"
	case n.Bits == 64 && n.Signed:
		return "9223372036854775807LL"
	case n.Bits == 64:
		return "18446744073709551615ULL"
	case n.Signed:
		return fmt.Sprint(int64(1)<<(n.Bits-1) - 1)
	}
	s := fmt.Sprint(uint64(1)<<n.Bits - 1)
	if n.Bits >= 32 {
		s += "U"
	}
	return s
}

// IsInt reports an integer type of at most 64 bits.
func (n Num) IsInt() bool { return n.C != "" && !n.Float }

var kinds = map[cc.Kind]Num{
	cc.Bool:       {Bits: 8, C: "int", U: "unsigned", Bool: true},
	cc.Char:       {Bits: 8, Signed: true, C: "int", U: "unsigned"},
	cc.SChar:      {Bits: 8, Signed: true, C: "int", U: "unsigned"},
	cc.UChar:      {Bits: 8, C: "int", U: "unsigned"},
	cc.Short:      {Bits: 16, Signed: true, C: "int", U: "unsigned"},
	cc.UShort:     {Bits: 16, C: "int", U: "unsigned"},
	cc.Int:        {Bits: 32, Signed: true, C: "int", U: "unsigned"},
	cc.UInt:       {Bits: 32, C: "unsigned", U: "unsigned"},
	cc.Long:       {Bits: 64, Signed: true, C: "long", U: "unsigned long"},
	cc.ULong:      {Bits: 64, C: "unsigned long", U: "unsigned long"},
	cc.LongLong:   {Bits: 64, Signed: true, C: "long long", U: "unsigned long long"},
	cc.ULongLong:  {Bits: 64, C: "unsigned long long", U: "unsigned long long"},
	cc.Float:      {Bits: 32, Float: true, Signed: true, C: "float"},
	cc.Double:     {Bits: 64, Float: true, Signed: true, C: "double"},
	cc.Float32:    {Bits: 32, Float: true, Signed: true, C: "float"},
	cc.Float64:    {Bits: 64, Float: true, Signed: true, C: "double"},
	cc.LongDouble: {Bits: 128, Float: true, Signed: true, C: "long double"},
}

// NumOf describes a type; ok is false for what is not arithmetic, and for
// kinds that criteria leave alone (complex, 128-bit, decimal and vector types).
func NumOf(t cc.Type) (n Num, ok bool) {
	if t == nil || t.VectorSize() > 0 || csource.Foreign(t) != "" {
		return Num{}, false
	}
	if t.Kind() == cc.Enum {
		et, isEnum := t.Undecay().(*cc.EnumType)
		if !isEnum {
			return Num{}, false
		}
		t = et.UnderlyingType()
	}
	n, ok = kinds[t.Kind()]
	if !ok {
		return Num{}, false
	}
	if n.Bits == 64 && n.C[len(n.C)-1] == 'g' && n.IsInt() && t.Size() == 4 { // ILP32
		n.Bits = 32
	}
	return n, true
}

// BitField is the bit-field that e's value comes from, nil if none: it decides
// how the value is promoted. A comma, and an assignment, hand it on.
func (e *Expr) BitField() *cc.Field {
	switch e.Kind {
	case Member, Arrow:
		if p, ok := e.Node.(*cc.PostfixExpression); ok {
			if f := p.Field(); f != nil && f.IsBitfield() && f.ValueBits() > 0 {
				return f
			}
		}
	case Comma:
		return e.Kids[len(e.Kids)-1].BitField()
	case Assign:
		return e.Kids[0].BitField()
	case IncDec:
		if !e.Postfix {
			return e.Kids[0].BitField()
		}
	}
	return nil
}

// numOf finds out e's type from those of its children: the parser's own type of
// an expression with bit-fields is not the one that the compiler uses.
func numOf(e *Expr) (n Num, ok bool) {
	if f := e.BitField(); f != nil {
		if n, ok = NumOf(f.Type()); !ok {
			return n, false
		}
		switch w := int(f.ValueBits()); {
		case w < 32 || w == 32 && n.Signed:
			n.C, n.U = "int", "unsigned"
		case w == 32:
			n.C, n.U = "unsigned", "unsigned"
		}
		if w := int(f.ValueBits()); w < n.Bits {
			n.Bits, n.Field = w, true
		}
		return n, true
	}
	kids := e.Kids
	switch e.Kind {
	case Unary:
		if n, ok = kids[0].Num(); ok {
			return n.Promote(), true
		}
	case CondExpr, Binary:
		if e.Kind == CondExpr {
			kids = kids[max(0, len(kids)-2):]
		}
		if len(kids) != 2 {
			break
		}
		a, ok1 := kids[0].Num()
		b, ok2 := kids[1].Num()
		switch {
		case !ok1 || !ok2:
		case e.Op == "<<" || e.Op == ">>":
			return a.Promote(), true
		default:
			return Common(a, b), true
		}
	}
	return NumOf(e.Type)
}

// Num is the arithmetic type of an expression.
func (e *Expr) Num() (Num, bool) {
	if e.num == nil {
		return Num{}, false
	}
	return *e.num, true
}

// Int is the integer type of an expression.
func (e *Expr) Int() (Num, bool) {
	n, ok := e.Num()
	return n, ok && n.IsInt()
}

// Pointer reports whether the value is a pointer to an object or to void.
func (e *Expr) Pointer() bool {
	if e.Type == nil {
		return false
	}
	t := e.Type.Decay()
	p, ok := t.(*cc.PointerType)
	return ok && p.Elem().Kind() != cc.Function
}

// Scalar reports whether the expression has a truth value.
func (e *Expr) Scalar() bool {
	if e.Type == nil {
		return false
	}
	if _, ok := e.Num(); ok {
		return true
	}
	// of vectors and what is computed with them the elements have one
	number := cc.IsArithmeticType(e.Type) && e.Type.VectorSize() <= 0 && (e.Kind != Binary && e.Kind != Unary ||
		!slices.ContainsFunc(e.Kids, func(k *Expr) bool { return !k.Scalar() }))
	return number || e.Type.Decay().Kind() == cc.Ptr
}

// Promote is the type after integer promotion.
func (n Num) Promote() Num {
	if n.IsInt() && n.C == "int" {
		return Num{Signed: true, Bits: 32, C: "int", U: "unsigned"}
	}
	if n.Field { // wider than int: the declared type
		n.Field, n.Bits = false, 64
		if n.C == "unsigned" {
			n.Bits = 32
		}
	}
	return n
}

var rank = map[string]int{"int": 1, "unsigned": 1, "long": 2, "unsigned long": 2, "long long": 3,
	"unsigned long long": 3,
	"float":              4, "double": 5, "long double": 6}

// Common is the type of the usual arithmetic conversions.
func Common(a, b Num) Num {
	a, b = a.Promote(), b.Promote()
	if a.Float != b.Float {
		if a.Float {
			return a
		}
		return b
	}
	if rank[a.C] < rank[b.C] || rank[a.C] == rank[b.C] && a.Signed {
		a, b = b, a
	}
	// a has the higher rank, or the same and is unsigned if one is.
	if a.Signed && !b.Signed && a.Bits <= b.Bits {
		return Num{Bits: a.Bits, C: a.U, U: a.U}
	}
	return a
}
