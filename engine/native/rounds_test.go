package native

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// roundsFrame makes a program of what a machine does with an event. Its state is in globals
// and in locals; mode is an input that it takes once. With NATIVE it visits all states
// and prints the labels that a round meets.
const roundsFrame = `
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>
int klabel_wants(int);
void klabel_label(int, int);
static int a, b, unused;
static int after(int n) { int twice = n * 2; return twice > 4 ? 0 : n + 1; }
#ifdef NATIVE
static unsigned char hit[99], been[4][4][4][4], todo = 1;
#define L(p, i) hit[i] |= !!(p);
int main(void)
{
    for (int mode = 0; mode < 3; mode++) {
        memset(been, 0, sizeof been);
        been[0][0][0][0] = 1;
        for (todo = 1; todo;) {
            todo = 0;
            for (int n = 0; n < 768; n++) {
                int c = n & 3, e = n >> 8, seen, dead;
                if (!been[n >> 6 & 3][n >> 4 & 3][n >> 2 & 3][n & 3])
                    continue;
                a = n >> 6 & 3, b = n >> 4 & 3, seen = n >> 2 & 3;
%[1]s
                todo |= !been[a][b][seen][c];
                been[a][b][seen][c] = 1;
            }
        }
    }
    for (int i = 1; i < 99; i++)
        if (hit[i])
            printf("%%d\n", i);
    return 0;
}
#else
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    int mode, c = 0, seen = 0, dead;
    klee_make_symbolic(&mode, sizeof mode, "mode");
    if (mode < 0 || mode > 2)
        return 1;
    while (1) {
        int e;
        klee_make_symbolic(&e, sizeof e, "event");
        if (e < 0 || e > 2)
            return 0;
%[1]s
    }
}
#endif
`

// roundsProgram writes a machine whose states number 256 at the most.
func roundsProgram(r *rand.Rand) string {
	var s strings.Builder
	vars := []string{"a", "b", "c", "seen"}
	id := 0
	say := func(cond string) {
		id++
		fmt.Fprintf(&s, "L(%s, %d)\n", cond, id)
	}
	is := func() string { // two of them
		p := r.Perm(4)
		return fmt.Sprintf("%s == %d && %s < %d", vars[p[0]], r.IntN(4), vars[p[1]], 1+r.IntN(3))
	}
	s.WriteString("dead = e;\nunused = 3;\n")
	for range 12 {
		say(is() + " && " + is())
	}
	for i := range 12 {
		if i > 0 {
			s.WriteString("else ")
		}
		v := vars[r.IntN(4)]
		fmt.Fprintf(&s, "if (e == %d && %s) { %s = %d;\n", r.IntN(3), is(), v, r.IntN(4))
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&s, "if (mode == %d) { a = %d; ", r.IntN(3), r.IntN(4))
			say(fmt.Sprintf("mode == %d && %s", r.IntN(3), is()))
			s.WriteString("}\n")
		case 1:
			fmt.Fprintf(&s, "b = after(b);\n")
		case 2:
			say(fmt.Sprintf("mode > %d && %s", r.IntN(3), is()))
		}
		s.WriteString("}\n")
	}
	fmt.Fprintf(&s, "else if (e == 1 && a == 0) { a = 1; }\nelse if (e == 2 && b == 0) { c = %d; }\n", r.IntN(4))
	return fmt.Sprintf(roundsFrame, s.String())
}

// TestRounds explores machines that never end as a whole: what is said of their labels is
// held against a walk through all of their states.
func TestRounds(t *testing.T) {
	t.Parallel()
	for seed := range 6 {
		text := roundsProgram(rand.New(rand.NewPCG(uint64(seed), 13)))
		_, decided := holdAgainstRuns(t, seed, text)
		if n := strings.Count(text, "L(") - 2; decided != n/2 {
			t.Errorf("seed %d: %d of %d labels are decided", seed, decided, n/2)
		}
	}
}

// TestNeverEnds ends a program that goes round for ever without an input.
func TestNeverEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ever.c")
	const text = `
int klabel_wants(int);
void klabel_label(int, int);
int main(void)
{
    volatile int x = 0;
    for (;;) {
        x = (x + 1) & 7;
        if (klabel_wants(1)) klabel_label(1, x == 9);
    }
}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, rep := explore(t, []string{"--greybox", "--merge", "--max-time=20"}, compile(t, file))
	if !rep.Complete || len(rep.Infeasible) != 1 {
		t.Errorf("complete %v, infeasible %v: the machine has eight states", rep.Complete, rep.Infeasible)
	}
}

// TestRoundsOfLarge: a block too large to be looked at is not written down byte by byte when
// a path comes round a loop.
func TestRoundsOfLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "large.c")
	const text = `
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    char *p = malloc(1u << 31);
    int n = 0;
    for (int i = 0; i < 4; i++)
        if (klee_int("x") > 3 && p)
            p[n++] = 1;
    return n;
}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, rep := explore(t, []string{"--greybox", "--merge", "--max-time=60"}, compile(t, file))
	if rep.Paths != 16 {
		t.Errorf("%d paths, complete %v: %v", rep.Paths, rep.Complete, rep.Notes)
	}
}
