package annotate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/label"
	"klabel/objective"
)

// TestDataflowAcrossFiles: of globals that two files share, a label is hit by a run if,
// and only if, the interpreter saw its pair, whichever file has the definition, and
// whichever the use.
func TestDataflowAcrossFiles(t *testing.T) {
	const programs, runs = 40, 8
	r := newRand(16)
	p := &flowProgram{r: r}
	texts := [2]string{"int fuel;\n", "extern int fuel;\n"}
	var names []string
	for i := range programs {
		g := fmt.Sprintf("g%d", i/2)
		from, line := p.text.Len(), p.line
		p.callee = -1
		if i%2 == 1 {
			p.callee = i - 1
		}
		p.put("unsigned f%d(", i)
		at := [3]int{p.put("unsigned a,"), p.put("unsigned b,"), p.put("unsigned c) {")}
		p.params = append(p.params, at)
		p.vars = []string{"a", "b", "c", g, g}
		b := p.block(4)
		p.put("return")
		e := p.expr(2)
		p.put("; }")
		p.body = append(p.body, func(m *flowRun) ending {
			if b(m) == through {
				e(m)
			}
			return returned
		})
		head := []string{"unsigned %s; ", "extern unsigned %s; "}[i%2]
		if names = append(names, g); i%2 == 1 {
			head += fmt.Sprintf("unsigned f%d(unsigned, unsigned, unsigned);", i-1)
		}
		texts[i%2] += fmt.Sprintf(head+"\n#line %d\n%s", g, line+1, p.text.String()[from:])
	}
	names = slices.Compact(names)
	dir := t.TempDir()
	var units []*csource.Unit
	for i, text := range texts {
		u, err := csource.Load(context.Background(), write(t, filepath.Join(dir, fmt.Sprintf("%d.c", i)), text),
			csource.Options{Clang: clang(t)})
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
	}
	_, shared := OwnGlobals(units)
	if !slices.Equal(slices.Sorted(slices.Values(shared)), slices.Sorted(slices.Values(append(names, "fuel")))) {
		t.Fatalf("shared: %v", shared)
	}
	o := Options{Criteria: []string{"DUC,ADC,AUC"}, Clang: clang(t)}
	across, left := SharedGlobals(units, names, o, func(int) bool { return false })
	if len(left) > programs/8 { // one that nobody uses so, or that has too many pairs
		t.Errorf("left out: %v", left)
	}
	type pair struct {
		v    string
		a, b int
	}
	of, known, foreign := map[int]pair{}, map[pair]bool{}, map[pair]bool{}
	var ds []objective.Decision
	parts, next := map[string][]string{}, label.ID(1)
	for i, u := range units {
		o.Shared, o.Globals, o.First = across[i], map[string]bool{}, next
		for name := range across[i] {
			o.Globals[name] = true
		}
		l, err := Unit(context.Background(), u, o)
		if err != nil {
			t.Fatal(err)
		}
		next = l.Next
		ds = append(ds, l.Decisions...)
		for _, x := range l.Labels {
			name, value, _ := strings.Cut(strings.TrimPrefix(x.Predicate, "klb_set_"), " == ")
			k := pair{name[:strings.LastIndexByte(name, '_')], atoi(t, value) % unitStep, x.Position.Line}
			of[int(x.ID)], known[k] = k, true
			foreign[k] = k.v[0] == 'g' && atoi(t, value)/unitStep != i
		}
		parts[write(t, filepath.Join(dir, fmt.Sprintf("l%d.c", i)), "extern unsigned char hit[];\n"+
			"#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n"+string(l.Text))] = nil
	}
	var calls strings.Builder
	want := map[int][]pair{}
	statics := &flowRun{value: map[string]uint32{}, set: map[string]int{}}
	for n := range programs * runs {
		i := n % programs // the two files take turns
		in := [3]uint32{uint32(r.Intn(5)), uint32(r.Intn(5)), r.Uint32()}
		fuel := 20
		m := &flowRun{value: map[string]uint32{}, set: map[string]int{}, pairs: map[[2]int]string{}, fuel: &fuel,
			statics: statics}
		for k, v := range []string{"a", "b", "c"} {
			m.define(v, p.params[i][k], in[k])
		}
		p.body[i](m)
		for k, v := range m.pairs {
			want[n] = append(want[n], pair{v, k[0], k[1]})
		}
		fmt.Fprintf(&calls, "  fuel = 20; f%d(%du, %du, %du); show();\n", i, in[0], in[1], in[2])
	}
	main := fmt.Sprintf("#include <stdio.h>\nunsigned char hit[%d];\nextern int fuel;\n"+
		"static void show(void) { for (int i = 0; i < %d; i++) if (hit[i]) { printf(\" %%d\", i); hit[i] = 0; } "+
		"printf(\"\\n\"); }\n", next, next)
	for i := range programs {
		main += fmt.Sprintf("unsigned f%d(unsigned, unsigned, unsigned);\n", i)
	}
	parts[write(t, filepath.Join(dir, "main.c"), main+"int main(void) {\n"+calls.String()+"}\n")] = nil
	out := run(t, dir, build(t, dir, "p", parts))
	met, crossed := map[pair]bool{}, 0
	for n, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		got := map[pair]bool{}
		for _, f := range strings.Fields(line) {
			got[of[atoi(t, f)]] = true
		}
		for _, k := range want[n] {
			if slices.Contains(left, k.v) {
				continue
			}
			if !known[k] || !got[k] {
				t.Errorf("run %d: %v has a label: %v, which is hit: %v", n, k, known[k], got[k])
			}
			if met[k] = true; foreign[k] {
				crossed++
			}
			delete(got, k)
		}
		for k := range got {
			t.Errorf("run %d: %v is hit, the interpreter has not seen it", n, k)
		}
	}
	if crossed < 100 {
		t.Errorf("only %d pairs from file to file were seen", crossed)
	}
	// A definition is one objective, whichever files its uses stand in.
	seen, both := map[string]bool{}, 0
	for _, d := range objective.Merged(ds) {
		key := d.Criterion + d.Position.String() + d.Text
		if seen[key] {
			t.Errorf("%s of %s %v stands there twice", d.Criterion, d.Text, d.Position)
		}
		seen[key] = true
		some, every, home := false, true, 0
		for _, v := range d.Vectors {
			k := of[int(v.Label)]
			some, every = some || met[k], every && met[k]
			if foreign[k] {
				home |= 1
			} else {
				home |= 2
			}
		}
		if home == 3 {
			both++
		}
		expect := map[string]bool{"ADC": some, "AUC": every}[d.Criterion]
		if got := d.Conditions[0].Pairs.Covered(func(id label.ID) bool { return met[of[int(id)]] }); got != expect {
			t.Errorf("%s of %s %v: %v, want %v", d.Criterion, d.Text, d.Position, got, expect)
		}
	}
	if both < 10 {
		t.Errorf("only %d objectives have labels in both files", both)
	}
	t.Logf("%d labels, %d pairs from file to file seen, %d objectives of both files; left out: %v", next, crossed, both,
		left)
}
