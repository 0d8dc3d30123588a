package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"klabel/label"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds every format to what it wrote before. HTML is left to its
// own test: most of it is the page's script.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	r := sample(t, dir)
	r.Runs = []RunRow{{Number: 1, Engine: "native", Mode: "greybox", Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Seconds: 1.25, Paths: 3, Instructions: 40}}
	for _, f := range Results {
		if f.Name == "html" {
			continue
		}
		got := strings.ReplaceAll(render(t, Results, f.Name, r, Options{Dir: dir, All: true}), dir, "DIR")
		path := filepath.Join("testdata", "golden", "sample"+f.Ext)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got), -update writes it anew:\n%s", f.Name, diff)
		}
	}
}

// TestEmpty gives every format a result with nothing in it.
func TestEmpty(t *testing.T) {
	for _, f := range Results {
		if got := render(t, Results, f.Name, &Result{}, Options{}); got == "" && f.Name != "lcov" &&
			f.Name != "exclusions" {
			t.Errorf("%s writes nothing", f.Name)
		}
	}
}

// tool finds a program that reads one of the formats: KLABEL_LCOV names an lcov
// that is not the system's, and so for the others.
func tool(t *testing.T, name string) string {
	t.Helper()
	if path := os.Getenv("KLABEL_" + strings.ToUpper(name)); path != "" {
		return path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: what it reads is not checked with it", name)
	}
	return path
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestXML holds the XML formats to schemas. Those in testdata say no less than
// the published ones, which were used to make them.
func TestXML(t *testing.T) {
	xmllint := tool(t, "xmllint")
	for format, schema := range map[string][]string{
		"cobertura": {"--dtdvalid", "testdata/schema/cobertura.dtd"},
		"junit":     {"--schema", "testdata/schema/junit.xsd"},
		"sonarqube": {"--schema", "testdata/schema/sonarqube.xsd"},
	} {
		for _, r := range []*Result{sample(t, t.TempDir()), {}} {
			path := file(t, "x.xml", render(t, Results, format, r, Options{}))
			command(t, xmllint, append([]string{"--nonet", "--noout", path}, schema...)...)
		}
	}
}

// TestSARIF holds the log to the schema of OASIS, and knows no field beyond it.
func TestSARIF(t *testing.T) {
	for _, r := range []*Result{sample(t, t.TempDir()), {}} {
		text := render(t, Results, "sarif", r, Options{Dir: "/base"})
		if strings.Contains(text, ": null") {
			t.Errorf("a value is null:\n%s", text)
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		var log sarif.Report
		if err := d.Decode(&log); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(fmt.Sprint(log.Validate()), "\n") {
			// What the library itself adds to a log that it has read.
			own := strings.Contains(line, "given: null") || strings.Contains(line, "language: Does not match")
			if line = strings.Trim(line, " ]"); !own && line != "" && line != "<nil>" {
				t.Error(line)
			}
		}
		if len(r.Rows) == 0 {
			continue
		}
		levels := map[string]int{}
		for _, res := range log.Runs[0].Results {
			levels[res.Level]++
			if id := log.Runs[0].Tool.Driver.Rules[res.RuleIndex].ID; *id != *res.RuleID {
				t.Errorf("rule %s has the index of %s", *res.RuleID, *id)
			}
		}
		if want := map[string]int{"error": 2, "warning": 1, "note": 4, "none": 1}; !cmp.Equal(want, levels) {
			t.Error(cmp.Diff(want, levels))
		}
	}
}

// sums reads the totals that klabel wrote, in the words of each format.
func TestTotalsAreTheSummarys(t *testing.T) {
	r := sample(t, t.TempDir())
	want := [2]int{r.Labels.Covered, r.Labels.Total - r.Labels.Infeasible}
	lcov := render(t, Results, "lcov", r, Options{})
	if got := [2]int{total(lcov, `(?m)^BRH:(\d+)`), total(lcov, `(?m)^BRF:(\d+)`)}; got != want {
		t.Errorf("lcov: %v, want %v", got, want)
	}
	if n := len(regexp.MustCompile(`(?m)^BRDA:.*,[1-9]\d*$`).FindAllString(lcov, -1)); n != want[0] {
		t.Errorf("lcov: %d branches taken, want %d", n, want[0])
	}
	cobertura := render(t, Results, "cobertura", r, Options{})
	if got := [2]int{total(cobertura, `branches-covered="(\d+)"`), total(cobertura, `branches-valid="(\d+)"`)}; got != want {
		t.Errorf("cobertura: %v, want %v", got, want)
	}
	sonar := render(t, Results, "sonarqube", r, Options{})
	if got := [2]int{total(sonar, `coveredBranches="(\d+)"`), total(sonar, `branchesToCover="(\d+)"`)}; got != want {
		t.Errorf("sonarqube: %v, want %v", got, want)
	}
	decide(r) // two covered labels become rows, which make one condition covered and one infeasible
	cobertura, sonar = render(t, Results, "cobertura", r, Options{}), render(t, Results, "sonarqube", r, Options{})
	want = [2]int{1, 5}
	if got := [2]int{total(cobertura, `branches-covered="(\d+)"`), total(cobertura, `branches-valid="(\d+)"`)}; got != want {
		t.Errorf("cobertura, with conditions: %v, want %v", got, want)
	}
	if got := [2]int{total(sonar, `coveredBranches="(\d+)"`), total(sonar, `branchesToCover="(\d+)"`)}; got != want {
		t.Errorf("sonarqube, with conditions: %v, want %v", got, want)
	}
}

func total(text, pattern string) int {
	sum := 0
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		sum += n
	}
	return sum
}

// TestGcovrReads lets gcovr read Cobertura's form, where it is new enough.
func TestGcovrReads(t *testing.T) {
	gcovr := tool(t, "gcovr")
	if !strings.Contains(command(t, gcovr, "--help"), "--cobertura-add-tracefile") {
		t.Skip("this gcovr does not read Cobertura's form: it came with version 7")
	}
	dir := t.TempDir()
	r := sample(t, dir)
	path := file(t, "c.xml", render(t, Results, "cobertura", r, Options{Dir: dir}))
	got := command(t, gcovr, "--root", dir, "--cobertura-add-tracefile", path, "--print-summary")
	n := r.Labels
	if want := fmt.Sprintf("(%d out of %d)", n.Covered, n.Total-n.Infeasible); !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// TestJSONRoundTrip reads a result back as it was.
func TestJSONRoundTrip(t *testing.T) {
	r := sample(t, t.TempDir())
	var back Result
	if err := json.NewDecoder(strings.NewReader(render(t, Results, "json", r, Options{}))).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, &back); diff != "" {
		t.Error(diff)
	}
	var brief bytes.Buffer
	if err := Results[1].New(Options{Brief: true}).Render(&brief, r); err != nil ||
		strings.Contains(brief.String(), "label_rows") {
		t.Errorf("want the summary alone (%v):\n%s", err, brief.String())
	}
}

// Deselected labels are nobody's branches, and count in no file.
func TestDeselected(t *testing.T) {
	r := sample(t, t.TempDir())
	r.Rows[5].Status = label.Deselected
	if got := total(render(t, Results, "lcov", r, Options{}), `(?m)^BRF:(\d+)`); got != 5 {
		t.Errorf("%d branches, want 5", got)
	}
}

// A #line gives a file any name: it stays one name in every format, ends no record, is no
// markup, and says nothing to a terminal.
func TestHostileNames(t *testing.T) {
	const name = "a\x1b[2J\nend_of_record\nSF:b<script>&\"|`,.c"
	r := &Result{Rows: []LabelRow{{Label: label.Label{ID: 1, Function: "f", Predicate: "x",
		Position: label.Position{File: name, Line: 3, Column: 1}, Tags: []string{"CC"}}, Status: label.Covered}}}
	r.Labels.Total, r.Labels.Covered, r.Sources = 1, 1, []Source{{Name: name, Path: name}}
	r.Program = "a<script>`|.c" // no file with control characters is read
	r.Decisions = []DecisionRow{{Number: 1, Criterion: "MCDC", Text: "x", Function: "f", Position: r.Rows[0].Position}}
	for _, f := range Results {
		got := render(t, Results, f.Name, r, Options{})
		if strings.Contains(got, "\x1b") {
			t.Errorf("%s holds what a terminal obeys", f.Name)
		}
		if f.Name == "lcov" && (strings.Count(got, "\nend_of_record\n") != 1 || strings.Count(got, "\nSF:") != 1) {
			t.Errorf("a name has made a record: %s", got)
		}
		// What people read in a browser.
		if strings.HasPrefix(f.Ext, ".") && (strings.HasSuffix(f.Ext, "html") || strings.HasSuffix(f.Ext, ".md")) &&
			(strings.Contains(got, "b<script>") || strings.Contains(got, "a<script>") ||
				strings.Contains(got, "\nend_of_record")) {
			t.Errorf("%s has markup that a name made: %.700q", f.Name, got)
		}
	}
}
