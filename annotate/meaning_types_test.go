package annotate

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"klabel/label"
)

func (o operand) reference() string { return strings.ReplaceAll(o.text, "calls++", "0") }

// field is an operand that is a member of the state, perhaps with side effects.
// Arithmetic on bit-fields is signed if the declared type is.
func field(text string) operand {
	name := strings.TrimSuffix(text[strings.Index(text, "s->")+3:], ")")
	kind := stateFields[name]
	return operand{text: text, signed: kind == "s" || kind == "f", float: kind == "f", pointer: kind == "p"}
}

// storableFloats are the floating values that a member can be assigned.
var storableFloats = map[string]string{
	"s->i":  "(v) > -2147483649.0 && (v) < 2147483648.0",
	"s->bi": "(v) > -5.0 && (v) < 4.0",
	"s->bu": "(v) > -1.0 && (v) < 32.0",
	"s->ul": "(v) > -1.0 && (v) < 18446744073709551616.0",
}

type operation struct {
	l, r     operand
	compound bool
	name, op string
}

func typedOperations(short bool) []operation {
	var pairs []operation
	for _, p := range [][2]string{{"s->bi", "s->bu"}, {"s->bu", "s->l"}, {"s->bl", "s->bw"}, {"s->be", "s->bn"},
		{"s->bb", "s->i"}, {"s->bq", "s->i"}, {"s->bu", "s->d"},
		{"s->f", "s->g"}, {"s->d", "s->f"}, {"s->e", "s->n"}, {"s->us", "s->l"}, {"s->ul", "s->u"}, {"(calls++, s->bi)", "s->bu"}, {"s->n", "(calls++, s->be)"}, {"(calls++, s->f)", "s->bx"}, {"s->p", "s->q"}} {
		pairs = append(pairs, operation{l: field(p[0]), r: field(p[1])})
	}
	for _, p := range []struct {
		l string
		r operand
	}{
		{"s->c", operand{"(s->bi + s->l / 4)", true, false, true, false}},
		{"s->i", operand{"(s->ok ? s->bi : s->ul)", false, false, true, false}},
		{"s->bi", operand{"(s->bu + s->d)", true, true, true, false}},
		{"s->bu", operand{"(s->be - 2)", true, false, true, false}},
	} {
		pairs = append(pairs, operation{l: field(p.l), r: p.r})
	}
	for _, p := range [][2]string{{"s->c", "s->us"}, {"s->bi", "s->i"}, {"s->bu", "s->bn"}, {"s->bl", "s->ul"},
		{"s->ok", "s->i"}, {"s->bb", "s->bi"}, {"s->f", "s->d"},
		{"s->e", "s->n"}, {"s->ul", "s->bi"}, {"s->bw", "s->c"}, {"s->i", "s->d"}, {"s->bi", "s->d"}, {"s->bu", "s->f"}, {"s->ul", "s->d"}, {"s->ok", "s->d"}} {
		pairs = append(pairs, operation{l: field(p[0]), r: field(p[1]), compound: true})
	}
	if short {
		pairs = pairs[:4]
	}
	var all []operation
	for _, p := range pairs {
		ops := append(append([]string{}, intOps...), relOps...)
		if p.compound {
			ops = intOps
		}
		if p.l.pointer {
			ops = relOps
		}
		for _, p.op = range ops {
			if p.l.float || p.r.float {
				if contains(intOps[4:], p.op) {
					continue
				}
			}
			p.name = fmt.Sprintf("f%d", len(all))
			all = append(all, p)
		}
	}
	return all
}

// TestTypedMutantsMeanWhatTheySay does what TestMutantsMeanWhatTheySay does, for
// bit-fields, enumerations, _Bool and floating types mixed with integers of all
// widths, for operands with side effects, and for compound assignments, of
// which what is stored is compared.
func TestTypedMutantsMeanWhatTheySay(t *testing.T) {
	dir := t.TempDir()
	var src, ref, calls strings.Builder
	src.WriteString(state)
	ref.WriteString(reference + state + "int pool[64], calls;\n" + stateFill)
	all := typedOperations(testing.Short())
	first := strings.Count(state, "\n") + 1 // the line of f0; each has two
	for _, o := range all {
		body := fmt.Sprintf("volatile __typeof__(0 ? (%s) %s (%s) : 0) x = %s %s\n%s", o.l.reference(), o.op,
			o.r.reference(), o.l.text, o.op, o.r.text)
		if o.compound {
			body = fmt.Sprintf("%s %s=\n%s", o.l.text, o.op, o.r.text)
		}
		fmt.Fprintf(&src, "void %s(struct st *s) { %s; }\n", o.name, body)
	}
	l := labelFile(t, write(t, filepath.Join(dir, "t.c"), src.String()), Options{Criteria: []string{"AOR,ROR,ABS,UOI"}})
	got := map[string]map[string][]label.ID{}
	for _, x := range l.Labels {
		for _, tag := range x.Tags {
			if got[x.Function] == nil {
				got[x.Function] = map[string][]label.ID{}
			}
			var n int
			fmt.Sscanf(x.Function, "f%d", &n)
			if all[n].r.inner && (x.Position.Line != first+2*n) {
				continue
			}
			got[x.Function][tag] = append(got[x.Function][tag], x.ID)
		}
	}
	for _, o := range all {
		float := o.l.float || o.r.float
		want := mutants(o.op, o.l, o.r, o.compound)
		stored := strings.TrimPrefix(o.l.text, "s->")
		T := "__typeof__((a) + (b))"
		if o.op == "<<" || o.op == ">>" {
			T = "__typeof__(+(a))"
		}
		can := defined(o.op, float)
		if o.l.pointer {
			T, can = "long", "1"
		}
		storable := "1"
		if limits := storableFloats[o.l.text]; o.compound && o.r.float && limits != "" {
			storable = limits
			can += fmt.Sprintf(" && STORABLE(a %s b)", o.op)
		}
		fmt.Fprintf(&ref, "void %s(struct st *);\n#define a (%s)\n#define b (%s)\n#define STORABLE(v) (%s)\n"+
			"#define STORED(v) ({ struct st t = *s; t.%s = (v); t.%s; })\n"+
			"static int check_%s(struct st *s) { int bad = 0; typedef %s T;\nif (!(%s)) return 0;\n",
			o.name, o.l.reference(), o.r.reference(), storable, stored, stored, o.name, T, can)
		// The mutants first: a compound assignment changes the operands.
		n := 0
		var checks strings.Builder
		for tag, preds := range want {
			if len(got[o.name][tag]) != len(preds) {
				t.Fatalf("%s %s %s: %d labels of %s, want %d", o.l.text, o.op, o.r.text, len(got[o.name][tag]), tag,
					len(preds))
			}
			for i, p := range preds {
				fmt.Fprintf(&ref, "int w%d = %s;\n", n, p)
				fmt.Fprintf(&checks, "bad += expect(%d, w%d, %q, x, y);\n", got[o.name][tag][i], n,
					fmt.Sprintf("%s %s %s: %s: %s", o.l.text, o.op, o.r.text, tag, p))
				n++
			}
		}
		for tag := range got[o.name] {
			if want[tag] == nil {
				t.Errorf("%s %s %s: unexpected labels %s", o.l.text, o.op, o.r.text, tag)
			}
		}
		fmt.Fprintf(&ref, "double x = (long)a, y = (long)b; %s(s);\n%sinputs++; return bad; }\n#undef a\n#undef b\n"+
			"#undef STORED\n#undef STORABLE\n", o.name, checks.String())
		fmt.Fprintf(&calls, "for (int i = 0; i < 250; i++) { struct st s; fill(&s); __builtin_memset(hit, 0, %d); if "+
			"((bad += check_%s(&s)) > 20) return 1; }\n", len(l.Labels)+1, o.name)
	}
	fmt.Fprintf(&ref, "int main(void) { int bad = 0;\n%sprintf(\"%%ld inputs, %%ld questions\\n\", inputs, asked); "+
		"return bad != 0; }\n", calls.String())
	t.Logf("%d operations: %s", len(all), strings.TrimSpace(runHits(t, dir, l, ref.String(), "-O0")))
}
