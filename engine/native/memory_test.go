package native

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A language of small memory programs: each line makes, uses or gives back an
// array, and some lines are wrong. AddressSanitizer says which programs fail;
// the engine must say the same, with the access concrete and symbolic.

type array struct {
	name  string
	size  int
	kind  string // heap, stack, global, gone (freed), left (a function's)
	bytes int    // of an element
}

type memoryProgram struct {
	rng    *rand.Rand
	id     int
	body   strings.Builder
	global strings.Builder
	arrays []array
	broken bool
}

var elements = []struct {
	name  string
	bytes int
}{{"char", 1}, {"short", 2}, {"int", 4}, {"long", 8}}

func (p *memoryProgram) newArray() {
	a := array{name: fmt.Sprintf("a%d_%d", p.id, len(p.arrays)), size: 1 + p.rng.Intn(9)}
	e := elements[p.rng.Intn(len(elements))]
	a.bytes = e.bytes
	switch p.rng.Intn(4) {
	case 0:
		a.kind = "stack"
		fmt.Fprintf(&p.body, "\t%s %s_[%d] = {0}; %s *%s = %s_;\n", e.name, a.name, a.size, e.name, a.name, a.name)
	case 1:
		a.kind = "global"
		fmt.Fprintf(&p.global, "static %s %s_[%d];\n", e.name, a.name, a.size)
		fmt.Fprintf(&p.body, "\t%s *%s = %s_;\n", e.name, a.name, a.name)
	default:
		a.kind = "heap"
		fmt.Fprintf(&p.body, "\t%s *%s = calloc(%d, sizeof *%s);\n", e.name, a.name, a.size, a.name)
	}
	p.arrays = append(p.arrays, a)
}

// use reads or writes an element; bad ones are one to three elements outside.
func (p *memoryProgram) use(a array, bad bool) {
	i := p.rng.Intn(a.size)
	if bad {
		i = a.size + p.rng.Intn(2)
		if p.rng.Intn(3) == 0 {
			i = -1 - p.rng.Intn(2)
		}
	}
	at := fmt.Sprint(i)
	if p.rng.Intn(2) == 0 {
		at = fmt.Sprintf("in(%d)", i)
	}
	switch p.rng.Intn(5) {
	case 4: // which differ at once: all bytes count
		fmt.Fprintf(&p.body, "\tsink += memcmp(%s, high, (%s + 1) * sizeof *%s);\n", a.name, at, a.name)
	case 0:
		fmt.Fprintf(&p.body, "\t%s[%s] = %d;\n", a.name, at, p.rng.Intn(100))
	case 1:
		fmt.Fprintf(&p.body, "\tsink += %s[%s];\n", a.name, at)
	case 2:
		fmt.Fprintf(&p.body, "\tmemset(%s + %s, 1, sizeof *%s);\n", a.name, at, a.name)
	default:
		fmt.Fprintf(&p.body, "\tmemcpy(scratch, %s + %s, sizeof *%s);\n", a.name, at, a.name)
	}
}

func (p *memoryProgram) step() {
	if len(p.arrays) == 0 || p.rng.Intn(4) == 0 {
		p.newArray()
		return
	}
	k := p.rng.Intn(len(p.arrays))
	a := &p.arrays[k]
	bad := p.rng.Intn(14) == 0
	switch {
	case p.rng.Intn(4) == 0 && (a.kind == "heap" || bad && a.kind == "gone"):
		fmt.Fprintf(&p.body, "\tfree(%s);\n", a.name)
		p.broken = p.broken || a.kind == "gone"
		a.kind = "gone"
	case p.rng.Intn(8) == 0 && a.kind == "heap":
		a.size += p.rng.Intn(8) - 2
		a.size = max(a.size, 1)
		fmt.Fprintf(&p.body, "\t%s = realloc(%s, %d * sizeof *%s);\n\tmemset(%s, 0, %d * sizeof *%s);\n", a.name,
			a.name, a.size, a.name, a.name, a.size, a.name)
	case a.kind == "gone":
		if bad {
			p.use(*a, false)
			p.broken = true
		}
	case bad && p.rng.Intn(5) == 0:
		fmt.Fprintf(&p.body, "\tsink += *(volatile int *)(long)in(0);\n")
		p.broken = true
	case bad && p.rng.Intn(5) == 0:
		fmt.Fprintf(&p.body, "\tsink += *local(in(3));\n")
		p.broken = true
	default:
		p.use(*a, bad)
		p.broken = p.broken || bad
	}
}

const memoryPrelude = `#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static volatile long sink;
static char scratch[64];
static const char high[256] = {[0 ... 255] = -1};
static int symbolic;
static int in(int v)
{
    int x;
    if (!symbolic) return v;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x == v);
    return x;
}
static int *local(int n) { int a[4] = {n}; int *volatile p = a; return p; }
`

// TestMemoryPrograms compares the engine's verdicts with AddressSanitizer's.
func TestMemoryPrograms(t *testing.T) { memoryPrograms(t, 60) }

// TestNarrowMemoryPrograms is the same with programs of 32 bits.
func TestNarrowMemoryPrograms(t *testing.T) {
	needs32(t)
	memoryPrograms(t, 12, "-m32")
}

func memoryPrograms(t *testing.T, count int, flags ...string) {
	var b strings.Builder
	b.WriteString(memoryPrelude)
	rng := rand.New(rand.NewSource(7))
	var cases strings.Builder
	for i := 0; i < count; i++ {
		p := &memoryProgram{rng: rng, id: i}
		for n := 0; n < 14; n++ {
			p.step()
		}
		fmt.Fprintf(&b, "%sstatic void p%d(void)\n{\n%s}\n", p.global.String(), i, p.body.String())
		fmt.Fprintf(&cases, "\tcase %d: p%d(); break;\n", i, i)
	}
	fmt.Fprintf(&b, "int main(int argc, char **argv)\n{\n\tsymbolic = argc > 2;\n\tswitch (atoi(argv[1])) {\n%s\t}\n"+
		"\treturn 0;\n}\n", cases.String())
	dir := t.TempDir()
	source := filepath.Join(dir, "memory_programs.c")
	if err := os.WriteFile(source, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "asan")
	// One more copy of in() that needs no inputs: argc is 2 in native runs.
	if msg, err := exec.Command(clang(t).Path, append([]string{"-w", "-g", "-O0", "-fsanitize=address", "-I" + include,
		source, "testdata/replay.c", "-o", bin}, flags...)...).CombinedOutput(); err != nil {
		t.Skipf("no AddressSanitizer: %s", msg)
	}
	program := compile(t, source, flags...)
	failing := 0
	for i := 0; i < count; i++ {
		cmd := exec.Command(bin, fmt.Sprint(i))
		cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1")
		out, err := cmd.CombinedOutput()
		fails := err != nil
		if fails {
			failing++
		}
		for _, args := range [][]string{{fmt.Sprint(i)}, {fmt.Sprint(i), "symbolic"}} {
			res, rep := explore(t, nil, append([]string{program}, args...)...)
			got := suffixes(t, res)
			if rep.Completed != 1 || fails != (len(got) == 1) {
				t.Errorf("program %d %v: AddressSanitizer fails: %v; engine: %v, %d paths\n%s", i, args[1:], fails, got,
					rep.Completed, firstLines(string(out), 6))
			}
		}
	}
	if failing < count/5 || failing > count*4/5 {
		t.Errorf("%d of %d programs fail: the generator says little", failing, count)
	}
}

func firstLines(s string, n int) string {
	return strings.Join(strings.SplitN(s, "\n", n+1)[:min(n, strings.Count(s, "\n"))], "\n")
}
