package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"klabel/label"
)

func labelled(id label.ID, line int, criterion, predicate string, s label.Status) LabelRow {
	return LabelRow{Label: label.Label{ID: id, Tags: []string{criterion},
		Position: label.Position{File: "f.c", Line: line}, Predicate: predicate, Function: "f"}, Status: s,
		Covered: s == label.Covered, Method: "eva", Reason: "proved"}
}

// A mark hides all of a line, or all of its branches: nothing that is open may
// stand there.
func TestExclusion(t *testing.T) {
	const no, yes, open = label.Infeasible, label.Covered, label.Unknown
	for name, c := range map[string]struct {
		rows []LabelRow
		want string
	}{
		"a statement that is never reached": {[]LabelRow{labelled(1, 1, "STMT", "1", no)}, excludeLine},
		"both outcomes impossible": {[]LabelRow{labelled(1, 1, "CC", "(a > 3)", no),
			labelled(2, 1, "CC", "!(a > 3)", no)}, excludeLine},
		"an equivalent mutant": {[]LabelRow{labelled(1, 1, "WM", "a != a + 0", no)}, ""},
		"one outcome impossible, one covered": {[]LabelRow{labelled(1, 1, "CC", "(a > 3)", yes),
			labelled(2, 1, "CC", "!(a > 3)", no)}, excludeBranch},
		"one outcome impossible, one open": {[]LabelRow{labelled(1, 1, "CC", "(a > 3)", open),
			labelled(2, 1, "CC", "!(a > 3)", no)}, ""},
		"one outcome alone": {[]LabelRow{labelled(1, 1, "CC", "!(a > 3)", no)}, excludeBranch},
		"a decision whose conditions are open": {[]LabelRow{labelled(1, 1, "DC", "a || b", yes),
			labelled(2, 1, "DC", "!(a || b)", no)}, ""},
		"an impossible combination": {[]LabelRow{labelled(1, 1, "MCC", "!a && !b", no),
			labelled(2, 1, "CC", "a", yes), labelled(3, 1, "CC", "!a", yes)}, ""},
		"something else on the line is open": {[]LabelRow{labelled(1, 1, "CC", "(a > 3)", yes),
			labelled(2, 1, "CC", "!(a > 3)", no), labelled(3, 1, "WM", "x", open)}, ""},
		"a statement among what is covered": {[]LabelRow{labelled(1, 1, "STMT", "1", no),
			labelled(2, 1, "STMT", "1", yes)}, ""},
		"predicates that only look contrary": {[]LabelRow{labelled(1, 1, "WM", "(a) + (b)", no),
			labelled(2, 1, "WM", "!(a + b)", no)}, ""},
	} {
		if got, _ := (sourceLine{Number: 1, Rows: c.rows}).exclusion(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWithMark(t *testing.T) {
	rows := []LabelRow{labelled(7, 1, "CC", "a", label.Infeasible)}
	for line, want := range map[string]string{
		"if (a)\n":          "if (a) /* LCOV_EXCL_LINE klabel: infeasible: 7 */\n",
		"if (a)\r\n":        "if (a) /* LCOV_EXCL_LINE klabel: infeasible: 7 */\r\n",
		"if (a)":            "if (a) /* LCOV_EXCL_LINE klabel: infeasible: 7 */",
		"if (a) \\\n":       "if (a) /* LCOV_EXCL_LINE klabel: infeasible: 7 */ \\\n",
		"if (a) { /* say\n": "if (a) { /* say LCOV_EXCL_LINE klabel: infeasible: 7\n",
	} {
		if got := withMark(line, excludeLine, rows); got != want {
			t.Errorf("%q becomes %q", line, got)
		}
	}
}

const neverTrue = `int f(int a, int b)
{
    if (a > 10) {
        if (a < 5)
            return 1;
        b++;
    }
    if (b > 3 && b < 2)
        return 2;
    return b;
}

int main(void)
{
    return f(1, 1) + f(11, 4) == 0;
}
`

// TestExclusionsAreRead patches a copy, builds it with gcc's coverage, and lets
// lcov and gcovr count: what is impossible is asked for no more, and what can be
// covered is asked for still.
func TestExclusionsAreRead(t *testing.T) {
	for _, name := range []string{"patch", "gcc", "gcov", "lcov", "gcovr"} {
		tool(t, name)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "f.c")
	if err := os.WriteFile(source, []byte(neverTrue), 0o666); err != nil {
		t.Fatal(err)
	}
	const no, yes = label.Infeasible, label.Covered
	r := &Result{Rows: []LabelRow{
		labelled(1, 3, "CC", "(a > 10)", yes), labelled(2, 3, "CC", "!(a > 10)", yes),
		labelled(3, 4, "CC", "(a < 5)", no), labelled(4, 4, "CC", "!(a < 5)", yes),
		labelled(5, 5, "STMT", "1", no),
		labelled(6, 8, "CC", "(b > 3)", yes), labelled(7, 8, "CC", "!(b > 3)", yes),
		labelled(8, 8, "CC", "(b < 2)", no), labelled(9, 8, "CC", "!(b < 2)", yes),
		labelled(10, 9, "STMT", "1", no),
	}}
	r.Sources = []Source{{Name: "f.c", Path: source}}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil && name != "./f" {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	count := func() (lcov, gcovr string) {
		run("gcc", "-O0", "--coverage", "-Wall", "-Wextra", "-Werror", "-o", "f", "f.c")
		run("./f")
		rc := "lcov_branch_coverage=1"
		if !strings.Contains(run("lcov", "--version"), "version 1.") {
			rc = "branch_coverage=1"
		}
		run("lcov", "--rc", rc, "-q", "-c", "-d", ".", "-o", "out.info")
		info, err := os.ReadFile(filepath.Join(dir, "out.info"))
		if err != nil {
			t.Fatal(err)
		}
		var n [4]int
		for i, pattern := range []string{`(?m)^DA:\d+,[1-9]`, `(?m)^DA:`, `(?m)^BRDA:.*,[1-9]\d*$`, `(?m)^BRDA:`} {
			n[i] = len(regexp.MustCompile(pattern).FindAll(info, -1))
		}
		lcov = fmt.Sprintf("%d of %d lines, %d of %d branches", n[0], n[1], n[2], n[3])
		gcovr = strings.Join(regexp.MustCompile(`\(\d+ out of \d+\)`).FindAllString(run("gcovr", "--print-summary", "--root", "."), -1), " ")
		for _, junk := range []string{"*.gcda", "*.gcno"} {
			files, _ := filepath.Glob(filepath.Join(dir, junk))
			for _, f := range files {
				os.Remove(f)
			}
		}
		return lcov, gcovr
	}
	lcov, gcovr := count()
	if lcov != "8 of 10 lines, 6 of 8 branches" {
		t.Fatalf("before: %s", lcov)
	}
	if err := os.WriteFile(filepath.Join(dir, "x.patch"),
		[]byte(render(t, Results, "exclusions", r, Options{Dir: dir})), 0o666); err != nil {
		t.Fatal(err)
	}
	run("patch", "-p1", "-i", "x.patch")
	lcov2, gcovr2 := count()
	if lcov2 != "8 of 8 lines, 2 of 2 branches" {
		t.Errorf("after: %s", lcov2)
	}
	if gcovr == gcovr2 || !strings.Contains(gcovr2, "(8 out of 8)") || !strings.Contains(gcovr2, "(2 out of 2)") {
		t.Errorf("gcovr: %s, after %s", gcovr, gcovr2)
	}
}
