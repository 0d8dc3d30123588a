package drivers

// Bounds of what a driver builds when Options leaves them 0.
const (
	DefaultMaxArray  = 4
	DefaultMaxString = 8
	DefaultMaxDepth  = 3
	// maxObjects bounds the number of things that one driver builds: linked
	// structures grow with the power of the depth.
	maxObjects = 400
	// fewObjects is how many things an entry builds at most where fewer pointers
	// can be followed instead: the text of an entry is compiled twice, and each
	// pointer is a fork.
	fewObjects = 60
	// fewStraight is how many it builds where structures lead to others of new kinds alone.
	fewStraight = 80
	// fewAtSecond is how many it builds where only the pointers of the first structures are followed: a function
	// looks at what is there (fd->fs, stream->object) whatever else it does.
	fewAtSecond = 120
	secondDepth = 2
	// sparseItems is how many items an array of what holds pointers has below other pointers where
	// more would be too many things: one and another that ends it.
	sparseItems = 2
)

// Floats says how floating-point inputs are made.
type Floats uint8

// The ways of making floating-point inputs.
const (
	// PickFloats chooses from a set of values, those that the function compares
	// with among them. For engines that cannot compute symbolically with floats.
	PickFloats Floats = iota
	// SymbolicFloats makes all bits symbolic.
	SymbolicFloats
)

// Options say what the driver may assume and how large inputs may be.
type Options struct {
	Function string  // for Generate
	Variant  Variant // for Generate

	Globals     []string // globals to make symbolic, "*" for every one that the function reads
	AnyEnum     bool     // enumerations take any value, not their items alone
	loose       bool     // the same, in this variant alone
	straight    int      // pointers to structures of a kind that there is above are followed so deep; 0: like others
	needed      bool     // behind members that nobody looks behind there are no pointers
	sparse      bool     // arrays of pointers below others have sparseItems
	MaxArray    int
	MaxString   int
	MaxDepth    int // of linked structures: how many pointers are followed
	Floats      Floats
	WholeArrays bool // an engine hands its solver all of an array: +room has no zeros behind what is input
	NoGuess     bool // take no name for a length or an end: "T *p, int n", "T *p, T *end"
	StubOutputs bool // stubs write symbolic values through their pointer arguments

	Arrays  []Relation // p has n items: Name "p", Text "n"
	Strings []string   // these pointers are C strings
	NonNull []string
	Ranges  []Range
	Assumes []string   // C expressions over parameters and globals
	Aliases []Relation // q (Text) may share the target of p (Name)
	Stubs   []Stub
	// Oracle is a function of the user's that returns 0 when something is wrong,
	// given the result or nothing. Checked: a test in which it does so fails.
	Oracle  string
	Checked bool
	// Refusing lets tests name an allocation that fails, in entries of every variant.
	Refusing bool
	Defined  map[string]bool // functions and variables that other files of the program define
	// Unlinked are functions that headers of the system's declare, or the program as the C library has them, and no
	// library that is linked defines.
	Unlinked map[string]bool
	// Across is what functions of other files do, as AcrossFiles finds it.
	Across Across
	// Embeddings are, by structures, larger ones that the program takes their addresses for.
	Embeddings map[string][]Embedding

	// SymArgs is for a program with a main function: the lengths of its symbolic
	// arguments.
	SymArgs []int
}

// Relation ties a name to another, as in p:n.
type Relation struct{ Name, Text string }

// Range is low <= name <= high; the bounds are C expressions.
type Range struct{ Name, Low, High string }

// Stub says what a function that is not defined, or is to be replaced, does.
type Stub struct {
	Function string
	Value    string // C expression it returns; "" for a symbolic value
	Mock     bool   // symbolic, and C tests check its arguments and the order of calls
}

func (o *Options) fill() {
	if o.MaxArray <= 0 {
		o.MaxArray = DefaultMaxArray
	}
	if o.MaxString <= 0 {
		o.MaxString = DefaultMaxString
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
}
