package annotate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/fault"
	"klabel/label"
)

// project writes files into a folder and returns their paths.
func project(t *testing.T, dir string, files map[string]string) []string {
	t.Helper()
	var out []string
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, p, text)
		if strings.HasSuffix(name, ".c") {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

func TestNumbersStayWhenAnotherFileChanges(t *testing.T) {
	dir := t.TempDir()
	files := project(t, dir, map[string]string{
		"a.c": "int a(int x) { if (x) return 1; return 0; }\n",
		"b.c": "int b(int x) { if (x > 3) return 1; return 0; }\n",
		"c.c": "int c(int x) { while (x) x--; return 0; }\n",
	})
	job := Job{Options: Options{Criteria: []string{"DC,STMT"}, Clang: clang(t)}, Files: files,
		Output: filepath.Join(dir, "out")}
	numbers := func() map[string][]label.ID {
		res, err := Run(context.Background(), job)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[label.ID]bool{}
		out := map[string][]label.ID{}
		for _, l := range res.Labels {
			if seen[l.ID] {
				t.Fatalf("label %s twice", l.ID)
			}
			seen[l.ID] = true
			f := filepath.Base(l.Position.File)
			out[f] = append(out[f], l.ID)
		}
		return out
	}
	same := func(a, b []label.ID) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	before := numbers()
	write(t, files[0], "int a(int x) { if (x) return 1; if (x > 1) return 2; return 0; }\n")
	after := numbers()
	if !same(before["b.c"], after["b.c"]) || !same(before["c.c"], after["c.c"]) {
		t.Errorf("a small change in a.c moved labels of others: %v, then %v", before, after)
	}
	var big strings.Builder
	big.WriteString("int a(int x) {\n")
	for range 6000 {
		big.WriteString("if (x) x--;\n")
	}
	big.WriteString("return 0; }\n")
	write(t, files[0], big.String())
	after = numbers()
	if !same(before["b.c"], after["b.c"]) || !same(before["c.c"], after["c.c"]) {
		t.Error("a file that outgrew its block moved labels of others")
	}
	job.Output = filepath.Join(dir, "elsewhere") // nothing is known of the run before
	write(t, files[0], "int a(int x) { return x ? 1 : 0; }\n")
	if fresh := numbers(); !same(before["b.c"], fresh["b.c"]) {
		t.Error("a small change in a.c moved labels of others in a first run")
	}
}

func TestBadFilesFailAloneAndTheOthersGoOn(t *testing.T) {
	dir := t.TempDir()
	files := project(t, dir, map[string]string{
		"good.c":    "int f(int x) { return x ? 1 : 2; }\n",
		"refused.c": "int f(int x) { return y; }\n",
		"unread.c":  "int g(int n, int a[*]);\n",
	})
	out := filepath.Join(dir, "out")
	res, err := Run(context.Background(), Job{Options: Options{Criteria: []string{"CC"}, Clang: clang(t)}, Files: files,
		Output: out})
	var list *FilesError
	if !errors.As(err, &list) || len(list.Errors) != 2 {
		t.Fatalf("error %v", err)
	}
	if !errors.Is(err, csource.ErrRefused) || !strings.Contains(err.Error(), "refused.c:1") ||
		!strings.Contains(err.Error(), "undeclared identifier") {
		t.Errorf("clang's message is missing: %v", err)
	}
	if !strings.Contains(err.Error(), "unread.c:1") {
		t.Errorf("the place is missing: %v", err)
	}
	if len(res.Files) != 1 || len(res.Labels) != 2 {
		t.Errorf("result %+v", res)
	}
	for name, want := range map[string]bool{"good.c": true, "refused.c": false, "unread.c": false, labelsName: true} {
		if _, err := os.Stat(filepath.Join(out, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWishesThatCannotBeGranted(t *testing.T) {
	dir := t.TempDir()
	files := project(t, dir, map[string]string{"a.c": "int parse_header(int x) { return x ? 1 : 2; }\n" +
		"int parse_body(int x) { return x; }\n"})
	out := filepath.Join(dir, "o.c")
	for name, c := range map[string]struct {
		job  Job
		want string
	}{
		"function": {Job{Options: Options{Criteria: []string{"CC"}, Functions: []string{"parse_headr"}}},
			"nearest: parse_header"},
		"criterion": {Job{Options: Options{Criteria: []string{"GACX"}}}, "GACC"},
		"none":      {Job{}, "no criterion"},
		"letter":    {Job{Options: Options{Criteria: []string{"n-CC"}}}, "2-CC"},
		"lines":     {Job{Options: Options{Criteria: []string{"CC"}, Lines: []string{"9-3"}}}, "not a range"},
		"glob":      {Job{Options: Options{Criteria: []string{"CC"}, FileGlobs: []string{"[a"}}}, "not a pattern"},
		"patch":     {Job{Options: Options{Criteria: []string{"PATCH"}}}, "needs a diff"},
		"self":      {Job{Options: Options{Criteria: []string{"CC"}}, Output: files[0]}, "overwritten"},
	} {
		t.Run(name, func(t *testing.T) {
			j := c.job
			j.Clang, j.Files = clang(t), files
			if j.Output == "" {
				j.Output = out
			}
			_, err := Run(context.Background(), j)
			if fault.Code(err) != fault.Usage || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in a usage error", err, c.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("something was written all the same")
			}
		})
	}
	j := Job{Options: Options{Criteria: []string{"CC"}, Clang: clang(t), First: label.MaxID}, Files: files, Output: out}
	if _, err := Run(context.Background(), j); err == nil || !strings.Contains(err.Error(), "do not fit") {
		t.Errorf("too many numbers: %v", err)
	}
}

func TestLabelFileNamesTheSource(t *testing.T) {
	dir := t.TempDir()
	files := project(t, dir, map[string]string{"a.c": "#define POS(x) ((x) > 0)\nint f(int x) {\n" +
		"  return x < 3 && POS(x);\n}\nint g(unsigned x) { if (0 && x) return 1; return 2; }\n"})
	out := filepath.Join(dir, "o.c")
	if _, err := Run(context.Background(), Job{Options: Options{Criteria: []string{"CC"}, Clang: clang(t)},
		Files: files, Output: out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "o.labels"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1, unknown, CC, " + files[0] + ":3:10, , klabel, , 0.",
		"3, unknown, CC, " + files[0] + ":3:19 (POS), , klabel, , 0.", "5, uncoverable, CC, " + files[0] +
			":5:25, , klabel, , 0."} {
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	if rows := regexp.MustCompile(`(?m)^\d+, (unknown|uncoverable), `).FindAll(text, -1); len(rows) != 8 {
		t.Errorf("%d rows in\n%s", len(rows), text)
	}
	simple := Job{Options: Options{Criteria: []string{"CC"}, Clang: clang(t), Simplify: true}, Files: files,
		Output: out}
	res, err := Run(context.Background(), simple)
	if err != nil || len(res.Labels) != 6 {
		t.Errorf("--simplify leaves %d labels, want 6 (%v)", len(res.Labels), err)
	}
}

// TestCopyBuilds labels a project in a copy of its own and builds the copy with
// the project's Makefile, from a compilation database.
func TestCopyBuilds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my project")
	project(t, dir, map[string]string{
		"Makefile": "prog: src/main.c src/lib.c include/lib.h\n" +
			"\t$(CC) $(CFLAGS) -Iinclude -DLIMIT=3 -o prog src/main.c src/lib.c\n",
		"include/lib.h": "int lib(int);\nstatic inline int twice(int x) { return x > 1 ? 2 * x : x; }\n",
		"src/lib.c": "#include <stdio.h>\n#include \"lib.h\"\n" +
			"int lib(int x) { if (x > LIMIT && twice(x)) puts(\"big\"); return x; }\n",
		"src/main.c": "#include \"lib.h\"\nint main(void) { return lib(5) != 5; }\n",
		"README":     "text\n",
		"compile_commands.json": `[{"directory": ".", "file": "src/main.c", "command": "cc -Iinclude -DLIMIT=3 -c src/main.c -o main.o"},
 {"directory": ".", "file": "src/lib.c", "arguments": ["cc", "-I", "include", "-D", "LIMIT=3", "-c", "src/lib.c"]}]`,
	})
	copied := filepath.Join(t.TempDir(), "copy")
	res, err := Run(context.Background(), Job{Options: Options{Criteria: []string{everything}, Clang: clang(t)},
		Database: filepath.Join(dir, "compile_commands.json"), Copy: copied})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Files) != 2 || len(res.Labels) < 20 {
		t.Errorf("%d files, %d labels", len(res.Files), len(res.Labels))
	}
	if _, err := os.Stat(filepath.Join(copied, "README")); err != nil {
		t.Error(err)
	}
	head := write(t, filepath.Join(t.TempDir(), "evaluate.h"), evaluate)
	for _, flags := range []string{"-Wall -Werror", "-include " + head} {
		run(t, copied, "make", "-B", "CC="+clang(t).Path, "CFLAGS="+flags)
		if out := run(t, copied, "./prog"); out != "big\n" {
			t.Errorf("the copy prints %q", out)
		}
	}
}

// TestFoldingIsTheCompilers: constants are found whatever form they have, and
// nothing else is.
func TestFolding(t *testing.T) {
	p := write(t, filepath.Join(t.TempDir(), "f.c"), `
enum { OFF, LEVEL = 3 };
int f(int a, unsigned u) {
  if (OFF) a++;
  if (a && OFF) a++;
  if (LEVEL > 2 || a) a++;
  if (sizeof(long) == 4) a++;
  if (u < 3) a++;
  return a;
}
`)
	l := labelFile(t, p, Options{Criteria: []string{"DC"}})
	got := map[int]string{}
	for _, x := range l.Labels {
		switch {
		case l.Reasons[x.ID] != "":
			got[x.Position.Line] += "F"
		case l.Always[x.ID]:
			got[x.Position.Line] += "T"
		default:
			got[x.Position.Line] += "?"
		}
	}
	for line, want := range map[int]string{4: "FT", 5: "FT", 6: "TF", 7: "FT", 8: "??"} {
		if got[line] != want {
			t.Errorf("line %d: %q, want %q", line, got[line], want)
		}
	}
}
