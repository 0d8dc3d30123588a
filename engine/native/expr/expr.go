package expr

// Op is the operation of a node.
type Op uint8

// The operations. Booleans are vectors of width 1.
const (
	OpConst   Op = iota
	OpLeaf       // consecutive bits of a Var
	OpAdd        // x + y
	OpSub        // x - y; Sub(0, y) is the negation
	OpMul        //
	OpUDiv       //
	OpSDiv       //
	OpURem       //
	OpSRem       //
	OpAnd        //
	OpOr         //
	OpXor        //
	OpNot        // bitwise
	OpShl        // x by y; same width
	OpLShr       //
	OpAShr       //
	OpEq         // width 1
	OpUlt        //
	OpUle        //
	OpSlt        //
	OpSle        //
	OpConcat     // x above y
	OpExtract    // Low() upwards
	OpZExt       //
	OpSExt       //
	OpIte        // Kid(0) of width 1 ? Kid(1) : Kid(2)

	// Floating point: operands and results are encodings of Format(). A NaN and
	// what is out of range come out as package ieee says.
	OpFAdd
	OpFSub
	OpFMul
	OpFDiv
	OpFRem     // as fmod
	OpFMA      // Kid(0) * Kid(1) + Kid(2)
	OpFSqrt    //
	OpFRint    // to an integer, in direction Mode()
	OpFConvert // from Format() to To()
	OpFToInt   // to an integer: Signed() or not
	OpIntToF   // from an integer: Signed() or not
)

var opNames = [...]string{"const", "leaf", "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor",
	"not",
	"shl", "lshr", "ashr", "eq", "ult", "ule", "slt", "sle", "concat", "extract", "zext", "sext", "ite",
	"fadd", "fsub", "fmul", "fdiv", "frem", "fma", "fsqrt", "frint", "fconvert", "ftoint", "inttof"}

// String is the operation's name.
func (o Op) String() string { return opNames[o] }

// Expr is one node. It is 64 bytes: one cache line, one size class.
type Expr struct {
	op    Op
	width uint8
	low   uint8 // Extract: the lowest bit taken. Floating point: the format, and above it what else the operation needs
	flags uint8
	hash  uint32
	id    uint64
	x     *Expr
	y     *Expr
	z     *Expr
	vars  *VarSet
	// Const: the value. Leaf: position of the lowest bit in the builder's bit
	// space, and the variable's number. Else, to width 64: an unsigned range
	// that the value lies in whatever the model.
	lo, hi uint64
}

const (
	flagTouched   = 1 << iota // found again since the last trim
	flagConstTree             // Ite whose leaves are all constants
	flagFloat                 // floating-point arithmetic is in it
)

// Op returns the node's operation.
func (e *Expr) Op() Op { return e.op }

// Width returns the node's width in bits.
func (e *Expr) Width() int { return int(e.width) }

// ID is unique among the nodes of a Builder and grows with time.
func (e *Expr) ID() uint64 { return e.id }

// Low is the lowest bit that an Extract takes.
func (e *Expr) Low() int { return int(e.low) }

// NumKids returns the number of operands.
func (e *Expr) NumKids() int {
	switch {
	case e.x == nil:
		return 0
	case e.y == nil:
		return 1
	case e.z == nil:
		return 2
	}
	return 3
}

// Kid returns operand i.
func (e *Expr) Kid(i int) *Expr {
	switch i {
	case 0:
		return e.x
	case 1:
		return e.y
	}
	return e.z
}

// IsConst reports whether e is a constant.
func (e *Expr) IsConst() bool { return e.op == OpConst }

// Value returns a constant's value.
func (e *Expr) Value() Value { return Value{e.lo, e.hi} }

// Uint64 returns the low 64 bits of a constant.
func (e *Expr) Uint64() uint64 { return e.lo }

// Int64 returns a constant of width at most 64, sign-extended.
func (e *Expr) Int64() int64 {
	return int64(Value{Lo: e.lo}.signExtend(int(e.width), 64).Lo)
}

// IsTrue reports whether e is the constant 1 of width 1.
func (e *Expr) IsTrue() bool { return e.op == OpConst && e.width == 1 && e.lo == 1 }

// IsFalse reports whether e is the constant 0 of width 1.
func (e *Expr) IsFalse() bool { return e.op == OpConst && e.width == 1 && e.lo == 0 }

// HasFloat reports whether floating-point arithmetic is part of e.
func (e *Expr) HasFloat() bool { return e.flags&flagFloat != 0 }

// Vars returns the bytes of variables that e depends on; nil for none.
func (e *Expr) Vars() *VarSet { return e.vars }

// isZero, isOnes: constants 0 and all ones.
func (e *Expr) isZero() bool { return e.op == OpConst && e.lo|e.hi == 0 }
func (e *Expr) isOnes() bool { return e.op == OpConst && e.Value() == Ones(int(e.width)) }

// URange returns an unsigned range that holds under every model; ok is false
// above width 64, where no range is kept.
func (e *Expr) URange() (lo, hi uint64, ok bool) {
	if e.width > 64 {
		return 0, 0, false
	}
	switch e.op {
	case OpConst:
		return e.lo, e.lo, true
	case OpLeaf:
		return 0, mask64(int(e.width)), true
	}
	return e.lo, e.hi, true
}

// LeafPos returns the position of a Leaf's lowest bit in the builder's bit space.
func (e *Expr) LeafPos() uint64 { return e.lo }
