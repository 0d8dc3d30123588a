package campaign

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// judged is a small program of its own kind: state in globals, a maker, a setter
// that keeps an invariant, structures that may be shared, floats; and C that calls
// its functions in ways of chance, which sets all that a caller can set.
type judged struct {
	rnd    *rand.Rand
	k      int
	consts []string // numbers that its conditions have
}

func newJudged(k int) *judged {
	return &judged{rnd: rand.New(rand.NewPCG(uint64(k), 99)), k: k}
}

func (g *judged) pick(of ...string) string { return of[g.rnd.IntN(len(of))] }

// names gives what stands in the text with @ the number of the program.
func (g *judged) names(text string) string {
	return strings.ReplaceAll(text, "@", fmt.Sprint(g.k))
}

func (g *judged) number() string {
	n := g.pick("0", "1", "3", "7", "10", "77", "-5", "200", "1234", "-1000")
	g.consts = append(g.consts, n)
	return n
}

func (g *judged) float() string {
	return g.pick("0.0", "0.5", "-1.5", "3.25", "100.0", "1234.5", "0.1")
}

// scalar is an integer that a function can see; with p, an object is there.
func (g *judged) scalar(p bool) string {
	of := []string{"a", "b", "(int)c", "g@", "s@", "(int)u"}
	if p {
		of = append(of, "p->v", "(int)p->tag", "p->v")
	}
	return g.pick(of...)
}

func (g *judged) atom(p bool) string {
	switch n := g.rnd.IntN(10); {
	case n < 4:
		return fmt.Sprintf("%s %s %s", g.scalar(p), g.pick("<", ">", "==", "!=", "<=", ">="), g.number())
	case n < 6:
		return fmt.Sprintf("%s %s %s", g.scalar(p), g.pick("<", ">", "=="), g.scalar(p))
	case n < 8:
		of := []string{"x", "d@", "x"}
		if p {
			of = append(of, "p->w")
		}
		return fmt.Sprintf("%s %s %s", g.pick(of...), g.pick("<", ">", "==", "<="), g.pick(g.float(), "d@", "x + 1.0"))
	case n == 8 && p:
		return g.pick("p->next", "!p->next", "p->next == p", "p == head@", "p->next && p->next->v > 3",
			"p == q", "p->next == q")
	case n == 8:
		return g.pick("head@", "q == 0", "!q", "head@ == q")
	}
	return g.pick("(u & 3) == 3", "c == 'x'", "u == 255", "(unsigned)a + (unsigned)b == 12u")
}

func (g *judged) condition(p bool) string {
	out := g.atom(p)
	for range g.rnd.IntN(3) {
		out = fmt.Sprintf("%s %s %s", out, g.pick("&&", "||"), g.negated(g.atom(p)))
	}
	return out
}

func (g *judged) negated(s string) string {
	if g.rnd.IntN(4) == 0 {
		return "!(" + s + ")"
	}
	return "(" + s + ")"
}

func (g *judged) statement(p bool, depth int) string {
	body := func() string {
		if depth > 0 && g.rnd.IntN(3) == 0 {
			return "{ " + g.statement(p, depth-1) + " " + g.effect() + " }"
		}
		return g.effect()
	}
	switch g.rnd.IntN(7) {
	case 0:
		return fmt.Sprintf("if (p && (%s)) %s", g.condition(true), body())
	case 1:
		return fmt.Sprintf("for (q = head@, n = 0; q && n < 4; q = q->next, n++) if (q->v == %s && %s) r++;",
			g.number(), g.atom(false))
	case 2:
		return fmt.Sprintf("switch (%s) { case %d: r = 1; break; case %d: %s break; default: r = 2; }", g.scalar(p),
			g.rnd.IntN(5), 5+g.rnd.IntN(80), g.effect())
	case 3:
		return fmt.Sprintf("r += help@(%s, %s); if (r %s %s) %s", g.scalar(p), g.scalar(p), g.pick("==", ">"),
			g.number(), body())
	}
	return fmt.Sprintf("if (%s) %s else %s", g.condition(p), body(), g.effect())
}

func (g *judged) effect() string {
	return g.pick("r = 3;", "r ^= 1;", "s@ = a & 15;", "g@ = 4;", "r += c == u;", "d@ = x;", "count@++;",
		"{ if (q) q->v = b; }", "return 9;")
}

// program is its C.
func (g *judged) program() string {
	var out strings.Builder
	out.WriteString(`void *malloc(__SIZE_TYPE__);
struct node@ { int v; unsigned char tag; double w; struct node@ *next; };
enum kind@ { ONE@, TWO@, FIVE@ = 5 };
int g@;
static int s@ = 1;
static unsigned count@;
double d@;
struct node@ *head@;
static enum kind@ kind@;
`)
	fmt.Fprintf(&out, "void set@(int a) { if (a > %d && a < %d) s@ = a; }\n", g.rnd.IntN(5), 6+g.rnd.IntN(50))
	fmt.Fprintf(&out, "void turn@(enum kind@ k) { if (k == FIVE@ && s@ > %d) kind@ = TWO@; else kind@ = k; }\n",
		g.rnd.IntN(8))
	out.WriteString(`struct node@ *new@(int v, unsigned char tag)
{
    struct node@ *n = malloc(sizeof *n);
    if (!n) return 0;
    n->v = v; n->tag = tag; n->w = v; n->next = 0;
    return n;
}
void push@(struct node@ *n) { if (n && n->v > 2) { n->next = head@ != n ? head@ : 0; head@ = n; } }
`)
	fmt.Fprintf(&out, "static int help@(int a, int b) { if (a == b && a != %s) return %s; "+
		"if (a > b || b == %s) return 1; return 0; }\n", g.number(), g.number(), g.number())
	fmt.Fprintf(&out, "int f@(int a, short b, char c, unsigned char u, double x, struct node@ *p, struct node@ *q)\n"+
		"{\n    int r = 0, n = 0;\n    (void)n;\n")
	for range 2 + g.rnd.IntN(3) {
		out.WriteString("    " + g.statement(false, 1) + "\n")
	}
	out.WriteString("    if (kind@ == FIVE@ && (count@ > 2 || " + g.atom(false) + ")) r++;\n    return r;\n}\n")
	// Without state, and small enough for all of its inputs.
	fmt.Fprintf(&out, "int e@(unsigned char u, signed char t)\n{\n    int a = u, b = t, r = 0;\n")
	for range 3 {
		fmt.Fprintf(&out, "    if (%s %s %s && (%s)) r++;\n", g.pick("a + b", "a * b", "a - 2 * b", "a ^ b"),
			g.pick("==", ">", "<"), g.pick("0", "7", "300", "-200", "1000", "32512"),
			g.pick("a > 3", "b < -3 || a == 9", "(a & b) == 8", "a != b", "b * b == 49", "a < b"))
	}
	out.WriteString("    return r;\n}\n" + g.looks())
	return g.names(out.String())
}

// calls is C that calls the functions once, each with what chance gives.
func (g *judged) calls() string {
	return g.names(`
static struct node@ pool@[3];
static struct node@ *any@(void) { unsigned n = draw() % 8; return n < 4 ? 0 : n < 7 ? &pool@[n - 4] : head@; }
static void judge@(void)
{
    unsigned i;
    static unsigned all;
    if (draw() % 3)
        for (i = 0; i < 3; i++) {
            pool@[i].v = whole(); pool@[i].tag = whole(); pool@[i].w = real(); pool@[i].next = any@();
        }
    if (draw() % 2) g@ = whole();
    if (draw() % 2) d@ = real();
    if (draw() % 2) head@ = any@();
    for (i = draw() % 3; i; i--)
        switch (draw() % 4) {
        case 0: set@(whole()); break;
        case 1: turn@((enum kind@)(draw() % 7)); break;
        case 2: push@(new@(whole(), whole())); break;
        case 3: push@(any@()); break;
        }
    f@(whole(), whole(), whole(), whole(), real(), any@(), any@());
    for (i = 0; i < 16; i++, all++) e@(all, all >> 8);
` + judgeLooks + "}\n")
}
