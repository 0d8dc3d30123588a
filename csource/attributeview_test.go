package csource

import (
	"testing"

	"klabel/toolchain"
)

func TestAttributeView(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int x; typedef unsigned long w __attribute__((mode(TI)));", "int x;typedef unsigned __int128     w ;"},
		{"typedef int byte __attribute__ ((__mode__ (__QI__))); int b;", "typedef char    byte ;int b;"},
		{"int f(int a, int b __attribute__((mode(QI))));", "int f(int a,int b __attribute__((mode(QI))));"},
		{"int a, b __attribute__((mode(QI)));", "int a,b __attribute__((mode(QI)));"},
		{"typedef float f __attribute__((mode(DF)));", "typedef float f __attribute__((mode(DF)));"},
		{"int f(char *, ...) __attribute__ ((cold, format (printf, 1, 2))), g(void);",
			"int f(char*,...)__attribute__((cold,format(__printf__,1,2))),g(void);"},
		{"int f(char *, ...) __attribute__((__format__(printf, 1, 2)));",
			"int f(char*,...)__attribute__((__format__(__printf__,1,2)));"},
		{"char *g(char *) __attribute__((format_arg(1)));", "char*g(char*)__attribute__((format_arg(1)));"},
		{"int s(char *, ...) __attribute__((format(__scanf__, 1, 2)));",
			"int s(char*,...)__attribute__((format(__scanf__,1,2)));"},
		{`void c(char *p) __attribute__( (diagnose_if(!p || (long)p == 1, "null", "error"))) __attribute__((cold));`,
			"void c(char*p)__attribute__((cold));"},
	} {
		if v := parserView([]byte(c.text), false); string(v.text) != c.want || len(v.text) != len(v.at) {
			t.Errorf("%q: the parser reads %q, want %q", c.text, v.text, c.want)
		}
	}
}

// Modes say how large a type is, and the parser's sizes are those of the compiler.
func TestModes(t *testing.T) {
	const text = `typedef unsigned long wide __attribute__((mode(TI)));
typedef int word __attribute__((__mode__(__word__)));
typedef unsigned tiny __attribute__((mode(QI)));
char a[sizeof(wide) == 16 ? 1 : -1], b[sizeof(word) == 8 ? 1 : -1], c[sizeof(tiny) == 1 ? 1 : -1];
int f(wide w) { return w > 3; }
`
	if _, err := Parse(t.Context(), "t.c", []byte(text), Options{Flags: toolchain.Flags{"-std=gnu99"}}); err != nil {
		t.Fatal(err)
	}
}

// What a header says of formats before anything declares printf is no declaration of it.
func TestFormatsAreNoFunctions(t *testing.T) {
	const text = `void say(const char *, ...) __attribute__((format(printf, 1, 2), cold));
int printf(const char *restrict, ...);
int scanf(const char *restrict, ...) __attribute__((format(scanf, 1, 2)));
int f(int x) { return x > 3 ? printf("%d", x) : 0; }
`
	if _, err := Parse(t.Context(), "t.c", []byte(text), Options{}); err != nil {
		t.Error(err)
	}
}
