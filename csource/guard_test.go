package csource

import (
	"strings"
	"testing"

	"modernc.org/cc/v4"
)

func TestGuard(t *testing.T) {
	const lowest = "(-2147483647 - 1)"
	for pred, want := range map[string]string{
		"a > b":             "",
		"a / 3 > b % 2":     "",
		"a / b > 1":         "(b) != 0 && ((b) != -1 || (a) != " + lowest + ")",
		"u / v > 1":         "(v) != 0",
		"a % -1":            "((-1) != -1 || (a) != " + lowest + ")",
		"b && a / b":        "(!(b) || (((b) != -1 || (a) != " + lowest + ")))",
		"!(b || u / v)":     "((b) || ((v) != 0))",
		"b ? u / v : u % 2": "((b) ? ((v) != 0) : (1))",
		"d / d > 1":         "",
		"u << a":            "(unsigned long)(a) < 32",
		"u >> 3":            "",
		"t[a] == t[3]":      "(unsigned long)(a) < 4",
		"t[4]":              "(unsigned long)(4) < 4",
		"*p > 1":            "(p) != 0 && R((p), sizeof *(p))",
		"p[a] > 1":          "(p) != 0 && R(((p) + (a)), sizeof *((p) + (a)))",
		"s->x == s->n->x": "(s) != 0 && R(&(s)->x, sizeof (s)->x) && R(&(s)->n, sizeof (s)->n) " +
			"&& (s->n) != 0 && R(&(s->n)->x, sizeof (s->n)->x)",
		"(int)d == a":             "((d) > -2147483649.0 && (d) < 0x1p31)",
		"(unsigned char)(d / 2)":  "(((d / 2)) > -1.0 && ((d / 2)) < 0x1p8)",
		"(long)d > 3 && (_Bool)d": "((d) >= -0x1p63 && (d) < 0x1p63)",
		"(float)d > (double)a":    "",
		"w[a] == w[3]":            "(unsigned long)(a) < 4",
		"(*q)[a & 3] / w[1]": "(q) != 0 && R((q), sizeof *(q)) && (unsigned long)(a & 3) < 4 && " +
			"(w[1]) != 0 && ((w[1]) != -1 || ((*q)[a & 3]) != " + lowest + ")",
		"(*q)[1] << w[a]": "(q) != 0 && R((q), sizeof *(q)) && (unsigned long)(a) < 4 && " +
			"(unsigned long)(w[a]) < 32",
		"w[4]":                    "(unsigned long)(4) < 4",
		"((w / *q), 1)":           "",
		"h[a] == h[7]":            "(unsigned long)(a) < 8",
		"s->bits":                 "(s) != 0 && R((s), sizeof *(s))",
		"s->arr[a]":               "(s) != 0 && (unsigned long)(a) < 2",
		"&s->x == p":              "(s) != 0",
		"&t[a] == p":              "(unsigned long)(a) < 5",
		"sizeof *p == a":          "",
		"a++ / b":                 "",
		"({ int k = a / b; k; })": "",
		"other(a) / b":            "",
		"(unsigned char)(u / v)":  "(v) != 0",
		"p && *p":                 "(!(p) || (R((p), sizeof *(p))))",
		"u / v > 1 && u % v":      "(v) != 0",
		"u < v || u / v > u % v":  "((u < v) || ((v) != 0))",
		"b ? u / v : u % v":       "(v) != 0",
		"u / v ? u % v : u / a":   "(v) != 0 && ((u / v) ? (1) : ((a) != 0))",
	} {
		text := "struct s { int x; struct s *n; unsigned bits : 3; int arr[2]; }; int other(int);\n" +
			"typedef int v4 __attribute__((vector_size(16))); typedef short h8 __attribute__((vector_size(16)));\n" +
			"void f(int a, int b, unsigned u, unsigned v, double d, int *p, struct s *s, v4 w, v4 *q, h8 h) " +
			"{ int t[4] = { 0 }; (void)(" +
			pred + "); }\n"
		u := mustLoad(t, text)
		var e cc.ExpressionNode
		u.Walk(u.Function("f").Def.CompoundStatement, func(n cc.Node) bool {
			if x, ok := n.(*cc.CastExpression); ok && x.Case == cc.CastExpressionCast && e == nil {
				e = x.CastExpression
			}
			return e == nil
		})
		got := u.Guard(e, func(p, n string) string { return "R(" + p + ", " + n + ")" })
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", pred, got, want)
		}
		if plain := u.Guard(e, nil); strings.Contains(plain, "R(") {
			t.Errorf("%s: %s", pred, plain)
		}
	}
}
