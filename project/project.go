// Package project reads klabel.toml, the file beside a source that holds what
// is tedious on a command line: files, flags, functions, criteria, bounds,
// relations, budgets, engine.
//
// It exists so that a project says once how it is tested. It promises that the
// command line wins over the file, that a key means what the flag of the same
// name means, and that a key it does not know is an error with its line and the
// nearest name. It stops at values: whether a criterion or an engine exists is
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

	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"
)

// FileName is the name of the file.
const FileName = "klabel.toml"

// Project is the content of a klabel.toml.
type Project struct {
	Path string `toml:"-"`

	Files     []string `toml:"files"`
	Functions []string `toml:"functions"`

	settings
	Inputs   inputs            `toml:"inputs"`
	Function map[string]inputs `toml:"function"`
}

// settings are flags of klabel run that hold for all functions.
type settings struct {
	AllFunctions    *bool    `toml:"all-functions"`
	Flags           []string `toml:"flags"`
	IncludeDir      []string `toml:"include-dir"`
	Define          []string `toml:"define"`
	Std             *string  `toml:"std"`
	CompileCommands *string  `toml:"compile-commands"`
	LabelMacro      []string `toml:"label-macro"`
	Clang           *string  `toml:"clang"`
	KLEE            *string  `toml:"klee"`
	Criteria        []string `toml:"criteria"`
	Property        *string  `toml:"property"`
	SkipFunctions   []string `toml:"skip-functions"`
	Engine          *string  `toml:"engine"`
	Mode            *string  `toml:"mode"`
	Budget          *string  `toml:"budget"`
	SolverTimeout   *string  `toml:"solver-timeout"`
	TestTimeout     *string  `toml:"test-timeout"`
	TestMemory      *int64   `toml:"test-memory"`
	MaxMemory       *int64   `toml:"max-memory"`
	Searcher        []string `toml:"searcher"`
	Portfolio       *int64   `toml:"portfolio"`
	Seed            *int64   `toml:"seed"`
	KLEEArg         []string `toml:"klee-arg"`
	NativeArg       []string `toml:"native-arg"`
	Workers         *int64   `toml:"workers"`
	NoSanitizers    *bool    `toml:"no-sanitizers"`
	KeepAll         *bool    `toml:"keep-all"`
	FailUnder       *float64 `toml:"fail-under"`
	Output          *string  `toml:"output"`
	Style           *string  `toml:"style"`
	Oracle          *string  `toml:"oracle"`
	SymArgs         *string  `toml:"sym-args"`
	SymStdin        *string  `toml:"sym-stdin"`
}

// inputs are what a driver may assume: for all functions, or one.
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
	Budget      *string  `toml:"budget"`
	Criteria    []string `toml:"criteria"`
}

// flagNames are keys that are called otherwise on the command line.
var flagNames = map[string]string{"flags": "cflag"}

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

// Find returns the klabel.toml that goes with a source: in its folder, or the
// nearest one above up to the root of a repository. "" when there is none.
func Find(source string) (string, error) {
	dir, err := filepath.Abs(source)
	if err != nil {
		return "", err
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		dir = filepath.Dir(dir)
	}
	for {
		p := filepath.Join(dir, FileName)
		if st, err := os.Stat(p); err == nil && !st.IsDir() {
			return p, nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return "", nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

// Load reads a file.
func Load(path string) (*Project, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the project file: %w", err)
	}
	return Parse(path, text)
}

// Parse reads the text of a file. Paths in it are relative to its folder.
func Parse(path string, text []byte) (*Project, error) {
	p := &Project{Path: path}
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
		return nil, &Error{path, line, column, strings.TrimPrefix(bad.Error(), "toml: ")}
	case err != nil:
		return nil, &Error{Path: path, Message: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	p.relocate()
	return p, nil
}

// unknownKey words the error for a key, with the nearest one that exists.
func unknownKey(key []string) string {
	name := key[len(key)-1]
	known := keysOf(reflect.TypeOf(Project{}))
	switch {
	case len(key) > 2 && key[0] == "function", len(key) > 1 && key[0] == "inputs":
		known = keysOf(reflect.TypeOf(inputs{}))
	}
	best, distance := "", len(name)
	sort.Strings(known)
	for _, k := range known {
		if d := levenshtein.ComputeDistance(name, k); d < distance {
			best, distance = k, d
		}
	}
	s := fmt.Sprintf("there is no key %q", strings.Join(key, "."))
	if best != "" && distance <= max(2, len(name)/2) {
		s += fmt.Sprintf("; is %q meant?", best)
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

// relocate makes the paths of the file relative to the working directory.
func (p *Project) relocate() {
	dir := filepath.Dir(p.Path)
	move := func(s string) string {
		if s == "" || filepath.IsAbs(s) {
			return s
		}
		return filepath.Join(dir, s)
	}
	for _, list := range [][]string{p.Files, p.IncludeDir} {
		for i := range list {
			list[i] = move(list[i])
		}
	}
	for _, s := range []*string{p.CompileCommands, p.Property, p.Output} {
		if s != nil {
			*s = move(*s)
		}
	}
	for i, f := range p.Flags {
		if rest, ok := strings.CutPrefix(f, "-I"); ok && rest != "" {
			p.Flags[i] = "-I" + move(rest)
		}
	}
	stubs := func(in *inputs) {
		for i := range in.StubFile {
			in.StubFile[i] = move(in.StubFile[i])
		}
	}
	stubs(&p.Inputs)
	for name, in := range p.Function {
		stubs(&in)
		p.Function[name] = in
	}
}

// Apply gives flags the values of the file, except those that the command line
// has set. For a function its own table counts before [inputs]; lists of both
// are joined. Keys that the command has no flag for are left out: not every
// command takes all of them.
func (p *Project) Apply(flags *pflag.FlagSet, function string) error {
	changed := map[string]bool{}
	flags.Visit(func(f *pflag.Flag) { changed[f.Name] = true })
	set := func(table string, v reflect.Value) error {
		for i := 0; i < v.NumField(); i++ {
			key := v.Type().Field(i).Tag.Get("toml")
			name := key
			if n, ok := flagNames[key]; ok {
				name = n
			}
			if key == "" || changed[name] || flags.Lookup(name) == nil {
				continue
			}
			for _, value := range texts(v.Field(i)) {
				if err := flags.Set(name, value); err != nil {
					return &Error{Path: p.Path, Message: fmt.Sprintf("%s%s = %q: %v", table, key, value, err)}
				}
			}
		}
		return nil
	}
	if err := set("", reflect.ValueOf(p.settings)); err != nil {
		return err
	}
	own, ok := p.Function[function]
	general := p.Inputs
	if ok {
		general = without(general, own)
	}
	if err := set("inputs.", reflect.ValueOf(general)); err != nil {
		return err
	}
	if ok {
		return set("function."+function+".", reflect.ValueOf(own))
	}
	return nil
}

// without clears the single values of a table that another table has, too.
func without(general, own inputs) inputs {
	g, o := reflect.ValueOf(&general).Elem(), reflect.ValueOf(own)
	for i := 0; i < g.NumField(); i++ {
		if g.Field(i).Kind() == reflect.Pointer && !o.Field(i).IsNil() {
			g.Field(i).SetZero()
		}
	}
	return general
}

// texts are the values of a key as a flag takes them.
func texts(v reflect.Value) (out []string) {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return nil
	case v.Kind() == reflect.Pointer:
		return []string{fmt.Sprint(v.Elem().Interface())}
	case v.Kind() == reflect.Slice:
		for i := 0; i < v.Len(); i++ {
			out = append(out, fmt.Sprint(v.Index(i).Interface()))
		}
	}
	return out
}

// FunctionNames are the functions to test: those listed, and those with a table
// of their own.
func (p *Project) FunctionNames() []string {
	out := append([]string{}, p.Functions...)
	var more []string
	for name := range p.Function {
		known := false
		for _, f := range out {
			known = known || f == name
		}
		if !known {
			more = append(more, name)
		}
	}
	sort.Strings(more)
	return append(out, more...)
}
