package annotate

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

const (
	document = "../docs/criteria.md"
	example  = "testdata/doc/example.c"
)

// TestDocument checks that docs/criteria.md shows what the program does, and
// all criteria. With -update it writes the tables.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?s)(<!-- (example|labels ([^ ]+)) -->\n).*?(<!-- end -->)`)
	seen := map[string]bool{}
	want := block.ReplaceAllStringFunc(string(text), func(s string) string {
		m := block.FindStringSubmatch(s)
		if m[2] == "example" {
			return m[1] + "```c\n" + string(code) + "```\n" + m[4]
		}
		seen[m[3]] = true
		return m[1] + describe(t, m[3]) + m[4]
	})
	for _, c := range table {
		name := strings.NewReplacer("n-CC", "2-CC", "LIMIT-N", "LIMIT-1").Replace(c.Name)
		if c.make != nil && !seen[name] {
			t.Errorf("%s does not show %s", document, name)
		}
	}
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s is not what the program does\n%s\n(go test ./annotate -run TestDocument -update)", document,
			firstDifference(string(text), want))
	}
}

// describe is the table of one criterion: its meaning, and its labels by line.
func describe(t *testing.T, name string) string {
	o := Options{Criteria: []string{name}, Functions: []string{"example"}}
	if name == "FC" || name == "FCC" {
		o.Functions = nil
	}
	if name == "PATCH" {
		o.Patch = "testdata/doc/example.diff"
	}
	l := labelFile(t, example, o)
	key, _, err := find(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range table {
		if c.Name == key {
			fmt.Fprintf(&b, "%s%s.\n\n", strings.ToUpper(c.Meaning[:1]), c.Meaning[1:])
		}
	}
	b.WriteString("| line | predicate |\n|---|---|\n")
	for _, x := range l.Labels {
		note := ""
		if l.Reasons[x.ID] != "" {
			note = " (infeasible)"
		}
		fmt.Fprintf(&b, "| %d | `` %s ``%s |\n", x.Position.Line, strings.ReplaceAll(x.Predicate, "|", `\|`), note)
	}
	return b.String()
}
