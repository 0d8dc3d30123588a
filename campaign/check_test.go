package campaign

import "testing"

func TestNegatedGroup(t *testing.T) {
	for text, want := range map[string]bool{
		"a && b": false, "!a && b": false, "!(a) && b": false, "!(a && b) || c": true, "c || ! (a || b)": true,
		"!(f(a)) && (b || c)": false, "a != (b && c)": false, "!((a) || b)": true,
	} {
		if got := negatedGroup(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
