package annotate

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"klabel/label"
)

// build compiles and links C texts, each with its own flags, and returns the
// program's path.
func build(t testing.TB, dir, name string, parts map[string][]string, link ...string) string {
	t.Helper()
	cc := clang(t).Path
	exe := filepath.Join(dir, name)
	args := append([]string{"-o", exe}, link...)
	for file, flags := range parts {
		obj := filepath.Join(dir, filepath.Base(file)+".o")
		run(t, dir, append([]string{cc, "-w", "-c", file, "-o", obj}, flags...)...)
		args = append(args, obj)
	}
	run(t, dir, append([]string{cc}, append(args, "-lm")...)...)
	return exe
}

func run(t testing.TB, dir string, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		text := out.String()
		if len(text) > 3000 {
			text = text[:1500] + "\n...\n" + text[len(text)-1500:]
		}
		t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, text)
	}
	return out.String()
}

func write(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// reference is what the test itself says about C arithmetic. It is compiled
// with -fwrapv, so that signed overflow wraps; T is the operation's type.
const reference = `
#include <stdio.h>
typedef __int128 W;
#define SIGNED(T) ((T)-1 < (T)0)
#define NEG(T, x) ((T)(0 - (T)(x)))
#define DIV(T, a, b) (SIGNED(T) && (W)(T)(b) == -1 ? NEG(T, a) : (T)((T)(a) / (T)(b)))
#define MOD(T, a, b) (SIGNED(T) && (W)(T)(b) == -1 ? (T)0 : (T)((T)(a) % (T)(b)))
#define BITS(T) ((W)(8 * sizeof(T)))
#define FITS(T, w) ((W)(T)(w) == (w))
extern unsigned char hit[];
static long inputs, asked;
static int expect(int id, int want, const char *what, double a, double b) {
  asked++;
  if (!!hit[id] == !!want) return 0;
  printf("label %d, %s, a = %.0f, b = %.0f: hit %d, want %d\n", id, what, a, b, hit[id], want);
  return 1;
}
`

var intOps = []string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"}
var relOps = []string{"<", "<=", ">", ">=", "==", "!="}

// mutated is C for `a op b` without undefined behaviour, and when it has a
// value; T is the operation's type.
func mutated(op, a, b string, float bool) (expr, valid string) {
	switch {
	case float:
		if op == "/" {
			return a + " / " + b, "(" + b + ") != 0"
		}
		return a + " " + op + " " + b, "1"
	case op == "/":
		return "DIV(T," + a + "," + b + ")", "(" + b + ") != 0"
	case op == "%":
		return "MOD(T," + a + "," + b + ")", "(" + b + ") != 0"
	case op == "<<" || op == ">>":
		return "(T)(" + a + ") " + op + " " + b, "(" + b + ") >= 0 && (W)(" + b + ") < BITS(T)"
	}
	return "(T)(" + a + ") " + op + " (T)(" + b + ")", "1"
}

// defined is C for: the original operation is defined.
func defined(op string, float bool) string {
	switch {
	case float:
		if op == "/" {
			return "b != 0"
		}
		return "1"
	case op == "/" || op == "%":
		return "b != 0 && !(SIGNED(T) && (W)(T)b == -1 && (W)(T)a == -((W)1 << (BITS(T) - 1)))"
	case op == "<<":
		return "b >= 0 && (W)b < BITS(T) && (!SIGNED(T) || ((W)a >= 0 && FITS(T, (W)a << (int)b)))"
	case op == ">>":
		return "b >= 0 && (W)b < BITS(T)"
	case op == "+" || op == "-" || op == "*":
		return "!SIGNED(T) || FITS(T, (W)(T)a " + op + " (W)(T)b)"
	}
	return "1"
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// operand is a side of an operation: its text, and what a test says of its type.
type operand struct {
	text          string
	signed, float bool
	inner         bool // has operations of its own, which the test looks away from
	pointer       bool
}

// mutants lists what WM-AOR, WM-ROR, WM-ABS and WM-UOI should ask of `a op b`.
// With stored, the macro STORED makes of a value what is compared, and STORABLE
// says whether that is defined.
func mutants(op string, l, r operand, stored bool) map[string][]string {
	out := map[string][]string{}
	float, what := l.float || r.float, ""
	if stored {
		what = "STORED"
	}
	differ := func(expr, valid string) string {
		if stored {
			valid = fmt.Sprintf("(%s) && STORABLE(%s)", valid, expr)
		}
		return fmt.Sprintf("(%s) && %s(a %s b) != %s(%s)", valid, what, op, what, expr)
	}
	rel := contains(relOps, op)
	apply := func(op, a, b string) (string, string) {
		if rel {
			return a + " " + op + " " + b, "1"
		}
		return mutated(op, a, b, float)
	}
	groups, tag := [][]string{{"+", "-", "*", "/", "%"}, {"&", "|", "^"}, {"<<", ">>"}}, "WM AOR"
	if rel {
		groups, tag = [][]string{relOps}, "WM ROR"
	}
	for _, g := range groups {
		for _, o := range g {
			if contains(g, op) && o != op && !(float && o == "%") && !(l.pointer && o != "==" && o != "!=") {
				out[tag] = append(out[tag], differ(apply(o, "a", "b")))
			}
		}
	}
	if l.pointer {
		return out
	}
	for i, x := range []string{"a", "b"} {
		side := []operand{l, r}[i]
		if side.signed && !side.inner {
			out["WM ABS"] = append(out["WM ABS"], x+" < 0")
		}
		p := "__typeof__(+" + x + ")"
		for _, m := range []string{"-", "~", "!", "+1", "-1"} {
			if side.float && m == "~" {
				continue
			}
			e := fmt.Sprintf("((%s)(%s%s))", p, m, x)
			if len(m) == 2 {
				e = fmt.Sprintf("((%s)(%s%s))", p, x, m)
			}
			ab := []string{"a", "b"}
			ab[i] = e
			out["WM UOI"] = append(out["WM UOI"], differ(apply(op, ab[0], ab[1])))
		}
	}
	return out
}

// TestMutantsMeanWhatTheySay runs every operation on limits and small numbers
// and checks that a label is covered exactly by the inputs on which original
// and mutant differ. UndefinedBehaviorSanitizer watches that labels fail
// nowhere that the program does not.
func TestMutantsMeanWhatTheySay(t *testing.T) {
	dir := t.TempDir()
	pairs := [][2]string{{"int", "int"}, {"unsigned", "int"}, {"signed char", "short"},
		{"unsigned char", "unsigned char"},
		{"long", "int"}, {"int", "unsigned long"}, {"_Bool", "int"}, {"double", "int"}, {"long long", "long long"}}
	if testing.Short() {
		pairs = pairs[:3]
	}
	var src, ref strings.Builder
	ref.WriteString(reference)
	var calls strings.Builder
	type fn struct {
		name, t1, t2, op string
		float            bool
	}
	var fns []fn
	for _, p := range pairs {
		float := p[0] == "double"
		ops := append(append([]string{}, intOps...), relOps...)
		if float {
			ops = append([]string{"+", "-", "*", "/"}, relOps...)
		}
		for _, op := range ops {
			f := fn{fmt.Sprintf("f%d", len(fns)), p[0], p[1], op, float}
			fns = append(fns, f)
			fmt.Fprintf(&src, "void %s(%s a, %s b) { volatile __typeof__(a %s b) x = a %s b; }\n", f.name, f.t1, f.t2,
				op, op)
		}
	}
	file := write(t, filepath.Join(dir, "ops.c"), src.String())
	l := labelFile(t, file, Options{Criteria: []string{"AOR,ROR,ABS,UOI"}})
	byFunc := map[string]map[string][]label.Label{}
	for _, x := range l.Labels {
		if byFunc[x.Function] == nil {
			byFunc[x.Function] = map[string][]label.Label{}
		}
		for _, tag := range x.Tags {
			byFunc[x.Function][tag] = append(byFunc[x.Function][tag], x)
		}
	}
	for _, f := range fns {
		side := func(t string) operand {
			return operand{signed: !strings.HasPrefix(t, "unsigned") && t != "_Bool", float: t == "double"}
		}
		want := mutants(f.op, side(f.t1), side(f.t2), false)
		fmt.Fprintf(&ref, "void %s(%s, %s);\nstatic int check_%s(%s a, %s b) { int bad = 0;\n", f.name, f.t1, f.t2,
			f.name, f.t1, f.t2)
		T := "__typeof__(a + b)"
		if f.op == "<<" || f.op == ">>" {
			T = "__typeof__(+a)"
		}
		if f.float {
			T = "double"
		}
		fmt.Fprintf(&ref, "typedef %s T;\nif (!(%s)) return 0;\n%s(a, b);\n", T, defined(f.op, f.float), f.name)
		total := 0
		for tag, preds := range want {
			got := byFunc[f.name][tag]
			total += len(got)
			if len(got) != len(preds) {
				t.Fatalf("%s %s %s: %d labels of %s, want %d", f.t1, f.op, f.t2, len(got), tag, len(preds))
			}
			for i, p := range preds {
				fmt.Fprintf(&ref, "bad += expect(%d, %s, %q, a, b);\n", got[i].ID, p,
					fmt.Sprintf("%s %s %s: %s: %s", f.t1, f.op, f.t2, tag, p))
			}
		}
		for tag := range byFunc[f.name] {
			if want[tag] == nil {
				t.Errorf("%s %s %s: unexpected labels %s", f.t1, f.op, f.t2, tag)
			}
		}
		ref.WriteString("inputs++; return bad; }\n")
		fmt.Fprintf(&calls, "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { __builtin_memset(hit, 0, "+
			"count); bad += check_%s((%s)in[i], (%s)in[j]); if (bad > 20) return 1; }\n", f.name, f.t1, f.t2)
	}
	fmt.Fprintf(&ref, "int main(void) { int bad = 0, count = %d; static const long in[] = "+
		"{0,1,2,3,-1,-2,-3,5,7,8,31,32,33,63,64,100,127,128,-128,255,256,32767,-32768,65535,"+
		"2147483647,-2147483648L,2147483648L,4294967295L,"+
		"9223372036854775807L,-9223372036854775807L-1,-9223372036854775807L}; "+
		"int n = sizeof in / sizeof *in;\n%sprintf(\"%%ld inputs %%ld questions\\n\", "+
		"inputs, asked); return bad != 0; }\n",
		len(l.Labels)+2, calls.String())
	labelled := write(t, filepath.Join(dir, "labelled.c"), string(l.Text))
	hits := write(t, filepath.Join(dir, "hit.h"), fmt.Sprintf(
		"extern unsigned char hit[%d];\n#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n",
		len(l.Labels)+2))
	write(t, filepath.Join(dir, "hits.c"), fmt.Sprintf("unsigned char hit[%d];\n", len(l.Labels)+2))
	exe := build(t, dir, "mutants", map[string][]string{
		labelled:                     {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-include", hits},
		filepath.Join(dir, "hits.c"): {},
		write(t, filepath.Join(dir, "ref.c"), ref.String()): {"-O0", "-fwrapv"},
	}, "-fsanitize=undefined")
	t.Log(strings.TrimSpace(run(t, dir, exe)))
}

// TestDecisionsMeanWhatTheySay compiles random decisions with the labels of all
// logic criteria, runs them on all inputs and compares the hits with the
// labels' predicates. Atoms of every sort occur: plain, with side effects,
// and such that fail where the decision does not evaluate them.
func TestDecisionsMeanWhatTheySay(t *testing.T) {
	dir := t.TempDir()
	var src, main strings.Builder
	src.WriteString("int calls; int eff(int x) { calls++; return x; }\n")
	n := 60
	if testing.Short() {
		n = 15
	}
	r := newRand(7)
	for i := range n {
		atoms := []string{"a", "b", "c", "d"}[:2+r.Intn(3)]
		var decide func(xs []string) string
		decide = func(xs []string) string {
			if len(xs) == 1 {
				switch r.Intn(5) {
				case 0:
					return "eff(" + xs[0] + ")"
				case 1:
					return "!" + xs[0]
				case 2:
					return xs[0] + " > 0"
				}
				return xs[0]
			}
			k := 1 + r.Intn(len(xs)-1)
			return "(" + decide(xs[:k]) + []string{" && ", " || "}[r.Intn(2)] + decide(xs[k:]) + ")"
		}
		d := decide(atoms)
		if r.Intn(3) == 0 {
			d = "(p && *p && " + d + ")"
		}
		fmt.Fprintf(&src, "int f%d(int a, int b, int c, int d, int *p) { if %s return 1; return 0; }\n", i, d)
		fmt.Fprintf(&main, "sum = sum * 31 + f%d(a, b, c, d, p) + 3 * calls;\n", i)
	}
	src.WriteString("int printf(const char *, ...);\nint main(void) { unsigned sum = 0; for (int m = 0; m < 64; m++) " +
		"{ int a = m & 1, b = m >> 1 & 1, c = m >> 2 & 1, d = m >> 3 & 1, x = m >> 4 & 1, *p = m >> 5 ? &x : 0;\n" +
		main.String() + "}\nprintf(\"%u %d\\n\", sum, calls); return 0; }\n")
	file := write(t, filepath.Join(dir, "d.c"), src.String())
	want := run(t, dir, build(t, dir, "plain", map[string][]string{file: {"-O0"}}))
	l := labelFile(t, file, Options{Criteria: []string{"DC,CC,MCC,2-CC,GACC,GICC,IC,UTPC,WM-COR"},
		SkipFunctions: []string{"main"}})
	labelled := write(t, filepath.Join(dir, "labelled.c"), string(l.Text))
	head := write(t, filepath.Join(dir, "hit.h"), "extern unsigned char hit[];\n"+
		"#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n")
	report := write(t, filepath.Join(dir, "hits.c"), fmt.Sprintf(
		"#include <stdio.h>\nunsigned char hit[%d];\n__attribute__((destructor)) static void show(void) { for (int i "+
			"= 0; i < %d; i++) fprintf(stderr, \"%%d\", hit[i]); fprintf(stderr, \"\\n\"); }\n", len(l.Labels)+2,
		len(l.Labels)+2))
	exe := build(t, dir, "labelled", map[string][]string{labelled: {"-O0", "-fsanitize=undefined,address",
		"-fno-sanitize-recover=all", "-include", head}, report: {}}, "-fsanitize=undefined,address")
	lines := strings.Split(strings.TrimSpace(run(t, dir, exe)), "\n")
	got, hits := "", ""
	for _, s := range lines {
		if len(s) > len(l.Labels) {
			hits = s
		} else {
			got += s + "\n"
		}
	}
	if got != want {
		t.Errorf("the labelled program prints %q, the original %q", got, want)
	}
	// All inputs were run: what stays uncovered and is not marked infeasible
	// would be a predicate that cannot be satisfied by atoms alone.
	covered := 0
	for _, x := range l.Labels {
		if hits[x.ID] == '1' {
			covered++
			if l.Reasons[x.ID] != "" {
				t.Errorf("%s: %q is covered but marked infeasible", x.Position, x.Predicate)
			}
		}
	}
	if covered*10 < len(l.Labels)*5 {
		t.Errorf("only %d of %d labels are covered by all inputs", covered, len(l.Labels))
	}
	t.Logf("%d of %d labels covered, %d infeasible", covered, len(l.Labels), len(l.Reasons))
}
