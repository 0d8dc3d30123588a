package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"klabel/label"
)

func TestFolded(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"a few words", 6, "a few\nwords"},
		{"src/deep/name.c:123:45", 14, "src/deep/\nname.c:123:45"},
		{"name_of_file.c:123:45", 16, "name_of_file.c\n:123:45"},
		{"((buffer)->length) < (buffer->offset + 1)", 12, "((buffer)\n->length) <\n(buffer\n->offset +\n1)"},
		{"one\n two  three", 80, "one\ntwo three"},
		{strings.Repeat("ü", 5), 2, "üü\nüü\nü"},
		{"f(argument,another)", 12, "f(argument,\nanother)"},
		{"cJSON_AddItemReferenceToObject", 23, "cJSON_AddItemReference\nToObject"},
		{"aLONG_NAMEwithParts", 7, "aLONG_\nNAMEwit\nhParts"},
		{"", 5, ""},
	} {
		if got := folded(c.text, c.width); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func FuzzFolded(f *testing.F) {
	f.Add("a/b->c_d (e, f)\n g", 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 1 || width > 200 || !utf8.ValidString(text) {
			return
		}
		got := folded(text, width)
		if a, b := strings.Join(strings.Fields(got), ""), strings.Join(strings.Fields(text), ""); a != b {
			t.Errorf("%q becomes %q", text, got)
		}
		for _, l := range strings.Split(got, "\n") {
			if n := utf8.RuneCountInString(l); n > width {
				t.Errorf("a line of %d in %d: %q", n, width, got)
			}
		}
	})
}

// A place stays in one piece beside a long predicate, at 80 columns.
func TestPlacesStayWhole(t *testing.T) {
	rows := []LabelRow{{Label: label.Label{ID: 1234, Tags: []string{"MCC", "CC"}, Function: "f",
		Position:  label.Position{File: "library/source/string_functions.c", Line: 1234, Column: 17},
		Predicate: strings.Repeat("(input_buffer->content[0] == 'x') && ", 5) + "1"},
		Status: label.Unknown, Reason: "x"}}
	got := render(t, LabelLists, "text", LabelList{Rows: rows}, Options{})
	if !strings.Contains(got, " string_functions.c:1234:17 ") {
		t.Errorf("the place is torn:\n%s", got)
	}
}

// TestNarrow: what a run prints fits terminals down to 60 columns, and nothing is cut.
func TestNarrow(t *testing.T) {
	r := sample(t, t.TempDir())
	for _, width := range []int{60, 80, 120} {
		got := render(t, Results, "text", r, Options{Width: width, All: true})
		got += render(t, Verifications, "text", Verification{Problems: []string{"test000001: does not end normally: " +
			strings.Repeat("sanitizer ", 12)}}, Options{Width: width})
		for _, l := range strings.Split(got, "\n") {
			if n := utf8.RuneCountInString(l); n > width {
				t.Errorf("%d columns: %d in %q", width, n, l)
			}
		}
		for _, f := range r.Functions {
			if !strings.Contains(got, f.Name) {
				t.Errorf("%d columns: no %s", width, f.Name)
			}
		}
	}
}
