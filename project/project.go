// Package project reads klabel.toml, the file beside a source that holds what
// is tedious on a command line: files, flags, functions, criteria, bounds,
// relations, budgets, engine.
//
// It exists so that a project says once how it is tested. It promises that the
// command line wins over the file, that a key means what the flag of the same
// name means, and that a key it does not know is an error with its line and the
// nearest name. Limits: whether a criterion or an engine exists is
// checked where it is used, as for the flag.
package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"klabel/disk"
	"klabel/fault"

	"github.com/pelletier/go-toml/v2"
)

// FileName is the name of the file.
const FileName = "klabel.toml"

// Project is the content of a klabel.toml. Its keys are called like flags.
type Project struct {
	Path string `toml:"-"`

	Files []string `toml:"files"` // the sources; patterns are expanded
	Args  []string `toml:"args"`  // of the program under test

	settings
	Strategy []Step `toml:"strategy"` // in that order

	Inputs inputs                 `toml:"inputs"`
	For    map[string]forFunction `toml:"for"`

	text []byte
}

// settings are flags of klabel run that hold for all functions.
type settings struct {
	Function        *string  `toml:"function"`
	AllFunctions    *bool    `toml:"all-functions"`
	Functions       []string `toml:"functions"`
	SkipFunctions   []string `toml:"skip-functions"`
	Jobs            *int64   `toml:"jobs"`
	IncludeDir      []string `toml:"include-dir"`
	Define          []string `toml:"define"`
	Std             *string  `toml:"std"`
	CFlag           []string `toml:"cflag"`
	CompileCommands *string  `toml:"compile-commands"`
	Build           *string  `toml:"build"`
	LabelMacro      []string `toml:"label-macro"`
	Hyperlabels     []string `toml:"hyperlabels"`
	Clang           *string  `toml:"clang"`
	KLEE            *string  `toml:"klee"`
	FramaC          *string  `toml:"frama-c"`
	Criteria        []string `toml:"criteria"`
	Property        *string  `toml:"property"`
	LabelFiles      []string `toml:"label-files"`
	Lines           []string `toml:"lines"`
	MCCLimit        *int64   `toml:"mcc-limit"`
	IDPDepth        *int64   `toml:"idp-depth"`
	Simplify        *bool    `toml:"simplify"`
	Patch           *string  `toml:"patch"`
	Revisions       *string  `toml:"revisions"`
	Engine          *string  `toml:"engine"`
	Mode            *string  `toml:"mode"`
	Budget          *string  `toml:"budget"`
	FunctionBudget  *string  `toml:"function-budget"`
	SolverTimeout   *string  `toml:"solver-timeout"`
	MaxMemory       *int64   `toml:"max-memory"`
	Searcher        []string `toml:"searcher"`
	Portfolio       *int64   `toml:"portfolio"`
	Seed            *int64   `toml:"seed"`
	KLEEArg         []string `toml:"klee-arg"`
	NativeArg       []string `toml:"native-arg"`
	FuzzArg         []string `toml:"fuzz-arg"`
	TestTimeout     *string  `toml:"test-timeout"`
	TestMemory      *int64   `toml:"test-memory"`
	Workers         *int64   `toml:"workers"`
	NoSanitizers    *bool    `toml:"no-sanitizers"`
	NoRandom        *bool    `toml:"no-random"`
	Prune           *bool    `toml:"prune"`
	NoPrune         *bool    `toml:"no-prune"`
	Methods         *string  `toml:"methods"`
	MaxPairs        *int64   `toml:"max-pairs"`
	Strict          *bool    `toml:"strict"`
	FailUnder       *float64 `toml:"fail-under"`
	KeepAll         *bool    `toml:"keep-all"`
	CountFailing    *bool    `toml:"count-failing"`
	Existing        []string `toml:"existing"`
	Output          *string  `toml:"output"`
	Style           *string  `toml:"style"`
	Oracle          *string  `toml:"oracle"`
	LinkObjects     *bool    `toml:"link-objects"`
	TestPrograms    *string  `toml:"test-programs"`
}

// inputs are what a driver may assume: of all functions, or of one.
type inputs struct {
	MaxArray    *int64   `toml:"max-array"`
	MaxString   *int64   `toml:"max-string"`
	MaxDepth    *int64   `toml:"max-depth"`
	AnyEnum     *bool    `toml:"any-enum"`
	NoGuess     *bool    `toml:"no-guess"`
	Global      []string `toml:"global"`
	Array       []string `toml:"array"`
	String      []string `toml:"string"`
	NonNull     []string `toml:"nonnull"`
	Range       []string `toml:"range"`
	Assume      []string `toml:"assume"`
	Alias       []string `toml:"alias"`
	Stub        []string `toml:"stub"`
	StubOutputs *bool    `toml:"stub-outputs"`
	StubFile    []string `toml:"stub-file"`
	SymArgv     *string  `toml:"sym-argv"`
}

// Step is an engine, and for how long it works.
type Step struct {
	Engine   string   `toml:"engine"`
	Budget   string   `toml:"budget"`
	Mode     string   `toml:"mode"`
	Searcher []string `toml:"searcher"`
}

// forFunction is what one function has to itself.
type forFunction struct {
	inputs
	Budget   *string  `toml:"budget"`
	Criteria []string `toml:"criteria"`
}

// flagNames are keys that are called otherwise on the command line, where
// --files means what label-files means here.
var flagNames = map[string]string{"label-files": "files"}

// rivals are keys that a flag of the command line makes void.
var rivals = map[string][]string{
	"prune": {"no-prune"}, "no-prune": {"prune"},
	"function": {"all-functions"}, "all-functions": {"function"}, "functions": {"function"},
	"criteria": {"property"}, "property": {"criteria"},
	"build": {"compile-commands"}, "compile-commands": {"build"},
}

// Key is a key of the file and the flag that it stands for.
type Key struct {
	Name, Table, Flag string // Table: "" or "inputs"; Flag: "" for files and args
	List              bool
}

// Keys lists all keys but those of [for.NAME], which are those of [inputs] with
// budget and criteria.
func Keys() []Key {
	out := []Key{{Name: "files", List: true}, {Name: "args", List: true}}
	for _, t := range []struct {
		table string
		typ   reflect.Type
	}{{"", reflect.TypeFor[settings]()}, {"inputs", reflect.TypeFor[inputs]()}} {
		for i := range t.typ.NumField() {
			name := t.typ.Field(i).Tag.Get("toml")
			out = append(out, Key{name, t.table, flagName(name), t.typ.Field(i).Type.Kind() == reflect.Slice})
		}
	}
	return out
}

func flagName(key string) string {
	if n, ok := flagNames[key]; ok {
		return n
	}
	return key
}

// Error is a mistake in the file.
type Error struct {
	Path         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// Find returns the klabel.toml that goes with a source: in its folder or, within
// a repository, the nearest one above up to the repository's root; else in the
// working directory. "" when there is none. Folders above that belong to no
// repository are not looked into: what lies there may be anybody's.
func Find(source string) (string, error) {
	dir, err := filepath.Abs(source)
	if err != nil {
		return "", err
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		dir = filepath.Dir(dir)
	}
	own, nearest := "", ""
	for at, first := dir, true; ; first = false {
		p := filepath.Join(at, FileName)
		if st, err := os.Stat(p); err == nil && !st.IsDir() {
			if first {
				own = p
			}
			if nearest == "" {
				nearest = p
			}
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) && first {
			return "", err
		}
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			own = nearest
			break
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
	}
	if own != "" {
		return own, nil
	}
	if st, err := os.Stat(FileName); err == nil && !st.IsDir() {
		return FileName, nil
	}
	return "", nil
}

// Load reads a file.
func Load(path string) (*Project, error) {
	if fi, err := os.Stat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path) // reading it may never end
	}
	text, err := disk.Read(path)
	if err != nil {
		return nil, fmt.Errorf("reading the project file: %w", err)
	}
	return Parse(path, text)
}

// Parse reads the text of a file. Paths in it are relative to its folder.
func Parse(path string, text []byte) (*Project, error) {
	p := &Project{Path: path, text: text}
	d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	err := d.Decode(p)
	var missing *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &missing) && len(missing.Errors) > 0:
		first := missing.Errors[0]
		line, column := first.Position()
		return nil, &Error{path, line, column, unknownKey(first.Key())}
	case errors.As(err, &bad):
		line, column := bad.Position()
		return nil, &Error{path, line, column, wrongValue(bad)}
	case err != nil:
		return nil, &Error{Path: path, Message: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return p, p.relocate()
}

// listOfTables is the one key whose value is a list of tables.
const listOfTables = "strategy"

// wrongValue words the error for a value, without the names of this package.
func wrongValue(e *toml.DecodeError) string {
	text := strings.TrimPrefix(e.Error(), "toml: ")
	if strings.Contains(text, "into a slice") || strings.HasSuffix(text, "in a slice") {
		text = "a list of tables is wanted: each begins with [[" + listOfTables + "]]"
	}
	rest, ok := strings.CutPrefix(text, "cannot decode TOML ")
	if !ok {
		return text
	}
	got, _, _ := strings.Cut(rest, " into ")
	typ := rest[strings.LastIndexByte(rest, ' ')+1:]
	want := map[string]string{"*string": "a string in quotes", "string": "strings in quotes", "*bool": "true or false",
		"*int64":   "a whole number",
		"*float64": "a number", "[]string": "a list of strings"}[typ]
	switch {
	case strings.HasSuffix(text, "project.Step"):
		want = "tables, each of which begins with [[" + listOfTables + "]]"
	case want == "":
		want = "a table"
	}
	name := strings.Join(e.Key(), ".")
	if name == "" {
		return fmt.Sprintf("the value is %s: want %s", got, want)
	}
	return fmt.Sprintf("%s is %s: want %s", name, got, want)
}

// unknownKey words the error for a key, with the nearest one that exists.
func unknownKey(key []string) string {
	name := key[len(key)-1]
	known := keysOf(reflect.TypeOf(Project{}))
	switch {
	case len(key) > 2 && key[0] == "for":
		known = keysOf(reflect.TypeFor[forFunction]())
	case len(key) > 1 && key[0] == "strategy":
		known = keysOf(reflect.TypeFor[Step]())
	case len(key) > 1 && key[0] == "inputs":
		known = keysOf(reflect.TypeFor[inputs]())
	}
	s := fmt.Sprintf("unknown key %q", strings.Join(key, "."))
	sort.Strings(known)
	if near := fault.Nearest(name, known); len(near) > 0 {
		s += fmt.Sprintf("; is %q meant?", near[0])
	}
	return s
}

// keysOf lists the keys of a table.
func keysOf(t reflect.Type) (out []string) {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if f.Anonymous {
			out = append(out, keysOf(f.Type)...)
			continue
		}
		if k := f.Tag.Get("toml"); k != "" && k != "-" {
			out = append(out, k)
		}
	}
	return out
}
