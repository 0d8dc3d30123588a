package testcomp

import (
	"context"
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/ktest"
	"klabel/toolchain"
)

func TestProperties(t *testing.T) {
	for text, want := range map[string]Goal{
		"COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n": {Name: "branches", Criteria: []string{"DC"}},
		"COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )":  {Name: "conditions", Criteria: []string{"CC"}},
		"COVER(init(main()),FQL(COVER EDGES(@BASICBLOCKENTRY)))": {Name: "statements",
			Criteria: []string{"BBC"}},
		"COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n": {Name: "error-call",
			ErrorFunction: "reach_error"},
	} {
		g, err := ParseProperty(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if g.Text != strings.TrimSpace(text) {
			t.Errorf("text %q", g.Text)
		}
		g.Text = ""
		if d := cmp.Diff(want, g); d != "" {
			t.Error(d)
		}
	}
	for _, text := range []string{"", "CHECK( init(main()), LTL(G ! call(reach_error())) )",
		"COVER( init(main()), FQL(COVER EDGES(@MOON)) )", "COVER( init(main()), FQL(COVER EDGES(@CALL)) )"} {
		if _, err := ParseProperty(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func sample() *ktest.Test {
	d := make([]byte, 8)
	for i, b := 0, math.Float64bits(0.1); i < 8; i++ {
		d[i] = byte(b >> (8 * i))
	}
	return &ktest.Test{Args: []string{"program"}, Objects: []ktest.Object{
		{Name: "__VERIFIER_nondet_int", Data: []byte{0xff, 0xff, 0xff, 0xff}},
		{Name: "other", Data: []byte{1}},
		{Name: "__VERIFIER_nondet_uint", Data: []byte{0xff, 0xff, 0xff, 0xff}},
		{Name: "__VERIFIER_nondet_char", Data: []byte{'<'}},
		{Name: "__VERIFIER_nondet_bool", Data: []byte{1}},
		{Name: "__VERIFIER_nondet_double", Data: d},
		{Name: "__VERIFIER_nondet_ulonglong", Data: []byte{0, 0, 0, 0, 0, 0, 0, 0x80}},
		{Name: "__VERIFIER_nondet_int128", Data: append(make([]byte, 15), 0x80)},
	}}
}

func TestWriteAndRead(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "p.c")
	if err := os.WriteFile(program, []byte("int main(void) { return 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "suite")
	s := Suite{Producer: "klabel <1>", Specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
		Program: program, EntryFunction: "main", Bits: 64, Created: time.Unix(0, 0)}
	for range 2 { // the second time over the first
		if err := Write(out, s, []Test{{Name: "test1", Test: sample()},
			{Name: "test2", Test: &ktest.Test{}, CoversError: true}}); err != nil {
			t.Fatal(err)
		}
	}
	meta, err := os.ReadFile(filepath.Join(out, "metadata.xml"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"test-metadata", "sourcecodelang", "producer", "specification", "programfile", "programhash",
		"entryfunction", "architecture", "creationtime"}
	if d := cmp.Diff(want, elements(t, meta)); d != "" {
		t.Errorf("elements of metadata.xml:\n%s", d)
	}
	test, err := os.ReadFile(filepath.Join(out, "test1.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`<input type="int">-1</input>`, `<input type="unsigned int">4294967295</input>`, `<input type="char">60</input>`,
		`<input type="bool">1</input>`, `<input type="double">0.1</input>`, `<input type="unsigned long long">9223372036854775808</input>`,
		`<input type="__int128">-170141183460469231731687303715884105728</input>`} {
		if !strings.Contains(string(test), line) {
			t.Errorf("%s is missing in\n%s", line, test)
		}
	}
	back, err := Read(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	own := sample()
	own.Objects = append(own.Objects[:1], own.Objects[2:]...)
	if d := cmp.Diff(own, back["test1"]); d != "" {
		t.Errorf("what was read differs from what was written:\n%s", d)
	}
}

// elements lists the names of a document's elements in order.
func elements(t *testing.T, doc []byte) (out []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(doc)))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := tok.(xml.StartElement); ok {
			out = append(out, s.Name.Local)
		}
	}
}

func TestBadTests(t *testing.T) {
	for _, text := range []string{"", "<testcase>", "<testcase><input>x</input></testcase>",
		"<testcase><input type=\"char\">1000</input></testcase>"} {
		if _, err := Parse([]byte(text), nil); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestErrorLabel(t *testing.T) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("no clang")
	}
	for _, text := range []string{
		"extern void abort(void);\nvoid reach_error() { abort(); }\nint main(void) { reach_error(); return 0; }\n",
		"extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n",
	} {
		o := csource.Options{Clang: tools.Clang}
		u, err := csource.Parse(context.Background(), "e.c", []byte(text), o)
		if err != nil {
			t.Fatal(err)
		}
		u, err = csource.Parse(context.Background(), "e.c", ErrorLabel(u, "reach_error", 7), o)
		if err != nil {
			t.Fatal(err)
		}
		calls, err := u.Labels()
		if err != nil || len(calls) != 1 || calls[0].ID != 7 || calls[0].Function != "reach_error" {
			t.Errorf("labels %v, %v", calls, err)
		}
	}
}
