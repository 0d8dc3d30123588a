package native

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// languageFrame makes a program of random statements over variables of all types. It
// prints a checksum; with EXPECTED it compares its own with that.
const languageFrame = `
#include <klee/klee.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
typedef _BitInt(37) w37;
typedef unsigned _BitInt(19) w19;
struct mixed { float f; double d; char c; };
struct large { long double l; long n; f4 v; };
static unsigned long sum;
static _Thread_local long tls = 3;
static __thread short tls2;
static jmp_buf buffer;
static unsigned char input;
static void add(unsigned long n) { sum = (sum ^ n) * 1099511628211ul + (n >> 7); }
static void addf(double d)
{
    unsigned long n;
    memcpy(&n, &d, 8);
    add(d != d ? 7 : n); /* the sign of what is no number is nobody's */
}
static long whole(long double d) { return d > -1e15L && d < 1e15L ? (long)d : 5; }
static void jump(int n, int value)
{
    volatile char deep[40];
    deep[n & 31] = 1;
    if (n == 0)
        longjmp(buffer, value);
    jump(n - 1, value);
}
static double several(int n, ...)
{
    va_list ap;
    double r = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        switch (i %% 4) {
        case 0: r += va_arg(ap, int); break;
        case 1: r -= va_arg(ap, double); break;
        case 2: r += va_arg(ap, long double); break;
        case 3: r += va_arg(ap, struct mixed).d; break;
        }
    va_end(ap);
    return r;
}
static struct mixed mix(float f, struct mixed m) { m.f += f; m.c++; return m; }
static struct large enlarge(struct large v, long double l) { v.l *= l; v.n++; v.v += v.v; return v; }
static void run(void)
{
    long a = 3, b = -7, c = 11;
    double d = 1.5, e = -0.25;
    float f = 2.75f, g = 1e10f;
    long double l = 3.25L, m = 1;
    v4 v = {1, -2, 3, 4}, w = {7, 7, -9, 0};
    f4 p = {1, 2.5f, -3, 0}, q = {0.1f, 4, 4, 9};
    b8 u = {1, 2, 3, 250, 5, 6, 7, 8};
    w37 x = 12345, y = -99;
    w19 z = 400;
    _Complex double k = 1 + 2i, o = 0.5;
    struct mixed s = {1, 2, 3};
    struct large t = {2, 3, {1, 1, 2, 3}};
    a += input;
%s    add(a), add(b), add(c), addf(d), addf(e), addf(f), addf(g), addf((double)l), addf((double)m);
    for (int i = 0; i < 4; i++)
        add(v[i]), add(w[i]), addf(p[i]), addf(q[i]), add(u[i * 2]), addf(t.v[i]);
    add((long)x), add((long)y), add((long)z), addf(__real__ k), addf(__imag__ k), addf(__real__ o), addf(__imag__ o);
    addf(s.f), addf(s.d), add(s.c), addf((double)t.l), add(t.n), add(tls), add(tls2);
}
int main(void)
{
#ifdef SYMBOLIC
    klee_make_symbolic(&input, 1, "input");
    klee_assume(input / 16 == 4);
    klee_assume(input %% 16 == 2);
#else
    input = 66;
#endif
    run();
#ifdef EXPECTED
    if (sum != EXPECTED)
        klee_report_error("language.c", 1, "wrong checksum", "checksum.err");
#else
    printf("%%lu\n", sum);
#endif
    return 0;
}
`

// languageText makes random statements without undefined behaviour (with -fwrapv).
type languageText struct {
	r     *rand.Rand
	names int
}

func (g *languageText) pick(s ...string) string { return s[g.r.IntN(len(s))] }

// fill replaces each letter after a $ by a random term: i a whole number, f one with a
// fraction, v, p and u vectors, b a _BitInt, k a complex number.
func (g *languageText) fill(text string, depth int) string {
	for {
		before, rest, found := strings.Cut(text, "$")
		if !found {
			return text
		}
		text = before + g.term(rest[0], depth) + rest[1:]
	}
}

func (g *languageText) term(kind byte, depth int) string {
	leaves := map[byte][]string{
		'i': {"a", "b", "c", "5", "-3", "tls", "tls2", "s.c", "t.n", "v[2]", "u[3]", "(long)x", "(long)z"},
		'f': {"d", "e", "f", "g", "l", "m", "1.5", "0.1f", "-2.0L", "s.d", "t.l", "p[1]", "__real__ k", "s.f"},
		'v': {"v", "w", "(v4){1, 0, -1, 9}"}, 'p': {"p", "q", "t.v"}, 'u': {"u", "(u + u)"},
		'b': {"x", "y", "(w37)z", "(w37)77"}, 'k': {"k", "o", "1.0i"},
	}
	terms := map[byte][]string{
		'i': {"($i + $i)", "($i - $i)", "($i * $i)", "($i & $i)", "($i / (($i & 15) + 1))", "($i % (($i & 7) + 2))",
			"((unsigned long)$i >> ($i & 31))", "($f < $f)", "whole($f)", "($i ? $i : $i)", "(int)($i)", "(short)($i)",
			"($v)[$i & 3]", "((long)$b)", "($b > $b)", "(long)whole(($p)[$i & 3])", "($u)[$i & 7]",
			"__builtin_popcountl($i)", "(long)__builtin_bswap64($i)"},
		'f': {"($f + $f)", "($f - $f)", "($f * $f)", "($f / $f)", "(float)($f)", "(double)($f)", "(double)($i)",
			"(float)($i)", "(long double)($i)", "(-($f))", "($p)[$i & 3]", "__real__ ($k)", "__imag__ ($k)",
			"($f == $f ? $f : $f)", "several($i & 3, (int)$i, (double)$f, (long double)$f)", "(double)$b"},
		'v': {"($v + $v)", "($v * $v)", "($v ^ $v)", "($v < $v)", "($p > $p)", "($v >> 3)", "(-($v))",
			"__builtin_shufflevector((v4)$v, (v4)$v, 0, 5, 2, 7)"},
		'p': {"($p + $p)", "($p * $p)", "($p - $p)", "__builtin_convertvector($v, f4)", "($p / (f4){2, 3, 4, 5})",
			"__builtin_shufflevector($p, $p, 3, 2, 1, 6)"},
		'u': {"($u + $u)", "($u >> 1)", "((b8)($u > $u))", "(~($u))"},
		'b': {"($b + $b)", "($b * $b)", "($b - $b)", "($b & $b)", "($b << ($i & 7))", "($b >> ($i & 15))",
			"((w37)$i)",
			"($b / (($b & 7) + 2))", "((w37)(w19)$b)", "(~($b))"},
		'k': {"($k + $k)", "($k - $k)", "($k * $f)", "($k + (double)$f)", "($k + (double)$i)"},
	}
	if depth <= 0 || g.r.IntN(4) == 0 {
		return g.pick(leaves[kind]...)
	}
	return g.fill(g.pick(terms[kind]...), depth-1)
}

func (g *languageText) statements(depth, n int) string {
	plain := []string{"a = $i;", "b ^= $i;", "c = $i;", "d = $f;", "e = $f;", "f = $f;", "g += $f;", "l = $f;",
		"m = $f;",
		"v = $v;", "w += $v;", "v[$i & 3] = $i;", "p = $p;", "q = $p;", "p[$i & 3] = $f;", "u = $u;", "x = $b;",
		"y ^= $b;", "z = (w19)$b;", "z += 3;", "k = $k;", "o = $k * $f;", "tls += $i;", "tls2 = $i;",
		"s = mix($f, s);",
		"t = enlarge(t, $f);", "s = (struct mixed){$f, $f, $i};", "t.v = $p;", "s.d = several(4, 1, 2.5, 3.0L, s);"}
	var b strings.Builder
	for range n {
		g.names++
		k := g.names
		inner := func() string { return g.statements(depth-1, 2) }
		switch kind := g.r.IntN(16); {
		case depth == 0 || kind < 9:
			b.WriteString(g.fill(g.pick(plain...), 2) + "\n")
		case kind < 11:
			fmt.Fprintf(&b, "if (%s) {\n%s} else {\n%s}\n", g.term('i', 2), inner(), inner())
		case kind == 11:
			fmt.Fprintf(&b, "for (int i%d = 0; i%d < 3; i%d++) {\n%s}\n", k, k, k, inner())
		case kind == 12:
			fmt.Fprintf(&b, "{ static void *to[] = {&&one%d, &&two%d, &&end%d};\ngoto *to[(unsigned long)%s %% 3]; }\n"+
				"one%d:\n%stwo%d:\n%send%d:;\n", k, k, k, g.term('i', 2), k, inner(), k, inner(), k)
		case kind == 13: // what changes between setjmp and longjmp is volatile, or the process' own
			fmt.Fprintf(&b, "{ volatile long kept = %s; int got = setjmp(buffer);\nif (got < 3) { kept += got + 1; "+
				"tls++; jump(kept & 7, got + 1); }\na += kept + got; }\n", g.term('i', 1))
		case kind == 14:
			fmt.Fprintf(&b, "switch (%s & 3) {\ncase 0:\n%scase 2:\n%sbreak;\ndefault:\n%s}\n", g.term('i', 2), inner(),
				inner(), inner())
		default:
			fmt.Fprintf(&b, "{ long bits; double x0 = %s; memcpy(&bits, &x0, 8); if (x0 == x0) a ^= bits >> 20; }\n",
				g.term('f', 2))
		}
	}
	return b.String()
}

// TestLanguage holds random programs with vectors, numbers with fractions of all kinds,
// complex numbers, _BitInt, thread-local variables, setjmp, computed goto and
// variable arguments against native runs. KLABEL_LANGUAGE sets how many (8) and
// KLABEL_LANGUAGE_SEED where to start.
func TestLanguage(t *testing.T) { language(t, 8, func(text string) string { return text }) }

// TestNarrowLanguage is the same with programs of 32 bits, whose numbers of 64 bits are
// long long.
func TestNarrowLanguage(t *testing.T) {
	needs32(t)
	language(t, 4, func(text string) string {
		text = regexp.MustCompile(`(\d)ul\b`).ReplaceAllString(text, "${1}ull")
		return strings.NewReplacer("unsigned long", "unsigned long long", "%lu", "%llu", "long bits", "long long bits",
			"1e15L", "2e9L").
			Replace(text)
	}, "-m32", "-msse2", "-mfpmath=sse")
}

func language(t *testing.T, count int, change func(string) string, machine ...string) {
	first := 1
	if n, err := strconv.Atoi(os.Getenv("KLABEL_LANGUAGE")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("KLABEL_LANGUAGE_SEED")); err == nil {
		first = n
	}
	ended := 0
	for seed := first; seed < first+count; seed++ {
		g := &languageText{r: rand.New(rand.NewPCG(uint64(seed), 9))}
		text := change(fmt.Sprintf(languageFrame, g.statements(2, 12)))
		file := filepath.Join(t.TempDir(), fmt.Sprintf("language%d.c", seed))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		flags := append([]string{"-w", "-O0", "-fwrapv", "-ffp-contract=off"}, machine...)
		bin := strings.TrimSuffix(file, ".c")
		native := exec.Command(clang(t).Path, append(flags, "-I"+include, file, "-o", bin)...)
		if msg, err := native.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: %s", seed, msg)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		out, err := exec.CommandContext(ctx, bin).Output()
		cancel()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		to := append([]string{"-fwrapv", "-DEXPECTED=" + strings.TrimSpace(string(out)) + "ull"}, machine...)
		dir, rep := explore(t, nil, compile(t, file, to...))
		if s := suffixes(t, dir); rep.Completed != 1 || len(s) > 0 {
			t.Errorf("seed %d: %d paths end, %v; %q", seed, rep.Completed, s, rep.Notes)
		}
		// With a symbolic input of one value the solver computes: what ends must end well.
		dir, rep = explore(t, []string{"--max-time=10", "--max-solver-time=2"},
			compile(t, file, append(to, "-DSYMBOLIC")...))
		for _, s := range suffixes(t, dir) {
			if s != "early" {
				t.Errorf("seed %d, symbolic: %s; %q", seed, s, rep.Notes)
			}
		}
		if rep.Completed > 0 {
			ended++
		}
		if t.Failed() {
			t.Log(text)
			return
		}
	}
	t.Logf("%d programs, %d with a symbolic input ended", count, ended)
}
