package objective

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"klabel/label"
)

func parse(t *testing.T, s string) *Expr {
	t.Helper()
	e := new(Expr)
	if err := e.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return e
}

// statuses gives label i the status of letter i: c, i, d(eselected) or ?.
func statuses(letters string) Known {
	return func(id label.ID) label.Status {
		return map[byte]label.Status{'c': label.Covered, 'i': label.Infeasible, '?': label.Unknown,
			'd': label.Deselected}[letters[id]]
	}
}

func TestStatusAndNeeds(t *testing.T) {
	for _, c := range []struct {
		expr, known string
		want        label.Status
		needs       []label.ID
	}{
		{"l0", "?", label.Unknown, []label.ID{0}},
		{"l0.l1", "cc", label.Covered, nil},
		{"l0.l1", "c?", label.Unknown, []label.ID{1}},
		{"l0.l1", "?i", label.Infeasible, nil},
		{"l0.l1+l2.l3", "ic??", label.Unknown, []label.ID{2, 3}}, // 1 has no partner left
		{"l0.(l1+l2)", "c??", label.Unknown, []label.ID{1, 2}},
		{"l0.(l1+l2)", "c?c", label.Covered, nil},
		{"l0.(l1+l2)", "cd?", label.Unknown, []label.ID{1, 2}},
		{"l0.(l1+l2)", "?ii", label.Infeasible, nil},
		{"(l0+l1).(l2+l3)", "??c?", label.Unknown, []label.ID{0, 1}},
		{"<l0.l1|;;>", "cc", label.Covered, nil},
		{"<l0.l1|;a!=b;>", "cc", label.Unknown, nil}, // nobody knows a and b
		{"<l0.l1|;a!=b;>", "c?", label.Unknown, []label.ID{1}},
		{"<l0.l1|;a!=b;>", "ci", label.Infeasible, nil},
		{"s7.l0", "c", label.Unknown, nil},
		{"s7.l0", "i", label.Infeasible, nil},
		{"s7+l0", "c", label.Covered, nil},
	} {
		e := parse(t, c.expr)
		if got := e.Status(statuses(c.known)); got != c.want {
			t.Errorf("%s with %s: %v, want %v", c.expr, c.known, got, c.want)
		}
		var needs []label.ID
		e.Needed(statuses(c.known), func(id label.ID) { needs = append(needs, id) })
		if !reflect.DeepEqual(needs, c.needs) {
			t.Errorf("%s with %s: needs %v, want %v", c.expr, c.known, needs, c.needs)
		}
	}
}

// random is an expression over labels 0 to n-1.
func random(r *rand.Rand, n, depth int) *Expr {
	if depth == 0 || r.Intn(3) == 0 {
		return &Expr{Op: OpLabel, ID: label.ID(r.Intn(n))}
	}
	e := &Expr{Op: OpAnd}
	if r.Intn(2) == 0 {
		e.Op = OpOr
	}
	for range 2 + r.Intn(2) {
		e.Args = append(e.Args, random(r, n, depth-1))
	}
	return e
}

// TestAgainstEnumeration: status and needs against all subsets of labels.
func TestAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	const n = 6
	for range 2000 {
		e := random(r, n, 3)
		letters := make([]byte, n)
		for i := range letters {
			letters[i] = "ci??"[r.Intn(4)]
		}
		known := statuses(string(letters))
		truth := func(set int) bool { return e.Covered(func(id label.ID) bool { return set>>id&1 != 0 }) }
		now, open := 0, 0
		for i := range n {
			switch letters[i] {
			case 'c':
				now |= 1 << i
			case '?':
				open |= 1 << i
			}
		}
		want, helps := label.Infeasible, 0
		for sub := open; ; sub = (sub - 1) & open {
			if truth(now | sub) {
				if want == label.Infeasible {
					want = label.Unknown
				}
				for i := range n { // a label helps if, in some set, the expression depends on it
					if sub>>i&1 != 0 && !truth(now|sub&^(1<<i)) {
						helps |= 1 << i
					}
				}
			}
			if sub == 0 {
				break
			}
		}
		if truth(now) {
			want, helps = label.Covered, 0
		}
		if got := e.Status(known); got != want {
			t.Fatalf("%s with %s: %v, want %v", e, letters, got, want)
		}
		needs := 0
		e.Needed(known, func(id label.ID) { needs |= 1 << id })
		if helps&^needs != 0 {
			t.Fatalf("%s with %s: needs %b, but %b help", e, letters, needs, helps)
		}
		if needs&^open != 0 {
			t.Fatalf("%s with %s: needs %b, which are not open", e, letters, needs)
		}
	}
}

// TestChoose: what is chosen makes true what all hits make true, and nothing of
// it can be left out.
func TestChoose(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 500 {
		var es []*Expr
		for range 1 + r.Intn(6) {
			es = append(es, random(r, 12, 3))
		}
		hits := r.Intn(1 << 12)
		hit := func(id label.ID) bool { return hits>>id&1 != 0 }
		chosen := Choose(es, hit)
		all := func(without label.ID) bool {
			for _, e := range es {
				if e.Covered(hit) && !e.Covered(func(id label.ID) bool { return id != without && chosen[id] }) {
					return false
				}
			}
			return true
		}
		if !all(99) {
			t.Fatalf("%v of %b chosen for %v", chosen, hits, es)
		}
		for id := range chosen {
			if !hit(id) || all(id) {
				t.Fatalf("label %d of %v is chosen for %v without need", id, chosen, es)
			}
		}
	}
	// a && b && c && d: one row for all true, one for each condition.
	var es []*Expr
	for i := 1; i <= 4; i++ {
		es = append(es, parse(t, fmt.Sprintf("l0.l%d", i)))
	}
	if got := Choose(es, func(label.ID) bool { return true }); len(got) != 5 {
		t.Errorf("%d rows for 4 conditions, want 5", len(got))
	}
}

func TestDecision(t *testing.T) {
	d := Decision{Criterion: "MCDC", Text: "a && b", Conditions: []Condition{{Text: "a", Pairs: parse(t, "l0.l2")},
		{Text: "b", Pairs: parse(t, "l0.l1"), Coupled: "b cannot change alone: a changes with it"}, {Text: "c"}},
		Vectors: []Vector{{0, "TT", true}, {1, "TF", false}, {2, "F-", false}}}
	why := func(id label.ID) string { return fmt.Sprintf("reason %d", id) }
	r := d.Result(0, statuses("c?c"), why)
	if r.Status != label.Covered || r.True.Label != 0 || r.False.Label != 2 {
		t.Errorf("covered: %+v", r)
	}
	if r = d.Result(0, statuses("??c"), why); r.Status != label.Unknown ||
		r.Reason != "no test covers TT (label 0: reason 0)" {
		t.Errorf("unknown: %+v", r)
	}
	want := "b cannot change alone: a changes with it; every pair needs a vector that cannot be: TF (label 1: reason 1)"
	if r = d.Result(1, statuses("cic"), why); r.Status != label.Infeasible || r.Reason != want {
		t.Errorf("infeasible: %+v", r)
	}
	if r = d.Result(2, statuses("ccc"), why); r.Status != label.Infeasible || r.Reason == "" {
		t.Errorf("no pair at all: %+v", r)
	}
	d.Instead = "too many"
	if r = d.Result(2, statuses("ccc"), why); r.Status != label.Unknown || r.Reason != "too many" {
		t.Errorf("beyond the limit: %+v", r)
	}
	b, err := json.Marshal(d)
	var again Decision
	if err == nil {
		err = json.Unmarshal(b, &again)
	}
	if err != nil || !reflect.DeepEqual(d, again) {
		t.Errorf("%v: %s", err, b)
	}
	ls := []label.Label{{ID: 0, Tags: []string{"MCDC"}}, {ID: 1, Tags: []string{"CC", "MCDC"}},
		{ID: 2, Tags: []string{"MCDC"}}}
	if got := Paired([]Decision{d}, ls); !reflect.DeepEqual(got, map[label.ID]bool{0: true, 2: true}) {
		t.Errorf("paired: %v", got)
	}
	if hs := Hyperlabels([]Decision{d}, statuses("cci")); len(hs) != 2 || hs[0].Status != label.Infeasible ||
		hs[1].Status != label.Covered || !slices.Equal(hs[1].Expr.Labels(), []label.ID{0, 1}) {
		t.Errorf("as hyperlabels: %+v", hs)
	}
}

// What hyperlabels become: labels alone, of which each choice of values is one.
func TestLower(t *testing.T) {
	terms := Terms{Labels: map[label.ID]bool{1: true, 2: true, 3: true, 5: true},
		Sequences: map[label.ID][]label.ID{7: {20, 21}}, Chains: map[string][]label.ID{"l1->l2": {30}},
		Binds: map[label.ID][]string{1: {"a", "b"}, 2: {"c"}, 3: {"x"}, 5: {"y"}},
		Joint: map[string][]label.ID{"l3.[x<7]": {40}, "l3.l5.[x<y]": {41, 42}},
		Bound: map[label.ID]Binding{
			3: {Names: []string{"x"}, Values: [][]Value{{{-5, 8}, {9, 9}}}, With: []label.ID{50, 51}},
			5: {Names: []string{"y"}, Values: [][]Value{{{-5, 8}, {9, 9}}}, With: []label.ID{52, 53}},
			1: {Names: []string{"a", "b"}, With: []label.ID{10, 11, 12, 13}},
			2: {Names: []string{"c"}, With: []label.ID{14, 15}}}}
	for in, want := range map[string]string{
		"l1.l2":                       "l1.l2",
		"s7+l1->l2":                   "(l20+l21)+l30",
		"<l1.l2|;a!=c;>":              "l11.l14+l13.l14+l10.l15+l12.l15",
		"<l1.l2|;a==b && b!=c;>":      "l13.l14+l10.l15",
		"<l1.l3|;a!=b;>":              "l3.l11+l3.l12",
		"<l1.l2|;;>":                  "l1.l2",
		"<l1|;a!=a;>":                 "no values make",
		"<l1.l3|;a!=c;>":              "the guard speaks of c,",
		"<(l1+l3).l2|;a!=c;>":         "the guard speaks of a,",
		"<l1.l2.l3|;x<7;>":            "l1.l2.l40",
		"<l3.l5|;x<y;>":               "l50.l52.(l41+l42+<l50|;x<y;>)+l50.l53",
		"<l3.l5|;x>y && y!=9;>":       "l50.l52.<l50|;x>y && y!=9;>+l51.l52",
		"<l3.l5|;x==9 && y>=9;>":      "l51.l53",
		"<l3|;x==12;>":                "no values make",
		"l4":                          "there is no label 4",
		"s8":                          "there is no sequence 8",
		"l2->l1":                      "l2->l1: one of these labels does not exist",
		"<(l1+s7).(l1+l3).l2|;a==a;>": "the guard speaks of a,",
	} {
		got := ""
		if e, err := terms.Lower(parse(t, in)); err != nil {
			got = err.Error()
		} else {
			got = e.String()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// A conjunction from which what cannot be drops out.
func TestEach(t *testing.T) {
	d := Decision{Hyper: true, Criterion: "AUC", Conditions: []Condition{{Pairs: parse(t, "l1.l2.l3"), Each: true}},
		Vectors: []Vector{{Label: 1}, {Label: 2}, {Label: 3}}}
	for known, want := range map[string]label.Status{"CCC": label.Covered, "CIC": label.Covered, "CIU": label.Unknown,
		"III": label.Infeasible, "UUU": label.Unknown} {
		is := func(id label.ID) label.Status {
			return map[byte]label.Status{'C': label.Covered, 'I': label.Infeasible}[known[id-1]]
		}
		r := d.Result(0, is, func(label.ID) string { return "" })
		if r.Status != want {
			t.Errorf("%s: %v, want %v", known, r.Status, want)
		}
		if known == "CIC" && len(r.Shown) != 2 || known == "CIU" && r.Reason != "no test covers label 3" {
			t.Errorf("%s: %+v", known, r)
		}
	}
}
