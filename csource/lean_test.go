package csource

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"modernc.org/cc/v4"
)

// header is what stands in a system header, user what follows in the user's file; kept are parts of the header that
// stay, in order.
func TestWithoutUnused(t *testing.T) {
	for _, c := range []struct {
		name, header, user string
		kept               []string
	}{
		{"prototypes", "extern int f(int a, const char *);\nextern int g(void);\n", "int x(void) { return g(); }",
			[]string{"extern int g(void);"}},
		{"names to keep", "struct file;\nextern struct file *kept;\nextern int other;\n", "",
			[]string{"struct file;\nextern struct file *kept;"}},
		{"several at once", "extern int f(void), g(void);\nextern int h(void), i(void), j;\n", "int x = g();",
			[]string{"extern int f(void), g(void);"}},
		{"a name in a parameter list is none", "typedef long size_t;\nint f(size_t g);\nint g(size_t);\n",
			"size_t n;", []string{"typedef long size_t;"}},
		{"types lead to types", "typedef long off_t;\nstruct s { off_t at; struct t *next; };\nstruct t { int a; };\n" +
			"struct u { int b; };\ntypedef struct s s_t;\n", "s_t v;",
			[]string{"typedef long off_t;\nstruct s { off_t at; struct t *next; };\nstruct t { int a; };",
				"typedef struct s s_t;"}},
		{"tags within", "struct a { union b { int i; } u; };\nstruct c { union d { int i; } u; };\n", "union b v;",
			[]string{"struct a { union b { int i; } u; };"}},
		{"enumeration items", "enum { A, B = 2 };\nenum e { C };\ntypedef struct { enum { D } k; } f_t;\n" +
			"typedef struct { enum { E } l; } g_t;\n", "int x = B, y = D;",
			[]string{"enum { A, B = 2 };", "typedef struct { enum { D } k; } f_t;"}},
		{"inline functions", "static inline int f(int a) { return g(a); }\nextern int g(int) __attribute__((pure));\n" +
			"static __inline __attribute__((always_inline)) int h(void) { if (1) { } return 0; }\nint i(void);\n",
			"int y(void) { return h(); }",
			[]string{"static __inline __attribute__((always_inline)) int h(void) { if (1) { } return 0; }"}},
		{"attributes before a body", "static int f(int a) __attribute__((cold)) { return a; }\nint g(void);\n", "",
			nil},
		{"definitions that others call", "int f(void) { return 1; }\nint g(void);\n", "",
			[]string{"int f(void) { return 1; }"}},
		{"asm names", "extern int f(int) __asm__(\"\" \"__f\");\nextern int v __asm__(\"w\");\nextern int w;\n",
			"int x(void) { return f(v); }",
			[]string{"extern int f(int) __asm__(\"\" \"__f\");\nextern int v __asm__(\"w\");"}},
		{"a function that returns one", "void (*signal(int s, void (*f)(int)))(int);\nint other(void);\n",
			"void *p = signal;", []string{"void (*signal(int s, void (*f)(int)))(int);"}},
		{"packed structures", "struct __attribute__((packed)) a { char c; };\n" +
			"struct __attribute__((packed)) b { char c; };\n", "struct b v;",
			[]string{"struct __attribute__((packed)) b { char c; };"}},
		{"directives", "#pragma pack(push, 1)\nstruct a { int i; };\n#pragma pack(pop)\nint g(void);\n", "",
			[]string{"#pragma pack(push, 1)", "#pragma pack(pop)"}},
		{"file scope assembly and assertions", "__asm__(\".globl x\");\n_Static_assert(1, \"x\");\nint g(void);\n", "",
			[]string{"__asm__(\".globl x\");\n_Static_assert(1, \"x\");"}},
	} {
		text := "# 1 \"/h.h\" 3\n" + c.header + "# 2 \"t.c\"\n" + c.user + "\n"
		got := string(withoutUnused([]byte(text), "t.c", []string{"kept"}))
		want := regexp.QuoteMeta(c.user)
		if len(c.kept) > 0 {
			quoted := make([]string, len(c.kept))
			for i, k := range c.kept {
				quoted[i] = regexp.QuoteMeta(k)
			}
			want = strings.Join(quoted, `\s+`) + `\s+(?:# 2 "t.c"\s+)?` + want
		}
		plain := regexp.MustCompile(`(?m)^# \d+ "/h.h" 3\n`).ReplaceAllString(got, "")
		if !regexp.MustCompile(`^(?:# 2 "t.c"\n|#line 2 "t.c"\n)?` + want + `\s*$`).MatchString(plain) {
			t.Errorf("%s: what is left is\n%s\nwant %v", c.name, got, c.kept)
		}
	}
}

// What is left of the C library's headers is read and compiled as the whole was, and stands where it stood.
func TestLean(t *testing.T) {
	const text = `#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum(FILE *f, struct stat *s, ...) {
	va_list l;
	struct timespec t;
	va_start(l, s);
	int n = va_arg(l, int) + isdigit('3') + (int)S_ISDIR(s->st_mode) + (int)sqrt(4.0) + isnan(2.0);
	va_end(l);
	if (stat("x", s) < 0 && errno == ENOENT) { fprintf(stderr, "%" PRIu64 "\n", UINT64_MAX); return EXIT_FAILURE; }
	pthread_mutex_lock(&m);
	clock_gettime(CLOCK_REALTIME, &t);
	return n + fgetc(f) + (int)wcslen(L"x") + (signal(SIGINT, SIG_IGN) == SIG_ERR) + AF_INET + (int)strlen("x");
}
`
	whole, lean := mustLoad(t, text), mustLoad(t, text, func(o *Options) { o.Lean = true })
	if len(lean.Text) > len(whole.Text)/2 {
		t.Errorf("%d bytes of %d are left", len(lean.Text), len(whole.Text))
	}
	if _, err := Parse(t.Context(), "f.c", lean.Text, Options{Clang: clangOf(t)}); err != nil {
		t.Errorf("what is left does not compile: %v", err)
	}
	places := func(u *Unit) (out []string) {
		u.Walk(u.Function("sum").Def, func(n cc.Node) bool {
			if s, ok := u.Span(n); ok {
				o := u.Origin(s.Start)
				out = append(out, fmt.Sprintf("%T %q %d:%d", n, u.Source(n), o.Line, o.Column))
			}
			return true
		})
		return out
	}
	if diff := cmp.Diff(places(whole), places(lean)); diff != "" {
		t.Errorf("what the function is (-whole +lean):\n%s", diff)
	}
}
