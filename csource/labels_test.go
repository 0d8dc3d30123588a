package csource

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestLabelForms(t *testing.T) {
	u := mustLoad(t, `#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif
#define pc_label(c, id, ...) do { if (c) hit(id); } while (0) /* no guard */
void hit(int);
enum { NINE = 9 };
#define BOTH(p, i) cov_label(p, i, "CC"); cov_label(!(p), i + 1, "CC")
int f(int x, const char *s)
{
    cov_label(x > 1, 1, "WM " "ROR");
    pc_label(s[0] == ')' || s[1] == '"', 2);
    own(x, 3u, "X", 1, 2);
    BOTH(x < 5, 4);
    if (x) cov_label(1, NINE); else pc_label(0, 10, "");
    x = (cov_label(x == 2, 11, "IN"), x);
    pc_label_bindings(x > 3, 12, "CACC", 1, 2, "a", x);
    pc_label_sequence(x, 13, 1, 2, "s", 0);
    return x;
}
`, func(o *Options) { o.LabelMacros = []string{"own"} })
	ls, err := u.Labels()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range ls {
		got = append(got, fmt.Sprintf("%d %q %d:%s %s statement=%v body=%v in %s", l.ID, l.Tags, l.Position.Line,
			l.Position.Macro, l.Predicate, l.Statement, l.Body, l.Function))
	}
	want := `1 ["WM ROR"] 10: x > 1 statement=true body=false in f
2 [] 11: s[0] == ')' || s[1] == '"' statement=true body=false in f
3 ["X"] 12: x statement=true body=false in f
4 ["CC"] 13:BOTH x < 5 statement=true body=false in f
5 ["CC"] 13:BOTH !(x < 5) statement=true body=false in f
9 [] 14: 1 statement=true body=true in f
10 [] 14: 0 statement=true body=true in f
11 ["IN"] 15: x == 2 statement=false body=false in f
12 ["CACC"] 16: x > 3 statement=true body=false in f`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("labels are\n%s\nwant\n%s", s, want)
	}
	if b := ls[len(ls)-1].Bound; len(b) != 1 || b[0].Name != "a" {
		t.Errorf("bound: %v", b)
	}
	if q := u.Sequences(); len(q) != 1 || q[0].ID != 13 || q[0].Member != 1 || q[0].Length != 2 || q[0].Name != "s" {
		t.Errorf("sequences: %+v", q)
	}
	if f := u.LabelFunctions(); f != nil {
		t.Errorf("declared as functions: %v", f)
	}
	u = mustLoad(t, `extern void pc_label(int, int, const char *);
int f(int x) { pc_label(x, 1, ""); cov_label(x, 2, ""); return x; }
`)
	if f := strings.Join(u.LabelFunctions(), " "); f != "pc_label" {
		t.Errorf("declared as functions: %v", f)
	}
	if f := strings.Join(u.LabelMacros(), " "); f != "cov_label pc_label" {
		t.Errorf("mentioned: %v", f)
	}
}

// Each problem is expected at the line that ends in a comment with its text.
func TestLabelProblems(t *testing.T) {
	for _, text := range []string{`
static int count;
int bump(void) { return ++count; }
int square(int x) { int y = x; y *= x; return y; }
int strlen_like(const char *);
#define TWICE(p) do { cov_label(p, 30); } while (0)
int f(int x, volatile int *v)
{
    cov_label(x++ > 1, 1, "A"); // side effect
    cov_label(square(x) > 1, 2);
    cov_label(bump(), 3); // side effect
    cov_label(x = 2, 4); // side effect
    cov_label(({ int t = x; t += 1; t; }), 5);
    cov_label(x, 2); // label 2 is already at
    cov_label(x, "6"); // not a number
    cov_label(x, -1); // not in 0..
    cov_label(x, x); // not a number
    cov_label(x); // needs a predicate and an ID
    cov_label(({ static int s; s++; s; }), 7); // side effect
    cov_label(sizeof(x++) > 2, 8);
    TWICE(x);
    TWICE(!x); // label 30 is already at
    return 0;
}
`, `
int f(int x)
{
    cov_label(x, ONE); // not a number
    cov_label(x, 1);
    cov_label(x, TWO); // not a number
    return 0;
}
`} {
		expect := map[int]string{}
		re := regexp.MustCompile(`// (.*)$`)
		for i, l := range strings.Split(text, "\n") {
			if m := re.FindStringSubmatch(l); m != nil {
				expect[i+1] = m[1]
			}
		}
		u, err := load(t, text)
		if err == nil {
			_, err = u.Labels()
		}
		var le *LabelError
		if !errors.As(err, &le) || !errors.Is(err, ErrLabels) {
			t.Fatalf("got %v, want a LabelError", err)
		}
		for _, p := range le.Problems {
			want, ok := expect[p.Position.Line]
			if !ok || !strings.Contains(p.Message, want) || filepath.Base(p.Position.File) != "f.c" {
				t.Errorf("unexpected: %v", p)
			}
			delete(expect, p.Position.Line)
		}
		for line, want := range expect {
			t.Errorf("line %d: no message with %q", line, want)
		}
	}
}

func TestAllLabels(t *testing.T) {
	a := mustLoad(t, "void f(int x) { cov_label(x, 1); }\n")
	b := mustLoad(t, "void g(int x) { cov_label(x, 2); }\n")
	c := mustLoad(t, "void h(int x) { cov_label(!x, 1); }\n")
	if ls, err := AllLabels(a, b); err != nil || len(ls) != 2 {
		t.Errorf("got %v, %v", ls, err)
	}
	if _, err := AllLabels(a, b, c); err == nil || !strings.Contains(err.Error(), "label 1 is already at") {
		t.Errorf("got %v", err)
	}
}

func FuzzScanLabels(f *testing.F) {
	for _, s := range []string{
		`cov_label(a, 1, "x");`, `cov_label(f(a, b)[1], 2`, `pc_label('"', 3, ")(");`, "cov_label(\n#line 3\na,\\\n 1)",
		`cov_label(cov_label(x,2),1)`, `"cov_label(x,1)"`, `/*cov_label(*/ //`, `x.cov_label (,)`, "cov_label(a]",
		`L'\'' u8"\"" 1e+5.x`,
	} {
		f.Add(s)
	}
	names := LabelNames(nil)
	f.Fuzz(func(t *testing.T, s string) {
		text := []byte(s)
		for _, c := range ScanLabels(text, names) {
			if c.Call.Start < 0 || c.Call.End > len(text) || text[c.Call.End-1] != ')' ||
				!strings.HasPrefix(s[c.Call.Start:], c.Macro) {
				t.Fatalf("call %+v of %q", c, s)
			}
			end := c.Call.Start
			for _, a := range c.Args {
				if a.Start < end || a.End < a.Start || a.End > c.Call.End {
					t.Fatalf("argument %+v of %+v in %q", a, c, s)
				}
				end = a.End
			}
			// Joining the arguments again gives a call with the same arguments.
			var args []string
			empty := false
			for _, a := range c.Args {
				empty = empty || a.Start == a.End
				args = append(args, NormalizeSpace(text[a.Start:a.End]))
			}
			again := ScanLabels([]byte(c.Macro+"("+strings.Join(args, ", ")+")"), names)
			if len(c.Args) > 0 && !empty && !strings.ContainsAny(s, "#\n\\\"'") &&
				(len(again) == 0 || len(again[0].Args) != len(c.Args)) {
				t.Fatalf("%q: %d arguments, then %+v", s, len(c.Args), again)
			}
		}
	})
}
