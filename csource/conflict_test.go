package csource

import "testing"

// An enumeration and its integer are one type in a prototype and a definition.
func TestConflict(t *testing.T) {
	for text, reads := range map[string]bool{
		"enum e { A }; int f(enum e x); int g(int n) { return n; } int f(unsigned x) { return x != A; }": true,
		"enum e { A }; int f(enum e x), h(enum e x); int h(unsigned x) { return x; }\n" +
			"int f(unsigned x) { return x; }": true,
		// Its caller would call what nobody declares.
		"enum e { A }; int f(enum e x); int g(void) { return f(A); } int f(unsigned x) { return x != A; }": false,
	} {
		u, err := load(t, text)
		if (err == nil) != reads {
			t.Errorf("%s: %v", text, err)
		}
		if err == nil && (u.Function("f") == nil || u.Function("f").Name != "f") {
			t.Errorf("%s: f is not there", text)
		}
	}
}
