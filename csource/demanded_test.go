package csource

import (
	"testing"

	"modernc.org/cc/v4"
)

// TestDemanded reads what refuses pointers in place of arrays, as the kernel and git write it; a
// condition stays one, whatever the parser thinks of the types.
func TestDemanded(t *testing.T) {
	const text = `
#define SAME(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#define ZERO(e) ((int)(sizeof(struct { int:(-!!(e)); })))
#define ITEMS(a) (sizeof(a) / sizeof((a)[0]) + ZERO(SAME((a), &(a)[0])))
#define ASSERTED(a) (sizeof(a) / sizeof((a)[0]) + sizeof(char[1 - 2*!(!SAME(a, &(a)[0]))]) - 1)
int t[5];
static int u[ITEMS(t)] = {1};
int f(int i)
{
    int w[ITEMS(t)] = {0}, x[ASSERTED(t)] = {0};
    switch (i) {
    case SAME(int, long):
        return 1;
    }
    if (({ int k = SAME(t, int *); k; }) || SAME(i, int))
        return u[i & 1] + w[1] + x[1];
    return 0;
}
`
	u := mustLoad(t, text)
	var own, others int
	u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
		if x, ok := n.(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionCall {
			switch cc.NodeSource(x.PostfixExpression) {
			case "__ccgo__types_compatible_p":
				own++
			case "__ktc":
				others++
			}
		}
		return true
	})
	if own != 4 || others != 2 {
		t.Errorf("%d constants, %d conditions", own, others)
	}
	plain := mustLoad(t, "int a = 1; int f(void) { return __builtin_types_compatible_p(int, long) || a; }")
	if plain.view.constants {
		t.Error("constants where nothing demands them")
	}
}
