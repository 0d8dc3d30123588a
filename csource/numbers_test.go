package csource

import (
	"testing"

	"modernc.org/cc/v4"
)

// Numbers of kinds that the parser does not know are read, and known for what they are.
func TestForeignNumbers(t *testing.T) {
	const text = `typedef _BitInt(17) w17; typedef w17 again; typedef _Float16 half;
struct s { unsigned _BitInt(5) a; const again b[2]; half h; };
int f(_BitInt(17) a, again b, unsigned _BitInt(64) c, half d, volatile again *e, struct s *s, __float128 q, short n)
{
    half k = 1.5f16;
    return a + 3wb > b && c == 0xfUWB && d > 1.5e1f16 && *e && s->a && s->b[1] && s->h < k && q > 1 && n > 0x1f16;
}
`
	u, err := Parse(t.Context(), "t.c", []byte(text), Options{}) // not every clang takes them
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	u.Walk(u.Function("f").Def.CompoundStatement, func(n cc.Node) bool {
		if e, ok := n.(cc.ExpressionNode); ok && e.Type() != nil {
			switch e.(type) {
			case *cc.PrimaryExpression, *cc.PostfixExpression, *cc.UnaryExpression:
				got[u.Source(n)] = Foreign(e.Type())
			}
		}
		return true
	})
	for text, want := range map[string]string{"a": "_BitInt(17)", "b": "_BitInt(17)", "c": "unsigned _BitInt(64)",
		"d": "_Float16", "k": "_Float16", "*e": "_BitInt(17)", "s->a": "unsigned _BitInt(5)", "s->b[1]": "_BitInt(17)",
		"s->h": "_Float16", "q": "__float128", "n": "", "3wb": "", "0xfUWB": "", "1.5e1f16": "", "0x1f16": "",
		"1": ""} {
		if s, ok := got[text]; !ok || s != want {
			t.Errorf("%s: %q, want %q (%v)", text, s, want, ok)
		}
	}
}
