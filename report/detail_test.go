package report

import (
	"os"
	"path/filepath"
	"testing"

	"klabel/label"
)

// sample is a result with every status, two files, functions, tests as C, a
// proof, a finding and a contradiction. Its sources stand in dir.
func sample(t testing.TB, dir string) *Result {
	t.Helper()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := write("a.c", "int f(int x, int y)\n{\n    if (x > 3 && y < \"<&>\"[0])\n        return 1;\n"+
		"    return x / y;\n}\n")
	b := write("b.c", "static int g(const char *s)\n{\n    return s[0] == 'a' || s[1];\n}\n")
	c := write("test_000001.c", "/* test000001. Covers CC 1. */\nstatic void test_000001(void)\n{\n"+
		"    CHECK(f(4, 2) == 1);\n}\n"+
		"\nstatic void test_000002(void)\n{\n    f(0, 1);\n}\n")
	row := func(id label.ID, file, function string, line, column int, criteria, predicate string,
		s label.Status) LabelRow {
		return LabelRow{Label: label.Label{ID: id, Tags: []string{criteria},
			Position:  label.Position{File: file, Line: line, Column: column},
			Predicate: predicate, Function: function}, Status: s, Covered: s == label.Covered}
	}
	one := label.ID(1)
	rows := []LabelRow{
		row(1, "a.c", "f", 3, 9, "CC", "x > 3", label.Covered),
		row(2, "a.c", "f", 3, 9, "CC", "!(x > 3)", label.Covered),
		row(3, "a.c", "f", 3, 18, "MCC", "x > 3 && y < \"<&>\"[0]", label.Duplicate),
		row(4, "a.c", "f", 3, 18, "MCC", "!(x > 3) && y < \"<&>\"[0]", label.Infeasible),
		row(5, "a.c", "f", 5, 16, "RTE", "y == 0", label.Unknown),
		row(6, "b.c", "g", 3, 12, "CC", "s[0] == 'a'", label.Unknown),
		row(7, "b.c", "g", 3, 27, "CC", "s[1] | 0xff", label.Subsumed),
	}
	rows[0].Test, rows[0].Tests = "test000001", []string{"test000001"}
	rows[1].Test, rows[1].Tests = "test000002", []string{"test000002"}
	rows[2].Of, rows[2].Method, rows[2].Reason = &one, "compiler", "the optimiser makes one of both"
	rows[3].Method, rows[3].Reason, rows[3].Seconds = "eva", "no value of y satisfies it, \"whatever\" x is", 0.5
	rows[4].Reason = "reached only by failing tests: a.c:5"
	rows[5].Reason, rows[5].Tried = "not within: 4 items behind s",
		[]string{"g: 4 items behind s", "g+state: globals as they start"}
	rows[6].Of, rows[6].Method, rows[6].Reason = &one, "wp", "implied"
	r := &Result{Rows: rows}
	r.Program, r.Seconds, r.OutputDir = "sample", 1.5, "out"
	r.Sources = []Source{{Name: "a.c", Path: a}, {Name: "b.c", Path: b}}
	r.Functions = []FunctionRow{
		{Name: "f", File: "a.c", Line: 1, Status: Done, Labels: Counts{Total: 5, Covered: 2, Infeasible: 1, Duplicate: 1, Unknown: 1, Redundant: 1},
			Tests: Tests{Generated: 3, Kept: 2, RuntimeErrors: 1}, Seconds: 1,
			Entries: []EntryRow{{Name: "f", Complete: true, Tests: 3, Paths: 3, Seconds: 1}}},
		{Name: "g", File: "b.c", Line: 1, Static: true, Status: Done, Labels: Counts{Total: 2, Subsumed: 1, Unknown: 1, Redundant: 1}, Seconds: 0.25,
			Reason: "not within: 4 items behind s", Entries: []EntryRow{{Name: "g",
				Narrowed: []string{"4 items behind s"}}, {Name: "g+state",
				Narrowed: []string{"globals as they start"}}}},
		{Name: "h", File: "b.c", Line: 9, Status: LeftOut, Reason: "p has type void (*)(), it cannot be made"},
	}
	r.Labels = Counts{Total: 7, Covered: 2, Infeasible: 1, Duplicate: 1, Subsumed: 1, Unknown: 2, Redundant: 2}
	r.Ratios = r.Labels.Ratios()
	r.Criteria = []CriterionCounts{{"CC", 4, 2, 0, 2, 0, 0}, {"MCC", 2, 0, 1, 1, 0, 0},
		{"RTE", 1, 0, 0, 1, 0, 0}}
	r.Tests, r.Done, r.LeftOut = Tests{Generated: 3, Kept: 2, RuntimeErrors: 1}, 2, 1
	r.Engine = Engine{Name: "native", Version: "1", Mode: "greybox", Paths: 3, Instructions: 40, Seconds: 1.25,
		LastLabelSeconds: 0.5}
	r.Suite = []TestRow{
		{Name: "test000001", Entry: "f", File: "out/tests/test000001.ktest", C: c, Case: "test_000001", Kept: true, Engine: "native", Outcome: label.Normal, Hits: []label.ID{1}, Seconds: 0.001, Elapsed: 0.25},
		{Name: "test000002", Entry: "f", File: "out/tests/test000002.ktest", C: c, Case: "test_000002", Kept: true, Engine: "random", Outcome: label.Normal, Hits: []label.ID{2}, Seconds: 0.001, Elapsed: 0.5},
		{Name: "test000003", Entry: "f", File: "out/runtime-errors/test000003.ktest", Engine: "native", Outcome: label.SanitizerErr,
			Reason: "UndefinedBehaviorSanitizer: division by zero at a.c:5:14", Hits: []label.ID{2}, Seconds: 0.002,
			Elapsed: 0.75},
		{Name: "test000004", Entry: "g", File: "out/runtime-errors/test000004.ktest",
			Engine: "native", Outcome: label.SanitizerErr,
			Reason: "UndefinedBehaviorSanitizer: load of null pointer of type 'const char' at b.c:3:12", Seconds: 0.002,
			Given: []string{"NULL for s"}, Elapsed: 0.8},
	}
	r.Findings = []Finding{{File: "a.c", Line: 5, Function: "f", Kind: "division by zero", Message: "division by zero",
		Entry: "f", Test: "test000003", Path: "out/runtime-errors/test000003.ktest", Count: 1},
		{File: "b.c", Line: 3, Kind: "load of null pointer of type 'const char'",
			Message: "load of null pointer of type 'const char'", Entry: "g", Test: "test000004", Count: 1,
			Path:  "out/runtime-errors/test000004.ktest",
			Doubt: "given NULL for s", Given: []string{"NULL for s"}}}
	r.Contradictions = []Contradiction{{Label: 2, Test: "test000002", Method: "eva", Reason: "no input satisfies it"}}
	r.Notes = []string{"tests that end in a run-time error are in out/runtime-errors; they cover nothing"}
	return r
}

// Each status says of a label what is known: source, proof, attempts, tests.
func TestDetails(t *testing.T) {
	dir := t.TempDir()
	r := sample(t, dir)
	for id, want := range map[label.ID]string{
		1: "label      1, covered\ncriteria   CC\nposition   a.c:3:9, function f\npredicate  x > 3\n" +
			"tests      test000001\n\n" +
			"     1  int f(int x, int y)\n     2  {\n>    3      if (x > 3 && y < \"<&>\"[0])\n" +
			"     4          return 1;\n     5      return x / y;\n     6  }\n\n" +
			filepath.Join(dir, "test_000001.c") + ":\n/* test000001. Covers CC 1. */\n" +
			"static void test_000001(void)\n{\n    CHECK(f(4, 2) == 1);\n}\n",
		4: "label      4, infeasible\ncriteria   MCC\nposition   a.c:3:18, function f\n" +
			"predicate  !(x > 3) && y < \"<&>\"[0]\n" +
			"proof      eva: no value of y satisfies it, \"whatever\" x is\n\n" +
			"     1  int f(int x, int y)\n     2  {\n>    3      if (x > 3 && y < \"<&>\"[0])\n" +
			"     4          return 1;\n     5      return x / y;\n     6  }\n",
		6: "label      6, unknown\ncriteria   CC\nposition   b.c:3:12, function g\npredicate  s[0] == 'a'\n" +
			"reason     not within: 4 items behind s\n" +
			"tried      g: 4 items behind s\ntried      g+state: globals as they start\n\n" +
			"     1  static int g(const char *s)\n     2  {\n>    3      return s[0] == 'a' || s[1];\n     4  }\n",
	} {
		d, err := r.Detail(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := render(t, Details, "text", d, Options{}); got != want {
			t.Errorf("label %s:\n%s\nwant\n%s", id, got, want)
		}
	}
	if _, err := r.Detail(8); err == nil {
		t.Error("a label that is not there is shown")
	}
}

func TestFilter(t *testing.T) {
	r := sample(t, t.TempDir())
	for _, c := range []struct {
		f    Filter
		want int
	}{
		{Filter{}, 7},
		{Filter{Status: []label.Status{label.Unknown, label.Infeasible}}, 3},
		{Filter{Criteria: []string{"mcc"}}, 2},
		{Filter{Functions: []string{"g"}, Criteria: []string{"CC"}, Status: []label.Status{label.Unknown}}, 1},
		{Filter{Functions: []string{"g"}, Criteria: []string{"RTE"}}, 0},
	} {
		if got := c.f.List(r.Rows); len(got.Rows) != c.want || got.Of != 7 {
			t.Errorf("%+v: %d of %d, want %d", c.f, len(got.Rows), got.Of, c.want)
		}
	}
}
