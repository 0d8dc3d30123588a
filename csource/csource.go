// Package csource reads C programs and rewrites them in place.
//
// It exists because every stage of klabel that looks at C needs the same three
// things: a syntax tree with types, the exact bytes of each node, and the place
// in the user's file that those bytes came from. The text it works on is the
// output of clang -E, since in a raw source only half of the decisions stand as
// they are compiled; line markers lead back to the user's file.
//
// It promises that a file reaches the parser only after clang has accepted it;
// that Unit.Text holds exactly the bytes that Span and Edits count in; that
// edits keep the number of lines, so that #line directives stay true; and that
// taking the insertions out again gives the input byte for byte.
//
// With Options.Lean, the text lacks what system headers declare and nothing uses.
//
// Limits: C that cc/v4 cannot read (most [[attributes]], digit separators,
// _BitInt, digraphs, blocks) is refused: Load and Parse then return an *Error that wraps
// ErrUnsupported, and callers can go on with other files. It does not decide
// what to insert: criteria, modes and proofs are the business of other packages.
package csource

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"

	"modernc.org/cc/v4"

	"klabel/disk"
	"klabel/fault"
	"klabel/toolchain"
)

// Compiler is what csource needs of clang; *toolchain.Clang has it.
type Compiler interface {
	// Preprocess returns the output of clang -E with line markers.
	Preprocess(ctx context.Context, file string, flags []string) ([]byte, error)
	// CheckSyntax runs clang -fsyntax-only; its message is in the error. loose are flags without which it is refused.
	CheckSyntax(ctx context.Context, file string, flags []string) (loose []string, err error)
	// Target says what clang compiles for with these flags.
	Target(ctx context.Context, flags toolchain.Flags) (toolchain.Target, error)
}

// Options say how a file is compiled and what counts as a label.
type Options struct {
	Clang        Compiler
	Flags        toolchain.Flags  // the user's -I, -D, -U, -std, -include, -m32, ...; each use takes its part
	LabelMacros  []string         // names beside cov_label and pc_label
	IncludeDirs  []string         // searched after the user's own (harness_macros.h and the like)
	Preprocessed bool             // Load: the file is already the output of a preprocessor
	Lean         bool             // Load: without what system headers declare and neither the file nor Keep names
	Keep         []string         // names of system headers that Lean leaves in
	Target       toolchain.Target // what the flags make clang compile for, if that is known; else Clang is asked
}

// Errors that callers tell apart with errors.Is.
var (
	ErrRefused     = errors.New("clang refuses the file")
	ErrUnsupported = errors.New("klabel's parser does not read this C")
	ErrLabels      = errors.New("labels cannot be used")
)

// Error is a failure to read a file, at a place in the user's source.
type Error struct {
	File    string
	Line    int // 0 when unknown
	Column  int
	Message string
	Cause   error // one of the sentinels above, or the compiler's error

	said string // by the parser, in its words
}

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

func (e *Error) Unwrap() error { return e.Cause }

// Unit is one translation unit: preprocessed text and its typed tree. Its
// methods may be called from several goroutines.
type Unit struct {
	Path   string // as given to Load or Parse
	Text   []byte // the preprocessed text, line markers included; not to be changed
	AST    *cc.AST
	Flags  toolchain.Flags // as given to Load or Parse: the text is compiled with Flags.Language()
	Target toolchain.Target
	Words  toolchain.Flags // definitions that clang needs to read the file at Path, beside Flags: gcc preprocessed it
	Loose  []string        // of Load: flags without which newer compilers refuse the file

	view       *view
	lineStarts []int32
	markers    markers    // line markers of Text
	macros     macroTable // macros of the source, when the preprocessor told them
	headers    []Header
	labels     []string // every label macro name

	mu     sync.Mutex
	spans  map[cc.Node]span32
	files  map[string]*originFile
	lines  map[int]*lineMap
	funcs  []*Function
	byName map[string]*Function
	bodies map[*Function]bodyEffect
	calls  *labelResult

	effects sync.Map // of expressions and statements that were asked for, cc.Node to Effect

	atomicOnce sync.Once
	atomic     map[string]bool // names of types that are atomic

	orderOnce sync.Once
	order     *preorder

	mentionOnce sync.Once
	mentioned   map[string]bool
}

// Span is a range of bytes in Unit.Text.
type Span struct{ Start, End int }

// Len is the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether t lies within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Load gates the file with clang, preprocesses it and parses the result.
func Load(ctx context.Context, path string, o Options) (*Unit, error) {
	u, _, err := LoadSummed(ctx, path, o)
	return u, err
}

// LoadSummed is Load that also says what Sum says of that which was read, whether
// it was accepted or not; nothing where clang was not asked.
func LoadSummed(ctx context.Context, path string, o Options) (u *Unit, sum string, err error) {
	if err := fault.CheckName(path); err != nil {
		return nil, "", err
	}
	fi, err := os.Stat(path)
	if err != nil {
		return nil, "", &Error{File: path, Message: "cannot be read: " + reason(err), Cause: err}
	}
	if fi.IsDir() {
		return nil, "", &Error{File: path, Message: "is a directory: want a C file", Cause: os.ErrInvalid}
	}
	if !fi.Mode().IsRegular() { // reading it may never end
		return nil, "", &Error{File: path, Message: "is a pipe or a device: want a C file", Cause: os.ErrInvalid}
	}
	source, err := disk.Read(path)
	if err != nil {
		return nil, "", &Error{File: path, Message: "cannot be read: " + reason(err), Cause: err}
	}
	if isBinary(source) {
		return nil, sumOf(source, output{}), &Error{File: path, Cause: ErrRefused,
			Message: "is no text (it holds NUL bytes): want a C file"}
	}
	if o.Preprocessed {
		u, err := Parse(ctx, path, source, o)
		return u, sumOf(source, output{}), err
	}
	if isNil(o.Clang) {
		return nil, "", &Error{File: path, Message: "clang is needed to preprocess it", Cause: ErrRefused}
	}
	text, macros, raw, words, err := preprocess(ctx, path, source, o)
	if ctx.Err() == nil {
		sum = sumOf(source, raw)
	}
	if err != nil {
		return nil, sum, err
	}
	headers := headersIn(raw.text, path)
	if err := checkHeaders(path, headers); err != nil {
		return nil, sum, err
	}
	if o.Lean {
		text = withoutUnused(text, path, o.Keep)
	}
	if u, err = parse(ctx, path, text, macros, o); err == nil {
		u.headers, u.Words, u.Loose = headers, words, raw.loose
	}
	return u, sum, err
}

// Parse reads text that is preprocessed already, such as the output of
// Unit.Edits or of an annotator. With o.Clang set the text passes clang first.
func Parse(ctx context.Context, name string, text []byte, o Options) (*Unit, error) {
	if !isNil(o.Clang) {
		if err := gateText(ctx, name, text, o); err != nil {
			return nil, err
		}
	}
	text, macros := splitMacros(text)
	return parse(ctx, name, text, macros, o)
}

func parse(ctx context.Context, name string, text []byte, macros macroTable, o Options) (*Unit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(text) > maxText {
		return nil, &Error{File: name, Message: fmt.Sprintf(
			"%d MB after preprocessing, more than the %d MB that klabel reads", len(text)>>20, maxText>>20),
			Cause: ErrUnsupported}
	}
	text = blankAttributes(text)
	u := &Unit{
		Path:   name,
		Flags:  o.Flags,
		Text:   text,
		macros: macros,
		labels: LabelNames(o.LabelMacros),
		spans:  map[cc.Node]span32{},
		files:  map[string]*originFile{},
		lines:  map[int]*lineMap{},
		bodies: map[*Function]bodyEffect{},
	}
	u.lineStarts = lineStarts(text)
	u.markers = readMarkers(text, name)
	u.view = parserView(text, isModern(o.Flags))
	var err error
	if u.Target, err = target(ctx, o); err != nil {
		return nil, &Error{File: name, Message: err.Error(), Cause: err}
	}
	ast, err := u.translated()
	if err != nil {
		return nil, err
	}
	u.AST = ast
	return u, nil
}

// isNil reports whether there is no compiler, a typed nil pointer included.
func isNil(c Compiler) bool {
	if c == nil {
		return true
	}
	v := reflect.ValueOf(c)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// reason is an operating system error without its path.
func reason(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
