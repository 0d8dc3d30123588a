package report

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// newer reports whether an lcov is of version 2.3 or later, which has MC/DC.
func newer(version string) (branches []string, mcdc bool) {
	m := regexp.MustCompile(`version (\d+)\.(\d+)`).FindStringSubmatch(version)
	if m == nil || m[1] == "1" {
		return []string{"--rc", "lcov_branch_coverage=1"}, false
	}
	minor, _ := strconv.Atoi(m[2])
	if m[1] == "2" && minor < 3 {
		return []string{"--rc", "branch_coverage=1", "--ignore-errors", "format"}, false
	}
	return []string{"--branch-coverage", "--mcdc-coverage"}, true
}

// TestLCOVReads lets lcov count, and genhtml make its pages, with decisions and
// without.
func TestLCOVReads(t *testing.T) {
	lcov, genhtml := tool(t, "lcov"), tool(t, "genhtml")
	flags, mcdc := newer(command(t, lcov, "--version"))
	for _, decisions := range []bool{false, true} {
		r := sample(t, t.TempDir())
		labels := fmt.Sprintf("(%d of %d branches)", r.Labels.Covered, r.Labels.Total-r.Labels.Infeasible)
		if decisions {
			decide(r) // two covered labels are rows of a truth table now
			labels = "(0 of 4 branches)"
		}
		path := file(t, "labels.info", render(t, Results, "lcov", r, Options{}))
		got := command(t, lcov, append([]string{"--summary", path}, flags...)...)
		want := []string{labels}
		if decisions && mcdc { // one condition, true and false; the other is impossible
			want = append(want, "(2 of 2 condition")
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("no %q in\n%s", w, got)
			}
		}
		out := t.TempDir()
		page := flags
		if strings.HasPrefix(strings.Join(flags, " "), "--rc lcov") {
			page = []string{"--branch-coverage"}
		}
		said := command(t, genhtml, append([]string{"-o", out, path}, page...)...)
		pages, _ := filepath.Glob(filepath.Join(out, "*", "a.c.gcov.html"))
		if len(pages) == 0 {
			pages, _ = filepath.Glob(filepath.Join(out, "a.c.gcov.html"))
		}
		if len(pages) != 1 {
			t.Fatalf("genhtml made no page for a.c in %s:\n%s", out, said)
		}
		if decisions && mcdc && !strings.Contains(said, "(2 of 2 MC/DC") {
			t.Errorf("genhtml has no conditions:\n%s", said)
		}
	}
}

// TestLCOVConditions: a condition has a record for each sense, an impossible one
// none; two decisions of one size on one line stay apart.
func TestLCOVConditions(t *testing.T) {
	r := sample(t, t.TempDir())
	decide(r)
	other := r.Decisions[0]
	other.Text, other.Conditions = "p || q", []ConditionRow{{Number: 1, Text: "p\n  > 1"}, {Number: 2, Text: "q, r"}}
	r.Decisions = append(r.Decisions, other)
	var got []string
	for _, l := range strings.Split(render(t, Results, "lcov", r, Options{}), "\n") {
		if strings.HasPrefix(l, "MC") {
			got = append(got, l)
		}
	}
	want := []string{"MCDC:3,3,t,1,0,x > 3", "MCDC:3,3,f,1,0,x > 3", "MCDC:3,3,t,0,1,p > 1", "MCDC:3,3,f,0,1,p > 1",
		"MCDC:3,3,t,0,2,q, r", "MCDC:3,3,f,0,2,q, r", "MCF:6", "MCH:2"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
