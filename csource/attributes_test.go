package csource

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"
)

// Attributes that change nothing are left out, so that the parser and older compilers
// read the text; those that change the layout stay, and so do brackets of expressions.
func TestAttributes(t *testing.T) {
	for in, want := range map[string]string{
		"[[nodiscard]] int f(void);":                         "              int f(void);",
		"[[ __nodiscard__ , deprecated(\"no ]]\")]]\nint f;": strings.Repeat(" ", 40) + "\nint f;",
		"[[gnu::packed]] int f;":                             "[[gnu::packed]] int f;",
		"[[nodiscard, gnu::packed]] int f;":                  "[[nodiscard, gnu::packed]] int f;",
		"[[packed]] int f;":                                  "[[packed]] int f;",
		"int x = a[b[0]];":                                   "int x = a[b[0]];",
		"char *s = \"[[nodiscard]]\";":                       "char *s = \"[[nodiscard]]\";",
		"case 1: [[fallthrough]]; case 2:":                   "case 1:                ; case 2:",
		"[[nodiscard":                                        "[[nodiscard",
	} {
		if got := string(blankAttributes([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	u, err := Parse(context.Background(), "f.c", []byte("[[maybe_unused]] static int f([[maybe_unused]] int x)\n"+
		"{\n    switch (x) { case 1: x++; [[fallthrough]]; default: return x; }\n}\n"), Options{})
	if err != nil || u.Function("f") == nil {
		t.Errorf("%v", err)
	}
}

// TestEnumAttributes: attributes between enum and its name, which clang takes and the
// parser does not.
func TestEnumAttributes(t *testing.T) {
	const text = `typedef enum __attribute__((__packed__)) p { A, B } p;
enum __attribute__ ((packed)) __attribute__((deprecated("a )"))) q { C, D };
enum { E } __attribute__((packed)) r;
int f(p x, enum q y) { return x == B && y == D; }
`
	u, err := Parse(t.Context(), "enum.c", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := u.Function("f"); got == nil {
		t.Errorf("%v", got)
	}
	if !bytes.Equal(u.Text, []byte(text)) {
		t.Error("clang would read something else")
	}
}

// TestAttributesBeforeBody: attributes behind the declarator of a definition, which clang takes and the
// parser does not.
func TestAttributesBeforeBody(t *testing.T) {
	const text = `int f(int v) __attribute__((always_inline));
int f(int v) __attribute__((__always_inline__)) __attribute__((annotate("){")))
{
    return v;
}
int g(void) __attribute__((noinline)) { return f(1); }
int x __attribute__((unused));
`
	u, err := Parse(t.Context(), "body.c", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f, g := u.Function("f"), u.Function("g"); f == nil || f.Def == nil || g == nil {
		t.Errorf("%v, %v", f, g)
	}
}

// TestFunctionAttributes: what functions say of themselves in attributes of gcc's.
func TestFunctionAttributes(t *testing.T) {
	const text = `#include <string.h>
#define PURE __attribute__((pure))
__attribute__((weak)) __attribute__((nonnull)) PURE char *f(char *restrict s, int *q);
char *f(char *restrict s, int *q) { return *q ? s : 0; }
int g(int, char *, char *) __attribute__ ( ( cold , __const__, __nonnull__(2), aligned(8) ) );
int g(int, char *, char *) __attribute((nonnull(3)));
int h(const char *s, int n __attribute__((unused))) { const int pure = n; return pure + *s; }
int k(void) { extern int local(char *) __attribute__((nonnull, const)); return local("k"); }
`
	u, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]int{"f": nil, "g": {2, 3}}
	if got := u.NonNull(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var names []string
	for _, s := range u.PureSpans() {
		names = append(names, string(u.Text[s.Start:s.End]))
	}
	if got := strings.Join(names, " "); got != "pure __const__ const" {
		t.Errorf("pure: %q", got)
	}
}

// TestWeak: a definition, a declaration, or a pragma says so.
func TestWeak(t *testing.T) {
	const text = `int a(void) __attribute__((cold, weak));
__attribute__((__weak__)) void b(void) { int weak = 3; (void)weak; }
#pragma weak c
int c(int x) { return x; }
int weak(int x) { return x; }
`
	u, err := Parse(context.Background(), "weak.c", []byte(text), Options{Clang: clangOf(t)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := u.Weak(), map[string]bool{"a": true, "b": true, "c": true}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
