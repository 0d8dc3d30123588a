package ctests

import (
	"slices"
	"strings"
	"testing"
)

// TestMissing: what the linker misses is stood in for, and the program built again.
func TestMissing(t *testing.T) {
	o := Options{Called: map[string]bool{"away": true}, missing: []string{"away", "modes"}}
	if s := o.standIns(); !strings.Contains(s, "long klabel_missing_1(void) __asm__(\"away\")") ||
		!strings.Contains(s, "char klabel_missing_2[4096] __asm__(\"modes\")") {
		t.Error(s)
	}
	rounds := 0
	o = Options{Sources: []string{"b.c"}}
	err := o.complete(func() error {
		if rounds++; len(o.missing) == 0 {
			return &refusal{said: "a", missing: []string{"far"}}
		}
		return nil
	})
	if err != nil || rounds != 2 || !slices.Equal(o.missing, []string{"far"}) {
		t.Errorf("%v after %d rounds: %q", err, rounds, o.missing)
	}
}

// TestMissingUnbuilt: tests that are not built have weak stand-ins for what is known to be nowhere.
func TestMissingUnbuilt(t *testing.T) {
	o := Options{Called: map[string]bool{"away": true}, Lacks: []string{"away", "modes"}}
	if s := o.standIns(); !strings.Contains(s, "__attribute__((weak)) long klabel_missing_1(void)\n{") ||
		!strings.Contains(s, "__attribute__((weak)) char klabel_missing_2[4096] __attribute__((aligned(16)));") {
		t.Error(s)
	}
	o.Observe = func(string, []string) ([]byte, error) { return nil, nil }
	if s := o.standIns(); s != "" {
		t.Error("what is built is told by the linker:", s)
	}
}
