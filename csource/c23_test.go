package csource

import (
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"klabel/toolchain"
)

func TestModernView(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"bool b = true;", "_Bool b=((_Bool)1);"},
		{"p == nullptr", "p==((void*)0)"},
		{"static_assert(sizeof(int) == 4);", `_Static_assert(1,"");`},
		{"auto x = 1; auto int y; auto z == 1", "__auto_type x=1;auto int y;auto z==1"},
		{"100'000'0u + 'a'", "1000000u +'a'"},
		{"{ case 'b': int z; }", "{case 'b':;int z;}"},
		{"{ goto out; out: }", "{goto out;out:;}"},
		{"{ here: size_t n = 3; }", "{here:;size_t n=3;}"},
		{"{ here: return x; default: n = 3; }", "{here:return x;default:n=3;}"},
		{"int a[] = {}, b[] = {1}; c[] = { };", "int a[0]={},b[]={1};c[0]={};"},
		{"struct { int : 3; unsigned a : 4; }; c ? a : b;", "struct{int:3;unsigned a:4;};c?a:b;"},
	} {
		if v := parserView([]byte(c.text), true); string(v.text) != c.want {
			t.Errorf("%q: the parser reads %q, want %q", c.text, v.text, c.want)
		}
	}
}

// What is new in C23 is read, and each part is where it stands; in C17 the words are
// names as others.
func TestModernC(t *testing.T) {
	const text = `enum colour { RED, GREEN = 200 };
static_assert(sizeof(enum colour) >= 1);
constexpr int limit = 12;
typeof(limit) other = 4;
thread_local int t;
bool f(int a, enum colour c, const int *p) {
    auto x = a + limit;
    if (p == nullptr || x > 100'000)
        return false;
    alignas(16) char b[8] = {};
    switch (a) {
    case 0b101: label: int z = 4; if (z + b[0] > 100) goto out;
    default: unsigned q = 3; b[1] = (char)q;
    }
    return c == GREEN && *p == 0b1010 ? true : false;
out:
}
int unnamed(int, int b) { return b > 7; }
`
	for _, std := range []string{"-std=gnu23", "-std=c2x"} {
		u, err := Parse(t.Context(), "t.c", []byte(text), Options{Flags: toolchain.Flags{"-std=c99", std}})
		if err != nil {
			t.Fatal(std, err)
		}
		var got []string
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			switch n.(type) {
			case *cc.RelationalExpression, *cc.EqualityExpression, *cc.ConditionalExpression:
				if s := u.Source(n); strings.ContainsAny(s, "=>?") {
					got = append(got, s)
				}
			}
			return true
		})
		want := "p == nullptr|x > 100'000|z + b[0] > 100|c == GREEN && *p == 0b1010 ? true : false|c == GREEN|" +
			"*p == 0b1010|b > 7"
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s: got %s, want %s", std, s, want)
		}
	}
	if _, err := Parse(t.Context(), "t.c", []byte("typedef int bool; int true = 3, nullptr; bool b(bool alignas);"),
		Options{Flags: toolchain.Flags{"-std=gnu23", "-std=gnu17"}}); err != nil {
		t.Error(err)
	}
}
