// Package input describes the inputs of a driver: which values it builds, of
// which C types, and in which objects of a test their bytes stand.
//
// It exists so that the two sides of a driver can speak of the same thing
// without knowing each other: the generator that writes the driver's C, and
// the writers that turn a test back into C a person can read. It promises to
// hold no more than a description (the tree of Inputs) and the reading of a
// test along it (Decode). Limits: C types as klabel understands them; how
// a driver is written is the business of package drivers.
package input

import (
	"slices"
	"strings"
)

// Kind is the kind of a C type.
type Kind uint8

// The kinds of types.
const (
	Int Kind = iota // every integer but the next two
	Bool
	Enum
	Float
	Struct
	Union
	Array
	Pointer
	Function
	Void
)

// Type is a C type.
type Type struct {
	Kind        Kind
	Decl        string // how it is declared, with "@" for the name: "int (*@)[4]"
	Size        int64  // in bytes; of a structure with a flexible array, without the array
	Signed      bool   // Int, Enum
	Char        bool   // a plain, signed or unsigned char
	Elem        *Type  // Array, Pointer
	Len         int64  // Array
	Fields      []Field
	Enumerators []Enumerator
	Inner       bool   // Pointer: leads to pointers to const, which Decl does not say; what is given is cast
	Tag         string // "struct point", "enum color" or a typedef's name; "" if there is none
}

// Field is a member of a structure or union.
type Field struct {
	Name   string // "" for an anonymous structure or union
	Type   *Type
	Offset int64
	Bits   int // width of a bit-field, 0 if it is none
	Shift  int // of a bit-field: its lowest bit, counted from the byte at Offset
}

// Enumerator is a named value of an enumeration.
type Enumerator struct {
	Name  string
	Value int64
}

// Declare writes a declaration of the name with this type, without semicolon.
func (t *Type) Declare(name string) string {
	s := strings.Replace(t.Decl, "@", name, 1)
	return strings.TrimRight(s, " ")
}

// String is the type without a name: "int (*)[4]".
func (t *Type) String() string { return t.Declare("") }

// Input is a value that a driver builds.
type Input struct {
	// Name is what the value is in C and what people call it: "x", "*p", "p[]",
	// "s->next". For the values behind pointers [] stands for all items.
	Name string
	Type *Type

	// Object names the object that holds the value's bytes; "" if there is none.
	// For a pointer it is one byte that chooses among Targets; for a value with
	// Picks, one byte that is an index into them.
	Object string

	// Picks are the values, as C text, that the driver chooses from when the
	// engine cannot treat the type symbolically.
	Picks []Pick

	// Parts are values inside this one that are built after its own bytes, in
	// the order of the test: pointers, picked numbers, bit-fields.
	Parts []Part

	// For pointers.
	Targets  []Target
	Nullable bool // choice 0 is NULL; else choice 0 is the first target

	// Flat says that the function takes it for an array of arrays, whose lengths vary.
	Flat bool

	// Made says that Steps of the driver give the pointer its value.
	Made bool

	// Text says that the value is an array of characters that ends with NUL: the
	// driver sets the last character.
	Text bool
	// Zeros are further items behind those of the object, of an array: they are 0 in every test.
	Zeros int64
	// Volatile says that the variable is, which Type does not: a copy into it needs a cast.
	Volatile bool
	// Mask is true for a _Bool, of whose byte the lowest bit counts.
	Mask bool
	// Bits is the width of a bit-field, 0 for anything else.
	Bits int
	// Tail is the number of items that follow a structure, in its flexible array.
	Tail       int64
	TailElem   *Type
	TailName   string
	TailOffset int64

	// Select names the one-byte object that chooses which member of a union is
	// built apart: 0 for none, else Members[choice-1].
	Select  string
	Members []Part
}

// Pick is a value to choose, and its bytes.
type Pick struct {
	Text  string
	Value float64
}

// Part is a value inside another.
type Part struct {
	Path   string // C from the whole to the part: ".next", "[2].name"
	Offset int64  // of the part in the bytes of the whole; -1 for a bit-field
	*Input
}

// Target is something that a pointer may point to.
type Target struct {
	Value    *Input // what is built; nil where one of Alias, Function and Object is set
	Alias    string // the pointer (its Name) whose target is shared
	At       string // object that tells which item of the shared target is meant; "" for the first
	Stride   int    // items that At counts by; 0 for one
	Past     int    // which item of the shared target is meant, where At is ""
	Function string // the function, the driver's or the program's own, that is pointed to
	Object   string // C for the address of an object that the program has: "&plain_ops", "&wide.ops"
	Of       string // the object made by steps within which that is: "@" in Object is the pointer to it; "" for none
	Count    string // Name of the integer that tells how many items there are; "" for all
	UpTo     bool   // it tells the place of the last one
	Single   bool   // Value is one item and not an array
	Path     string // C from Value to its member that is pointed to: ".base"; "" for the whole
	Cast     bool   // Value is of another structure, which begins with what the pointer leads to
	Stream   bool   // it is a stream on Value, whose last byte says how many of the others it has
	File     string // it is the name of a file that holds Value in the same way; "" for none
	Heap     bool   // Value lies in memory from malloc: the program may free it
}

// Call is a function that the driver defines, and that asks for inputs each
// time it is called: a stub, or the function behind a function pointer.
type Call struct {
	Function string
	Head     string   // head of its definition, all parameters named
	Static   bool     // it is behind a function pointer, or static in the unit
	Result   *Input   // nil for void
	Outputs  []*Input // written through pointer arguments, in order
	Through  []string // those arguments' names in Head
	Rooms    []string // C for the room behind them, in bytes; "" for as much as is written
	Hands    []bool   // which of them are pointers that are let lead to what is written; false for those beyond the end
	Text     bool     // some of them are texts
	// Mock says that a test checks with what it is called, and when; Params are its
	// parameters then, named as in Head.
	Mock   bool
	Params []Param
	// Value is the C expression that it returns in place of an input; with a
	// Result beside it, which is a truth value then, it is NULL where that is 0.
	Value string
	// Gives is the parameter, from 1, that Value is; 0 for none.
	Gives int
	Ends  bool // it never returns: it ends the program
}

// Param is a parameter of a mock.
type Param struct {
	Name  string // in Head
	Shown string // as people call it
	Type  *Type  // nil where klabel does not know it: it is not looked at
}

// StandardInput is the name of an input that is a stream in the place of the program's.
const StandardInput = "stdin"

// Driver is everything that a driver asks of a test, in order: Inputs once,
// then Calls as often as the program makes them.
type Driver struct {
	Function string
	Inputs   []*Input // globals first, then the function's parameters
	Globals  int      // how many of Inputs are globals
	Beside   []*Input // objects that steps make and take, and that no parameter is
	Steps    []Step   // asked for after Inputs, done before the function is called
	Fails    string   // object that says which allocation of the function's fails, 0 for none; "" where none does
	// FailsIfTold: tests have that object only where an allocation fails.
	FailsIfTold bool
	// Streams is the object that says which call on a stream fails, "" where none does; tests
	// have it only where one fails.
	Streams string
	Result  *Type // nil for void
	Calls   []*Call

	// Undefined is C that a program with this function needs to link: functions
	// out of reach and variables that no file defines.
	Undefined []string

	Oracle   string          // C of the user's oracle, given "result" or nothing; "" where it does not fit
	Variadic bool            // the function takes further arguments than it names: the last of Inputs
	Zeros    []string        // C of arguments that follow those
	Through  string          // function of Undefined that calls it with a list of variable arguments; "" for none
	Main     string          // what the unit's own main function is called in a driven program
	Params   []string        // names of the parameters, in order
	Const    map[string]bool // pointer parameters to constant items: what they point to stays as it is
	Replaced []Replaced      // functions of the unit that a Call replaces
}

// ReadsInput reports whether the driver puts a stream in the place of the standard input.
func (d *Driver) ReadsInput() bool {
	return d != nil && slices.ContainsFunc(d.Inputs, func(in *Input) bool {
		return in.Name == StandardInput && len(in.Targets) > 0 && in.Targets[0].Stream
	})
}

// Step is a choice of a function of the program's own to call before the
// function under test: one that makes an object, or changes one, or the state.
// All steps are asked for before the first of them is done.
type Step struct {
	Object  string // one byte: 0 for no call, else Choices[choice-1]
	Choices []Prepare
}

// Prepare is a call of a Step.
type Prepare struct {
	Function string
	Args     []*Input       // nil where the object is passed
	Self     string         // Name of the parameter that is the object; "" for none. While it is NULL nothing is done
	With     map[int]string // Names of other parameters that are passed, by place; not NULL, else nothing is done
	Values   []int          // places of With where the object is passed itself, not where it is
	Texts    map[int]string // C expressions that are passed, by place
	Out      string         // Name of the parameter that is made where this call is told to; "" if none is
	Result   string         // Name of the parameter that gets what is returned; "" if nothing does
	Copied   bool           // the object is passed itself, not where it is
	Whole    bool           // what is returned is the object itself; without memory for it nothing is done
	Text     string         // C expression in place of a call, "" for a call
}

// Replaced is a function whose definition gives way to a stub, with the place
// of the definition and of the name in it in the user's file.
type Replaced struct {
	Name, To, File         string
	StartLine, StartColumn int
	NameLine, NameColumn   int
}
