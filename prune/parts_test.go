package prune

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"klabel/csource"
	"klabel/label"
	"klabel/toolchain"
)

func parse(t *testing.T, text string) (*program, *csource.Unit, *toolchain.Tools) {
	t.Helper()
	x, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if x.Clang == nil {
		t.Skip("no clang")
	}
	u, err := csource.Parse(context.Background(), "t.c", []byte(text), csource.Options{Clang: x.Clang})
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProgram(&Options{Units: []*csource.Unit{u}})
	if err != nil {
		t.Fatal(err)
	}
	return p, u, x
}

// The example of figure 3 of the LClean paper, and what it does not show.
func TestCoReachedGroups(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"figure 3": {`void exit(int); void calledOnce(void) { cov_label(1, 1, "x"); }
			int main(void) { int i = 0; cov_label(1, 2, "x");
			if (i > 0) { cov_label(1, 3, "x"); if (i == 5) i++; cov_label(1, 4, "x"); calledOnce(); if (i == 7) exit(0); cov_label(1, 5, "x"); i++; cov_label(1, 6, "x"); }
			else { cov_label(1, 7, "x"); } return i; }`, "[3 4 1] [5 6]"},
		"called twice":         {`void f(void) { cov_label(1, 1, "x"); } int main(void) { cov_label(1, 2, "x"); f(); f(); cov_label(1, 3, "x"); return 0; }`, "[2 3]"},
		"called in a loop":     {`void f(void) { cov_label(1, 1, "x"); } int main(void) { int i; cov_label(1, 2, "x"); for (i = 0; i < 3; i++) f(); cov_label(1, 3, "x"); return 0; }`, "[2 3]"},
		"recursive":            {`void f(int n) { cov_label(1, 1, "x"); if (n) f(n - 1); cov_label(1, 2, "x"); } int main(void) { cov_label(1, 3, "x"); f(3); return 0; }`, "[1 2]"},
		"return in the middle": {`void f(int n) { cov_label(1, 1, "x"); if (n) return; cov_label(1, 2, "x"); } int main(void) { cov_label(1, 3, "x"); f(3); cov_label(1, 4, "x"); return 0; }`, "[3 1 4]"},
		"break leaves":         {`int main(void) { int i = 0; while (1) { cov_label(1, 1, "x"); if (i++) break; cov_label(1, 2, "x"); } cov_label(1, 3, "x"); return 0; }`, ""},
		"inner break stays":    {`int main(void) { int i = 0; cov_label(1, 1, "x"); while (1) { if (i++) break; } cov_label(1, 2, "x"); return 0; }`, "[1 2]"},
		"return in a loop":     {`int main(void) { int i = 0; cov_label(1, 1, "x"); while (i < 9) { if (i++) return 1; } cov_label(1, 2, "x"); return 0; }`, ""},
		"goto target":          {`int main(void) { int i = 0; cov_label(1, 1, "x"); again: cov_label(1, 2, "x"); cov_label(1, 3, "x"); if (i++ < 3) goto again; cov_label(1, 4, "x"); return 0; }`, "[2 3]"},
		"cases":                {`int main(void) { int i = 0; cov_label(1, 1, "x"); switch (i) { case 1: cov_label(1, 2, "x"); case 2: cov_label(1, 3, "x"); cov_label(1, 4, "x"); break; } cov_label(1, 5, "x"); return 0; }`, "[3 4] [1 5]"},
		"continue in switch":   {`int main(void) { int i; for (i = 0; i < 3; i++) { cov_label(1, 1, "x"); switch (i) { case 1: continue; } cov_label(1, 2, "x"); } return 0; }`, ""},
		"break in switch":      {`int main(void) { int i; for (i = 0; i < 3; i++) { cov_label(1, 1, "x"); switch (i) { case 1: break; } cov_label(1, 2, "x"); } return 0; }`, "[1 2]"},
		"case in an if":        {`int main(void) { int i = 2; switch (i) { case 1: cov_label(1, 1, "x"); if (i) { case 2: i = 3; } cov_label(1, 2, "x"); } return 0; }`, ""},
		"case in a loop":       {`int main(void) { int i = 2; switch (i) { case 1: cov_label(1, 1, "x"); while (i++ < 9) { case 2: i++; } cov_label(1, 2, "x"); } return 0; }`, ""},
		"short circuit":        {`int main(void) { int i = 0; if (({ cov_label(1, 1, "x"); i; }) && ({ cov_label(1, 2, "x"); cov_label(1, 3, "x"); i; })) i = 1; cov_label(1, 4, "x"); return 0; }`, "[2 3] [1 4]"},
		"unknown call":         {`void other(void); int main(void) { cov_label(1, 1, "x"); other(); cov_label(1, 2, "x"); return 0; }`, ""},
		"known call":           {`int putchar(int); int main(void) { cov_label(1, 1, "x"); putchar('a'); cov_label(1, 2, "x"); return 0; }`, "[1 2]"},
		"abnormal end":         {`void abort(void); int main(void) { int i = 0; cov_label(1, 1, "x"); if (i) abort(); cov_label(1, 2, "x"); return 0; }`, "[1 2]"},
		"function pointer":     {`void exit(int); void f(void) { exit(0); } int main(void) { void (*p)(void) = f; cov_label(1, 1, "x"); p(); cov_label(1, 2, "x"); return 0; }`, ""},
		"loop condition":       {`int main(void) { int i = 0; cov_label(1, 1, "x"); while (({ cov_label(1, 2, "x"); i++ < 3; })) { cov_label(1, 3, "x"); } cov_label(1, 4, "x"); return 0; }`, "[1 4]"},
	} {
		p, _, _ := parse(t, c.text)
		var got []string
		for _, g := range p.groups {
			got = append(got, fmt.Sprint(ids(g)))
		}
		want := strings.Split(c.want, "] [")
		if slices.Sort(got); c.want == "" && len(got) > 0 || c.want != "" && len(got) != len(want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
			continue
		}
		for _, g := range got {
			if !strings.Contains(c.want, g) {
				t.Errorf("%s: got %v, want %v", name, got, c.want)
			}
		}
	}
}

func TestWhatMakesMethodsStandBack(t *testing.T) {
	for name, c := range map[string]struct{ text, eva, wp string }{
		"plain":     {`int main(void) { int x = 1; cov_label(x, 1, "x"); return 0; }`, "", ""},
		"assembly":  {`int main(void) { __asm__("nop"); cov_label(1, 1, "x"); return 0; }`, "inline assembly", "inline assembly"},
		"recursion": {`int main(void) { cov_label(1, 1, "x"); return main(); }`, "recursive", ""},
		"unknown":   {`int what(void); int main(void) { int x = what(); cov_label(x, 1, "x"); return 0; }`, "nothing is known of what", "nothing is known"},
		"floats":    {`int main(void) { double d = 1; cov_label(d > 0, 1, "x"); return 0; }`, "", "floating point"},
		"objects":   {`int a, b; int main(void) { int *p = &a, *q = &b; cov_label(p == q, 1, "x"); return 0; }`, "", "where objects stand"},
		"elsewhere": {`int a, b; int same(int *p, int *q) { return p == q; }
			int main(void) { int x = same(&a, &b); cov_label(x, 1, "x"); return 0; }`, "", ""},
		"punning": {`int main(void) { int x = 1; short *s = (short *)&x; *s = 2; cov_label(x, 1, "x"); return 0; }`, "", "several types"},
	} {
		p, _, _ := parse(t, c.text)
		if got := p.evaStandsBack(); (got == "") != (c.eva == "") || !strings.Contains(got, c.eva) {
			t.Errorf("%s: eva: %q, want %q", name, got, c.eva)
		}
		if got := p.wpStandsBack(p.funcs["main"]); (got == "") != (c.wp == "") || !strings.Contains(got, c.wp) {
			t.Errorf("%s: wp: %q, want %q", name, got, c.wp)
		}
	}
}

func TestLayoutOfTypes(t *testing.T) {
	w := &irWriter{types: map[string]string{"%struct.s": "{ i8, i32, [3 x i16] }", "%struct.p": "<{ i8, i32 }>",
		"%struct.o": "opaque"}}
	for typ, want := range map[string]int64{"i1": 1, "i8": 1, "i32": 4, "i64": 8, "i128": 16, "i8*": 8, "ptr": 8,
		"float": 4, "double": 8, "x86_fp80": 16,
		"[4 x i32]": 16, "[2 x [3 x i8]]": 6, "%struct.s": 16, "%struct.p": 5, "[2 x %struct.s]": 32, "%struct.s*": 8,
		"{ i8, i64 }": 16, "%struct.o": -1, "<4 x i32>": -1} {
		if got, _ := w.size(typ, 0); got != want {
			t.Errorf("%s: %d bytes, want %d", typ, got, want)
		}
	}
}

func TestFactsFromEvasLog(t *testing.T) {
	log := "[eva] f.i:3: Frama_C_show_each_klabel_0: [0..20]\n[eva] f.i:3: Frama_C_show_each_klabel_0: {-3}\n" +
		"[eva] f.i:4: \n  Frama_C_show_each_klabel_1:\n  {1; 2; 3}\n" +
		"[eva] f.i:5: Frama_C_show_each_klabel_2: {{ &x }}\n[eva] f.i:5: Frama_C_show_each_klabel_3: [-8..8],0%4\n" +
		"[eva] f.i:5: Frama_C_show_each_klabel_3: [--..--]\n"
	got := readFacts([]byte(log))
	for n, want := range map[int]interval{0: {"-3", "20", true}, 1: {"1", "3", true}, 2: {}, 3: {}} {
		if got[n] != want {
			t.Errorf("place %d: %+v, want %+v", n, got[n], want)
		}
	}
	if got := readFacts([]byte("something Frama_C_show_each_klabel_x\n")); len(got) != 0 {
		t.Errorf("an unknown form: %v", got)
	}
}

func TestUnknownMethod(t *testing.T) {
	if _, err := ParseMethods("eva,magic"); err == nil || !strings.Contains(err.Error(), `"magic"`) {
		t.Errorf("got %v", err)
	}
	if ms, err := ParseMethods("wp, eva+wp"); err != nil || !slices.Equal(ms, []Method{WP, EvaWP}) {
		t.Errorf("got %v, %v", ms, err)
	}
}

// The second run answers from the cache, and says the same.
func TestCache(t *testing.T) {
	_, u, x := parse(t, `int main(void) { unsigned x = 0; int i; for (i = 0; i < 4; i++) { x += 2; cov_label(x == 3, 1, "C"); cov_label(x == 4, 2, "C"); cov_label(4 == x, 3, "C"); } return 0; }`)
	o := Options{Units: []*csource.Unit{u}, Clang: x.Clang, Methods: []Method{Compiler}, CacheDir: t.TempDir()}
	var runs [2]*Result
	for i := range runs {
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		runs[i] = r
	}
	if len(runs[0].Findings) == 0 || len(runs[0].Findings) != len(runs[1].Findings) {
		t.Fatalf("%+v\n%+v", runs[0].Findings, runs[1].Findings)
	}
	for i, f := range runs[1].Findings {
		if g := runs[0].Findings[i]; f.ID != g.ID || f.Status != g.Status || g.Cached || f.Step != 2 && !f.Cached {
			t.Errorf("first %+v, second %+v", g, f)
		}
	}
	// A damaged cache is no cache.
	filepath.Walk(o.CacheDir, func(p string, fi os.FileInfo, err error) error {
		if err == nil && !fi.IsDir() {
			os.WriteFile(p, []byte("{"), 0o666)
		}
		return nil
	})
	if r, err := Run(t.Context(), o); err != nil || len(r.Findings) != len(runs[0].Findings) {
		t.Errorf("with a damaged cache: %v, %v", r, err)
	}
}

// Provers that fail, or are not there, cost their own answers only.
func TestFailingProver(t *testing.T) {
	_, u, x := parse(t, `int main(void) { int x = 1; cov_label(x == 2, 1, "C"); return 0; }`)
	dir := t.TempDir()
	for name, script := range map[string]string{
		"crash":   "#!/bin/sh\nkill -SEGV $$\n",
		"error":   "#!/bin/sh\necho '[kernel] f.i:3: User Error: syntax error'\nexit 1\n",
		"silent":  "#!/bin/sh\nexit 0\n",
		"hanging": "#!/bin/sh\nsleep 10000\n",
		"flood":   "#!/bin/sh\nhead -c 100000000 /dev/zero\necho $? >\"$0.end\"\n",
	} {
		tool := filepath.Join(dir, name)
		if err := os.WriteFile(tool, []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r, err := Run(t.Context(), Options{Units: []*csource.Unit{u}, Clang: x.Clang,
			FramaC:  &toolchain.Tool{Name: "frama-c", Path: tool},
			Methods: []Method{Compiler, Eva, WP}, Budget: 4 * time.Second, Skip: nil, Hits: nil})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Status != label.Infeasible {
			t.Errorf("%s: %+v", name, r.Findings)
		}
		if d := time.Since(start); d > 2*time.Minute {
			t.Errorf("%s: took %v", name, d)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, "flood.end")); err != nil || string(b) == "0\n" {
		t.Errorf("a prover may write 100 MB: %q, %v", b, err)
	}
	// Alone, the failing prover proves nothing and says why.
	r, err := Run(t.Context(), Options{Units: []*csource.Unit{u}, Clang: x.Clang,
		FramaC: &toolchain.Tool{Path: filepath.Join(dir, "error")}, Methods: []Method{Eva, WP},
		Budget: 5 * time.Second})
	if err != nil || len(r.Findings) != 0 || len(r.Notes) != 1 ||
		!strings.Contains(r.Notes[0], "cannot read t.c, which is left to the other methods: syntax error") {
		t.Errorf("%v, %+v", err, r)
	}
	// Without any tool: nothing, and no error.
	if r, err := Run(t.Context(), Options{Units: []*csource.Unit{u}}); err != nil || len(r.Findings) != 0 {
		t.Errorf("%v, %+v", err, r)
	}
}

// A file that Frama-C cannot read is left to the other methods, with one
// warning; the others are still proved.
func TestUnreadableUnit(t *testing.T) {
	x, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil || x.Clang == nil || x.FramaC == nil {
		t.Skip("no clang or no Frama-C")
	}
	var units []*csource.Unit
	for name, text := range map[string]string{
		"gnu.c":   `int f(int x) { __int128 w = x; cov_label(w > 5 && w < 5, 1, "I"); return w > 7; }`,
		"plain.c": `int f(int); int main(void) { int x = 1, y; y = f(x) & 3; cov_label(y > 3, 2, "I"); return y; }`,
	} {
		u, err := csource.Parse(t.Context(), name, []byte(text), csource.Options{Clang: x.Clang})
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
	}
	r, err := Run(t.Context(), Options{Units: units, FramaC: x.FramaC, Methods: []Method{Eva, EvaWP, WP}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].ID != 2 || !slices.ContainsFunc(r.Notes,
		func(s string) bool { return strings.Contains(s, "Frama-C cannot read gnu.c") }) {
		t.Errorf("%+v, %q", r.Findings, r.Notes)
	}
	warnings := slices.DeleteFunc(slices.Clone(r.Notes),
		func(s string) bool { return !strings.Contains(s, "cannot read") })
	if len(warnings) != 1 {
		t.Errorf("warnings: %q", warnings)
	}
}

// What a test has covered is not proved infeasible, and what the caller skips
// is left alone.
func TestCoveredAndSkipped(t *testing.T) {
	_, u, x := parse(t, `int main(void) { int x = 1; cov_label(x == 2, 1, "C"); cov_label(x == 3, 2, "C"); cov_label(x == 4, 3, "C"); return 0; }`)
	var seen []label.ID
	_, err := Run(t.Context(), Options{Units: []*csource.Unit{u}, Clang: x.Clang, Methods: []Method{Compiler},
		Hits: [][]label.ID{{1}}, MaxPairs: -1,
		Skip: func(id label.ID) bool { return id == 2 }, Found: func(f Finding) { seen = append(seen, f.ID) }})
	if err != nil || !slices.Equal(seen, []label.ID{3}) {
		t.Errorf("%v, %v", err, seen)
	}
}

// Many labels in one group, and many tests that tell them apart, do not keep
// pruning from ending when its time is up or when it is told to. (Without
// care, these take minutes; the bound is far from what they take.)
func TestTimeIsKept(t *testing.T) {
	var b strings.Builder
	b.WriteString("int in(int); int main(void) { int s = 0; ")
	hits := make([][]label.ID, 400)
	for i := range 1500 {
		fmt.Fprintf(&b, "{ int v = in(%d); cov_label(v > %d, %d, \"x\"); cov_label(v < %d, %d, \"x\"); if (v > 3) "+
			"s++; }\n", i, i, 2*i+1, i+9, 2*i+2)
		for k := range hits {
			if (i*7+k)%3 == 0 {
				hits[k] = append(hits[k], label.ID(2*i+1), label.ID(2*i+2))
			}
		}
	}
	b.WriteString("return s; }\n int in(int x) { return x * 31; }")
	_, u, x := parse(t, b.String())
	for _, cancelled := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		if cancelled {
			time.AfterFunc(time.Second, cancel)
		}
		o := Options{Units: []*csource.Unit{u}, Clang: x.Clang, Methods: []Method{Compiler}, Hits: hits,
			Budget: 2 * time.Second}
		if cancelled {
			o.Budget = time.Hour
		}
		start := time.Now()
		if _, err := Run(ctx, o); err != nil {
			t.Error(err)
		}
		if d := time.Since(start); d > 2*time.Minute {
			t.Errorf("cancelled %v: it took %v", cancelled, d)
		}
		cancel()
	}
}

func ids(ls []*labelSite) []label.ID {
	out := make([]label.ID, len(ls))
	for i, l := range ls {
		out[i] = l.ID
	}
	return out
}
