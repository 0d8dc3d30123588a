package native

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// floatFrame makes a program of a function over symbolic inputs; with NATIVE it
// runs it on many values instead and prints the labels that hold.
const floatFrame = `
#include <klee/klee.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef float v4 __attribute__((vector_size(16)));
int klabel_wants(int);
void klabel_label(int, int);
#ifdef NATIVE
static unsigned char hit[64];
#define L(p, i) if (p) hit[i] = 1;
#else
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
#endif
static void f(float a, double b, short c, unsigned d)
{
%s}
#ifdef NATIVE
static unsigned long state = 88172645463325252ul;
static unsigned long next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static double pick(int n)
{
    static const double v[] = {0.0, -0.0, 1, -1, 0.5, 2, 3, 7, 10, 100, -100, 1e-30, 1e30, 1e300, 1e-320, 16777217, 4294967296.0, 0.1};
    double x;
    unsigned long u = next();
    if (n %% 3 == 0)
        memcpy(&x, &u, 8);
    else if (n %% 3 == 1)
        x = v[u %% (sizeof v / sizeof v[0])];
    else
        x = (double)(long)(u %% 2000001 - 1000000) / (1 << u / 4194304 %% 12);
    return x;
}
int main(void)
{
    int i;
    for (i = 0; i < 300000; i++) {
        double a = pick(next() %% 9), b = pick(next() %% 9);
        unsigned long u = next();
        f(i %% 5 ? a : (float)b, i %% 7 ? b : a, u, u >> 32 >> u %% 32);
    }
    for (i = 0; i < 64; i++)
        if (hit[i])
            printf("%%d\n", i);
    return 0;
}
#else
int main(void)
{
    float a;
    double b;
    short c;
    unsigned d;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    klee_make_symbolic(&d, sizeof d, "d");
    f(a, b, c, d);
    klee_silent_exit(0);
}
#endif
`

// floatText makes random C.
type floatText struct{ r *rand.Rand }

func (g *floatText) pick(s ...string) string { return s[g.r.IntN(len(s))] }

func (g *floatText) term(depth int) string {
	if depth == 0 || g.r.IntN(5) == 0 {
		return g.pick("a", "b", "c", "d", "x", "y", "a", "b", "1.5f", "0.1", "3", "-2.0", "100.0f", "0x1p-140f")
	}
	x, y := g.term(depth-1), g.term(depth-1)
	switch g.r.IntN(13) {
	case 9: // by a constant: what is made simpler must stay the same
		return fmt.Sprintf("(%s %s %s)", x, g.pick("/", "*"),
			g.pick("3.0f", "3.0", "0.1", "-8.0f", "0x1p-130f", "49.0"))
	case 10:
		return fmt.Sprintf("(%s < %s ? %s : %s)", x, y, y, g.term(depth-1))
	case 11:
		return fmt.Sprintf("%s(%s, %s)", g.pick("fmod", "copysign", "fmin"), x, g.pick("7.0", "-0.3", y))
	case 12: // vectors
		return fmt.Sprintf("(((v4){%s, %s, a, 2} %s (v4){3, b, %s, x})[d & 3])", x, y, g.pick("+", "*", "/"), y)
	case 0:
		return fmt.Sprintf("(float)(%s)", x)
	case 1:
		return fmt.Sprintf("%s(%s)", g.pick("fabs", "floor", "sqrt", "ceil", "rint", "trunc"), x)
	case 3: // of integers it could trap
		return fmt.Sprintf("(%s / (%s)%s)", x, g.pick("float", "double"), y)
	case 2:
		return fmt.Sprintf("(int)fmax(-1000, fmin(1000, %s))", x)
	}
	return fmt.Sprintf("(%s %s %s)", x, g.pick("+", "-", "*"), y)
}

func (g *floatText) condition() string {
	c := fmt.Sprintf("%s %s %s", g.term(2), g.pick("<", "<=", "==", "!=", ">", ">="), g.term(1))
	if g.r.IntN(2) == 0 {
		c = fmt.Sprintf("%s && %s %s %s", c, g.term(1), g.pick("<", ">", "=="), g.term(1))
	}
	return c
}

const floatLabels = 8

func (g *floatText) program() string {
	var s strings.Builder
	fmt.Fprintf(&s, "    float x = 1;\n    double y = 1;\n    x = %s;\n    y = %s;\n", g.term(2), g.term(2))
	for i := 1; i <= floatLabels; i++ {
		if i == floatLabels/2 {
			fmt.Fprintf(&s, "    if (%s)\n        x = %s;\n", g.condition(), g.term(1))
		}
		fmt.Fprintf(&s, "    L(%s, %d)\n", g.condition(), i)
	}
	return fmt.Sprintf(floatFrame, s.String())
}

// TestRandomFloats holds random functions with floats against native runs: the
// test for a label must reach it, and no run may reach a label called
// infeasible. KLABEL_FLOATS sets how many (4) and KLABEL_FLOATS_SEED where to
// start.
func TestRandomFloats(t *testing.T) {
	count, first := 4, 1
	if n, err := strconv.Atoi(os.Getenv("KLABEL_FLOATS")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("KLABEL_FLOATS_SEED")); err == nil {
		first = n
	}
	covered, infeasible := 0, 0
	for seed := first; seed < first+count; seed++ {
		g := &floatText{rand.New(rand.NewPCG(uint64(seed), 3))}
		file := filepath.Join(t.TempDir(), fmt.Sprintf("float%d.c", seed))
		if err := os.WriteFile(file, []byte(g.program()), 0o644); err != nil {
			t.Fatal(err)
		}
		bin := strings.TrimSuffix(file, ".c")
		if msg, err := exec.Command(clang(t).Path, "-w", "-O0", "-ffp-contract=off", "-DNATIVE", "-I"+include, file,
			"-o", bin, "-lm").CombinedOutput(); err != nil {
			t.Fatalf("seed %d: %s", seed, msg)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		out, err := exec.CommandContext(ctx, bin).Output()
		cancel()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		reached := map[string]bool{}
		for _, l := range bytes.Fields(out) {
			reached[string(l)] = true
		}
		dir, rep := explore(t, []string{"--greybox", "--max-time=10", "--max-solver-time=1"}, compile(t, file))
		for id, test := range coveredLabels(t, dir) {
			covered++
			if out := replay(t, file, test, nil, false); !strings.Contains(out, "hit "+id+"\n") {
				t.Errorf("seed %d: the test for label %s does not reach it: %s", seed, id, out)
			}
		}
		for _, id := range rep.Infeasible {
			infeasible++
			if reached[fmt.Sprint(id)] {
				t.Errorf("seed %d: label %d is called infeasible, and a run reaches it", seed, id)
			}
		}
	}
	t.Logf("%d labels covered, %d infeasible, of %d", covered, infeasible, count*floatLabels)
	if covered == 0 {
		t.Error("nothing was covered")
	}
}
