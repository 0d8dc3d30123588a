package drivers_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/ctests"
	"klabel/drivers"
	"klabel/ktest"
)

// documented are the functions that docs/drivers.md shows, one for each kind
// of type.
var documented = []struct{ kind, function string }{
	{"integer", "plain_int"},
	{"integer of 128 bits", "wide"},
	{"_Bool", "truth"},
	{"character", "characters"},
	{"enumeration", "colors"},
	{"enumeration, any value", "any_color"},
	{"typedef", "named_types"},
	{"floating point", "floats"},
	{"structure", "nested"},
	{"structure with limits inside", "inner_limits"},
	{"structure with bit-fields", "bit_fields"},
	{"union", "unions"},
	{"union with a pointer", "union_with_pointer"},
	{"array with a length", "fixed_array"},
	{"array of arrays", "matrix"},
	{"pointer to an item", "maybe_null"},
	{"pointer to a structure", "by_pointer"},
	{"pointer and length", "guessed_length"},
	{"pointer with a given length", "exactly_three"},
	{"C string", "text"},
	{"pointer to pointers", "words"},
	{"untyped pointer", "untyped"},
	{"function pointer", "callback"},
	{"pointers that may be equal", "aliased"},
	{"flexible array", "flexible"},
	{"list", "list"},
	{"tree", "tree"},
	{"globals", "globals"},
	{"undefined function", "stubbed"},
	{"undefined function with outputs", "stub_outputs"},
	{"range", "ranges"},
	{"condition", "related"},
	{"variable arguments", "variadic"},
}

const (
	docFile  = "../docs/drivers.md"
	docStart = "<!-- written by go test ./drivers -run Documentation -update -->\n"
)

// TestDocumentation keeps the table of docs/drivers.md what klabel does.
func TestDocumentation(t *testing.T) {
	b := newBench(t)
	byName := map[string]sample{}
	for _, s := range corpus(t) {
		byName[s.name] = s
	}
	var table strings.Builder
	table.WriteString("<table>\n<tr><th>kind</th><th>function</th><th>driver</th><th>test</th></tr>\n")
	for _, d := range documented {
		s, ok := byName[d.function]
		if !ok {
			t.Fatalf("no function %s in the corpus", d.function)
		}
		u := b.unit(t, s.file)
		drv, err := drivers.Generate(u, s.options)
		if err != nil {
			t.Fatal(err)
		}
		f := u.Function(s.name)
		signature := csource.NormalizeSpace(u.Text[f.Span.Start:f.Body.Start])
		fmt.Fprintf(&table, "<tr><td>%s</td><td><pre>%s</pre>%s</td>"+
			"<td><pre>%s</pre></td><td><pre>%s</pre></td></tr>\n",
			d.kind, cell(wrapped(signature)), cell(optionsText(t, s)), cell(mainBody(drv.Text)),
			cell(firstTest(t, s, drv)))
	}
	table.WriteString("</table>\n")
	text, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	head, old, ok := strings.Cut(string(text), docStart)
	if !ok {
		t.Fatalf("%s lacks the line %s", docFile, docStart)
	}
	if *update {
		if err := os.WriteFile(docFile, []byte(head+docStart+table.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table.String(), old); diff != "" {
		t.Errorf("%s is not up to date, renew it with -update:\n%s", docFile, diff)
	}
}

// cell is text for a cell of a table in Markdown, which a blank line would end.
func cell(text string) string {
	for strings.Contains(text, "\n\n") {
		text = strings.ReplaceAll(text, "\n\n", "\n")
	}
	return html.EscapeString(text)
}

func wrapped(signature string) string { return strings.ReplaceAll(signature, ", ", ",\n    ") }

// optionsText are a function's options, as in the corpus.
func optionsText(t *testing.T, s sample) string {
	t.Helper()
	text, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range directive.FindAllStringSubmatch(string(text), -1) {
		if m[2] == s.name {
			flags, _, _ := strings.Cut(m[1], "infeasible ")
			return strings.TrimRight(flags, "; ")
		}
	}
	return ""
}

// mainBody is what is particular to a driver: its stubs and the inside of its
// entry.
func mainBody(text string) string {
	_, main, _ := strings.Cut(text, "void klabel_entry_1(void)\n{\n")
	main, _, _ = strings.Cut(main, "    klabel_entry_end();\n}\n")
	var out strings.Builder
	for _, l := range strings.SplitAfter(main, "\n") {
		out.WriteString(strings.TrimPrefix(l, "    "))
	}
	for _, f := range strings.Split(text, `__attribute__((nodebug, no_sanitize("null", "bounds"))) `)[1:] {
		f = strings.TrimPrefix(f, "__attribute__((weak)) ")
		if strings.Contains(f, "out of reach") || strings.HasPrefix(f, "int main") ||
			strings.HasPrefix(f, "void klabel_entry_1") || strings.HasPrefix(f, "static") &&
			strings.Contains(f[:strings.IndexByte(f, '(')], "klabel_") {
			continue
		}
		body, _, _ := strings.Cut(f, "\n}\n")
		out.WriteString("\n" + body + "\n}\n")
	}
	return strings.TrimRight(out.String(), "\n")
}

// firstTest is the last recorded test of a function as C: the one with the
// most to show.
func firstTest(t *testing.T, s sample, d *drivers.Driver) string {
	t.Helper()
	files, err := filepath.Glob("testdata/tests/" + s.name + "-*.ktest")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test of %s is recorded: run the corpus with -update", s.name)
	}
	best, size := "", -1
	for _, f := range files {
		kt, err := ktest.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := ctests.Show(ctests.Case{Number: 1, Test: kt},
			ctests.Options{Style: ctests.Plain, Oracle: ctests.None, Driver: d.Inputs})
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > size {
			best, size = text, len(text)
		}
	}
	return best
}
