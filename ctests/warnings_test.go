package ctests_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"klabel/ctests"
	"klabel/drivers"
	"klabel/ktest"
)

// TestNoWarnings compiles the tests of programs of every kind as strictly as
// their own projects may.
func TestNoWarnings(t *testing.T) {
	b := newBench(t)
	arg := ktest.Object{Name: "arg00", Data: []byte("-v\x00")}
	named := ktest.Object{Name: "n", Data: []byte{7, 0, 0, 0}}
	stdin := ktest.Object{Name: "stdin", Data: []byte("hello\n")}
	file := ktest.Object{Name: "A_data", Data: []byte("one ?\n\x01 two\n")}
	for _, c := range []struct {
		name, source, function string
		objects                []ktest.Object
	}{
		{"argv", "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }\n", "", []ktest.Object{arg}},
		{"nothing", "int main(void) { return 0; }\n", "", nil},
		{"stdin", "#include <stdio.h>\nint main(void) { return getchar() == 'x'; }\n", "", []ktest.Object{stdin}},
		{"file", "#include <stdio.h>\nint main(int argc, char **argv) { FILE *f = argc > 1 ? fopen(argv[1], \"r\") : NULL; " +
			"return f && getc(f) == 'x'; }\n", "", []ktest.Object{file, arg}},
		{"named", "#include <klee/klee.h>\nint main(void) { int n; klee_make_symbolic(&n, sizeof n, \"n\"); return n == 3; }\n", "", []ktest.Object{named}},
		{"declared otherwise", "int klee_make_symbolic(void *, int, char *);\nint main(void) { int n; klee_make_symbolic(&n, sizeof n, \"n\"); return n == 3; }\n", "", []ktest.Object{named}},
		{"bit-fields", "#include <stdlib.h>\nvoid klee_make_symbolic(void *, unsigned long, const char *);\nstruct s { int x : 5; unsigned y : 3; double w; _Bool b : 1; unsigned long long z : 40; int : 0; short q : 9; };\nint main(void) { struct s s; klee_make_symbolic(&s, sizeof s, \"s\"); if (s.x != -16 || s.y != 5 || s.b != 1 || s.z != 0x8000000001 || s.q != -256) abort(); return 0; }\n", "", []ktest.Object{{Name: "s", Data: []byte{0xb0, 7: 0, 16: 3, 21: 1, 25: 1, 31: 0}}}},
		{"bit-fields of other types", "#include <stdlib.h>\nvoid klee_make_symbolic(void *, unsigned long, const char *);\nstruct s { int x : 5; unsigned y : 3; double w; _Bool b : 1; unsigned long long z : 40; short q : 9; };\nint main(void) { struct s s; klee_make_symbolic(&s, sizeof s, \"s\"); if (s.x != -16 || s.y != 5 || s.b != 1 || s.z != 0x8000000001 || s.q != -256) abort(); return 0; }\n", "", []ktest.Object{{Name: "s", Data: []byte{0xb0, 7: 0, 16: 3, 21: 1, 23: 1}}}},
		{"labels declared", "extern void cov_label(int, int, const char *);\nint main(int argc, char **argv) { (void)argv; cov_label(argc > 1, 1, \"CC\"); return 0; }\n", "", []ktest.Object{arg}},
		{"all", "#include <stdio.h>\n#include <klee/klee.h>\nint main(int argc, char **argv) { int n = klee_int(\"n\"); (void)argv; return n == 3 && argc == 1 && getchar() == 'x'; }\n", "", []ktest.Object{arg, named, stdin}},
		{"nondet", "int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() == 3; }\n", "", []ktest.Object{{Name: "__VERIFIER_nondet_int", Data: []byte{1, 0, 0, 0}}}},
		{"nobody's error", "extern void __VERIFIER_error() __attribute__((__noreturn__));\nextern void __VERIFIER_assume(_Bool);\nvoid __VERIFIER_assert(int);\nint __VERIFIER_nondet_int(void);\nint main(void) { __VERIFIER_assume(1); if (__VERIFIER_nondet_int() == 7) __VERIFIER_error(); __VERIFIER_assert(1); return 0; }\n", "", []ktest.Object{{Name: "__VERIFIER_nondet_int", Data: []byte{1, 0, 0, 0}}}},
		{"preprocessed", "# 1 \"before.c\"\ntypedef struct { int q, r; } div_t;\nextern div_t div(int, int);\nint __VERIFIER_nondet_int(void);\nint main(int argc, char **argv) { (void)argv; return argc == 7 && div(__VERIFIER_nondet_int(), 7).r == 3; }\n", "", []ktest.Object{{Name: "__VERIFIER_nondet_int", Data: []byte{1, 0, 0, 0}}}},
		{"own error", "void abort(void);\nint __VERIFIER_nondet_int(void);\nvoid reach_error(void) { abort(); }\nint main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n", "", []ktest.Object{{Name: "__VERIFIER_nondet_int", Data: []byte{1, 0, 0, 0}}}},
		{"function", "int f(int n, const char *s) { return s && s[0] == n; }\n", "f", []ktest.Object{named, {Name: "s", Data: []byte{1}}, {Name: "s[]", Data: []byte("abcdefgh\x00")}}},
		{"global text", "static char name[8];\nint f(int n) { return name[0] == n; }\n", "f", []ktest.Object{{Name: "name", Data: []byte("to say\x00\x00")}, named}},
		{"pointers to const behind a field", "struct p { const char **words; int n; };\nint f(struct p *p) { return p && p->n > 0 && p->words && p->words[0] && p->words[0][0] == 'x'; }\n", "f", []ktest.Object{{Name: "p", Data: []byte{1}}, {Name: "*p", Data: make([]byte, 16)}, {Name: "p->words", Data: []byte{1}}, {Name: "p->words[0]", Data: []byte{1}}, {Name: "p->words[0][]", Data: []byte("abcdefgh\x00")}}},
		{"fewer items than the driver made", "int f(int argc, char **argv) { return argc > 1 && argv[0] && argv[0][0] == 'x'; }\n", "f", []ktest.Object{{Name: "argc", Data: []byte{1, 0, 0, 0}}, {Name: "argv", Data: []byte{1}}, {Name: "argv[0]", Data: []byte{1}}, {Name: "argv[0][]", Data: []byte("abcdefgh\x00")}, {Name: "argv[1]", Data: []byte{0}}, {Name: "argv[2]", Data: []byte{1}}, {Name: "argv[2][]", Data: []byte("abcdefgh\x00")}, {Name: "argv[3]", Data: []byte{0}}}},
		{"a union of pointers that holds a number", "struct node { unsigned kind:3, n:29; union { struct node **sub; char *text; } v; };\nint f(struct node *p) { return p && p->kind == 3 && p->v.text; }\n", "f", []ktest.Object{{Name: "p", Data: []byte{1}}, {Name: "p->kind", Data: []byte{3, 0, 0, 0}}, {Name: "p->n", Data: make([]byte, 4)}, {Name: "p->v", Data: []byte{1, 0, 0, 0, 0, 0, 0, 0}}, {Name: "p->v:member", Data: []byte{0}}}},
		{"function that asks", "#include <klee/klee.h>\nint f(int n) { return n == klee_int(\"m\"); }\n", "f", []ktest.Object{named, {Name: "m", Data: []byte{1, 0, 0, 0}}}},
		{"labels that bind", "int f(int n) { cov_label_bind_values(n > 3, 1, \"x\", 1, \"n\", n); return n; }\n", "f", []ktest.Object{named}},
		{"function with an assumption", "void klee_assume(unsigned long);\nint f(int n) { klee_assume(n > 3); return n; }\n", "f", []ktest.Object{named}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			src := filepath.Join(dir, "program.c")
			if err := os.WriteFile(src, []byte(c.source), 0o600); err != nil {
				t.Fatal(err)
			}
			u := b.load(t, src)
			o := ctests.Options{Style: ctests.Plain, Oracle: ctests.None, Source: src, Include: src,
				Objects: drivers.Objects(u), MainParams: drivers.MainParameters(u), Defines: map[string]bool{},
				LabelMacros: u.LabelMacros(), LabelFunctions: u.LabelFunctions()}
			for _, f := range u.Functions() {
				o.Defines[f.Name] = true
			}
			if c.function != "" {
				d, err := drivers.Generate(u, drivers.Options{Function: c.function, Globals: []string{"*"}})
				if err != nil {
					t.Fatal(err)
				}
				o.Driver = d.Inputs
			}
			tests := filepath.Join(dir, "c")
			args := []string{"program", "--sym-files", "1", "20"}
			cases := []ctests.Case{{Number: 1, Test: &ktest.Test{Args: args, Objects: c.objects}}}
			if err := errors.Join(ctests.Separate(tests, cases, &o), ctests.Write(tests, cases, o)); err != nil {
				t.Fatal(err)
			}
			compilers := []string{b.clang.Path}
			if gcc, err := exec.LookPath("gcc"); err == nil {
				compilers = append(compilers, gcc)
			}
			for _, cc := range compilers {
				bin := filepath.Join(dir, "run")
				build := exec.Command(cc, append([]string{"-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", tests,
					"-o", bin, ctests.RunnerFile, "-lm"}, o.Sources...)...)
				build.Dir = tests
				out, err := build.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", cc, err, out)
				}
				if out, err := exec.Command(bin).CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			}
		})
	}
}
