package ctests

import "testing"

// TestTarget: a target is an identifier, and none that a build system has itself.
func TestTarget(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"", "dir/list.c", "test_list"},
		{"", "a,b.c", "test_a_b"},
		{"", "ü.c", "test_of_klabel"},
		{"clean", "list.c", "clean_of_klabel"},
		{"mine", "list.c", "mine"},
	} {
		if got := (Options{Name: c.name, Source: c.source}).target(); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.name, c.source, got, c.want)
		}
	}
}
