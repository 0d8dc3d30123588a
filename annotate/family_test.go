package annotate

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"klabel/csource"
	"klabel/toolchain"
)

var update = flag.Bool("update", false, "write the expectations of testdata anew")

var probe = sync.OnceValues(func() (*toolchain.Clang, error) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		return nil, err
	}
	return tools.RequireClang()
})

// clang is the compiler, or the test is skipped and says so.
func clang(t testing.TB) *toolchain.Clang {
	t.Helper()
	c, err := probe()
	if err != nil {
		t.Skip("skipped:", err)
	}
	return c
}

// labelFile labels a file and checks what holds for every labelled file:
// removal of the insertions, and that the result compiles and means labels.
func labelFile(t testing.TB, path string, o Options) *Labelled {
	t.Helper()
	ctx := context.Background()
	o.Clang = clang(t)
	l := justLabel(t, path, o)
	again, err := csource.Parse(ctx, path, l.Text, csource.Options{Clang: o.Clang, Flags: o.Flags})
	if err != nil {
		t.Fatalf("%s: the labelled text is not C: %v", path, err)
	}
	calls, err := again.Labels()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if len(calls) != len(l.Labels) {
		t.Errorf("%s: %d labels are said to be in the text, %d are", path, len(l.Labels), len(calls))
	}
	for i, c := range l.Labels {
		for _, d := range calls {
			if d.ID == c.ID && strings.Join(d.Tags, ",") != strings.Join(c.Tags, ",") {
				t.Errorf("%s: label %s has tags %q in the text, %q in the list", path, c.ID, d.Tags, c.Tags)
			}
		}
		if i > 200 {
			break
		}
	}
	return l
}

// justLabel labels a file and checks that the insertions can be taken out.
func justLabel(t testing.TB, path string, o Options) *Labelled {
	t.Helper()
	ctx := context.Background()
	o.Clang = clang(t)
	u, err := csource.Load(ctx, path, csource.Options{Clang: o.Clang, Flags: o.Flags})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Unit(ctx, u, o)
	if err != nil {
		t.Fatal(err)
	}
	if string(l.Original()) != string(u.Text) {
		t.Errorf("%s: taking the insertions out does not give the text back", path)
	}
	return l
}

var expectation = regexp.MustCompile(` *//@.*$`)

// TestFamilies labels the files of testdata and compares the labels of each
// line with what stands beside it: `//@ TAG predicate ;; TAG predicate`.
func TestFamilies(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.c")
	if len(files) < 25 {
		t.Fatalf("only %d files in testdata", len(files))
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".c"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			l := labelFile(t, path, directives(text))
			at := map[int][]string{}
			for _, x := range l.Labels {
				note := ""
				if l.Reasons[x.ID] != "" {
					note = " (infeasible)"
				} else if l.Always[x.ID] {
					note = " (always)"
				}
				at[x.Position.Line] = append(at[x.Position.Line], strings.Join(x.Tags, ",")+" "+x.Predicate+note)
			}
			lines := strings.Split(string(text), "\n")
			var out []string
			for i, line := range lines {
				code := expectation.ReplaceAllString(line, "")
				want := strings.TrimSpace(strings.TrimPrefix(line, code))
				got := ""
				if len(at[i+1]) > 0 {
					got = "//@ " + strings.Join(at[i+1], " ;; ")
				}
				delete(at, i+1)
				if got != want && !*update {
					t.Errorf("%s:%d: %s\ngot  %s\nwant %s", path, i+1, strings.TrimSpace(code), got, want)
				}
				if got != "" {
					code += " " + got
				}
				out = append(out, code)
			}
			if len(at) > 0 {
				t.Errorf("%s: labels on lines that do not exist: %v", path, at)
			}
			if *update {
				if err := os.WriteFile(path, []byte(strings.Join(out, "\n")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// directives reads `// criteria: ...` and the like at the top of a test file.
func directives(text []byte) Options {
	var o Options
	for _, l := range strings.Split(string(text), "\n") {
		key, val, ok := strings.Cut(strings.TrimPrefix(l, "// "), ": ")
		if !strings.HasPrefix(l, "// ") || !ok {
			break
		}
		switch key {
		case "criteria":
			o.Criteria = []string{val}
		case "functions":
			o.Functions = []string{val}
		case "lines":
			o.Lines = []string{val}
		case "patch":
			o.Patch = val
		default:
			panic(fmt.Sprintf("unknown directive %q", l))
		}
	}
	return o
}

// A constant that is written with a sign cannot fail: it takes no label from
// the criteria that look at atoms which the program would not evaluate.
func TestNegatedLiteralIsSafe(t *testing.T) {
	count := func(bound string) (out []int) {
		for _, c := range []string{"MCC", "2-CC", "GICC"} {
			file := filepath.Join(t.TempDir(), "f.c")
			text := "int f(int q, int r, int k) { if (r > 2 && q < " + bound + ") return 1; return 0; }\n"
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			out = append(out, len(labelFile(t, file, Options{Criteria: []string{c}}).Labels))
		}
		return out
	}
	if signed, plain := count("-1"), count("k"); fmt.Sprint(signed) != fmt.Sprint(plain) {
		t.Errorf("with -1: %v labels, with k: %v", signed, plain)
	}
}
