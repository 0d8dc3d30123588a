package native

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ownCalls makes random functions over texts, and random questions of what they return.
type ownCalls struct {
	r      *rand.Rand
	labels int
	texts  textCalls
}

func (g *ownCalls) pick(s ...string) string { return s[g.r.IntN(len(s))] }

// label is one, or nothing.
func (g *ownCalls) label(cond string) string {
	if g.r.IntN(3) > 0 {
		return ""
	}
	g.labels++
	return fmt.Sprintf("L(%s, %d)\n", cond, g.labels)
}

func (g *ownCalls) char() string { return g.pick("'a'", "'B'", "'b'", "0xe1", "c") }

// step is what a function does at each character.
func (g *ownCalls) step() string {
	var s strings.Builder
	for range 1 + g.r.IntN(3) {
		cond := fmt.Sprintf("(unsigned char)*s %s %s", g.pick("==", "!=", "<", ">="), g.char())
		switch g.r.IntN(9) {
		case 0:
			fmt.Fprintf(&s, "if (%s)\nreturn %s;\n", cond, g.pick("0", "1", "n", "*s", "n + 2"))
		case 1:
			fmt.Fprintf(&s, "if (%s)\nbreak;\n", cond)
		case 2:
			fmt.Fprintf(&s, "n = n %s %s;\n", g.pick("+", "*", "^"), g.pick("*s", "3", "c"))
		case 3:
			s.WriteString(g.label(cond))
		case 4:
			if g.r.IntN(4) == 0 {
				fmt.Fprintf(&s, "if (%s)\n%s\n", cond, g.pick("FAIL", "g++;"))
			}
		case 5:
			fmt.Fprintf(&s, "last[n & 1] = *s;\nn += last[%s];\n", g.pick("0", "1", "n & 1"))
		default:
			fmt.Fprintf(&s, "if (%s)\nn%s;\n", cond, g.pick("++", " += 2", " = c"))
		}
	}
	return s.String()
}

func (g *ownCalls) function(i int) string {
	return fmt.Sprintf("static int own%d(const char *s, int c)\n{\nint n = 0;\nchar last[2] = {0};\n"+
		"%swhile (*s%s) {\n%ss++;\n}\n%sreturn %s;\n}\n", i, g.label("c == 'a'"), g.pick("", " && *s != 'b'"), g.step(),
		g.label("n > 1"), g.pick("n", "n", "!n", "*s", "n > 2", "last[0]"))
}

const ownFunctions = 3

func (g *ownCalls) program() string {
	functions := ""
	for i := range ownFunctions {
		functions += g.function(i)
	}
	functions += "static const char *find(const char *s, char c)\n{\nwhile (*s && *s != c)\ns++;\n" +
		g.label("*s == 'B'") + "return *s ? s : 0;\n}\n"
	s := ""
	for g.labels < 14 {
		call := fmt.Sprintf("own%d(%s, %s)", g.r.IntN(ownFunctions), g.texts.text(),
			g.pick("'a'", "0", "y", "letters[x & 3]"))
		cond := call + g.pick(" == 0", " != 0", " > 1", " == 2", " == 'a'")
		if g.r.IntN(4) == 0 {
			cond = fmt.Sprintf("find(%s, %s)%s", g.texts.text(), g.texts.char(), g.pick(" == 0", " != 0", " == s"))
		}
		g.labels++
		switch g.r.IntN(4) {
		case 0:
			s += fmt.Sprintf("r = %s;\na += r;\nL(a %s && r > 0, %d)\n", call, g.pick("== 1", "> 90", "< 3"), g.labels)
		case 1:
			s += fmt.Sprintf("if (%s)\nb++;\nL(b > y + 1, %d)\n", cond, g.labels)
		case 2:
			s += fmt.Sprintf("for (i = 0; i < 3 && %s; i++)\nb += i;\nL(b == 3, %d)\n", cond, g.labels)
		default: // labels in a predicate are none: it does not call
			s += fmt.Sprintf("r = %s;\nL(r && x > 3, %d)\n", cond, g.labels)
		}
	}
	frame := strings.Replace(mergeFrame, "static void f(", functions+"static void f(", 1)
	return fmt.Sprintf(frame, textsHead+s)
}

// TestWhole holds what is said of labels in and behind functions of a program's own over
// texts against runs on every input. KLABEL_WHOLE sets how many programs (4),
// KLABEL_WHOLE_SEED where to start.
func TestWhole(t *testing.T) {
	count, first := 4, 1
	if n, err := strconv.Atoi(os.Getenv("KLABEL_WHOLE")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("KLABEL_WHOLE_SEED")); err == nil {
		first = n
	}
	merged, decided := uint64(0), 0
	for seed := first; seed < first+count && !t.Failed(); seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 17))
		g := &ownCalls{r: r, texts: textCalls{r: r}}
		m, d := holdAgainstRuns(t, seed, g.program())
		merged, decided = merged+m, decided+d
	}
	t.Logf("%d branches and calls merged, %d labels decided", merged, decided)
	if !t.Failed() && (merged == 0 || decided == 0) {
		t.Error("nothing was merged or decided")
	}
}

// TestWholePaths: a dispatcher with a comparison of texts of its own has a path for what it
// does, not for each character at which a text may end.
func TestWholePaths(t *testing.T) {
	file := filepath.Join(t.TempDir(), "whole.c")
	const text = `
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
static int same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        if (klabel_wants(1)) klabel_label(1, *a == 'z');
        a++;
        b++;
    }
    return *a == *b;
}
static int digits(const char *s)
{
    int n = 0;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return -1;
        n++;
    }
    return n;
}
int main(void)
{
    char a[9], b[9];
    klee_make_symbolic(a, 9, "a");
    klee_make_symbolic(b, 9, "b");
    a[8] = b[8] = 0;
    int n = same(a, "opened") + 2 * same(a, "closed") + 4 * same(b, "opened") + 8 * (digits(b) == 5) +
            16 * (digits(a) == 8);
    if (klabel_wants(2)) klabel_label(2, n == 5);
    if (klabel_wants(3)) klabel_label(3, n == 12);
    if (klabel_wants(4)) klabel_label(4, n == 24);
    return 0;
}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, rep := explore(t, []string{"--greybox", "--merge", "--max-time=30"}, compile(t, file))
	if met := labelsMet(t, dir); !rep.Complete || !slices.Equal(met, []string{"2", "4"}) ||
		!slices.Equal(rep.Infeasible, []uint32{1, 3}) || rep.Paths > 4 {
		t.Errorf("%d paths, complete %v: labels %v, infeasible %v", rep.Paths, rep.Complete, met, rep.Infeasible)
	}
}
