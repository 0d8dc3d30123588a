package drivers_test

import (
	"slices"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
)

// What other files keep to themselves is changed by calls of their functions before it is asked for.
func TestHiddenState(t *testing.T) {
	b := newBench(t)
	units := []*csource.Unit{
		b.text(t, "files.c", "struct file { int at; }; static struct file *files; static int depth, fixed = 3;\n"+
			"void files_push(struct file *f) { files = f; depth++; }\n"+
			"void files_mark(void) { if (files) files->at = 0; }\n"+
			"int files_next(void) { return files ? files->at : fixed; }\n"+
			"int files_depth(void) { return depth; }\nint files_fixed(void) { return fixed; }\n"),
		b.text(t, "lex.c", "struct file; void files_push(struct file *); int files_next(void);\n"+
			"void lex_open(struct file *f) { files_push(f); }\nint lex_next(void) { return files_next(); }\n"),
	}
	across := drivers.AcrossFiles(units)
	named := func(of map[string]map[string]bool, f string) string {
		var out []string
		for variable, functions := range of {
			if functions[f] {
				out = append(out, variable)
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for f, want := range map[string]string{"files_next": "0:files", "lex_next": "0:files", "files_depth": "0:depth",
		"files_fixed": ""} {
		if got := named(across.Asks, f); got != want {
			t.Errorf("%s reads %q, want %q", f, got, want)
		}
	}
	for f, want := range map[string]string{"files_push": "0:depth 0:files", "lex_open": "0:depth 0:files",
		"files_mark": "0:files", "files_next": ""} {
		if got := named(across.Changes, f); got != want {
			t.Errorf("%s changes %q, want %q", f, got, want)
		}
	}
	user := b.text(t, "parse.c", "struct file { int at; }; void lex_open(struct file *); void files_mark(void);\n"+
		"int lex_next(void); int files_depth(void); int files_fixed(void);\n"+
		"static int token(void) { return lex_next(); }\nint parse(int x) { return token() == 'p' && x; }\n"+
		"int deep(int x) { return files_depth() > 1 && x; }\nint plain(int x) { return files_fixed() > 1 && x; }\n")
	defined := map[string]bool{"lex_open": true, "files_mark": true, "lex_next": true, "files_depth": true,
		"files_fixed": true}
	for function, calls := range map[string]string{"parse": "lex_open files_mark", "deep": "lex_open", "plain": ""} {
		d, err := drivers.ForUnit(user, drivers.Options{Across: across, Defined: defined},
			[]drivers.Want{{Function: function, Variant: drivers.Calls, Number: 1}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"lex_open", "files_mark"} {
			called := len(d.Entries) == 1 && strings.Contains(string(d.Text()), "(void)"+f+"(") ||
				len(d.Entries) == 1 && strings.Contains(string(d.Text()), ": "+f+"(")
			if want := slices.Contains(strings.Fields(calls), f); called != want {
				t.Errorf("%s: %s is called before: %v, want %v\n%s", function, f, called, want, d.Text())
			}
		}
	}
}
