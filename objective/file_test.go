package objective

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"klabel/label"
)

const hyperSample = "1) <l1.l2|;pa!=pb;> - UNKNOWN - [],\n" +
	"2) <s3|;a==b && c!=d;>+l4.l5 - COVERED - [t1, t2],\n" +
	"3) (l1+l2).l3 - UNCOVERABLE - [],\n" +
	"4) l1->l2->l3.l4 - UNKNOWN - [],\n"

func TestHyperFile(t *testing.T) {
	hs, err := ReadFile(strings.NewReader(hyperSample), "f.hyperlabels")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteFile(&b, hs); err != nil {
		t.Fatal(err)
	}
	if b.String() != hyperSample {
		t.Fatalf("got\n%s\nwant\n%s", b.String(), hyperSample)
	}
	if got := hs[1].Expr.Labels(); !reflect.DeepEqual(got, []label.ID{4, 5}) {
		t.Errorf("labels of the second: %v", got)
	}
	g := hs[0].Expr
	if g.Op != OpGuard || len(g.Guard) != 1 || g.Guard[0] != (Guard{"pa", "!=", "pb"}) {
		t.Errorf("first: %+v", g)
	}
	if c := hs[3].Expr.Args[0]; c.Op != OpThen || len(c.Args) != 3 {
		t.Errorf("fourth: %+v", c)
	}
	old, err := ReadFile(strings.NewReader("<l1.l2|; ;>,\n<s3|; ;>,\n"), "f")
	if err != nil || len(old) != 2 || old[1].ID != 2 {
		t.Errorf("lines without numbers: %+v, %v", old, err)
	}
	if hs[2].Status != label.Infeasible || hs[2].Expr.Op != OpAnd {
		t.Errorf("third: %+v", hs[2])
	}
}

func TestHyperFileErrors(t *testing.T) {
	for in, want := range map[string]string{
		"x) l1":                          "h:1: label ID",
		"l1":                             "h:1: a hyperlabel starts",
		"1) k1":                          "h:1: l, s, < or (",
		"1) l":                           "h:1: a label number",
		"1) <l1>":                        "h:1: a bar is missing",
		"1) <l1|x>":                      "h:1: a semicolon",
		"1) <l1|;a=b;>":                  "h:1: guard",
		"1) (l1":                         "h:1: a closing parenthesis",
		"1) l1 - SOON - []":              "h:1: unknown label status",
		"1) l1->(l2+l3)":                 "h:1: -> stands between labels alone",
		"1) l1 + - UNKNOWN":              "h:1: l, s, < or (",
		"1) l1\n1) l2":                   "h:2: hyperlabel 1 is on line 1",
		strings.Repeat("(", 5):           "h:1: a hyperlabel starts",
		"1)" + strings.Repeat("(", 5000): "h:1: the expression is nested",
	} {
		_, err := ReadFile(strings.NewReader(in), "h")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.30q: got %v, want %q...", in, err, want)
		}
	}
}

func FuzzHyperFile(f *testing.F) {
	f.Add(hyperSample)
	f.Add("1) l1.(l2.l3)+<l1|x;;>,")
	f.Fuzz(func(t *testing.T, s string) {
		hs, _ := ReadFile(strings.NewReader(s), "f")
		var b bytes.Buffer
		if err := WriteFile(&b, hs); err != nil {
			t.Fatal(err)
		}
		again, err := ReadFile(bytes.NewReader(b.Bytes()), "f")
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, b.String())
		}
		if len(hs) != len(again) || len(hs) > 0 && !reflect.DeepEqual(hs, again) {
			t.Fatalf("round trip of %q wrote %q", s, b.String())
		}
	})
}

// TestHyperNumbers: what the user has numbered, 0 included, is written back with its
// number; the others get those that are left.
func TestHyperNumbers(t *testing.T) {
	hs, err := ReadFile(strings.NewReader("0) l1.l2,\n2) l1,\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadFile(strings.NewReader("0) l2,\n"), "g")
	if err != nil {
		t.Fatal(err)
	}
	var ds []Decision
	for _, h := range append([]*Hyperlabel{nil, &hs[0]}, &again[0], &hs[1]) {
		e := hs[1].Expr
		if h != nil {
			e = h.Expr
		}
		ds = append(ds, Decision{Hyper: h != nil, Conditions: []Condition{{Pairs: e, Written: h}}})
	}
	var got []string
	for _, h := range Hyperlabels(ds, func(label.ID) label.Status { return label.Unknown }) {
		got = append(got, h.ID.String()+" "+h.Expr.String())
	}
	if s := strings.Join(got, ", "); s != "1 l1, 0 l1.l2, 3 l2, 2 l1" {
		t.Error(s)
	}
}
