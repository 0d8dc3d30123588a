package ir

// ValueKind tells operands apart.
type ValueKind uint8

// The kinds of operands.
const (
	IntConst   ValueKind = iota // Lo, Hi
	FloatConst                  // bits of the type in Lo, Hi
	Null
	Undef // poison too
	Zero  // zeroinitializer
	AggregateConst
	StringConst
	GlobalRef // Name
	LocalRef  // Name
	ExprConst // Op over Elems
	BlockAddress
	InlineAsm
	MetadataValue
)

// Value is an operand: a constant, a global's address or a local's name.
type Value struct {
	Kind    ValueKind
	Type    *Type
	Lo, Hi  uint64
	Name    string
	Str     string
	Elems   []*Value
	Op      Op
	Pred    Pred
	SrcType *Type // ExprConst getelementptr
	// Name and Str: a GlobalRef's or LocalRef's name; a BlockAddress's function and
	// block; an InlineAsm's constraints and text.
}

// Op is an instruction's operation.
type Op uint8

// The operations.
const (
	BadOp Op = iota
	Add
	Sub
	Mul
	UDiv
	SDiv
	URem
	SRem
	Shl
	LShr
	AShr
	And
	Or
	Xor
	FAdd
	FSub
	FMul
	FDiv
	FRem
	FNeg
	ICmp
	FCmp
	Trunc
	ZExt
	SExt
	FPToUI
	FPToSI
	UIToFP
	SIToFP
	FPTrunc
	FPExt
	PtrToInt
	IntToPtr
	BitCast
	Alloca
	Load
	Store
	GEP
	Select
	Phi
	Call
	ExtractValue
	InsertValue
	ExtractElement
	InsertElement
	ShuffleVector
	Freeze
	VAArg
	CmpXchg
	AtomicRMW
	Fence
	Ret
	Br
	CondBr
	Switch
	IndirectBr
	Unreachable
)

var opNames = map[string]Op{
	"add": Add, "sub": Sub, "mul": Mul, "udiv": UDiv, "sdiv": SDiv, "urem": URem, "srem": SRem,
	"shl": Shl, "lshr": LShr, "ashr": AShr, "and": And, "or": Or, "xor": Xor,
	"fadd": FAdd, "fsub": FSub, "fmul": FMul, "fdiv": FDiv, "frem": FRem, "fneg": FNeg,
	"icmp": ICmp, "fcmp": FCmp, "trunc": Trunc, "zext": ZExt, "sext": SExt,
	"fptoui": FPToUI, "fptosi": FPToSI, "uitofp": UIToFP, "sitofp": SIToFP, "fptrunc": FPTrunc, "fpext": FPExt,
	"ptrtoint": PtrToInt, "inttoptr": IntToPtr, "bitcast": BitCast, "addrspacecast": BitCast,
	"alloca": Alloca, "load": Load, "store": Store, "getelementptr": GEP, "select": Select, "phi": Phi, "call": Call,
	"extractvalue": ExtractValue, "insertvalue": InsertValue, "extractelement": ExtractElement,
	"insertelement": InsertElement, "shufflevector": ShuffleVector, "freeze": Freeze, "va_arg": VAArg,
	"cmpxchg": CmpXchg, "atomicrmw": AtomicRMW, "fence": Fence,
	"ret": Ret, "br": Br, "switch": Switch, "indirectbr": IndirectBr, "unreachable": Unreachable,
}

// Pred is the predicate of a comparison, or the operation of an atomicrmw.
type Pred uint8

// Integer predicates, then floating-point ones.
const (
	NoPred Pred = iota
	EQ
	NE
	UGT
	UGE
	ULT
	ULE
	SGT
	SGE
	SLT
	SLE
	FFalse
	OEQ
	OGT
	OGE
	OLT
	OLE
	ONE
	ORD
	UNO
	UEQ
	FUGT
	FUGE
	FULT
	FULE
	UNE
	FTrue
)

var intPreds = map[string]Pred{"eq": EQ, "ne": NE, "ugt": UGT, "uge": UGE, "ult": ULT, "ule": ULE, "sgt": SGT,
	"sge": SGE, "slt": SLT, "sle": SLE}

var floatPreds = map[string]Pred{"false": FFalse, "oeq": OEQ, "ogt": OGT, "oge": OGE, "olt": OLT, "ole": OLE,
	"one": ONE, "ord": ORD,
	"uno": UNO, "ueq": UEQ, "ugt": FUGT, "uge": FUGE, "ult": FULT, "ule": FULE, "une": UNE, "true": FTrue}

// Instr is one instruction.
type Instr struct {
	Op      Op
	Pred    Pred
	Type    *Type // of the result; void if there is none
	Name    string
	Ops     []*Value
	SrcType *Type    // alloca, getelementptr; call: the function type where it is written out
	Blocks  []string // targets of br and switch (default first), sources of phi
	Indices []int    // extractvalue, insertvalue
	ByVal   []*Type  // call: for each argument, the type of a byval one
	What    string   // BadOp: what is not supported; AtomicRMW: the operation
	Line    int      // in the file
	Dbg     int      // metadata number of the DILocation, -1 if none
}

// Block is a basic block.
type Block struct {
	Name   string
	Instrs []*Instr
}

// Param is a formal parameter.
type Param struct {
	Name  string
	Type  *Type
	ByVal *Type
}

// Function is a declared or defined function. The body of a defined one is
// read by Blocks.
type Function struct {
	Module     *Module
	Name       string
	Internal   bool
	Weak       bool // weak or linkonce: another definition wins
	Ret        *Type
	Params     []Param
	Variadic   bool
	Defined    bool
	Line       int
	Dbg        int  // DISubprogram, -1 if none
	ExternWeak bool // a declaration that need not be defined

	bodyStart, bodyEnd, bodyLine int
	parsed                       bool
	blocks                       []*Block
	err                          error
}

// Alias is another name for a function or a global, or for a place in one.
type Alias struct {
	Aliasee  *Value
	Internal bool
	Weak     bool
}

// Global is a global variable.
type Global struct {
	Module     *Module
	Name       string
	Type       *Type
	Init       *Value // nil for a declaration
	Constant   bool
	Internal   bool
	Weak       bool // weak, linkonce or common
	ExternWeak bool // a declaration that need not be defined
	Align      uint64
	Line       int
}
