package annotate

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"klabel/label"
)

// TestDataflowAgainstInterpreter: a label of DUC is hit by a run if, and only if,
// the interpreter saw its pair; and every pair that it sees has its label.
func TestDataflowAgainstInterpreter(t *testing.T) {
	const programs, runs = 100, 12
	r := newRand(15)
	p := &flowProgram{r: r}
	p.put("static int fuel;")
	for i := range programs {
		p.callee = -1
		if i%2 == 0 { // a static of the file, for two functions
			p.put("static unsigned g%d;", i)
		} else {
			p.callee = i - 1
		}
		p.put("unsigned f%d(", i)
		at := [3]int{p.put("unsigned a,"), p.put("unsigned b,"), p.put("unsigned c) {")}
		p.params = append(p.params, at)
		x := p.put("unsigned x = 0;")
		s := p.put("struct { unsigned a; struct { unsigned b; } i; } s = {0};")
		p.put("static unsigned gn%d;", i)
		p.vars = []string{"a", "b", "c", "x", "s.a", "s.i.b", fmt.Sprintf("g%d", i/2*2), fmt.Sprintf("gn%d", i)}
		b := p.block(4)
		p.put("return")
		e := p.expr(2)
		p.put("; }")
		p.body = append(p.body, func(m *flowRun) ending {
			m.define("x", x, 0)
			m.define("s.a", s, 0)
			m.define("s.i.b", s, 0)
			if b(m) == through {
				e(m)
			}
			return returned
		})
	}
	dir := t.TempDir()
	l := labelFile(t, write(t, filepath.Join(dir, "f.c"), p.text.String()), Options{Criteria: []string{"DUC,ADC,AUC"}})
	type pair struct {
		v    string
		a, b int
	}
	of := map[int]pair{}
	known := map[pair]bool{}
	for _, x := range l.Labels {
		name, value, _ := strings.Cut(strings.TrimPrefix(x.Predicate, "klb_set_"), " == ")
		k := pair{name[:strings.LastIndexByte(name, '_')], atoi(t, value), x.Position.Line}
		of[int(x.ID)], known[k] = k, true
	}
	var calls strings.Builder
	want := map[int][]pair{}
	statics := &flowRun{value: map[string]uint32{}, set: map[string]int{}}
	for i := range programs {
		for n := range runs {
			in := [3]uint32{uint32(r.Intn(5)), uint32(r.Intn(5)), r.Uint32()}
			fuel := 20
			m := &flowRun{value: map[string]uint32{}, set: map[string]int{}, pairs: map[[2]int]string{}, fuel: &fuel,
				statics: statics}
			for k, v := range []string{"a", "b", "c"} {
				m.define(v, p.params[i][k], in[k])
			}
			p.body[i](m)
			for k, v := range m.pairs {
				want[i*runs+n] = append(want[i*runs+n], pair{strings.ReplaceAll(v, ".", "_"), k[0], k[1]})
			}
			fmt.Fprintf(&calls, "  fuel = 20; f%d(%du, %du, %du); show();\n", i, in[0], in[1], in[2])
		}
	}
	most := len(l.Labels) + 1
	main := fmt.Sprintf("#include <stdio.h>\nstatic unsigned char hit[%d];\n"+
		"#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n%s"+
		"static void show(void) { for (int i = 0; i < %d; i++) if (hit[i]) { printf(\" %%d\", i); hit[i] = 0; } "+
		"printf(\"\\n\"); }\nint main(void) {\n%s}\n", most, l.Text, most, calls.String())
	out := run(t, dir, build(t, dir, "p", map[string][]string{write(t, filepath.Join(dir, "main.c"), main): nil}))
	seen := 0
	for n, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		got := map[pair]bool{}
		for _, f := range strings.Fields(line) {
			got[of[atoi(t, f)]] = true
		}
		for _, k := range want[n] {
			switch {
			case !known[k]:
				t.Errorf("run %d: %v has no label", n, k)
			case !got[k]:
				t.Errorf("run %d: %v is not hit", n, k)
			}
			delete(got, k)
			seen++
		}
		for k := range got {
			t.Errorf("run %d: %v is hit, the interpreter has not seen it", n, k)
		}
	}
	// Of each definition: some pair, and every pair, as the interpreter saw them.
	met := map[pair]bool{}
	for _, ks := range want {
		for _, k := range ks {
			met[k] = true
		}
	}
	both := map[string][2]int{}
	for _, d := range l.Decisions {
		some, every := false, true
		for _, v := range d.Vectors {
			some, every = some || met[of[int(v.Label)]], every && met[of[int(v.Label)]]
		}
		expect := map[string]bool{"ADC": some, "AUC": every}[d.Criterion]
		if got := d.Conditions[0].Pairs.Covered(func(id label.ID) bool { return met[of[int(id)]] }); got != expect {
			t.Errorf("%s of %s %v: %v, want %v", d.Criterion, d.Text, d.Position, got, expect)
		}
		n := both[d.Criterion]
		if n[0]++; expect {
			n[1]++
		}
		both[d.Criterion] = n
	}
	if a, u := both["ADC"], both["AUC"]; a[0] != u[0] || a[1] <= u[1] || u[1] == 0 {
		t.Errorf("definitions, and how many of them are covered: %v", both)
	}
	if seen < 10_000 {
		t.Errorf("only %d pairs were seen", seen)
	}
	statically, parts := 0, 0
	for k := range met {
		if k.v[0] == 'g' {
			statically++
		}
		if strings.HasPrefix(k.v, "s_") {
			parts++
		}
	}
	if statically < 200 || parts < 200 {
		t.Errorf("only %d pairs of statics were seen, %d of members", statically, parts)
	}
	t.Logf("%d labels, %d pairs seen in %d runs; of statics %d, of members %d", len(l.Labels), seen, programs*runs,
		statically, parts)
}

func atoi(t *testing.T, s string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(s, &n); err != nil {
		t.Fatal(s, err)
	}
	return n
}
