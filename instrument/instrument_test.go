package instrument

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares what becomes of each program in each mode. System
// headers are left out of the golden files: they differ from machine to
// machine.
func TestGolden(t *testing.T) {
	for _, file := range testPrograms(t) {
		u := load(t, file)
		for _, m := range Modes {
			t.Run(filepath.Base(file)+"/"+string(m), func(t *testing.T) {
				out, err := Rewrite(u, Options{Mode: m})
				if err != nil {
					t.Fatal(err)
				}
				got := userText(out)
				golden := strings.TrimSuffix(file, ".c") + "." + string(m) + ".golden"
				if *update {
					writeFile(t, golden, got)
					return
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(want), string(got)); d != "" {
					t.Errorf("%s (-want +got; renew with -update):\n%s", golden, d)
				}
			})
		}
	}
}

// userText drops the lines of system headers.
func userText(text []byte) []byte {
	var out []byte
	system := false
	for _, l := range bytes.SplitAfter(text, []byte("\n")) {
		if bytes.HasPrefix(l, []byte("# ")) || bytes.HasPrefix(l, []byte("#line ")) {
			system = bytes.HasSuffix(bytes.TrimSpace(l), []byte("\" 3"))
		}
		if !system {
			out = append(out, l...)
		}
	}
	return out
}

// kleesOwn are the modes in which a program may be KLEE's.
var kleesOwn = []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused}

// What a mode adds gives clang nothing to warn about.
func TestNoWarnings(t *testing.T) {
	for _, file := range testPrograms(t) {
		u := load(t, file)
		for _, m := range Modes {
			o := Options{Mode: m}
			if slices.Contains(kleesOwn, m) {
				o.Input = 4
			}
			out, err := Rewrite(u, o)
			if err != nil {
				t.Fatal(err)
			}
			if u.Function("main") != nil && o.Input > 0 && !bytes.Contains(out, []byte("klabel_open_input(4);")) {
				t.Errorf("%s in mode %s: its main gives the input no length", file, m)
			}
			c := filepath.Join(t.TempDir(), "p.c")
			writeFile(t, c, out)
			b, err := exec.Command(clangOf(t).Path, "-Wall", "-Wextra", "-Werror", "-Wno-unused-value",
				"-Wno-unused-parameter", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-parentheses-equality",
				"-fsyntax-only", c).CombinedOutput()
			if err != nil {
				t.Errorf("%s in mode %s: %v\n%s", file, m, err, b)
			}
		}
	}
}

// Without labels the program does what it did; the forms for replays and for
// mode naive only look on.
func TestBehaviour(t *testing.T) {
	for _, file := range []string{"testdata/forms.c", "testdata/names.c"} {
		dir := t.TempDir()
		plain := filepath.Join(dir, "plain")
		defines := []string{}
		for _, n := range csource.LabelNames(nil) {
			defines = append(defines, "-D"+n+"(...)=(void)0")
		}
		if strings.Contains(file, "forms") {
			defines = nil // it defines them itself, in its own way
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(src), "do { } while (0)", "((void)0)")
			text = strings.ReplaceAll(text, "(i = 0, cov_label(i < x, 13, \"CC\")", "(i = 0")
			writeFile(t, filepath.Join(dir, "plain.c"), []byte(text))
			file = filepath.Join(dir, "plain.c")
		}
		compile(t, plain, append(defines, file)...)
		want, code := run(t, plain)
		u := load(t, file)
		for _, m := range []engine.Mode{engine.Ignore, engine.Naive, Replay} {
			out, err := Rewrite(u, Options{Mode: m})
			if err != nil {
				t.Fatal(err)
			}
			c := filepath.Join(dir, string(m)+".c")
			lib := filepath.Join(dir, "lib.c")
			writeFile(t, c, out)
			writeFile(t, lib, []byte("void klabel_hit(int id) { (void)id; }\n"+
				"__attribute__((weak)) int nop(void) { return 0; }\nvoid klabel_nop(void) { }\n"))
			exe := filepath.Join(dir, string(m))
			compile(t, exe, c, lib)
			got, gotCode := run(t, exe)
			if got != want || gotCode != code {
				t.Errorf("%s in mode %s: exit %d, output\n%s\nwant exit %d\n%s", file, m, gotCode, got, code, want)
			}
		}
	}
}

func run(t *testing.T, exe string) (string, int) {
	t.Helper()
	out, err := exec.Command(exe).Output()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		t.Fatal(err)
	}
	code := 0
	if ee != nil {
		if code = ee.ExitCode(); code < 0 {
			t.Fatal(err)
		}
	}
	return string(out), code
}

// The branch-free form of a predicate has the value of the predicate, and no
// branch in the compiled code.
func TestStraightened(t *testing.T) {
	predicates := []string{
		"x && y", "x || y", "!(x && y) || z", "(x && y) != (x || z)", "x > y && y > z || !z", "x & 2 && (y | z) > 1",
		"x && y && z", "(x || y) && (y || z) && !(x && z)", "x == y || (z && x) == y", "p && x", "x ? y : z",
		"(p == 0 || d > 1.5) && -x",
		"((x && (y || z)))", "(_Bool)x && y", "!x || !y", "(x, y) && z",
	}
	var src strings.Builder
	src.WriteString("int r[3][3][3]; char *p; double d;\n")
	for i, pr := range predicates {
		src.WriteString("int plain" + itoa(i) + "(int x, int y, int z) { return !!(" + pr + "); }\n")
		src.WriteString("void f" + itoa(i) + "(int x, int y, int z) { cov_label(" + pr + ", " + itoa(i) + "); }\n")
	}
	src.WriteString("int hits[64];\n")
	dir := t.TempDir()
	c := filepath.Join(dir, "p.c")
	writeFile(t, c, []byte(src.String()))
	u := load(t, c)
	out, err := Rewrite(u, Options{Mode: engine.Fused})
	if err != nil {
		t.Fatal(err)
	}
	for i := range predicates {
		if n := bytes.Count(out, []byte("if (klee_int(\"nondet_"+itoa(i)+"\"))")); n > 0 {
			t.Errorf("%s is not branch-free", predicates[i])
		}
	}
	// The choice is always made and the assertion notes its label.
	text := string(out)
	cut := strings.Index(text, "#define klabel_cover")
	end := cut + strings.Index(text[cut:], "\n")
	text = text[:cut] + "#define klabel_cover(id) (hits[id] = 1)" + text[end:]
	text = strings.Replace(text, "# 1 \"<klabel>\"\n", "extern int hits[64];\n", 1)
	text += "int printf(const char *, ...);\nint main(void) { int x, y, z, bad = 0;\n" +
		"for (x = -1; x < 3; x++) for (y = -1; y < 3; y++) for (z = -1; z < 3; z++) {\n"
	for i, pr := range predicates {
		n := itoa(i)
		text += "p = x ? \"\" : 0; d = y; hits[" + n + "] = 0; f" + n + "(x, y, z); if (hits[" + n + "] != plain" + n +
			"(x, y, z)) { bad = 1; printf(\"%s at %d %d %d\\n\", \"" + pr + "\", x, y, z); }\n"
	}
	text += "}\nreturn bad; }\n"
	writeFile(t, c, []byte(text))
	lib := filepath.Join(dir, "lib.c")
	writeFile(t, lib, []byte("int klee_int(const char *n) { (void)n; return 1; }\n"+
		"void klee_assume(unsigned long c) { (void)c; }\nvoid klee_silent_exit(int s) { (void)s; }\n"+
		"int covered(int i) { (void)i; return 0; }\nvoid pending(int i) { (void)i; }\n"+
		"void klabel_view_copy(unsigned char *p, int a, int n) { (void)p; (void)a; (void)n; }\n"))
	exe := filepath.Join(dir, "p")
	compile(t, exe, c, lib)
	if got, code := run(t, exe); code != 0 {
		t.Errorf("values differ:\n%s", got)
	}
}

func itoa(i int) string { return strconv.Itoa(i) }

func TestUnknownMode(t *testing.T) {
	if _, err := Rewrite(load(t, "testdata/part.c"), Options{Mode: "fast"}); err == nil ||
		!strings.Contains(err.Error(), "fast") {
		t.Errorf("got %v", err)
	}
}

// TestForges: names that claim hits are found however they are spelled, and no others.
func TestForges(t *testing.T) {
	for text, want := range map[string]string{
		`klabel_hit(3);`:        "klabel_hit",
		`x = klabel_wants (1);`: "klabel_wants",
		`klabel_hits(); my_klabel_hit(); klabel_klabel_run(); klabel_label2();`: "",
		`f("klabel_" "hit");`:                                  "",
		`asm("call klabel_" "hit");`:                           "klabel_hit",
		"asm(\"klabel\"\n\t \"_run\");":                        "klabel_run",
		`asm("klabel\137run");`:                                "klabel_run",
		`asm("\x6blabel_label");`:                              "klabel_label",
		`asm("\u006blabel_label");`:                            "klabel_label",
		`asm("nop"); char *s = "\\n\777 \q", *e = ""; g("a");`: "",
	} {
		if got := forges([]byte(text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
