package csource

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/cc/v4"
)

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		is         error
		line       int
		want       string
	}{
		{"syntax", "int f(void) { return 1 }\n", ErrRefused, 1, "expected ';'"},
		{"undeclared", "int f(void) {\n  return x;\n}\n", ErrRefused, 2, "undeclared identifier 'x'"},
		{"declaration that would fill the parser's memory", "int *;\n", ErrRefused, 1, ""},
		{"device as header", "#include \"/dev/zero\"\nint f(void) { return 1; }\n", os.ErrInvalid, 0,
			"/dev/zero, which is a device"},
		{"missing header", "#include \"nothere.h\"\n", ErrRefused, 1, "file not found"},
		{"construct that the parser does not know", "\nint f(int n, int a[*]);\n", ErrUnsupported, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(t, c.text)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if !errors.Is(err, c.is) || e.Line != c.line || !strings.HasSuffix(e.File, "f.c") ||
				!strings.Contains(e.Message, c.want) {
				t.Errorf("got %v (line %d), want %v at line %d with %q", err, e.Line, c.is, c.line, c.want)
			}
		})
	}
	if _, err := Load(context.Background(), "/no/such/file.c", Options{Clang: clangOf(t)}); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// Every expression of a program that uses what the parser expands by itself
// must have the text that a person would point at.
func TestSourceOfExpressions(t *testing.T) {
	u := mustLoad(t, `#include <stdarg.h>
#include <stddef.h>
struct s { int a; char b[4]; };
int f(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int r = 3 + va_arg(ap, int);
  r = r < (int)offsetof(struct s, b);
  const char *p = "a" "b"
      "c";
  r += __extension__ (n + 1) == 2;
  if (p != __FUNCTION__) r = n > 1 ? n : -n;
  return r;
}
`)
	got := map[string]bool{}
	u.Walk(u.Function("f").Def.CompoundStatement, func(n cc.Node) bool {
		switch n.(type) {
		case *cc.AdditiveExpression, *cc.RelationalExpression, *cc.EqualityExpression, *cc.ConditionalExpression,
			*cc.AssignmentExpression:
			got[u.Source(n)] = true
		}
		return true
	})
	for _, w := range []string{
		"3 + __builtin_va_arg(ap, int)", "r < (int)__builtin_offsetof(struct s, b)", "n + 1",
		"r += __extension__ (n + 1) == 2", "p != __FUNCTION__", "n > 1", "r = n > 1 ? n : -n", "n > 1 ? n : -n",
	} {
		if !got[w] {
			t.Errorf("no expression with the text %q; there are %v", w, got)
		}
	}
	var str Span
	u.Walk(u.Function("f").Def.CompoundStatement, func(n cc.Node) bool {
		if i, ok := n.(*cc.InitDeclarator); ok && i.Declarator.Name() == "p" {
			str, _ = u.Span(i.Initializer)
		}
		return true
	})
	if s := string(u.Text[str.Start:str.End]); s != "\"a\" \"b\"\n      \"c\"" {
		t.Errorf("joined strings are %q", s)
	}
}

func TestOrigin(t *testing.T) {
	dir := write(t, map[string]string{
		"i.h": "static inline int thrice(int x) { return 3 * x; }\n",
		"h.h": "#include \"./i.h\"\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define ONE 1\n" +
			"static inline int twice(int x) { return x + x; }\n",
		"f.c": "#include <stdio.h>\n#include \"h.h\"\nint f(int x, int y)\n{\n\n    int z = MAX(x,\n" +
			"                y) + (y > ONE);\n    if (x < ONE && y > 2)   { z = twice(y); }\n    return z;\n}\n",
	})
	u, err := Load(context.Background(), filepath.Join(dir, "f.c"), Options{Clang: clangOf(t)})
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) Origin {
		i := bytes.LastIndex(u.Text, []byte(s))
		if i < 0 {
			t.Fatalf("%q is not in the text", s)
		}
		o := u.Origin(i)
		if o.File != filepath.Clean(o.File) {
			t.Errorf("%q is in %s", s, o.File)
		}
		o.File = filepath.Base(o.File)
		return o
	}
	for _, c := range []struct {
		text string
		want Origin
	}{
		{"int f(int x", Origin{File: "f.c", Line: 3, Column: 1}},
		{"int z", Origin{File: "f.c", Line: 6, Column: 5}},
		{"(x) > (y)", Origin{File: "f.c", Line: 6, Column: 13, Macro: "MAX"}},
		{"x < 1", Origin{File: "f.c", Line: 8, Column: 9}},
		{"1 && y", Origin{File: "f.c", Line: 8, Column: 13, Macro: "ONE"}},
		{"y > 2", Origin{File: "f.c", Line: 8, Column: 20}},
		{"z = twice", Origin{File: "f.c", Line: 8, Column: 31}},
		{"x + x", Origin{File: "h.h", Line: 4, Column: 41}},
		{"3 * x", Origin{File: "i.h", Line: 1, Column: 42}},
	} {
		if got := at(c.text); got != c.want {
			t.Errorf("%q: got %+v, want %+v", c.text, got, c.want)
		}
	}
	if o := u.Origin(bytes.Index(u.Text, []byte("printf"))); !o.System {
		t.Errorf("printf is not of a system header: %+v", o)
	}
}

// The text of a unit is C that means the same as the file, for people and for
// compilers, and reads as the same unit again.
func TestTextReadsAgain(t *testing.T) {
	u := mustLoad(t, "#include <stdio.h>\n#pragma pack(1)\nstruct s { char c; int i; };\n#pragma pack()\n"+
		"int main(void) { return sizeof(struct s) == 5; }\n")
	if bytes.Contains(u.Text, []byte("#define")) {
		t.Error("macro definitions are left in the text")
	}
	v, err := Parse(context.Background(), "again.c", u.Text, Options{Clang: clangOf(t)})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(u.Text, v.Text) {
		t.Error("the text changed")
	}
	f, g := u.Function("main"), v.Function("main")
	if f.Span != g.Span || f.Origin != g.Origin {
		t.Errorf("main is %+v, then %+v", f, g)
	}
}

func TestFlags(t *testing.T) {
	dir := write(t, map[string]string{"a.h": "#define A 4\n", "f.c": "int f(void) { return A + B; }\n"})
	u, err := Load(context.Background(), filepath.Join(dir, "f.c"),
		Options{Clang: clangOf(t), Flags: []string{"-I", dir, "-DB=2", "-include", "a.h", "-std=c99"}})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(u.Text, []byte("return 4 + 2;")) {
		t.Errorf("text is %s", u.Text)
	}
}
