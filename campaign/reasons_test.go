package campaign

import (
	"testing"

	"klabel/label"
)

// What an engine could not decide is said of a label by its own entries, the last of them first, and by others only
// where it has none.
func TestUndecidedAbout(t *testing.T) {
	c := &session{undecided: map[string]map[label.ID]string{
		"f":      {1: "plain", 2: "plain"},
		"f+room": {1: "with room"},
		"g":      {1: "of g", 3: "of g"},
		"h":      {3: "of h"},
	}}
	f := []entry{{name: "f"}, {name: "f+room"}, {name: "f+calls"}}
	for _, test := range []struct {
		id   label.ID
		own  []entry
		want string
	}{
		{1, f, "with room"}, {2, f, "plain"}, {3, f, ""}, {1, nil, "plain"}, {3, nil, "of g"}, {4, nil, ""},
	} {
		if got := c.undecidedAbout(test.id, test.own); got != test.want {
			t.Errorf("label %d, %d entries: %q, want %q", test.id, len(test.own), got, test.want)
		}
	}
}
