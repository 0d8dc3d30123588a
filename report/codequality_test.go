package report

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"klabel/label"
)

// TestCodeQuality holds the format to the schema of GitLab's documentation, and what
// it lists to the summary.
func TestCodeQuality(t *testing.T) {
	schema, err := os.ReadFile("testdata/schema/codequality.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	r := sample(t, dir)
	moved := sample(t, dir)
	for i := range moved.Rows {
		moved.Rows[i].Position.Line += 7
	}
	twice := sample(t, dir) // two labels that say the same are two issues
	for _, l := range twice.Rows {
		if l.Status == label.Unknown {
			twice.Rows = append(twice.Rows, l)
			break
		}
	}
	prints := map[*Result][]string{}
	for _, r := range []*Result{r, moved, twice, {}} {
		text := render(t, Results, "codequality", r, Options{Dir: dir})
		res, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewStringLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range res.Errors() {
			t.Error(e)
		}
		var issues []codeIssue
		if err := json.Unmarshal([]byte(text), &issues); err != nil {
			t.Fatal(err)
		}
		count, seen := map[string]int{}, map[string]bool{}
		for _, i := range issues {
			count[i.Check]++
			if seen[i.Fingerprint] {
				t.Errorf("two issues of the fingerprint %s", i.Fingerprint)
			}
			seen[i.Fingerprint] = true
			prints[r] = append(prints[r], i.Fingerprint)
		}
		unknown := 0
		for _, l := range r.Rows {
			if l.Status == label.Unknown {
				unknown++
			}
		}
		if count["klabel/label"] != unknown || count["klabel/finding"] != len(r.Findings) ||
			count["klabel/contradiction"] != len(r.Contradictions) {
			t.Errorf("%v, want %d labels, %d findings, %d contradictions", count, unknown, len(r.Findings),
				len(r.Contradictions))
		}
	}
	for i, p := range prints[r] {
		if prints[moved][i] != p {
			t.Error("lines that move are new issues")
		}
	}
}
