// Package code turns functions of the IR into compact register-machine code and
// lays out globals, so that the executor's inner loop meets no names, no types
// and no constants to evaluate.
//
// A value of an aggregate type occupies one register for each scalar in it;
// extractvalue and insertvalue become copies. Phis become parallel moves on the
// edges. Constants, addresses of globals included, are numbers in a pool.
// Functions are decoded when they are first called.
//
// Limits: what cannot be executed (inline assembly, most of it)
// becomes an Unsupported instruction that ends the path which reaches it.
package code

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// Value is a register's content: the number C, or the expression E. Values
// wider than 64 bits always have an E (a constant one if they are concrete),
// except that the zero Value stands for zero of any width.
type Value struct {
	C uint64
	E *expr.Expr
}

// Op is an operation of the machine: those of ir up to ir.Unreachable, and
// these.
type Op = ir.Op

// The additional operations.
const (
	Move        = ir.Unreachable + 1 + iota // copy Imm registers from A
	Unsupported                             // X says what
	ConstAddr                               // Dst = A + Imm
	IndexAddr                               // Dst = A + Imm + sext(B)*scale, scale in Mask, width of B in W
	LoadN                                   // load of an aggregate; X is Leaves
	StoreN                                  // store of an aggregate at B from A; X is Leaves
	Reinterpret                             // Dst... = the bits of X, a Bits
	WideOp                                  // operation on integers of more than 128 bits; X is Wide
	Placed                                  // an operand of what follows depends on where objects stand
)

// Inst is one instruction. Operands are registers, or, if negative, the
// complement of an index into the function's constants.
type Inst struct {
	Op   Op
	Pred ir.Pred
	W    uint8 // width of the operands
	RW   uint8 // width of the result
	Dst  int32 // -1: none
	A    int32
	B    int32
	C    int32
	Mask uint64
	Imm  uint64
	X    any
}

// Wide is an operation on integers of more than 128 bits, which occupy several
// registers.
type Wide struct {
	Op       Op
	Pred     ir.Pred
	A, B     []int32
	From, To int // bits
}

// Edge is a way into a block.
type Edge struct {
	Target int32 // pc
	Block  int32
	Moves  []MovePair
	Round  bool // a path that comes round a loop takes it: see rounds
}

// MovePair is one of the parallel moves of an edge.
type MovePair struct{ Dst, Src int32 }

// SwitchTable is a switch. Cases keep the order of the source.
type SwitchTable struct {
	Default Edge
	Values  []uint64
	Edges   []Edge
	index   map[uint64]int
}

// Known reports whether a concrete value is one of the cases.
func (t *SwitchTable) Known(v uint64) bool { _, ok := t.index[v]; return ok }

// Find returns the edge of a concrete value.
func (t *SwitchTable) Find(v uint64) *Edge {
	if i, ok := t.index[v]; ok {
		return &t.Edges[i]
	}
	return &t.Default
}

// Leaves describes an aggregate in memory.
type Leaves struct {
	Types []*ir.Type
	Offs  []uint64
	Size  uint64
}

// Term is a variable part of an address computation.
type Term struct {
	Reg   int32
	Width uint8
	Scale uint64
}

// Arg is an argument of a call.
type Arg struct {
	Regs  []int32
	Type  *ir.Type
	ByVal *ir.Type
	Leaf  *Leaves
}

// CallSite is a call.
type CallSite struct {
	Callee   *Func // nil: indirect, through A
	Named    bool  // the program's text names the callee
	Args     []Arg
	Regs     []int32 // all arguments' registers in a row
	Widths   []uint8
	Simple   bool // no byval argument
	RetTypes []*ir.Type
	Used     bool // the result is used
}

// Func is a function.
type Func struct {
	Name     string
	IR       *ir.Function
	Addr     uint64
	Index    int
	NumRegs  int
	Params   []*ir.Type // scalars of the parameters
	NumParam int        // registers that hold them
	Code     []Inst
	Src      []*ir.Instr // for each instruction, where it came from
	BlockAt  []int32     // for each instruction, its block
	Starts   []int32     // for each block, its first instruction
	Consts   []Value
	Covered  []bool // for each block: entered on some path
	Err      error  // why it has no code
	Library  bool
	// External globals without a definition that the code refers to, and surroundings.
	Undefined []string
	Numbers   bool // the code does arithmetic with the numbers of addresses
	X87       bool // it has to do with float or double, and natively the x87 computes

	decoded bool
	pointed bool // its address is a value somewhere
	native  any
	flow    []Flow
	joins   []int32
	phis    []Phi // in the order of their blocks
	uses    *uses
	across  int32 // registers below it hold values that more than one block uses
	idle    [][]int32
}

// Native is a place where the executor keeps its model of the function.
func (f *Func) Native() any     { return f.native }
func (f *Func) SetNative(m any) { f.native = m }

func mask(w int) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<w - 1
}
