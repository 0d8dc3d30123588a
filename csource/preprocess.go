package csource

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/disk"
	"klabel/fault"
	"klabel/toolchain"
)

// labelFlags keep label calls as they are written: a macro that expands to its
// own name survives the #ifndef guards under which label headers define no-ops.
func labelFlags(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "-D"+n+"="+n)
	}
	return out
}

// calmFlags silence what the user's own build may warn about.
var calmFlags = []string{"-w", "-fno-color-diagnostics", "-ferror-limit=8"}

// preprocessFlags are what a file is preprocessed with.
func (o Options) preprocessFlags(labels []string) []string {
	flags := slices.Clone([]string(o.Flags.Compile()))
	for _, d := range o.IncludeDirs {
		flags = append(flags, "-idirafter", d)
	}
	return append(flags, labelFlags(labels)...)
}

// preprocess gates a file and returns its tidied text and its macros, and what the
// preprocessor itself said. What gcc has preprocessed is read in clang's words, if
// clang takes it in no others.
func preprocess(ctx context.Context, path string, source []byte, o Options) (text []byte, macros macroTable, raw output,
	words toolchain.Flags, err error) {
	names := LabelNames(o.LabelMacros)
	flags := o.preprocessFlags(names)
	raw, err = gate(ctx, path, flags, o)
	read := raw.text
	if gcc := gccFlags(source); len(gcc) > 0 && errors.Is(err, ErrRefused) {
		with := append(slices.Clone(flags), gcc...)
		if other, again := gate(ctx, path, with, o); again == nil {
			read, flags, words, err = other.text, with, gcc, nil
		}
	}
	if err != nil {
		if text, macros, ok := completed(ctx, path, raw.text, names, o); ok {
			return text, macros, raw, words, nil
		}
		return nil, nil, raw, nil, labelRefusal(ctx, path, flags, names, o, err)
	}
	text, macros, again := tidy(read, path, names)
	if len(again) == 0 {
		return text, macros, raw, words, nil
	}
	// A file defines a label macro without a guard, as a no-op most often. It is
	// preprocessed once more with those lines blanked, in a copy that clang sees
	// under the file's own name.
	overlay, clean, err := withoutDefinitions(again, names)
	if err != nil {
		return nil, nil, raw, nil, &Error{File: path, Message: "no temporary copy could be made: " + reason(err),
			Cause: err}
	}
	defer clean()
	flags = append(flags, "-ivfsoverlay", overlay)
	clear, err := gate(ctx, path, flags, o)
	if err != nil {
		if text, macros, ok := completed(ctx, path, clear.text, names, o); ok {
			return text, macros, raw, words, nil
		}
		return nil, nil, raw, nil, labelRefusal(ctx, path, flags, names, o, err)
	}
	text, macros, _ = tidy(clear.text, path, names)
	return text, macros, raw, words, nil
}

// output is what the preprocessor makes of a file, or why it does not.
type output struct {
	text  []byte
	err   error
	loose []string // see Unit.Loose
}

// gate lets clang judge a file and preprocesses it, both at the same time: what is
// refused is not worth waiting for.
func gate(ctx context.Context, path string, flags []string, o Options) (raw output, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		raw.text, raw.err = o.Clang.Preprocess(ctx, path, append(slices.Clone(flags), "-dD", "-w"))
	}()
	judging := append(append([]string{"-x", "c"}, flags...), calmFlags...)
	if raw.loose, err = o.Clang.CheckSyntax(ctx, path, judging); err != nil && isModern(o.Flags) {
		err = checkDeclared(ctx, path, judging, o, err)
	}
	<-done
	if err == nil {
		err = raw.err
	}
	if err != nil {
		err = refusal(path, err)
	}
	return raw, err
}

// checkDeclared is a second look at a file in C23 that clang has refused, with
// declarations of labels before it: a file that compiles where its label macro is
// defined on the command line need not declare it.
func checkDeclared(ctx context.Context, path string, flags []string, o Options, refused error) error {
	var te *toolchain.ToolError
	names := LabelNames(o.LabelMacros)
	if !errors.As(refused, &te) || !slices.ContainsFunc(undeclared.FindAllStringSubmatch(te.Stderr, -1),
		func(m []string) bool { return slices.Contains(names, m[1]) }) {
		return refused
	}
	f, err := os.CreateTemp("", "klabel-c-*.h")
	if err != nil {
		return refused
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(declaringLabels(nil, names))
	if errClose := f.Close(); err != nil || errClose != nil {
		return refused
	}
	_, err = o.Clang.CheckSyntax(ctx, path, append(flags[:len(flags):len(flags)], "-include", f.Name()))
	return err
}

// gateText lets clang judge text that is preprocessed already.
func gateText(ctx context.Context, name string, text []byte, o Options) error {
	dir, err := os.MkdirTemp("", "klabel-c-")
	if err != nil {
		return &Error{File: name, Message: "no temporary file could be made: " + reason(err), Cause: err}
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))+".c")
	flags := append(append([]string{"-x", "cpp-output"}, o.Flags.Language()...), calmFlags...)
	check := func(text []byte) error {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return &Error{File: name, Message: "no temporary file could be made: " + reason(err), Cause: err}
		}
		_, err := o.Clang.CheckSyntax(ctx, file, flags)
		return err
	}
	if isModern(o.Flags) && check(declaringLabels(text, LabelNames(o.LabelMacros))) == nil {
		return nil
	}
	if err := check(text); err != nil {
		err = refusal(name, err)
		var e *Error
		if errors.As(err, &e) {
			e.Message = strings.ReplaceAll(e.Message, file, name)
			if e.File == file {
				e.File = name
			}
		}
		return err
	}
	return nil
}

var clangLine = regexp.MustCompile(`(?m)^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$`)

// refusal turns clang's error into an *Error at the place that clang names. An
// error that says nothing about the file (clang missing, time limit) passes.
func refusal(path string, err error) error {
	var te *toolchain.ToolError
	if !errors.As(err, &te) || te.ExitCode <= 0 {
		return err
	}
	out := &Error{File: path, Message: te.Error(), Cause: fmt.Errorf("%w: %w", ErrRefused, te)}
	if m := clangLine.FindStringSubmatch(te.Stderr); m != nil {
		out.File, out.Message = m[1], m[4]
		out.Line, _ = strconv.Atoi(m[2])
		out.Column, _ = strconv.Atoi(m[3])
		if n := len(clangLine.FindAllString(te.Stderr, -1)); n > 1 {
			out.Message += fmt.Sprintf(" (and %d more of clang's errors)", n-1)
		}
		if fault.Hint(err) == "" && (cxxName.MatchString(path) || cxxWord.MatchString(te.Stderr)) {
			return fault.WithHint(out, "this looks like C++; klabel reads C")
		}
	}
	return fault.WithHint(out, "%s", fault.Hint(err))
}

var (
	cxxName = regexp.MustCompile(`\.(cc|cp|cxx|cpp|CPP|c\+\+|C|hh|hpp|hxx)$`)
	cxxWord = regexp.MustCompile(`unknown type name '(class|namespace|template|using)'`)
)

// isBinary reports whether a file is no text: its beginning holds a NUL byte.
func isBinary(source []byte) bool { return bytes.IndexByte(source[:min(len(source), 8192)], 0) >= 0 }

var undeclared = regexp.MustCompile(`use of undeclared identifier '([^']+)'`)

// labelRefusal looks whether clang refused the file for a label's ID that is
// no number, and then says that instead.
func labelRefusal(ctx context.Context, path string, flags, names []string, o Options, refused error) error {
	var te *toolchain.ToolError
	if !errors.As(refused, &te) {
		return refused
	}
	unknown := map[string]bool{}
	for _, m := range undeclared.FindAllStringSubmatch(te.Stderr, -1) {
		unknown[m[1]] = true
	}
	if len(unknown) == 0 {
		return refused
	}
	raw, err := o.Clang.Preprocess(ctx, path, append(append([]string{}, flags...), "-w"))
	if err != nil {
		return refused
	}
	if bad := badIDs(raw, readMarkers(raw, path), names, unknown); len(bad) > 0 {
		return &LabelError{bad}
	}
	return refused
}

// withoutDefinitions writes copies of files with the definitions of the named
// macros blanked, and an overlay that makes clang read the copies.
func withoutDefinitions(files []string, names []string) (overlay string, clean func(), err error) {
	dir, err := os.MkdirTemp("", "klabel-c-")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	var roots []string
	for i, f := range files {
		text, err := disk.Read(f)
		if err != nil {
			clean()
			return "", nil, err
		}
		abs, err := filepath.Abs(f)
		if err != nil {
			abs = f
		}
		dst := filepath.Join(dir, fmt.Sprintf("%d.c", i))
		if err := os.WriteFile(dst, blankDefinitions(text, names), 0o600); err != nil {
			clean()
			return "", nil, err
		}
		roots = append(roots, fmt.Sprintf("{'type': 'file', 'name': %s, 'external-contents': %s}", strconv.Quote(abs),
			strconv.Quote(dst)))
	}
	overlay = filepath.Join(dir, "overlay.yaml")
	body := "{'version': 0, 'use-external-names': false, 'roots': [" + strings.Join(roots, ", ") + "]}\n"
	if err := os.WriteFile(overlay, []byte(body), 0o600); err != nil {
		clean()
		return "", nil, err
	}
	return overlay, clean, nil
}

// blankDefinitions blanks the #define and #undef lines of the named macros.
func blankDefinitions(text []byte, names []string) []byte {
	out := bytes.Clone(text)
	l := newLexer(text, 0)
	for {
		t, ok := l.next()
		if !ok {
			return out
		}
		if t.kind != tokDirective {
			continue
		}
		_, name, _, ok := parseDefine(text[t.start:t.end])
		if ok && contains(names, name) {
			blank(out[t.start:t.end])
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
