package csource

import (
	"context"
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
