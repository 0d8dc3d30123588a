package prune_test

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"klabel/campaign"
	"klabel/csource"
	"klabel/prune"
)

// TestSurroundings: labels from 1 to 9 can be covered by somebody, those from 10 on not, for
// what was decided on every way to them.
func TestSurroundings(t *testing.T) {
	x := tools(t)
	const head = "struct n { int type, k; struct { int a[2], b; } in; }; int g; void touch(void); int look(int *);\n" +
		"int pure_one(int x) { return x + 1; }\n"
	for name, text := range map[string]string{
		"cases": `int f(struct n *n) { switch (n->type & 31) {
			case 1: cov_label(n->type & 1, 1, "x"); cov_label(!(n->type & 1), 10, "x"); return 1;
			case 8: case 9: case 16: cov_label(!(n->type & 24), 11, "x"); cov_label(n->type == 4, 12, "x"); g++;
			case 17: cov_label(!(n->type & 24), 5, "x"); break;
			case 2: touch(); cov_label(!(n->type & 2), 2, "x"); break;
			default: cov_label(n->type == 1, 3, "x"); case 3: cov_label((n->type & 31) == 4, 4, "x"); }
			return 0; }`,
		"a switch that nothing comes out of": `int f(int x, int y) { switch (x) {
			case 1: switch (y) { case 1: return 1; default: return 2; } case 2: cov_label(x == 1, 10, "x"); return 1;
			case 3: switch (y) { case 1: break; default: return 2; } case 4: cov_label(x == 3, 1, "x"); return 1;
			case 5: switch (y) { case 1: return 3; } case 6: cov_label(x == 5, 2, "x"); } return 0; }`,
		"jumps into it": `int f(int x, int y) { if (y) goto in; if (x > 3) { cov_label(x < 3, 10, "x");
			in: cov_label(x < 3, 1, "x"); } if (x == 7) return 1; cov_label(x == 7, 11, "x");
			again: cov_label(x == 7, 2, "x"); x++; if (x < 20) goto again; return 0; }`,
		"cases within blocks": `int f(int x, int n) { switch (n & 3) { case 0: do { x++;
			case 3: cov_label((n & 3) == 0, 1, "x"); case 2: x++; } while (x < 9); } return x; }`,
		"loops": `int f(int n, int *p) { int i; for (i = 0; i < 4; i++) { cov_label(i >= 4, 10, "x"); 
			if (i == 2) continue; cov_label(i == 2, 11, "x"); if (n == 1) { cov_label(n == 2, 12, "x"); } }
			if (n == 5) { while (i < 9) { cov_label(n == 6, 1, "x"); i++; n++; } }
			while (i < 20) { i++; cov_label(i >= 20, 2, "x"); } cov_label(i < 20, 13, "x");
			i = n; for (int i = 0; i < 3; i++) ; cov_label(i < 3, 4, "x");
			while (i < 40) { if (n) break; i++; } cov_label(i < 40, 3, "x"); return i; }`,
		"who changes it": `int f(struct n *n, int x, int *p) { int y = x, z = g; if (n->type == 1 && x == 1 && z == 1) {
			*p = 3; cov_label(n->type == 2, 1, "x"); cov_label(x == 2, 10, "x"); cov_label(z == 2, 11, "x"); }
			if (n->type == 1) { x = pure_one(x); cov_label(n->type == 2, 12, "x"); touch();
			cov_label(n->type == 2, 2, "x"); } if (y == 3) { look(&y); cov_label(y == 4, 3, "x"); }
			if (n->k == 3) { n = n + 1; cov_label(n->k == 4, 4, "x"); } return z; }`,
		"members": `int f(struct n n, struct n m, union { int i; unsigned char c; } u) { if (n.type == 1) { m.type = 2;
			cov_label(n.type == 2, 10, "x"); } if (m.in.b == 1) { look(m.in.a); cov_label(m.in.b == 2, 1, "x"); }
			if (u.i == 1) { u.c = 2; cov_label(u.i == 2, 2, "x"); } return 0; }`,
		"values": `int f(unsigned t, int x) { const int a = t & 7; int b, c = x; b = a + 1; cov_label(a > 7, 10, "x");
			cov_label(b > 8, 11, "x"); cov_label(b < 3, 1, "x"); c = c + 1; cov_label(c == x, 2, "x");
			b = b * 2; cov_label(b > 8, 3, "x"); { int a = x; cov_label(a > 7, 4, "x"); } return a; }`,
		"expressions": `int f(int x, int y) { int z = x == 1 && ({ cov_label(x == 2, 10, "x"); 1; });
			z += x == 1 && (({ cov_label(x == 2, 1, "x"); 1; }) + (x = 2));
			z += y == 1 || ({ cov_label(y == 1, 11, "x"); 1; });
			if (({ cov_label(y == 3, 2, "x"); y; }), (y == 3)) { cov_label(y != 3, 12, "x"); } return z; }`,
		"what has no value": `int f(int x, int y) { if (x / y == 1) { cov_label(x / y == 2, 1, "x"); } 
			if (y << x == 2) { cov_label(y << x == 3, 2, "x"); } return 0; }`,
		"branches beside it": `int f(int *p, int x) { if (*p == 1) { if (x == 2) { *p = 3; } else if (x == 3) { touch(); }
			else { cov_label(*p == 2, 10, "x"); } if (x == 4) { *p = 5; return 1; } cov_label(*p == 2, 1, "x"); }
			if (*p == 7) { if (x == 4) { *p = 5; return 1; } cov_label(*p == 8, 11, "x"); while (x--) {
			if (x == 9) { *p = 8; continue; } cov_label(*p == 8, 2, "x"); } }
			if (*p == 9) { for (; x; x--) { if (x & 1) { *p = 8; } else { cov_label(*p == 8, 3, "x"); } } }
			if (*p == 6) { if (x == 1) { *p = 4; goto on; } on: cov_label(*p == 4, 4, "x"); }
			if (*p == 5) { if (x == 1) { in: *p = 4; } else { cov_label(*p == 4, 12, "x"); } if (x == 6) goto in; }
			return 0; }`,
		"searches of a literal": `char *strchr(const char *, int); int f(char *s, int c) {
			if (strchr(";#", *s)) { cov_label(*s == 'x', 10, "x"); cov_label(!*s, 1, "x"); }
			else if (strchr(s, c)) { cov_label(*s == '#', 11, "x"); cov_label(c == '#', 2, "x"); }
			else { cov_label(c && !*s && s + c != s, 12, "x"); cov_label(*s == '!', 3, "x"); }
			if (strchr("a" "b", c) == ((void *)0) || *s != 1) return 1; cov_label(c == 'c', 13, "x");
			cov_label(c == 'b', 4, "x"); cov_label(c == 0, 5, "x"); cov_label(c == 'b' + 256, 6, "x"); return 0; }`,
		"decisions with calls": `char *strchr(const char *, int); volatile int port; int f(char *s, int x) {
			if (({int klb_1_1=0,klb_1_2=0;_Bool klb_1=((klb_1_1=!!(strchr(";#", *s))) && (klb_1_2=!!(x > 1)));
			cov_label(klb_1_1 && !klb_1_2 && x > 1, 10, "x"); cov_label(!klb_1_1 && klb_1_2, 11, "x");
			cov_label(klb_1_1 && klb_1_2, 1, "x"); klb_1;})) { cov_label(*s == 'x', 12, "x"); cov_label(*s == ';', 2, "x"); }
			else { cov_label(!*s && x == 2, 3, "x"); }
			if (({int klb_2_1=0;_Bool klb_2=((klb_2_1=!!(strchr(";#", *s))));cov_label(klb_2_1, 4, "x");klb_2;})) return 1;
			cov_label(!*s, 13, "x");
			if (({int klb_3_1=0,klb_3_2=0;_Bool klb_3=((klb_3_1=!!(*s == 'a')) && (klb_3_2=!!(look(&x))));
			cov_label(klb_3_1 && klb_3_2, 5, "x"); klb_3;})) {
			cov_label(*s == 'b', 6, "x"); }
			if (({int klb_6_1=0,klb_6_2=0;_Bool klb_6=((klb_6_1=!!(strchr("ab", port))) && (klb_6_2=!!(port == 'c')));
			cov_label(klb_6_1 && klb_6_2, 9, "x"); klb_6;})) return 2;
			if (({int klb_4_1=0;_Bool klb_4=((klb_4_1=!!(*s == 'a')));touch();klb_4;})) { cov_label(*s == 'b', 7, "x"); }
			if (({int klb_5_1=0;_Bool klb_5=((klb_5_1=!!(x == 1)));x = 2;klb_5;})) { cov_label(x == 2, 8, "x"); }
			return 0; }`,
		"classes of characters": `const unsigned short **__ctype_b_loc(void); int f(char *s, int c) {
			if (!((*__ctype_b_loc())[(int)*s] & 8192)) return 1; cov_label(*s == '.', 10, "x"); touch();
			cov_label(*s == '.', 1, "x"); if ((*__ctype_b_loc())[c] & 2048) { cov_label(c < 0, 2, "x");
			cov_label(c == 'x', 11, "x"); cov_label(c == '3', 3, "x"); } return 0; }`,
		"it returns twice": `int setjmp(long *); long b[99]; int f(int x) { 
			if (x == 1) { setjmp(b); cov_label(x == 2, 1, "x"); x = 2; touch(); } return x; }`,
	} {
		t.Run(name, func(t *testing.T) {
			said, notes := proofs(t, x, head+text, prune.Options{Methods: []prune.Method{prune.Native}, Open: true,
				Explored: true, Explore: campaign.Explorer(x.Clang)})
			all := " " + strings.Join(said, ", ") + ","
			for n := 1; n < 20; n++ {
				is := strings.Contains(all, fmt.Sprintf(" %d infeasible,", n))
				if is != (n >= 10 && strings.Contains(text, fmt.Sprintf(", %d, \"x\")", n))) {
					t.Errorf("label %d, infeasible: %v; %q", n, is, notes)
				}
			}
		})
	}
}

// TestSurroundingsOfRandomPrograms runs programs of branches, loops, switches and jumps on
// every input there is, and holds each proof against that. A few by default, as many as
// KLABEL_ENUMERATE says.
func TestSurroundingsOfRandomPrograms(t *testing.T) {
	x := tools(t)
	count, first := 6, int64(1)
	if n, err := strconv.Atoi(os.Getenv("KLABEL_ENUMERATE")); err == nil {
		count, first = n, time.Now().UnixNano()%1e6*1000
	}
	known := make([]string, 0, domain*domain)
	for i := range domain {
		for k := range domain {
			known = append(known, fmt.Sprintf("x=%d y=%d", i, k))
		}
	}
	for seed := first; seed < first+int64(count); seed++ {
		t.Run(strconv.FormatInt(seed, 10), func(t *testing.T) {
			t.Parallel()
			m := &jumper{Rand: rand.New(rand.NewSource(seed))}
			text := m.program()
			w := prepare(t, x, sample{name: "random", text: text}, inputs{known: known})
			res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, Clang: x.Clang,
				CSource: w.opts, Explore: campaign.Explorer(x.Clang), Budget: 20 * time.Second,
				Methods: []prune.Method{prune.Native}, Open: true, Explored: true})
			if err != nil {
				t.Fatal(err)
			}
			w.check(t, "around", res.Findings)
			t.Logf("%d labels, %d covered by %d runs, %d findings; %v", len(w.tags), len(w.covered), w.runs,
				len(res.Findings), res.Notes)
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// jumper writes programs in which what was decided may be undone in many ways.
type jumper struct {
	*rand.Rand
	b      strings.Builder
	labels int
	names  int // of places that are jumped to
}

func (m *jumper) program() string {
	m.b.WriteString("struct n { int t, k; }; int g; static void touch(int *p) { (*p)++; g ^= 1; }\n" +
		"static int next(int i) { return i + 1; }\nint main(void) {\n")
	fmt.Fprintf(&m.b, "IN(unsigned char, x); IN(unsigned char, y); klee_assume((x < %d) & (y < %d));\n", domain, domain)
	m.b.WriteString("int a = x, b = y, m = x ^ y, rounds = 0; struct n o = { x, y }, *s = &o, own = { y, x };\n")
	m.block(3, 9)
	m.b.WriteString("return 0; }\n")
	return m.b.String()
}

func (m *jumper) pick(s ...string) string { return s[m.Intn(len(s))] }

func (m *jumper) value() string {
	return m.pick("a", "b", "m", "g", "s->t", "s->k", "own.t", "own.k", "x", "a", "b")
}

func (m *jumper) truth() string {
	v, k := m.value(), m.Intn(6)
	switch m.Intn(6) {
	case 0:
		return fmt.Sprintf("(%s & %d)", v, 1+k)
	case 1:
		return fmt.Sprintf("(%s && %s)", m.truth(), m.truth())
	case 2:
		return fmt.Sprintf("(%s || !%s)", m.truth(), m.truth())
	case 3:
		return fmt.Sprintf("(%s %s %s)", v, m.pick("==", "<", "!="), m.value())
	}
	return fmt.Sprintf("(%s %s %d)", v, m.pick("<", ">=", "==", "!=", "=="), k)
}

func (m *jumper) block(depth, n int) {
	for range n {
		for range m.Intn(3) {
			m.labels++
			fmt.Fprintf(&m.b, "cov_label(%s, %d, \"?\");\n", m.truth(), m.labels)
		}
		m.statement(depth)
	}
}

func (m *jumper) statement(depth int) {
	w := func(format string, a ...any) { fmt.Fprintf(&m.b, format+"\n", a...) }
	jump := func() string {
		if m.names > 0 {
			return fmt.Sprintf("if (rounds++ < 9) goto l%d;", m.Intn(m.names))
		}
		return ";"
	}
	kind := m.Intn(9)
	if depth == 0 {
		kind = 4 + m.Intn(4)
	}
	switch kind {
	case 0, 1:
		w("if (%s) {", m.truth())
		m.block(depth-1, 1)
		if m.Intn(2) == 0 {
			w("%s", m.pick("return 1;", "} else {", "return 1; } else {"))
			m.block(depth-1, 1)
		}
		w("}")
	case 2:
		w("%s { if (rounds++ > 30) return 1;", m.pick("while ("+m.truth()+")", "for (; "+m.truth()+"; a++)",
			"for (int b = 0; b < 3; b++)"))
		m.block(depth-1, 1)
		w("if (%s) %s;", m.truth(), m.pick("break", "continue", "b++"))
		m.block(depth-1, 1)
		w("}")
	case 3:
		w("switch (%s & 3) {", m.value())
		for c := range 1 + m.Intn(4) {
			w("%s", m.pick("", "", fmt.Sprintf("case %d:", c+10)))
			w("case %d:", c)
			m.block(depth-1, 1)
			w("%s", m.pick("break;", "return 1;", ";", "if (y & 1) break;"))
		}
		if m.Intn(2) == 0 {
			w("default:")
			m.block(depth-1, 1)
		}
		w("}")
	case 4, 5:
		w("%s = %s %s %d;", m.pick("a", "b", "m", "g", "s->t", "s->k", "own.t", "own.k"), m.value(),
			m.pick("+", "-", "&", "*"), m.Intn(4))
	case 6:
		m.labels++
		w("%s", m.pick("touch(&m);", "touch(&o.k);", "a = next(a);", "b++;", "touch(&g);", "s->t--;",
			fmt.Sprintf("{ int a = y; cov_label(a > 3, %d, \"?\"); }", m.labels)))
		if m.names == 0 || m.Intn(3) == 0 {
			m.names++
			w("l%d: ;", m.names-1)
		}
	default:
		w("%s", jump())
	}
}
