package native

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// mergeFrame makes a program of a function over two inputs of 16 values each. With NATIVE
// it runs it on all of them and prints the labels that runs meet which end normally.
const mergeFrame = `
#include <klee/klee.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
int klabel_wants(int);
void klabel_label(int, int);
#ifdef NATIVE
static unsigned char hit[99], met[99];
static jmp_buf failed;
#define L(p, i) if (p) met[i] = 1;
#define FAIL longjmp(failed, 1);
#else
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
#define FAIL abort();
#endif
static const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static unsigned g, array[4];
static unsigned h(unsigned n)
{
    if (n > 9)
        return n & 3;
    else if (n == 4 || n == 6)
        return 17;
    return n << 1;
}
static void f(unsigned x, unsigned y)
{
    unsigned a = x, b = y, c = 3, *p = &c, i, j, k;
    g = array[0] = array[1] = array[2] = array[3] = 0;
%s}
int main(void)
{
#ifdef NATIVE
    for (int n = 0; n < 256; n++) {
        if (setjmp(failed) == 0) {
            f(n & 15, n >> 4);
            for (int i = 0; i < 99; i++)
                hit[i] |= met[i];
        }
        for (int i = 0; i < 99; i++)
            met[i] = 0;
    }
    for (int i = 0; i < 99; i++)
        if (hit[i])
            printf("%%d\n", i);
#else
    unsigned char x, y;
    klee_make_symbolic(&x, 1, "x");
    klee_make_symbolic(&y, 1, "y");
    f(x & 15, y & 15);
#endif
    return 0;
}
`

// mergeText makes random C whose branches mostly compute.
type mergeText struct {
	r      *rand.Rand
	labels int
	loops  int
}

func (g *mergeText) pick(s ...string) string { return s[g.r.IntN(len(s))] }

func (g *mergeText) value(depth int) string {
	if depth == 0 || g.r.IntN(4) == 0 {
		return g.pick("a", "b", "c", "x", "y", "g", "*p", "1u", "5u", "14u")
	}
	x, y := g.value(depth-1), g.value(depth-1)
	switch g.r.IntN(8) {
	case 0:
		return fmt.Sprintf("table[%s & 7]", x)
	case 1:
		return fmt.Sprintf("array[%s & 3]", x)
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(1), x, y)
	case 3:
		return fmt.Sprintf("h(%s)", x)
	case 4:
		return fmt.Sprintf("(%s %s)", x, g.pick("/ 3", "% 5", "<< 2", ">> 1", "& 6"))
	}
	return fmt.Sprintf("(%s %s %s)", x, g.pick("+", "-", "*", "^", "|"), y)
}

func (g *mergeText) condition(depth int) string {
	c := fmt.Sprintf("%s %s %s", g.value(depth), g.pick("<", "<=", "==", "!=", ">"), g.value(1))
	switch g.r.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s && %s > %s)", c, g.value(1), g.value(1))
	case 1:
		return fmt.Sprintf("(%s || %s == %s)", c, g.value(1), g.value(0))
	}
	return c
}

func (g *mergeText) statements(depth int) string {
	var s strings.Builder
	for range 1 + g.r.IntN(3) {
		switch k := g.r.IntN(14); {
		case k < 4 || depth == 0:
			fmt.Fprintf(&s, "%s %s %s;\n", g.pick("a", "b", "c", "g", "*p", "array["+g.value(0)+" & 3]"),
				g.pick("=", "+=", "^="), g.value(2))
		case k < 7:
			fmt.Fprintf(&s, "if (%s) {\n%s}\n", g.condition(1), g.statements(depth-1))
		case k < 9:
			fmt.Fprintf(&s, "if (%s) {\n%s} else {\n%s}\n", g.condition(1), g.statements(depth-1),
				g.statements(depth-1))
		case k == 9:
			fmt.Fprintf(&s, "switch (%s & 3) {\ncase 0:\n%s%scase 2:\n%sbreak;\ndefault:\n%s}\n", g.value(1),
				g.statements(depth-1), g.pick("break;\n", ""), g.statements(depth-1), g.statements(depth-1))
		case k == 10 && g.loops < 3:
			i := [...]string{"i", "j", "k"}[g.loops] // each once, so that loops end
			g.loops++
			fmt.Fprintf(&s, "for (%s = 0; %s < %s; %s++) {\n%s}\n", i, i, g.pick("3", "(a & 3)"), i,
				g.statements(depth-1))
		case k == 11 && g.r.IntN(3) == 0:
			fmt.Fprintf(&s, "if (%s)\nFAIL\n", g.condition(1))
		case k == 12:
			fmt.Fprintf(&s, "p = %s ? &a : %s;\n", g.condition(1), g.pick("&b", "&c", "p", "&array[1]"))
		default:
			g.labels++
			fmt.Fprintf(&s, "L(%s, %d)\n", g.condition(2), g.labels)
		}
	}
	return s.String()
}

func (g *mergeText) program() string {
	s := ""
	for g.labels < 10 {
		g.loops = 0
		s += g.statements(3)
	}
	return fmt.Sprintf(mergeFrame, s)
}

// TestMerge holds what is said of the labels of random functions whose branches are merged
// against runs on every input there is. KLABEL_MERGE sets how many (3) and
// KLABEL_MERGE_SEED where to start.
func TestMerge(t *testing.T) { merge(t, 3) }

// TestNarrowMerge is the same with programs of 32 bits.
func TestNarrowMerge(t *testing.T) {
	needs32(t)
	merge(t, 2, "-m32")
}

func merge(t *testing.T, count int, flags ...string) {
	first := 1
	if n, err := strconv.Atoi(os.Getenv("KLABEL_MERGE")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("KLABEL_MERGE_SEED")); err == nil {
		first = n
	}
	merged, decided := uint64(0), 0
	for seed := first; seed < first+count; seed++ {
		g := &mergeText{r: rand.New(rand.NewPCG(uint64(seed), 5))}
		m, d := holdAgainstRuns(t, seed, g.program(), flags...)
		if t.Failed() {
			return
		}
		merged, decided = merged+m, decided+d
	}
	t.Logf("%d branches merged, %d labels decided", merged, decided)
	if merged == 0 || decided == 0 {
		t.Error("nothing was merged or decided")
	}
}

// holdAgainstRuns holds what is said of the labels of a program made of mergeFrame against
// runs on every input. It returns how many branches were merged and labels decided.
func holdAgainstRuns(t *testing.T, seed int, text string, flags ...string) (merged uint64, decided int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), fmt.Sprintf("merge%d.c", seed))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := strings.TrimSuffix(file, ".c")
	if msg, err := exec.Command(clang(t).Path, append([]string{"-w", "-O1", "-DNATIVE", "-I" + include, file, "-o",
		bin}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("seed %d: %s", seed, msg)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	out, err := exec.CommandContext(ctx, bin).Output()
	cancel()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	reached := strings.Fields(string(out))
	dir, rep := explore(t, []string{"--greybox", "--merge", "--max-time=10"}, compile(t, file, flags...))
	covered := labelsMet(t, dir)
	for _, id := range reached {
		if n, _ := strconv.Atoi(id); slices.Contains(rep.Infeasible, uint32(n)) {
			t.Errorf("seed %d: label %s is called infeasible, and a run reaches it", seed, id)
		} else if rep.Complete && !slices.Contains(covered, id) {
			t.Errorf("seed %d: all was explored, and label %s is not covered", seed, id)
		}
	}
	for _, id := range covered {
		decided++
		if !slices.Contains(reached, id) {
			t.Errorf("seed %d: a test for label %s, which no run reaches", seed, id)
		}
	}
	decided += len(rep.Infeasible)
	if t.Failed() {
		t.Logf("%s\nreached %v\ncovered %v\ninfeasible %v", text, reached, covered, rep.Infeasible)
	}
	return rep.Merged, decided
}

// labelsMet lists the labels that tests were written for, with those that wait for
// the same tests.
func labelsMet(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	files, _ := filepath.Glob(filepath.Join(dir, "test*.assert.err"))
	for _, f := range files {
		if ids, ok := strings.CutPrefix(firstLine(t, f), "Error: ASSERTION FAIL: cov_label "); ok {
			out = append(out, strings.Fields(strings.ReplaceAll(ids, ", met with", ""))...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestCounted explores a program that counts what holds of its inputs and asserts something of
// the sum: a function that gets no more than the result of a comparison is like a branch.
func TestCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "counted.c")
	const text = `
int klee_int(const char *);
int klabel_wants(int);
void klabel_label(int, int);
void abort(void);
static void assume(int yes) { if (!yes) abort(); }
int main(void)
{
    int n = 0, more = 0;
#define ASK(i) if (klee_int("x") == i) n++; if (klee_int("y") > i) more++;
    ASK(1) ASK(2) ASK(3) ASK(4) ASK(5) ASK(6) ASK(7) ASK(8) ASK(9) ASK(10) ASK(11) ASK(12)
    assume(n > 10);
    assume(more > n);
    if (klabel_wants(1)) klabel_label(1, n == 11);
    if (klabel_wants(2)) klabel_label(2, n == 12);
    return 0;
}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, rep := explore(t, []string{"--greybox", "--merge", "--max-paths=100", "--max-time=30"}, compile(t, file))
	if met := labelsMet(t, dir); !rep.Complete || !slices.Equal(met, []string{"1"}) ||
		!slices.Equal(rep.Infeasible, []uint32{2}) {
		t.Errorf("%d paths, complete %v: labels %v, infeasible %v", rep.Paths, rep.Complete, met, rep.Infeasible)
	}
}

// TestLargest looks for the largest of many: what a branch compares differs each time, and the
// solver has to search for each side, to learn again that both are possible.
func TestLargest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "largest.c")
	const text = `
int klee_int(const char *);
int klabel_wants(int);
void klabel_label(int, int);
int main(void)
{
    int max = klee_int("first");
    for (int i = 1; i < 60; i++) {
        int x = klee_int("next");
        if (x > max) max = x;
    }
    if (klabel_wants(1)) klabel_label(1, max == 77);
    return 0;
}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, rep := explore(t, []string{"--greybox", "--merge", "--max-time=30"}, compile(t, file))
	if met := labelsMet(t, dir); !rep.Complete || !slices.Equal(met, []string{"1"}) || rep.Paths != 1 {
		t.Errorf("%d paths, complete %v: labels %v", rep.Paths, rep.Complete, met)
	}
	if rep.SATQueries > 40 {
		t.Errorf("%d searches for 59 comparisons", rep.SATQueries)
	}
}
