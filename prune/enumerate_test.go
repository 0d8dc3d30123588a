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

// domain is how many values each of the two inputs of a random program has: few
// enough to run the program on all of them.
const domain = 12

// TestEnumeration makes small random programs with integers, arrays, structures,
// pointers, loops, calls of the C library and variables that may have no value,
// runs them on every input there is, and holds every proof against that. A few
// by default, as many as KLABEL_ENUMERATE says, from KLABEL_ENUMERATE_SEED on: so a
// long run can be made in parts.
func TestEnumeration(t *testing.T) {
	enumerate(t, 6, []prune.Options{{Methods: []prune.Method{prune.Compiler}}, {Methods: []prune.Method{prune.Native}},
		{Methods: []prune.Method{prune.Compiler, prune.Native}, Open: true}})
}

// TestNarrowEnumeration is the same with programs of 32 bits.
func TestNarrowEnumeration(t *testing.T) {
	if why := tools(t).Clang.Runs32(t.Context()); why != nil {
		t.Skipf("SKIPPED: %v", why)
	}
	enumerate(t, 3, []prune.Options{{Methods: []prune.Method{prune.Native}}}, "-m32", "-msse2", "-mfpmath=sse")
}

func enumerate(t *testing.T, count int, all []prune.Options, flags ...string) {
	x := tools(t)
	first := int64(1)
	if n, err := strconv.Atoi(os.Getenv("KLABEL_ENUMERATE")); err == nil {
		count, first = n, time.Now().UnixNano()%1e6*1000
		if seed, err := strconv.ParseInt(os.Getenv("KLABEL_ENUMERATE_SEED"), 10, 64); err == nil {
			first = seed
		}
	} else if testing.Short() {
		count = min(count, 2)
	}
	known := make([]string, 0, domain*domain)
	for i := range domain {
		for k := range domain {
			known = append(known, fmt.Sprintf("x=%d y=%d", i, k))
		}
	}
	for n := range count {
		seed := first + int64(n)
		t.Run(strconv.FormatInt(seed, 10), func(t *testing.T) {
			t.Parallel()
			text := randomProgram(seed)
			w := prepare(t, x, sample{name: "random", text: text, flags: flags}, inputs{known: known})
			for _, o := range all {
				o.Units, o.Clang, o.CSource, o.Explore, o.Budget = []*csource.Unit{w.unit}, x.Clang, w.opts,
					campaign.Explorer(x.Clang), 20*time.Second
				res, err := prune.Run(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				w.check(t, fmt.Sprint(o.Methods, o.Open), res.Findings)
				t.Logf("%v: %d labels, %d covered by %d runs, %d findings; %v", o.Methods, len(w.tags), len(w.covered),
					w.runs, len(res.Findings), res.Notes)
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// maker writes a random program. Accesses that nobody checks natively (beyond a
// block, through a pointer that was freed) do not occur: what such a run shows
// is nothing.
type maker struct {
	*rand.Rand
	b      strings.Builder
	vars   []string // integers in scope, which all have a place
	labels int
	loops  int
	inMain bool
	asks   bool // writing a predicate, which may have no effect

	allocates bool
}

const declarations = `#include <stdlib.h>
#include <string.h>
#include <ctype.h>
struct s { signed char c; unsigned b : 3; int f; struct s *next; };
static int table[4] = { 3, 1, 4, 1 };
static int counter;
int shared;
static const char *words[3] = { "", "a", "ba" };
`

func randomProgram(seed int64) string {
	m := &maker{Rand: rand.New(rand.NewSource(seed))}
	m.b.WriteString(declarations)
	for i := range 2 {
		m.vars = []string{"x", "y", "shared"}
		fmt.Fprintf(&m.b, "static int h%d(int x, int y)\n{\n", i)
		m.block(2, 3)
		fmt.Fprintf(&m.b, "return %s;\n}\n", m.expr(2))
	}
	m.inMain = true
	m.vars = []string{"x", "y", "shared", "v", "w", "counter", "a[0]", "one.f", "one.c"}
	fmt.Fprintf(&m.b, "int main(void)\n{\nIN(unsigned char, x); IN(unsigned char, y); klee_assume((x < %d) & (y < "+
		"%d));\n", domain, domain)
	// Every other program asks for no memory: where an allocation may fail that was not
	// tried, what a whole exploration has not met is not called infeasible.
	heap, end := "malloc(4);\nif (!heap) return 1;\n", "free(heap);\n"
	if m.allocates = seed%2 == 0; !m.allocates {
		heap, end = "memset(room, 0, 8);\n", ""
	}
	m.b.WriteString("int v = x, w = y - 3, a[4] = { 0 }, unset, *p = &v; struct s one = { 1, 2, 3, 0 }, two, *q = " +
		"&one; char buf[8] = \"ab\", room[8], *heap = " + heap)
	m.block(3, 12)
	m.b.WriteString(end + "return 0;\n}\n")
	return m.b.String()
}

func (m *maker) pick(s ...string) string { return s[m.Intn(len(s))] }

// risky is mostly the operand that cannot fail.
func (m *maker) risky(safe, other string) string {
	if m.Intn(8) == 0 {
		return other
	}
	return safe
}

func (m *maker) expr(depth int) string {
	if depth <= 0 || m.Intn(5) == 0 {
		if m.Intn(3) == 0 {
			return strconv.Itoa(m.Intn(14) - 2)
		}
		return m.vars[m.Intn(len(m.vars))]
	}
	e := func() string { return m.expr(depth - 1) }
	switch m.Intn(17) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", e(), m.pick("+", "-", "*", "&", "|", "^"), e())
	case 4, 5:
		return m.truth(depth - 1)
	case 6:
		return fmt.Sprintf("(%s %s %s)", e(), m.pick("/", "%"), m.risky("(y + 1)", e()))
	case 7:
		return fmt.Sprintf("(%s %s %s)", e(), m.pick("<<", ">>"), m.risky("(y & 7)", e()))
	case 8:
		return fmt.Sprintf("(%s ? %s : %s)", m.truth(depth-1), e(), e())
	case 9:
		return fmt.Sprintf("((%s)%s)", m.pick("signed char", "unsigned char", "short", "unsigned", "long"), e())
	case 10:
		return fmt.Sprintf("table[%s]", m.risky("(x & 3)", e()))
	case 11:
		return fmt.Sprintf("abs(%s)", e())
	case 12:
		return fmt.Sprintf("(int)(%s * 0.5)", e())
	}
	if !m.inMain || m.asks && m.Intn(3) == 0 {
		return m.pick("counter", "(int)strlen(words[x % 3])", "strcmp(words[x % 3], words[y % 3])", "!!isalpha(x + 60)")
	}
	if !m.asks && m.Intn(4) == 0 {
		return m.pick("h0("+e()+", y)", "h1(x, "+e()+")")
	}
	return m.pick("*p", "q->f", "q->b", "one.b", "two.f", "unset", "(int)strlen(buf)", "strcmp(buf, words[x % 3])",
		"memcmp(buf, words[2], 2)", "atoi(buf)", "buf[y & 7]", "heap[x & 3]", "a["+m.risky("y & 3", "x")+"]",
		"(q->next != 0)", "(p == &v)")
}

func (m *maker) truth(depth int) string {
	switch m.Intn(6) {
	case 0:
		return fmt.Sprintf("(%s && %s)", m.truth(depth-1), m.truth(depth-1))
	case 1:
		return fmt.Sprintf("(%s || %s)", m.truth(depth-1), m.truth(depth-1))
	case 2:
		return "!" + m.expr(depth-1)
	}
	return fmt.Sprintf("(%s %s %s)", m.expr(depth-1), m.pick("<", "<=", ">", ">=", "==", "!="), m.expr(depth-1))
}

func (m *maker) block(depth, n int) {
	for range n {
		m.statement(depth)
		if m.Intn(2) == 0 {
			m.label()
		}
	}
}

func (m *maker) label() {
	m.labels++
	m.asks = true
	defer func() { m.asks = false }()
	fmt.Fprintf(&m.b, "cov_label(%s, %d, \"?\");\n", m.truth(2), m.labels)
}

func (m *maker) statement(depth int) {
	w := func(format string, a ...any) { fmt.Fprintf(&m.b, format+"\n", a...) }
	k := m.Intn(16)
	switch {
	case depth > 0 && k < 4:
		w("if (%s) {", m.truth(2))
		m.block(depth-1, 2)
		if m.Intn(2) == 0 {
			w("} else {")
			m.block(depth-1, 1)
		}
		w("}")
	case depth > 0 && k == 4:
		m.loops++
		w("for (int i%d = 0; i%d < %s; i%d++) {", m.loops, m.loops, m.pick("3", "(x & 3)", "(y & 1)"), m.loops)
		m.block(0, 2)
		w("}")
	case depth > 0 && k == 5:
		w("switch (%s) { case 1: shared++; case 3: counter += 2; break; default: shared = x; }", m.expr(1))
	case k == 6:
		w("if (%s) %s;", "(x == "+strconv.Itoa(m.Intn(domain))+" && "+m.truth(1)+")",
			m.pick("exit(0)", "abort()", "return 1"))
	case k < 9 || !m.inMain:
		w("%s = %s;", m.pick("shared", "counter"), m.expr(2))
	default:
		more := "heap = realloc(heap, 4 + (%s & 3)); if (!heap) return 1;"
		if !m.allocates {
			more = "heap = %s ? room : room + 2;"
		}
		w(m.pick("v = %s;", "w = %s;", "a[x & 3] = %s;", m.risky("a[y & 3] = %s;", "a[y] = %s;"), "one.f = %s;",
			"one.b = %s;", "one.c = %s;", "*p = %s;", "if (x > 5) unset = %s;", "two.f = %s;",
			"buf[y & 3] = %s;", "heap[x & 3] = %s;", "p = %s ? &v : &w;",
			m.risky("q = %s ? &one : &two;", "q = %s ? &one : 0;"), "memset(buf, %s, 3);", "two = one; v ^= %s;",
			"memcpy(heap, buf, 4); w = %s;",
			more, "one.next = %s ? &one : 0;"), m.expr(2))
	}
}
