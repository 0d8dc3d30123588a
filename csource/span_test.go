package csource

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/cc/v4"
)

// everyKind has a node of each kind whose ends are known, and some whose ends
// are not.
const everyKind = `#include <stdarg.h>
#include <stddef.h>
#define TWICE(x) ((x) + (x))
typedef struct node { struct node *next; int v[3]; unsigned bits : 3; } node;
static int table[] = { [1] = 2, 3, };
extern int puts(const char *) __attribute__((nonnull));
int old(a, b) int a; char b; { return a + b; }
static __inline int f(int n, const node *p, ...) {
  va_list ap;
  __extension__ int r = 0, *q = &r;
  node local = { .next = 0, .v = { 1, n } };
  va_start(ap, p);
  ;
  r = (n * 2 / 3 % 4 + 5 - 6 << 1 >> 2) < 7 && n > 8 || n <= 9 && n >= 10;
  r = n == 1 ^ n != 2 | n & 3;
  r += p->next->v[n - -1] ? local.v[0] : -n, ++r, r--, (void)0;
  r -= sizeof(int) + sizeof r + _Alignof(int) + (int)offsetof(node, v) + va_arg(ap, int);
  if (!*q) goto out; else if (~n) r = TWICE(n);
  for (int i = 0; i < n; i++) { if (i == 2) continue; break; }
  for (;;) break;
  while (n-- > 0) puts("a" "b"
    "c");
  do r++; while (__builtin_expect(r < 10, 0));
  switch (n) { case 1: case 2 ... 4: r = 'x'; break; default: r = ({ int t = n; t; }); }
  r = _Generic(n, int: 1, default: 2) + ((node){ 0 }).v[0];
  { __label__ here; here: r = puts(__FUNCTION__); }
  void *label = &&out;
  __asm__ volatile("" : "+r"(r));
  _Static_assert(1, "one");
out:
  return r = label ? old(n, 'c') : n;
}
`

// The span of a node must hold all that is below it and no more.
func TestSpanOfEveryNode(t *testing.T) {
	texts := map[string]string{"every kind": everyKind}
	more, _ := filepath.Glob("../annotate/testdata/*.c")
	for _, f := range more {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts[f] = string(b)
	}
	for name, text := range texts {
		u := mustLoad(t, text)
		nodes := 0
		for l := u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
			visit(l.ExternalDeclaration, func(n cc.Node) bool {
				nodes++
				if got, want := u.span(n), whole(u, n); got != want {
					t.Errorf("%s: %T at %v is at %v by its ends: %q", name, n, want, got,
						u.Text[max(0, want.start):max(0, want.end)])
				}
				return true
			})
		}
		if nodes < 10 {
			t.Errorf("%s: only %d nodes", name, nodes)
		}
	}
}

// whole joins all tokens of a node.
func whole(u *Unit, n cc.Node) span32 {
	s := noSpan
	for _, t := range cc.NodeTokens(n) {
		s = s.join(u.tokenSpan(&t))
	}
	return s
}

// What the parser reads must be made of the same tokens as the text.
func TestViewKeepsTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int  a ;\n\n  int b;", "int a;int b;"},
		{"a - -1 + + b -- - c", "a- -1 + +b-- -c"},
		{"x = 0xe + 1; y = 1 - 2 . 3", "x=0xe +1;y=1 -2 . 3"},
		{"a / * p; a & & l", "a/ *p;a& &l"},
		{"return\n#line 7 \"f\"\n  'x' ;", "return 'x';"},
		{"L \"s\" \"t\" u8 'c'", "L \"s\" \"t\" u8 'c'"},
		{"i\\\nnt a ; // note\n/* note */ b", "i\\\nnt a;b"},
		{"a -__extension__ -b", "a- -b"},
		{"f( __FUNCTION__ )", "f(__func__)"},
		{"a/__builtin_va_arg ( v , __float128 )", "a/(*(__kf128*)__kva(v))"},
		{"_Float16 a; _Float16 _Complex b", "__kf16 a;float _Complex b"},
		{"typeof ( unsigned  int ) *a; __typeof__(struct s *) b", "__typeof__(*(unsigned int*)0)*a;__typeof__(*(struct s**)0)b"},
		{`asm volatile("" : [s] "+r" (s), [a] "=r" (a) : [b] "r" (1), [c] "r" (2)); int x[] = {[1] 2, [2] 3};`,
			`asm volatile("":"+r"(s),"=r"(a):"r"(1),"r"(2));int x[]={[1]=2,[2]=3};`},
		{"typedef typeof(s *( * )(int, s)) f", "typedef __typeof__(*(s*(* *)(int,s))0)f"},
		{"__typeof__(a) b; __typeof(int[3]) c; typeof(integer) d", "__typeof__(a)b;__typeof(int[3])c;typeof(integer)d"},
		{"__builtin_offsetof(struct s, m[1])+1", "(__kz)&((struct s*)0)->m[1]+1"},
	} {
		v := parserView([]byte(c.text), false)
		if string(v.text) != c.want {
			t.Errorf("%q: the parser reads %q, want %q", c.text, v.text, c.want)
		}
		if len(v.at) != len(v.text) {
			t.Errorf("%q: %d offsets for %d bytes", c.text, len(v.at), len(v.text))
		}
	}
}

// Long texts are cut into lines, and errors still name the right place.
func TestErrorBehindLongLines(t *testing.T) {
	text := strings.Repeat("int a_rather_long_name(int with, int parameters);\n", 1000) + "int f(int n, int a[*]);\n"
	_, err := load(t, text)
	e, ok := err.(*Error)
	if !ok || e.Line != 1001 || e.Column != 21 {
		t.Errorf("got %v, want an error at 1001:21", err)
	}
}

// FuzzView: what the parser reads has the tokens of the text, in their places.
func FuzzView(f *testing.F) {
	f.Add([]byte(everyKind))
	f.Add([]byte("a+ +b - -c 1. .e5 0xe +1 x\\\ny\n#d\n\"s\" 'c' L \"w\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		v := parserView(text, false)
		a, b := newLexer(text, 0), newLexer(v.text, 0)
		for {
			want, ok := a.next()
			if ok && want.kind == tokDirective {
				continue
			}
			if ok {
				word := text[want.start:want.end]
				if _, ok := respelt[string(word)]; ok || builtinUses[string(word)] != "" {
					t.Skip()
				}
				if q := bytes.IndexAny(word, "\"'"); q == len(word)-1 || q >= 0 && word[len(word)-1] != word[q] ||
					word[0] == '\\' {
					t.Skip() // clang refuses it
				}
			}
			got, more := b.next()
			if ok != more {
				t.Fatalf("%q: one has more tokens than the other: %q", text, v.text)
			}
			if !ok {
				return
			}
			word := text[want.start:want.end]
			if string(v.text[got.start:got.end]) != string(word) || int(v.at[got.start]) != want.start {
				t.Fatalf("%q: %q at %d became %q from %d", text, word, want.start, v.text[got.start:got.end],
					v.at[got.start])
			}
		}
	})
}
