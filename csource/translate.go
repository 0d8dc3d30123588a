package csource

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/toolchain"
)

// maxText bounds what is handed to the parser, whose tree takes some 100 to 200
// bytes of memory for each byte of text. A quarter of a million lines (sqlite)
// are less than 3 MB once they are preprocessed.
const maxText = 16 << 20

// predefined are the macros that cc's builtin declarations and type checker
// refer to. The compiler's full set is left out on purpose: the text is
// preprocessed already, and names such as linux must not expand again.
const predefined64 = `
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __STDC_VERSION__ 201710L
#define __clang__ 1
#define __CHAR_BIT__ 8
#define __SIZE_TYPE__ long unsigned int
#define __PTRDIFF_TYPE__ long int
#define __WCHAR_TYPE__ int
#define __WINT_TYPE__ unsigned int
#define __INTMAX_TYPE__ long int
#define __UINTMAX_TYPE__ long unsigned int
#define __INTPTR_TYPE__ long int
#define __UINTPTR_TYPE__ long unsigned int
#define __CHAR16_TYPE__ unsigned short
#define __CHAR32_TYPE__ unsigned int
#define __INT8_TYPE__ signed char
#define __INT16_TYPE__ short
#define __INT32_TYPE__ int
#define __INT64_TYPE__ long int
#define __UINT8_TYPE__ unsigned char
#define __UINT16_TYPE__ unsigned short
#define __UINT32_TYPE__ unsigned int
#define __UINT64_TYPE__ long unsigned int
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZEOF_WCHAR_T__ 4
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_LONG_DOUBLE__ 16
#define __SIZEOF_INT128__ 16
`

// predefined32 is the same for an ILP32 target (-m32).
var predefined32 = strings.NewReplacer(
	"long unsigned int", "unsigned int", "INTMAX_TYPE__ long int", "INTMAX_TYPE__ long long int",
	"INT64_TYPE__ long int", "INT64_TYPE__ long long int", "_TYPE__ long int", "_TYPE__ int",
	"__SIZEOF_LONG__ 8", "__SIZEOF_LONG__ 4", "POINTER__ 8", "POINTER__ 4", "SIZE_T__ 8", "SIZE_T__ 4",
	"PTRDIFF_T__ 8", "PTRDIFF_T__ 4", "LONG_DOUBLE__ 16", "LONG_DOUBLE__ 12", "#define __SIZEOF_INT128__ 16\n", "",
).Replace(predefined64)

// textName is the name under which the parser knows its view of the text, which
// has no line markers, so every position of it has this name.
const textName = "<text>"

// target is what a text is compiled for: what klabel's own machine is, where there is
// nobody to ask.
func target(ctx context.Context, o Options) (toolchain.Target, error) {
	switch {
	case o.Target != (toolchain.Target{}):
		return o.Target, nil
	case isNil(o.Clang):
		return toolchain.Host, nil
	}
	return o.Clang.Target(ctx, o.Flags)
}

// arch is the parser's name for a target. Of machines that it does not know only the
// width counts.
func arch(t toolchain.Target) (goarch, predefined string) {
	goarch = t.GOARCH()
	if t.Narrow() {
		if goarch != "arm" {
			goarch = "386"
		}
		return goarch, predefined32
	}
	if goarch == "" {
		goarch = runtime.GOARCH
	}
	return goarch, predefined64
}

// translate parses and type checks the parser's view.
func (u *Unit) translate() (ast *cc.AST, err error) {
	goarch, predefined := arch(u.Target)
	abi, err := cc.NewABI("linux", goarch)
	if err != nil {
		return nil, &Error{File: u.Path, Message: fmt.Sprintf("no C type sizes are known for %s", goarch),
			Cause: ErrUnsupported}
	}
	var prelude bytes.Buffer
	declareBuiltins(&prelude, cc.Builtin, u.view.mark)
	declareBuiltins(&prelude, builtinPrelude, u.view.mark)
	prelude.WriteString(usesPrelude + numbersPrelude + u.view.bitsPrelude(u.Target.Narrow()))
	for _, n := range u.labels {
		fmt.Fprintf(&prelude, "#undef %s\n", n)
	}
	defer func() {
		// The parser panics on a few kinds of C that clang accepts.
		if r := recover(); r != nil {
			ast, err = nil, &Error{File: u.Path, Message: fmt.Sprintf("not read: %v", r), Cause: ErrUnsupported}
		}
	}()
	ast, err = cc.Translate(&cc.Config{ABI: abi, UnsignedEnums: true, IgnoreNegativeShiftAmounts: true,
		IgnoreStaticAssert: true}, []cc.Source{
		{Name: "<predefined>", Value: predefined},
		{Name: "<builtin>", Value: prelude.Bytes()},
		{Name: textName, Value: u.view.text},
	})
	if err != nil {
		return nil, u.parserError(err)
	}
	return ast, nil
}

// declareBuiltins writes a list of declarations, one a line, without those of
// builtins that the text does not mention: to read all of them takes as long as
// to read a small file.
func declareBuiltins(out *bytes.Buffer, list string, mentioned map[string]bool) {
	for line := range strings.Lines(list) {
		if before, _, ok := strings.Cut(line, "("); ok && line[0] != '#' {
			name := before[strings.LastIndexAny(before, " *")+1:]
			// cc's own macros lead to __builtin_huge_val.
			if strings.HasPrefix(name, "__builtin_") && name != "__builtin_huge_val" && !mentioned[name] {
				continue
			}
		}
		out.WriteString(line)
	}
}

// builtinPrelude declares what clang knows by itself and cc.Builtin lacks.
const builtinPrelude = `
int __builtin_popcount(unsigned int);
int __builtin_popcountl(unsigned long);
int __builtin_popcountll(unsigned long long);
int __builtin_clzll(unsigned long long);
int __builtin_ctzll(unsigned long long);
int __builtin_ffs(int);
int __builtin_ffsl(long);
int __builtin_ffsll(long long);
int __builtin_parity(unsigned int);
int __builtin_parityl(unsigned long);
int __builtin_parityll(unsigned long long);
int __builtin_bcmp(const void *, const void *, __SIZE_TYPE__);
void *__builtin_memmove(void *, const void *, __SIZE_TYPE__);
char *__builtin_stpcpy(char *, const char *);
char *__builtin_strdup(const char *);
char *__builtin_strndup(const char *, __SIZE_TYPE__);
void __builtin_trap(void);
void __builtin_debugtrap(void);
void *__builtin_frame_address(unsigned int);
void *__builtin_return_address(unsigned int);
void *__builtin_assume_aligned(const void *, __SIZE_TYPE__, ...);
void __builtin_assume(int);
unsigned char __builtin_rotateleft8(unsigned char, unsigned char);
unsigned int __builtin_rotateleft32(unsigned int, unsigned int);
int __builtin_signbit(double);
int __builtin_signbitf(float);
int __builtin_signbitl(long double);
long __builtin_expect_with_probability(long, long, double);
`

var posPrefix = regexp.MustCompile(`^(.*?):(\d+):(\d+):? ?(.*)$`)

// parserError turns the parser's first message into one at the user's line.
func (u *Unit) parserError(err error) error {
	out := &Error{File: u.Path, Cause: ErrUnsupported, said: err.Error()}
	first := out.said
	for _, l := range strings.Split(first, "\n") {
		if strings.HasPrefix(l, textName+":") {
			first = l
			break
		}
	}
	first, _, _ = strings.Cut(first, "\n")
	m := posPrefix.FindStringSubmatch(first)
	if m == nil || m[1] != textName {
		out.Message = "not read: " + first
		return out
	}
	line, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	off := u.view.offset(line, col)
	out.File, out.Line = u.LineOf(off)
	out.Column = off - int(u.lineStarts[u.lineIndex(off)]) + 1
	out.Message = "not read: " + cleanMessage(m[4])
	return out
}

var (
	sourceRef  = regexp.MustCompile(`\s*\([a-z0-9_]+\.go:\d+[^)]*\)`)
	parserCall = regexp.MustCompile(`^[a-zA-Z]+\.go:\d+:[a-zA-Z]+: `)
)

// cleanMessage takes the parser's own source references out of its message.
func cleanMessage(s string) string {
	s = parserCall.ReplaceAllString(sourceRef.ReplaceAllString(s, ""), "")
	if s == "" {
		return "the parser does not know this construct"
	}
	return s
}
