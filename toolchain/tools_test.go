package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script writes an executable shell script that stands for a tool.
func script(t *testing.T, dir, name, body string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func fakeClang(version string) string {
	return "case \"$1\" in --version) echo 'Debian clang version " + version +
		"'; echo 'Target: x86_64';; *) exit 1;; esac\n"
}

func fakeKLEE(klee, llvm string) string {
	return "case \"$1\" in --version) echo 'KLEE " + klee +
		" (https://klee.github.io)'; echo '  Build mode: Release'; echo; echo 'LLVM (http://llvm.org/):'; echo '  " +
		"LLVM version " + llvm + "';;\n" +
		"--help-hidden) echo '  --output-dir=<string>  - where'; echo '  --max-time=<string> - how long';; esac\n"
}

// onlyPath makes the fake tools of dir the only ones on PATH.
func onlyPath(t *testing.T, dir string) {
	t.Setenv("PATH", dir)
	t.Setenv("CLANG", "")
	t.Setenv("KLABEL_KLEE", "")
}

// Without libFuzzer it is said what to install; another clang that has it will do.
func TestClangForFuzzing(t *testing.T) {
	without, with := &Clang{Version: "14.0.6", Major: 14}, &Clang{Version: "16.0.6", Major: 16, HasFuzz: true}
	tools := &Tools{Clang: without, Clangs: []*Clang{without}}
	_, err := tools.ClangForFuzzing()
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Tool != "libFuzzer" || !strings.Contains(missing.Install, "14") &&
		!strings.Contains(missing.Install, "compiler-rt") {
		t.Errorf("%v", err)
	}
	if f := tools.fuzzerFinding(); f.OK || f.Install == "" {
		t.Errorf("%+v", f)
	}
	tools.Clangs = append(tools.Clangs, with)
	if c, err := tools.ClangForFuzzing(); err != nil || c != with {
		t.Errorf("%v, %v", c, err)
	}
}

func TestProbeFakes(t *testing.T) {
	dir := t.TempDir()
	script(t, dir, "clang", fakeClang("16.0.6"))
	script(t, dir, "clang-13", fakeClang("13.0.1"))
	script(t, dir, "klee", fakeKLEE("3.1", "13.0.1"))
	script(t, dir, "z3", "echo 'Z3 version 4.8.12 - 64 bit'\n")
	onlyPath(t, dir)
	tools, err := Probe(t.Context(), Want{All: true})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil || tools.Clang.Version != "16.0.6" || tools.Clang.Major != 16 {
		// A real clang under /usr/lib/llvm-* has sanitizers and is preferred.
		if tools.Clang == nil || !tools.Clang.HasASan {
			t.Errorf("clang: %+v", tools.Clang)
		}
	}
	k, err := tools.RequireKLEE()
	if err != nil {
		t.Fatal(err)
	}
	if k.Version != "3.1" || k.LLVM != "13.0.1" || k.LLVMMajor != 13 || !k.AtLeast(2, 3) || k.AtLeast(3, 2) {
		t.Errorf("klee: %+v", k)
	}
	if !k.HasOption("max-time") || k.HasOption("write-xml-tests") || !k.KnowsOptions() {
		t.Errorf("options: %v", k.options)
	}
	if c, err := tools.ClangFor(k); err != nil || c.Major != 13 {
		t.Errorf("clang for klee: %+v, %v", c, err)
	}
	if tools.Z3 == nil || tools.Z3.Version != "4.8.12" {
		t.Errorf("z3: %+v", tools.Z3)
	}
	if tools.FramaC != nil {
		t.Error("a frama-c was found where none is")
	}
	for _, f := range tools.Findings() {
		if f.Tool == "cvc5" && (f.OK || f.Install == "") {
			t.Errorf("cvc5: %+v", f)
		}
		if f.Tool == "klee" && !f.OK {
			t.Errorf("klee: %+v", f)
		}
	}
}

func TestClangFor(t *testing.T) {
	clang := func(major int) *Clang { return &Clang{Major: major, Version: "x"} }
	k := &KLEE{Version: "3.1", LLVMMajor: 14}
	for _, c := range []struct {
		majors []int
		want   int
	}{
		{[]int{19, 14, 13}, 14},
		{[]int{19, 13, 11}, 13},
		{[]int{11, 13}, 13},
		{[]int{19, 15}, 0},
		{nil, 0},
	} {
		tools := &Tools{}
		for _, m := range c.majors {
			tools.Clangs = append(tools.Clangs, clang(m))
		}
		got, err := tools.ClangFor(k)
		if c.want == 0 {
			if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "clang-14") {
				t.Errorf("%v: got %v", c.majors, err)
			}
			continue
		}
		if err != nil || got.Major != c.want {
			t.Errorf("%v: got %+v, %v", c.majors, got, err)
		}
	}
}

func TestNamedToolsThatDoNotWork(t *testing.T) {
	dir := t.TempDir()
	onlyPath(t, dir)
	for name, want := range map[string]Want{
		"absent clang":  {Clang: filepath.Join(dir, "no-clang")},
		"not a clang":   {Clang: script(t, dir, "gcc", "echo gcc 12.2\n")},
		"absent klee":   {KLEE: filepath.Join(dir, "no-klee")},
		"failing klee":  {KLEE: script(t, dir, "klee1", "echo libz3.so: cannot open >&2; exit 127\n")},
		"not a klee":    {KLEE: script(t, dir, "klee2", "echo hello\n")},
		"absent framac": {FramaC: filepath.Join(dir, "no-frama-c")},
	} {
		_, err := Probe(t.Context(), want)
		if !errors.Is(err, ErrMissing) {
			t.Errorf("%s: got %v", name, err)
		}
		if err != nil && strings.Count(err.Error(), "\n") > 1 {
			t.Errorf("%s: more than two lines: %q", name, err)
		}
	}
	old, err := Probe(t.Context(), Want{KLEE: script(t, dir, "klee0", fakeKLEE("2.2", "9.0.1"))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.RequireKLEE(); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "too old") {
		t.Errorf("old klee: %v", err)
	}
}

func TestParseKLEEVersion(t *testing.T) {
	for text, want := range map[string]KLEE{
		"KLEE 2.3 (https://klee.github.io)\nLLVM (http://llvm.org/):\n  LLVM version 11.1.0\n": {Version: "2.3",
			Major: 2, Minor: 3, LLVM: "11.1.0", LLVMMajor: 11},
		"KLEE 3.1 (https://klee.github.io)\n\nDebian LLVM version 14.0.6\n": {Version: "3.1",
			Major: 3, Minor: 1, LLVM: "14.0.6", LLVMMajor: 14},
		"KLEE 3.3-pre (https://klee.github.io)\nLLVM (http://llvm.org/):\n  LLVM version 16.0.6": {Version: "3.3-pre",
			Major: 3, Minor: 3, LLVM: "16.0.6", LLVMMajor: 16},
		"KLEEF 3.0 (https://toolchain-labs.com/projects/kleef.html)\n  Build mode: Release\n  LLVM version 14.0.0": {
			Fork: "KLEEF", Version: "KLEEF 3.0", Major: 3, LLVM: "14.0.0", LLVMMajor: 14},
		"Tracer-X 1.2.1 (https://tracer-x.github.io)\nLLVM (http://llvm.org/):\n  LLVM version 13.0.1": {
			Fork: "Tracer-X", Version: "Tracer-X 1.2.1", Major: 1, Minor: 2, LLVM: "13.0.1", LLVMMajor: 13},
	} {
		k, err := parseKLEEVersion(text)
		if err != nil || k.Version != want.Version || k.Fork != want.Fork ||
			k.Major != want.Major || k.Minor != want.Minor ||
			k.LLVM != want.LLVM || k.LLVMMajor != want.LLVMMajor {
			t.Errorf("%q: got %+v, %v", text, k, err)
		}
	}
	for _, text := range []string{"", "KLEE\n", "KLEE 3.1\n", "  LLVM version 14.0.6\n",
		"Debian clang version 14.0.6\nDebian LLVM version 14.0.6\n"} {
		if k, err := parseKLEEVersion(text); err == nil {
			t.Errorf("%q: got %+v", text, k)
		}
	}
}

// A fork is judged by its command line, whatever its version says; an option may be a
// switch in one KLEE and a choice in another.
func TestForks(t *testing.T) {
	help := "  --use-forked-solver - fork\n  --dump-states-on-halt=<value> - dump\n    =none  - none\n" +
		"    =all - all\n" +
		"  --solver-backend=<value>\n    =bitwuzla - Bitwuzla (default)\n    =stp  - STP\n"
	for _, o := range forkOptions {
		if o != "dump-states-on-halt" {
			help += "  --" + o + "=<string> - it\n"
		}
	}
	k := &KLEE{Fork: "KLEEF", Version: "KLEEF 1.0", Major: 1}
	k.readHelp(help)
	if err := k.Supported(); err != nil || k.FirstWord("dump-states-on-halt") != "none" || k.FirstWord("search") != "" {
		t.Errorf("%v, %+v", err, k)
	}
	if k.STP {
		t.Error("another solver is the default, not STP")
	}
	k.readHelp(strings.ReplaceAll(help, "external-calls", "outside-calls"))
	if err := k.Supported(); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "no --external-calls") {
		t.Errorf("a fork with another command line: %v", err)
	}
}

// realClang returns the machine's clang, or skips.
func realClang(t *testing.T) *Clang {
	t.Helper()
	tools, err := Probe(t.Context(), Want{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := tools.RequireClang()
	if err != nil {
		t.Skipf("SKIPPED: no clang on this machine: %v", err)
	}
	return c
}

func TestClangCompiles(t *testing.T) {
	c := realClang(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "a.c")
	text := "#include <math.h>\n#define TWICE(x) ((x) + (x))\nint f(int x) { if (x) ; return (int)fabs(TWICE(x)); }\n" +
		"int main(void) { return f(0); }\n"
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, err := c.CheckSyntax(ctx, src, []string{"-std=c99"}); err != nil {
		t.Fatal(err)
	}
	sloppy := filepath.Join(dir, "sloppy.c")
	if err := os.WriteFile(sloppy, []byte("void f(int n) { char *s = n; if (s) g(); }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	loose, err := c.CheckSyntax(ctx, sloppy, []string{"-w"})
	if err != nil || len(loose) > 0 && !slices.Equal(loose, []string{"-Wno-int-conversion"}) {
		t.Errorf("%q, %v", loose, err)
	}
	if c.Major >= 16 && len(loose) == 0 {
		t.Error("it takes a number for a pointer, and newer compilers are not told to let that pass")
	}
	pre, err := c.Preprocess(ctx, src, []string{"-O2", "-D_FORTIFY_SOURCE=2"})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(pre, []byte("((x) + (x))")) || !bytes.Contains(pre, []byte("# 1 \"")) {
		t.Error("the preprocessed text lacks the expansion or the line markers")
	}
	bc, ll, bin := filepath.Join(dir, "a.bc"), filepath.Join(dir, "a.ll"), filepath.Join(dir, "a")
	if err := c.Bitcode(ctx, src, bc, []string{"-O3"}); err != nil {
		t.Fatal(err)
	}
	if err := c.IR(ctx, bc, ll, nil); err != nil {
		t.Fatal(err)
	}
	ir, err := os.ReadFile(ll)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"define", "!DILocation", "br i1"} {
		if !bytes.Contains(ir, []byte(want)) {
			t.Errorf("the bitcode lacks %q", want)
		}
	}
	for _, not := range []string{"optnone", "call double @fabs"} {
		if bytes.Contains(ir, []byte(not)) {
			t.Errorf("the bitcode has %q", not)
		}
	}
	if err := c.Executable(ctx, []string{src}, bin, []string{"-g", "-lm"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(ctx, Command{Argv: []string{bin}}); err != nil {
		t.Fatal(err)
	}
	if c.LLVMLink == "" {
		t.Skip("SKIPPED the rest: no llvm-link")
	}
	other := filepath.Join(dir, "b.c")
	if err := os.WriteFile(other, []byte("int g(void) { return 7; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	obc, linked := filepath.Join(dir, "b.bc"), filepath.Join(dir, "all.bc")
	if err := c.Bitcode(ctx, other, obc, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Link(ctx, []string{bc, obc}, linked); err != nil {
		t.Fatal(err)
	}
	if err := c.IR(ctx, linked, ll, nil); err != nil {
		t.Fatal(err)
	}
	if ir, _ = os.ReadFile(ll); !bytes.Contains(ir, []byte("@g(")) || !bytes.Contains(ir, []byte("@main(")) {
		t.Error("the linked program lacks a function")
	}
}

func TestClangRefuses(t *testing.T) {
	c := realClang(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "bad.c")
	if err := os.WriteFile(src, []byte("int main(void) {\n  return undeclared;\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := c.CheckSyntax(t.Context(), src, nil)
	var te *ToolError
	if !errors.As(err, &te) || !strings.Contains(err.Error(), "bad.c:2:10: error:") {
		t.Errorf("got %v", err)
	}
	out := filepath.Join(dir, "bad.bc")
	if err := c.Bitcode(t.Context(), src, out, nil); err == nil {
		t.Error("a bad file was compiled")
	}
	if isFile(out) {
		t.Error("an output file survived the failure")
	}
	if _, err := c.Preprocess(t.Context(), filepath.Join(dir, "absent.c"), nil); err == nil {
		t.Error("an absent file was preprocessed")
	}
}

// Errors are all of them, of however many functions.
func TestClangErrors(t *testing.T) {
	c := realClang(t)
	src := filepath.Join(t.TempDir(), "bad.i")
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "# 1 \"part %d\"\nint f%d(void) { return undeclared%d; }\n", i, i, i)
	}
	if err := os.WriteFile(src, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := c.Errors(t.Context(), src, nil)
	if err != nil || strings.Count(got, ": error: ") != 300 || !strings.Contains(got, "part 299:1:25: error: ") {
		t.Errorf("%v, %d lines, among them %.300s", err, strings.Count(got, "\n"), got)
	}
	if err := os.WriteFile(src, []byte("int f(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Errors(t.Context(), src, nil); got != "" || err != nil {
		t.Errorf("of a good file: %v, %q", err, got)
	}
}

func TestSanitizersQuickAndThoroughAgree(t *testing.T) {
	c := realClang(t)
	quick := c.hasRuntime(t.Context(), "-fsanitize=address")
	real := c.canRun(t.Context(), "-fsanitize=address", emptyMain)
	if real && !quick {
		t.Errorf("AddressSanitizer works and was not found")
	}
}

// What a compiler prints is bounded, also where io.Copy asks the buffer to read.
func TestPreprocessIsBounded(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "clang")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\nexec yes\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := &Clang{Path: fake}
	if _, err := c.Preprocess(t.Context(), "x.c", nil); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("error %v", err)
	}
}

// A run asks the clang that it works with. Others are asked when an engine wants one.
func TestOtherClangsAreAskedLate(t *testing.T) {
	dir := t.TempDir()
	library, asked := filepath.Join(dir, "libclang_rt.asan.a"), filepath.Join(dir, "asked")
	script(t, dir, "libclang_rt.asan.a", "")
	script(t, dir, "clang", "case \"$1\" in --version) echo 'clang version 19.1.0';; *) echo '\""+library+
		"\"' >&2;; esac\n")
	script(t, dir, "clang-12", "echo yes >"+asked+"\n"+fakeClang("12.0.1"))
	onlyPath(t, dir)
	tools, err := Probe(t.Context(), Want{})
	if err != nil || tools.Clang == nil || tools.Clang.Major != 19 || !tools.Clang.HasASan {
		t.Fatalf("%+v, %v", tools, err)
	}
	if _, err := os.Stat(asked); err == nil {
		t.Error("clang-12 was asked before anybody wanted it")
	}
	if c, err := tools.ClangFor(&KLEE{Version: "2.3", LLVMMajor: 12}); err != nil || c.Major != 12 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A folder that is said to hold a compiler's parts brings no program that is run.
func TestNobodysLinker(t *testing.T) {
	tools, err := Probe(t.Context(), Want{})
	if err != nil || tools.Clang == nil {
		t.Skipf("SKIPPED: no clang: %v", err)
	}
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	for name, text := range map[string]string{
		"lib/gcc/x86_64-linux-gnu/12/crtbegin.o": "", "main.c": "int main(void) { return 0; }\n",
		"x86_64-linux-gnu/bin/ld": "#!/bin/sh\n: > " + ran + "\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c := tools.Clang
	flags := []string{"--gcc-toolchain=" + dir}
	r, err := Run(t.Context(), Command{Argv: []string{c.Path, flags[0], "-print-prog-name=ld"}})
	if err != nil || !strings.HasPrefix(string(r.Stdout), dir) {
		t.Skipf("SKIPPED: this clang would not take it: %s, %v", r.Stdout, err)
	}
	// The start files are missing there: it is the linker's word that counts.
	err = c.Executable(t.Context(), []string{filepath.Join(dir, "main.c")}, filepath.Join(dir, "main"), flags)
	if _, statErr := os.Stat(ran); statErr == nil {
		t.Errorf("its linker was run: %v", err)
	}
}

// What was not looked for to the end is not missing.
func TestProbeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	t.Setenv("PATH", t.TempDir())
	if _, err := Probe(ctx, Want{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted search says %v", err)
	}
}
