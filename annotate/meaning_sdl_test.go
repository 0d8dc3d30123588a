package annotate

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// state is what the functions of this test assign to.
const state = `
enum up { U0, U1, U2, U3 };
enum down { M2 = -2, M1, Z0, P1 };
struct st {
  signed char c; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul; long long ll; _Bool ok;
  float f, g; double d; enum up e; enum down n; int a[4]; int *p, *q;
  int bi : 3; unsigned bu : 5; _Bool bb : 1; long long bl : 40; unsigned long long bw : 64; enum up be : 3; enum down bn : 3; int bx : 32; unsigned long long bq : 32;
};
extern int calls;
int geti(int); double getd(double);
`

// stateFill makes random states, half of them of small values.
const stateFill = `
static unsigned long seed = 1;
static unsigned rnd(unsigned n) { seed = seed * 6364136223846793005UL + 1442695040888963407UL; return (seed >> 33) % n; }
static long pick(void) { static const long v[] = {0,1,2,3,-1,-2,5,7,8,31,32,63,127,128,255,256,-128,32767,65535,2147483647,-2147483648L,4294967295L,9223372036854775807L,-9223372036854775807L-1}; return v[rnd(rnd(3) ? 6 : sizeof v / sizeof *v)]; }
static void fill(struct st *s) {
  s->c = pick(); s->uc = pick(); s->s = pick(); s->us = pick(); s->i = pick(); s->u = pick(); s->l = pick(); s->ul = pick(); s->ll = pick(); s->ok = pick();
  s->f = (long)rnd(13) / 2.0 - 3; s->g = (long)rnd(9) / 2.0 - 2; s->d = (long)rnd(13) / 2.0 - 3; s->e = rnd(4); s->n = (int)rnd(4) - 2; for (int i = 0; i < 4; i++) s->a[i] = pick(); s->p = pool + rnd(8); s->q = pool + rnd(8);
  s->bi = pick(); s->bu = pick(); s->bb = pick(); s->bl = pick(); s->bw = pick(); s->be = rnd(4); s->bn = (int)rnd(4) - 2; s->bx = pick(); s->bq = pick();
}
`

// kinds of the fields: s and u are integers with and without a sign, b is
// _Bool, f floating and p a pointer into an array of 64.
var stateFields = map[string]string{"c": "s", "uc": "u", "s": "s", "us": "u", "i": "s", "u": "u", "l": "s", "ul": "u",
	"ll": "s", "ok": "b", "f": "f", "g": "f", "d": "f",
	"e": "u", "n": "s", "a[s->bu & 3]": "s", "p": "p", "q": "p", "bi": "s", "bu": "u", "bb": "b", "bl": "s", "bw": "u",
	"be": "u", "bn": "s", "bx": "s", "bq": "u"}

var stateNames = []string{"c", "uc", "s", "us", "i", "u", "l", "ul", "ll", "ok", "f", "g", "d", "e", "n",
	"a[s->bu & 3]", "p", "q", "bi", "bu", "bb", "bl", "bw", "be", "bn", "bx", "bq"}

// deletion writes one random function twice: as it is, and as it is with each
// assignment made, and left out, on a state of its own.
type deletion struct {
	r      *rand.Rand
	fields []string // not yet assigned to
	lhs    []string // by number of the assignment
	ref    strings.Builder
}

// value is an expression to assign to a field of the kind, for the program and
// without side effects for the reference.
func (d *deletion) value(kind string) (text, reference string) {
	if kind == "p" {
		text = []string{"pool", "(pool + 3)", "(calls++, pool + (s->bu & 7))", "&pool[s->ok]"}[d.r.Intn(4)]
		return text, strings.ReplaceAll(text, "calls++", "0")
	}
	g := "s->" + stateNames[d.r.Intn(len(stateNames))]
	if stateFields[g[3:]] == "p" {
		g = "*" + g
	}
	switch d.r.Intn(7) {
	case 0:
		text = []string{"0", "1", "-1", "3", "200", "70000", "5000000000"}[d.r.Intn(7)]
		return text, text
	case 1:
		return "(calls++, " + g + ")", g
	case 2:
		return "geti(" + g + " > 1)", "(int)(" + g + " > 1)"
	case 3:
		return "getd(" + g + " > 1)", "(double)(" + g + " > 1)"
	case 4:
		return "(" + g + " > 2 ? " + g + " : 1)", "(" + g + " > 2 ? " + g + " : 1)"
	}
	return g, g
}

// assign writes an assignment, and its reference. The text has no semicolon.
func (d *deletion) assign(depth int) string {
	f := d.fields[0]
	d.fields = d.fields[1:]
	kind, l := stateFields[f], "s->"+f
	op := ""
	switch {
	case d.r.Intn(2) == 0:
	case kind == "p":
		op = []string{"+", "-"}[d.r.Intn(2)]
	case kind == "f":
		op = intOps[d.r.Intn(4)]
	default:
		op = intOps[d.r.Intn(len(intOps))]
	}
	if depth == 0 && len(d.fields) > 4 && kind != "p" && op == "" && d.r.Intn(4) == 0 {
		if next := d.fields[0]; stateFields[next] != "p" {
			text := d.assign(1) // its value is what the field holds then
			d.store(f, "", "s->"+next)
			return l + " = " + text
		}
	}
	want := kind
	if kind == "p" && op != "" {
		text := []string{"1", "s->bu", "(calls++, s->bb)", "geti(s->e)"}[d.r.Intn(4)]
		d.store(f, op, strings.NewReplacer("calls++", "0", "geti", "").Replace(text))
		return l + " " + op + "= " + text
	}
	text, reference := d.value(want)
	if op != "" && strings.Contains("% & | ^ << >>", op) { // integers only
		text, reference = "(long)"+text, "(long)"+reference
	}
	d.store(f, op, reference)
	return l + " " + op + "= " + text
}

// store is the reference's assignment: nothing is asked of inputs on which it
// is undefined.
func (d *deletion) store(f, op, v string) {
	kind, l := stateFields[f], "s->"+f
	k := len(d.lhs)
	d.lhs = append(d.lhs, f)
	w := &d.ref
	whole := v
	if op != "" {
		whole = l + " " + op + " " + v
	}
	if kind == "p" {
		if op != "" {
			fmt.Fprintf(w, "{ long at = %s - pool %s (long)(%s); if (at < 0 || at > 63) return 0; }\n", l, op, v)
		}
	} else {
		fmt.Fprintf(w, "{ __typeof__(+%s) a = %s; __typeof__(+(%s)) b = %s; (void)a;\n", l, l, v, v)
		// Nothing is converted from floating point that does not fit.
		small := "b > -5 && b < 4"
		if kind == "u" {
			small = "b > -1 && b < 4"
		}
		if op != "" {
			T := "__typeof__(a + b)"
			if op == "<<" || op == ">>" {
				T = "__typeof__(a)"
			}
			fmt.Fprintf(w, "typedef %s T; if (FLOATING(T) ? (%q[0] == '/' && b == 0) : !(%s)) return 0;\n", T, op,
				"DEFINED_"+opNames[op])
			small = strings.ReplaceAll(small, "b ", "("+whole+") ")
		} else {
			w.WriteString("typedef __typeof__(b) T;\n")
		}
		if kind != "b" && kind != "f" {
			fmt.Fprintf(w, "if (FLOATING(T) && !(%s)) return 0;\n", small)
		}
		w.WriteString("}\n")
	}
	fmt.Fprintf(w, "{ struct st with = *s; with.%s = %s; if (differ(s, &with)) want[%d] = 1; *s = with; }\n", f, whole,
		k)
	if kind == "f" {
		fmt.Fprintf(w, "if (%s > 1e12 || %s < -1e12) return 0;\n", l, l)
	}
}

var opNames = map[string]string{"+": "ADD", "-": "SUB", "*": "MUL", "/": "DIV", "%": "MOD", "&": "AND", "|": "OR",
	"^": "XOR", "<<": "SHL", ">>": "SHR"}

// function is the body: up to 6 assignments, some of them under a condition, in
// a loop, or as a condition.
func (d *deletion) function() string {
	var b strings.Builder
	for range 2 + d.r.Intn(5) {
		g := []string{"s->ok", "s->bb", "s->e == U1", "s->n < 0"}[d.r.Intn(4)]
		switch d.r.Intn(5) {
		case 0:
			d.ref.WriteString("if (" + g + ") {\n")
			b.WriteString("if (" + g + ") " + d.assign(0) + "; ")
			d.ref.WriteString("}\n")
		case 1:
			d.ref.WriteString("for (int j = 0; j < 2; j++) {\n")
			b.WriteString("for (int j = 0; j < 2; j++) " + d.assign(0) + "; ")
			d.ref.WriteString("}\n")
		case 2:
			b.WriteString("if (" + d.assign(0) + ") calls++; ")
		default:
			b.WriteString(d.assign(0) + "; ")
		}
	}
	return b.String()
}

// TestDeletionsMeanWhatTheySay makes each assignment of random functions, and
// leaves it out, on the same state: the label is covered exactly where the
// states differ.
func TestDeletionsMeanWhatTheySay(t *testing.T) {
	dir := t.TempDir()
	n := 120
	if testing.Short() {
		n = 20
	}
	r := newRand(5)
	var src, ref, calls strings.Builder
	src.WriteString(state + "extern int pool[64];\n")
	ref.WriteString(reference + state + "int pool[64], calls;\n" +
		"int geti(int x) { return x; } double getd(double x) { return x; }\n" +
		"#define FLOATING(T) ((T)0.5 != 0 && (T)0.5 != 1)\n")
	for op, name := range opNames {
		fmt.Fprintf(&ref, "#define DEFINED_%s (%s)\n", name, defined(op, false))
	}
	ref.WriteString("static int differ(const struct st *x, const struct st *y) { return 0")
	for _, f := range stateNames {
		if f[0] == 'a' {
			ref.WriteString(" || x->a[0] != y->a[0] || x->a[1] != y->a[1] || x->a[2] != y->a[2] || x->a[3] != y->a[3]")
		} else {
			fmt.Fprintf(&ref, " || x->%s != y->%s", f, f)
		}
	}
	ref.WriteString("; }\n")
	var made []*deletion
	for i := range n {
		d := &deletion{r: r, fields: append([]string{}, stateNames...)}
		r.Shuffle(len(d.fields), func(i, j int) { d.fields[i], d.fields[j] = d.fields[j], d.fields[i] })
		made = append(made, d)
		fmt.Fprintf(&src, "void f%d(struct st *s) { %s}\n", i, d.function())
		fmt.Fprintf(&ref, "void f%d(struct st *); static int r%d(struct st *s, unsigned char *want) {\n%sreturn 1; }\n",
			i, i, d.ref.String())
	}
	file := write(t, filepath.Join(dir, "s.c"), src.String())
	l := labelFile(t, file, Options{Criteria: []string{"SDL"}})
	ids := map[string]map[string]int{}
	left := regexp.MustCompile(`^(?:\*\(const unsigned char \*\)&)?\(s->(.*?)\) != `)
	for _, x := range l.Labels {
		m := left.FindStringSubmatch(x.Predicate)
		if m == nil || ids[x.Function][m[1]] != 0 {
			t.Fatalf("%s: unexpected label %s", x.Function, x.Predicate)
		}
		if ids[x.Function] == nil {
			ids[x.Function] = map[string]int{}
		}
		ids[x.Function][m[1]] = int(x.ID)
	}
	assignments := 0
	for i, d := range made {
		name := fmt.Sprintf("f%d", i)
		if len(ids[name]) != len(d.lhs) {
			t.Fatalf("%s: %d labels, %d assignments %v", name, len(ids[name]), len(d.lhs), d.lhs)
		}
		fmt.Fprintf(&calls, "{ static const int ids[] = {")
		for _, f := range d.lhs {
			if ids[name][f] == 0 {
				t.Fatalf("%s: no label for s->%s", name, f)
			}
			fmt.Fprintf(&calls, "%d,", ids[name][f])
			assignments++
		}
		fmt.Fprintf(&calls, "}; bad += one(\"%s\", f%d, r%d, ids, %d); }\n", name, i, i, len(d.lhs))
	}
	ref.WriteString(stateFill)
	fmt.Fprintf(&ref, `#include <string.h>
static long covered, used, fitting;
static int one(const char *name, void (*f)(struct st *), int (*r)(struct st *, unsigned char *), const int *ids, int n) {
  int bad = 0, fit = 0;
  for (int i = 0; i < 3000 && fit < 300; i++) {
    struct st in, x, y; unsigned char want[50] = {0};
    fill(&in); x = y = in;
    if (!r(&x, want)) continue;
    fit++; used++;
    memset(hit, 0, %d);
    f(&y);
    if (differ(&x, &y)) { printf("%%s: input %%d: the labelled function does something else\n", name, i); bad++; }
    for (int k = 0; k < n; k++) { bad += expect(ids[k], want[k], name, i, k); covered += want[k]; }
    if (bad > 5) return bad;
  }
  fitting += fit > 20;
  return bad;
}
int main(void) { int bad = 0;
%sprintf("%%ld functions on %%ld inputs, %%ld questions, %%ld of them covered\n", fitting, used, asked, covered);
return bad != 0 || fitting < %d; }
`, len(l.Labels)+1, calls.String(), n*8/10)
	t.Logf("%d assignments: %s", assignments, strings.TrimSpace(runHits(t, dir, l, ref.String(), "-O1")))
}
