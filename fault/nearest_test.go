package fault

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"parse_header", "parse_body", "parse_body", "main", "emit"}
	for name, want := range map[string][]string{
		"parse_headr": {"parse_header", "parse_body"},
		"MAIN":        {"main"},
		"parse":       {"parse_body", "parse_header"},
		"unlike":      nil,
		"":            nil,
	} {
		if got := Nearest(name, names); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
