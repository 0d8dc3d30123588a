package campaign

import (
	"fmt"
	"strings"
)

// The part of a judged program that looks at memory of its caller: a string, bytes
// with their number, two integers that may be one, a function, bit fields.

func (g *judged) byteOf(i int) string {
	return fmt.Sprintf("(n > %d && b && b[%d] %s %s)", i, i, g.pick("==", "<", ">"),
		g.pick("0", "7", "77", "200", "255"))
}

// seen is a condition on that memory.
func (g *judged) seen() string {
	switch g.rnd.IntN(8) {
	case 0:
		return fmt.Sprintf("s && s[0] == %s", g.pick("'x'", "'-'", "0", "'7'"))
	case 1:
		return fmt.Sprintf("s && s[0] && s[1] == %s", g.pick("'x'", "'-'", "0"))
	case 2:
		return fmt.Sprintf("s && strcmp(s, %s) == 0", g.pick(`"on"`, `"x-7"`, `""`))
	case 3:
		return g.byteOf(g.rnd.IntN(4))
	case 4:
		return fmt.Sprintf("v && w && %s", g.pick("v == w", "*v == *w", "*v > *w", "v != w && *v == *w"))
	case 5:
		return fmt.Sprintf("v && *v %s %s", g.pick("==", "<", ">"), g.number())
	case 6:
		return fmt.Sprintf("call && call(%s) %s %s", g.pick("3", "(int)n", "z.sign"), g.pick("==", ">"), g.number())
	}
	return g.pick("z.small == 5", "z.sign < 0", "z.small > 6", "z.sign == 3", "z.sign > 3", "z.small == z.sign",
		"table@[z.small] == 9", "table@[z.small] == 8", "z.bit && z.sign < -3")
}

// looks is the function that has such conditions.
func (g *judged) looks() string {
	var out strings.Builder
	out.WriteString(`int strcmp(const char *, const char *);
struct bits@ { unsigned small : 3; int sign : 3; unsigned bit : 1; };
static const short table@[8] = { 1, 9, 0, -4, 7 };
int m@(const char *s, const unsigned char *b, unsigned n, int *v, int *w, int (*call)(int), struct bits@ z)
{
    int r = 0;
    unsigned i;
`)
	for range 3 + g.rnd.IntN(2) {
		fmt.Fprintf(&out, "    if ((%s) %s (%s)) r %s;\n", g.seen(), g.pick("&&", "||"), g.seen(),
			g.pick("++", "+= 7", "= -r"))
	}
	fmt.Fprintf(&out, "    for (i = 0; b && i < n && i < 6; i++) if (b[i] == %s) r += 2;\n",
		g.pick("1", "77", "255"))
	fmt.Fprintf(&out, "    for (; s && *s; s++) if (*s == %s && r %s %s) r--;\n", g.pick("'o'", "'-'", "'7'"),
		g.pick("==", ">", "<"), g.pick("0", "1", "7"))
	out.WriteString("    if (v && r > 7) *v = r;\n    return r;\n}\n")
	return out.String()
}

// judgeMemory lends memory that ends before a page which cannot be read: a predicate
// that looks beyond what the caller gave cannot be evaluated.
const judgeMemory = `#include <sys/mman.h>
static char *lend(int of, unsigned n)
{
    static char *area[2];
    if (!area[of]) {
        area[of] = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(area[of] + 4096, 4096, PROT_NONE);
    }
    return area[of] + 4096 - n;
}
static const char *words(void)
{
    static const char *const of[] = { "", "on", "x-7", "x", "-", "7o", "xo-7" };
    unsigned i, n = draw() % 9;
    char *s;
    if (draw() % 6 == 0) return 0;
    if (draw() % 2) {
        const char *w = of[draw() % 7];
        return strcpy(lend(0, strlen(w) + 1), w);
    }
    s = lend(0, n + 1);
    for (i = 0; i < n; i++) s[i] = draw() % 2 ? "xo-7"[draw() % 4] : 1 + draw() % 255;
    s[n] = 0;
    return s;
}
static const unsigned char *bytes(unsigned n)
{
    unsigned i;
    char *b = lend(1, n);
    for (i = 0; i < n; i++) b[i] = whole();
    return draw() % 8 ? (unsigned char *)b : 0;
}
static int one_int, other_int;
static int *integer(void) { return draw() % 6 == 0 ? 0 : draw() % 2 ? &one_int : &other_int; }
static int same(int x) { return x; }
static int other(int x) { return x + whole(); }
`

// judgeLooks is C that calls the function once.
const judgeLooks = `
    {
        unsigned n = draw() % 8;
        struct bits@ z;
        z.small = draw(); z.sign = draw(); z.bit = draw();
        one_int = whole(); other_int = draw() % 3 ? whole() : one_int;
        m@(words(), bytes(n), n, integer(), integer(), draw() % 6 ? draw() % 2 ? same : other : 0, z);
    }
`
