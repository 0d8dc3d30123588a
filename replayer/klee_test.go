package replayer

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"klabel/ktest"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// findKLEE skips the test where there is no KLEE.
func findKLEE(t *testing.T) string {
	t.Helper()
	name := os.Getenv("KLABEL_KLEE")
	if name == "" {
		name = "klee"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip("no KLEE: set KLABEL_KLEE or PATH")
	}
	return path
}

// exploreAndReplay lets KLEE make tests of a program and replays them all. It
// returns the labels that were hit, and how many tests ended in each way.
func exploreAndReplay(t *testing.T, source string, kleeArgs, programArgs []string) ([]label.ID, map[label.Outcome]int) {
	t.Helper()
	klee, dir := findKLEE(t), t.TempDir()
	paths, err := runtime_c.Extract(filepath.Join(dir, "c"))
	if err != nil {
		t.Fatal(err)
	}
	text := prelude + source
	file, verifier, out := filepath.Join(dir, "p.c"), filepath.Join(dir, "v.bc"), filepath.Join(dir, "out")
	if err := os.WriteFile(file, []byte(text+"\nvoid klabel_hit(int id) { (void)id; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	bc := filepath.Join(dir, "p.bc")
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{KLEE: klee})
	if err != nil {
		t.Fatal(err)
	}
	fits, err := tools.ClangFor(tools.KLEE)
	if err != nil {
		t.Fatal(err)
	}
	if err := fits.Bitcode(t.Context(), file, bc, []string{"-I" + paths.Include}); err != nil {
		t.Fatal(err)
	}
	if err := fits.Bitcode(t.Context(), paths.Verifier, verifier, nil); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--output-dir=" + out, "--max-time=60s", "--link-llvm-lib=" + verifier}, kleeArgs...)
	if text, err := exec.Command(klee, append(append(args, bc), programArgs...)...).CombinedOutput(); err != nil {
		t.Fatalf("klee: %v\n%s", err, text)
	}
	p := newPool(t, Options{Binary: build(t, source, true)})
	files, err := filepath.Glob(filepath.Join(out, "*.ktest"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests, %v", err)
	}
	hits, ends := map[label.ID]bool{}, map[label.Outcome]int{}
	for _, f := range files {
		x, err := ktest.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Replay(t.Context(), 0, x)
		if err != nil {
			t.Fatal(err)
		}
		ends[v.Outcome]++
		if v.Outcome != label.Normal {
			t.Logf("%s: %s, %s", filepath.Base(f), v.Outcome, v.Reason)
		}
		for _, id := range v.Hits {
			hits[id] = true
		}
	}
	return slices.Sorted(maps.Keys(hits)), ends
}

func wantAll(t *testing.T, hits []label.ID, ends map[label.Outcome]int, want ...label.ID) {
	t.Helper()
	if !slices.Equal(hits, want) {
		t.Errorf("hits %v, want %v", hits, want)
	}
	if len(ends) != 1 || ends[label.Normal] == 0 {
		t.Errorf("ends: %v", ends)
	}
}

// harness is a driver as people write them, with every macro.
const harness = `
#include "harness_macros.h"
#define _MAX_CSTRING_LENGTH 10
#define _MAX_PTR_ARRAY_LENGTH 3
#define HARNESS_MACROS_H 1
static char _CSTRING_SYMBOL (v0)[11];
static char _CSTRING_SYMBOL (v1)[3];
struct point { int x; short y[2]; };

static int get(const char *uri, const unsigned *p, unsigned n)
{
    if (uri == NULL) { klabel_hit(1); return 0; }
    if (uri[0] == 'a' && uri[1] == 'b' && uri[2] == '\0') klabel_hit(2);
    if (uri[10] != '\0') klabel_hit(90);
    if (p == NULL) { klabel_hit(3); return 0; }
    if (n == 3) klabel_hit(4);
    if (n == 0) klabel_hit(5);
    if (n > 3) klabel_hit(91);
    if (p[2] == 77) klabel_hit(6);
    return 1;
}

int main(void)
{
    int x;
    char *uri, *other;
    const unsigned *p;
    struct point pt;
    short *items;

    HARNESS_START;
    _FLAT (x, "x", int);
    _FLAT (pt.x, "pt.x", int);
    _FLAT (pt.y, "pt.y", short);
    ASSUME (x > 3 && x < 10);
    if (x <= 3 || x >= 10) klabel_hit(92);
    _CSTRING_DECL (v0, "uri");
    _CSTRING_FILL (v0, "uri");
    uri = _CSTRING (v0);
    _CSTRING_DECL (v1, "other"); _CSTRING_FILL (v1, "other"); other = _CSTRING (v1);
    _PTR_DECL (a0, "p", unsigned);
    _PTR_FILL (a0, "p");
    p = _PTR (a0);
    get (uri, p, p != NULL ? _PTR_LEN (a0) : 0);
    if (other != NULL && strlen (other) > 2) klabel_hit(93);
    _PTR_DECL (a1, "items", short);
    _FLAT (_PTR_INDEX (a1, 0), "items[0]", short);
    for (_PTR_INDEX (a1) = 1; _PTR_INDEX (a1) < 3; _PTR_INDEX (a1)++)
        _FLAT (_PTR_INDEX (a1, _PTR_INDEX (a1)), "items", short);
    items = _PTR (a1);
    if (!_NULL_PTR (a1) && items == NULL) klabel_hit(94);
    if (items != NULL && items[0] == 12 && items[2] == -5) klabel_hit(7);
    if (pt.x == 5 && pt.y[1] == x) klabel_hit(8);
    HARNESS_END;
    return 0;
}
`

func TestHarnessMacrosUnderKLEE(t *testing.T) {
	hits, ends := exploreAndReplay(t, harness, nil, nil)
	wantAll(t, hits, ends, 1, 2, 3, 4, 5, 6, 7, 8)
}

func TestHarnessMacros(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, harness, true)})
	uri := ktest.Object{Name: "uri", Data: []byte("ab\x00xxxxxxxx")}
	v, err := p.Replay(t.Context(), 0, test(i32("x", 4), uri, i32("p_length", 3)))
	if err != nil || v.Outcome != label.Normal || !slices.Equal(v.Hits, []label.ID{2, 4}) {
		t.Errorf("%+v, %v", v, err)
	}
	v, err = p.Replay(t.Context(), 0, test(i32("x", 4), i32("uri_is_null", 1)))
	if err != nil || !slices.Equal(v.Hits, []label.ID{1}) {
		t.Errorf("%+v, %v", v, err)
	}
	v, err = p.Replay(t.Context(), 0, test(i32("x", 10)))
	if err != nil || v.Outcome != label.Diverged {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestVerifierFunctionsUnderKLEE(t *testing.T) {
	hits, ends := exploreAndReplay(t, `
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void sc_assume(int);
int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r;
    __VERIFIER_assume(a > 0 && a < 100);
    sc_assume(b == 2 * a);
    if (a == 21) klabel_hit(b);
    if (__VERIFIER_nondet_bool()) klabel_hit(1); else klabel_hit(2);
    if (__VERIFIER_nondet_uchar() == 200) klabel_hit(3);
    r = klee_range(3, 6, "r");
    klabel_hit(r == 3 ? 4 : r == 4 ? 5 : r == 5 ? 6 : 90);
    if (klee_choose(2) == 1) klabel_hit(7);
    return 0;
}`, nil, nil)
	wantAll(t, hits, ends, 1, 2, 3, 4, 5, 6, 7, 42)
}

func TestPosixUnderKLEE(t *testing.T) {
	hits, ends := exploreAndReplay(t, `
int main(int argc, char **argv)
{
    char line[8] = "";
    int n;
    if (argc == 2) klabel_hit(1);
    if (argc == 3) klabel_hit(2);
    if (argc > 1 && argv[1][0] == 'q' && argv[1][1] == '\0') klabel_hit(3);
    n = read(0, line, 4);
    if (n == 3 && line[0] == 'h' && line[1] == 'i') klabel_hit(4);
    return 0;
}`, []string{"--posix-runtime", "--libc=uclibc"}, []string{"--sym-args", "1", "2", "2", "--sym-stdin", "3"})
	wantAll(t, hits, ends, 1, 2, 3, 4)
}
