package drivers

import (
	"strings"
	"testing"

	"klabel/csource"
)

// Lines that no replacement can match are left alone unread; all others are
// written as before.
func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"    klee_make_symbolic(&(*p), sizeof (*p), \"p\");\n": "    klee_make_symbolic(p, sizeof *p, \"p\");\n",
		"    (*p_item).next = 0;\n":                            "    p_item->next = 0;\n",
		"    char (*p);\n":                                     "    char *p;\n",
		"    f((*p), 1);\n":                                    "    f(*p, 1);\n",
		"    (*p)[8] = 0;\n    (*q).x = (*f)(1);":              "    (*p)[8] = 0;\n    q->x = (*f)(1);",
		"    int (*p)[4];\n":                                   "    int (*p)[4];\n",
		"    (*(*p)).x = 0;\n":                                 "    (*(*p)).x = 0;\n",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
		all := in
		for _, r := range replacements {
			all = r.from.ReplaceAllString(all, r.to)
		}
		if all != want {
			t.Errorf("without the look ahead %q becomes %q", in, all)
		}
	}
}

// What an entry knows of names does not grow with the entries before it, and its
// functions are compiled without checks of their own memory.
func TestEntriesStandAlone(t *testing.T) {
	u, err := csource.Parse(t.Context(), "m.c", []byte("struct s { int *p; char a[3]; };\n"+
		"int f(struct s *s) { return s->p[0] + s->a[1]; }\nint g(struct s *s) { return *s->p; }\n"), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wants []Want
	for n := range 40 {
		wants = append(wants, Want{Function: []string{"f", "g"}[n%2], Variant: Arguments, Number: n + 1})
	}
	d, err := ForUnit(u, Options{}, wants)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(d.shared.stubValues); n > 0 {
		t.Errorf("%d names are known of entries before, and nobody asks for them", n)
	}
	text := d.Text()
	if n := strings.Count(text, own+"void klabel_entry_"); n != 40 {
		t.Errorf("%d of 40 entries are without checks", n)
	}
}

// A header speaks of struct regex *, the file that defines it of its own name for
// that: what the one returns makes what the other takes.
func TestMakersUnderTwoNames(t *testing.T) {
	u, err := csource.Parse(t.Context(), "m.c", []byte("typedef struct regex *handle;\nhandle make(int kind);\n"+
		"typedef struct regex { int kind; struct regex *next; } item;\nstatic item all[4];\n"+
		"handle make(int kind) { all[0].kind = kind; return all; }\n"+
		"int count(item *list) { return list[0].kind != 0 && list[1].kind == 0; }\n"), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := ForUnit(u, Options{}, []Want{{Function: "count", Variant: Calls, Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(d.Text(), "list = (void *)make(") && !strings.Contains(d.Text(), "list = make(") {
		t.Errorf("no maker:\n%s", d.Text())
	}
}
