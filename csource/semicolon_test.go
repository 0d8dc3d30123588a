package csource

import (
	"fmt"
	"strings"
	"testing"
)

// TestLabelsWithoutSemicolons: what the file's own macro lets stand without one.
func TestLabelsWithoutSemicolons(t *testing.T) {
	const f = `int f(int x)
{
    cov_label(x > 1, 1, "CC")
    if (x == 5) cov_label(x, 2)
    else
        cov_label(1, 3) /* here */
    switch (x) {
    case 1: cov_label(1, 4) cov_label(x == 1, 5) break;
    }
    cov_label(x < 3, 6);
    cov_label(x < 4, 7)
    return x;
}
`
	const want = "1 at 4, 2 at 5, 3 at 7, 4 at 9, 5 at 9, 6 at 11, 7 at 12"
	bodiless := strings.Replace(f, "if (x == 5) cov_label(x, 2)\n    else\n", "if (x == 5) ; cov_label(x, 2)\n\n", 1)
	for name, text := range map[string]string{
		"a block":          "#define cov_label(...) {}\n" + f,
		"a block, guarded": "#ifndef cov_label\n#define cov_label(p, ...) { if (p) x++; }\n#endif\n" + f,
		"a statement":      "#define cov_label(...) do {} while (0);\n" + strings.ReplaceAll(f, ", 6);", ", 6)"),
		"nothing":          "#define cov_label(...)\n" + bodiless,
		"nothing, guarded": "#ifndef cov_label\n#define cov_label(...)\n#endif\n" + bodiless,
		"nowhere":          "\n" + bodiless,
		"through a macro": "#define cov_label(...) {}\n#define CC(p) cov_label(p, 7)\n" +
			strings.Replace(f, "cov_label(x < 4, 7)", "CC(x < 4)", 1),
		// Each clang that knows -std=c2x reads this; the keyword bool came with clang 15.
		"C23": "enum { many = 1'000 };\n" + bodiless,
	} {
		u, err := load(t, text, func(o *Options) {
			if name == "C23" {
				o.Flags = []string{"-std=c2x"}
			}
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ls, err := u.Labels()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		off := strings.Count(text[:strings.Index(text, "int f(")], "\n") - 1
		var got []string
		for _, l := range ls {
			got = append(got, fmt.Sprintf("%d at %d", l.ID, l.Position.Line-off))
			if !l.Statement {
				t.Errorf("%s: label %d is no statement", name, l.ID)
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s", name, s)
		}
	}
}

// TestNoSemicolonRefused: where a semicolon would give the program another meaning, or
// the user's compiler refuses the file, too.
func TestNoSemicolonRefused(t *testing.T) {
	for name, text := range map[string]string{
		"a body that is nothing": "#ifndef cov_label\n#define cov_label(...)\n#endif\n" +
			"int f(int x) { if (x > 3) cov_label(x == 5, 1) x = 2; return x; }\n",
		"not known":    "int f(int x) { while (x > 3) cov_label(x == 5, 1) x = 2; return x; }\n",
		"no statement": "#define cov_label(...) do {} while (0)\nint f(int x) { cov_label(x, 1) return x; }\n",
		"an expression": "#ifndef cov_label\n#define cov_label(...) ((void)0)\n#endif\n" +
			"int f(int x) { cov_label(x, 1) return x; }\n",
	} {
		if _, err := load(t, text); err == nil || !strings.Contains(err.Error(), "expected ';'") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
