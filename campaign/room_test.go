package campaign

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"klabel/report"
	"klabel/toolchain"
)

// runFunctions makes tests for all functions of a text, in out of a folder.
func runFunctions(t *testing.T, tools *toolchain.Tools, dir, text string) (report.Summary, error) {
	t.Helper()
	file := filepath.Join(dir, "f.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(dir, "out"),
		Engine: "native", Prune: PruneNever, AllFunctions: true, Criteria: []string{"DC"}, Budget: time.Minute},
		tools, Silent{})
}

// A function whose runs end behind the memory of its output is tried with more of
// it.
func TestRoomForWhatEndsInMemory(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	dir := t.TempDir()
	text := "int hex(const unsigned char *in, unsigned char *out, unsigned n) {\n" +
		"    unsigned i, j; unsigned char *to = out;\n" +
		"    if (in == 0 || out == 0 || n == 0 || n > 6) return -1;\n" +
		"    for (i = 0; i < n; i++) for (j = 0; j < 100; j++) *to++ = in[i] >> (j % 2 * 4);\n" +
		"    if (out[1] == 7) return 1;\n    return 0;\n}\n" +
		"int sum(const int *t, unsigned n) { int s = 0; while (n > 0) s += t[--n]; return s; }\n"
	sum, err := runFunctions(t, tools, dir, text)
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(sum.Functions, func(r report.FunctionRow) bool {
			return slices.ContainsFunc(r.Entries, func(e report.EntryRow) bool { return e.Name == name && e.Tests > 0 })
		})
	}
	if sum.Labels.Unknown > 0 || !has("hex+room") {
		t.Errorf("%+v, %+v", sum.Labels, sum.Functions)
	}
	c, err := os.ReadFile(filepath.Join(dir, "out", "tests", "c", "test_hex.c"))
	if err != nil || !strings.Contains(string(c), "unsigned char out[65536]") {
		t.Errorf("a test in C has no room behind out: %v\n%s", err, c)
	}
}

// A test in C gives the function as much memory as the run had that it repeats: the
// number of items is not all of it where pointers may share, or arrays are longer.
func TestTestsHaveTheirMemory(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	dir := t.TempDir()
	text := "struct text { unsigned char *to; unsigned n; };\n" +
		"int hex(const unsigned char *in, unsigned char *out, unsigned n) {\n" +
		"    unsigned i; unsigned char *to = out;\n" +
		"    if (in == 0 || out == 0 || n == 0 || n > 4) return -1;\n" +
		"    for (i = 0; i < n; i++) { *to++ = in[i] >> 4; *to++ = in[i] & 15; }\n" +
		"    if (out[1] == 7) return 1;\n    return 0;\n}\n" +
		"int end(struct text *t) {\n" +
		"    if (t == 0 || t->to == 0 || t->n != 2) return -1;\n" +
		"    t->to[t->n] = 0;\n    return t->to[0] == 'x';\n}\n"
	sum, err := runFunctions(t, tools, dir, text)
	if err != nil || sum.Labels.Unknown > 0 {
		t.Fatalf("%v, %+v", err, sum)
	}
	tests := exec.CommandContext(t.Context(), "make", "-C", filepath.Join(dir, "out", "tests", "c"),
		"CC="+tools.Clang.Path, "CFLAGS=-g -fsanitize=address")
	if out, err := tests.CombinedOutput(); err != nil || !strings.Contains(string(out), " tests, 0 failed") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A call that makes what a function takes may ask stubs itself: a test in C has what they
// return ready by then. And a source that takes macros for the library's functions away
// has them declared all the same. One that prints by functions of its own
// has a runner that prints.
func TestTestsAnswerCallsBefore(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	dir := t.TempDir()
	text := "#include <stdlib.h>\n#undef malloc\n#define printf own_printf\n" +
		"int printf(const char *format, ...) { return format == 0; }\n" +
		"struct port { int (*get)(struct port *); };\n" +
		"struct head { int kind; int *at; };\n" +
		"static void *(*const give)(size_t) = malloc;\n" +
		"static int *secret(void) { static int s; return &s; }\n" +
		"int port_read(struct port *p, struct head *h) {\n" +
		"    h->kind = p->get(p);\n    h->at = secret();\n    *h->at = 21;\n    return 0;\n}\n" +
		"int open(struct head *h, int n) {\n    char *t;\n" +
		"    if (h->at != secret() || h->kind != 17 || *h->at != 21) return -1;\n" +
		"    if (!(t = give(8))) return -2;\n    free(t);\n    return n == 5;\n}\n"
	sum, err := runFunctions(t, tools, dir, text)
	if err != nil {
		t.Fatalf("%v, %+v", err, sum)
	}
	c, err := os.ReadFile(filepath.Join(dir, "out", "tests", "c", "test_open.c"))
	if text := string(c); err != nil || !strings.Contains(text, "fail_allocation(1);\n\n    int result = open(h, n);\n"+
		"    fail_allocation(0);\n\n    CHECK(result == -2);") {
		t.Errorf("no allocation fails: %v\n%s", err, c)
	}
	tests := exec.CommandContext(t.Context(), "make", "-C", filepath.Join(dir, "out", "tests", "c"),
		"CC="+tools.Clang.Path)
	if out, err := tests.CombinedOutput(); err != nil || !strings.Contains(string(out), " tests, 0 failed") {
		t.Errorf("%v\n%s", err, out)
	}
}

// What a test sees of an address alone is not checked: it is another one in the next build.
func TestAddressesAreNotChecked(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	dir := t.TempDir()
	text := "#include <stdlib.h>\n#include <string.h>\n" +
		"int where(char *to, int n) {\n    char *p = malloc(40), *q = (char *)&p;\n    if (!p) return -1;\n" +
		"    if (n < 8) return -2;\n    memcpy(to, &p, 4);\n    memcpy(to + 4, &q, 4);\n" +
		"    return 3;\n}\n"
	if _, err := runFunctions(t, tools, dir, text); err != nil {
		t.Fatal(err)
	}
	c, err := os.ReadFile(filepath.Join(dir, "out", "tests", "c", "test_where.c"))
	if err != nil || !strings.Contains(string(c), "CHECK(result == 3)") || strings.Contains(string(c), "CHECK(to[0]") ||
		strings.Contains(string(c), "CHECK(to[4]") {
		t.Errorf("%v\n%s", err, c)
	}
}
