package ctests

import (
	"slices"
	"strings"
	"testing"

	"klabel/input"
)

// TestMissing: what the linker misses is stood in for, and the program built again.
func TestMissing(t *testing.T) {
	o := Options{Called: map[string]bool{"away": true}, missing: []string{"away", "modes"}}
	if s := o.standIns(false); !strings.Contains(s, "long klabel_missing_1(void) __asm__(\"away\")") ||
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
	if s := o.standIns(false); !strings.Contains(s, "__attribute__((weak)) long klabel_missing_1(void)\n{") ||
		!strings.Contains(s, "__attribute__((weak)) char klabel_missing_2[4096] __attribute__((aligned(16)));") {
		t.Error(s)
	}
	o.Observe = func(string, []string) ([]byte, error) { return nil, nil }
	if s := o.standIns(false); s != "" {
		t.Error("what is built is told by the linker:", s)
	}
}

// What drivers have stubs for returns what a test gives, if any test gives something.
func TestStandInsGive(t *testing.T) {
	number := &input.Call{Result: &input.Input{Object: "level()",
		Type: &input.Type{Kind: input.Int, Size: 2, Signed: true}}}
	back := &input.Call{Gives: 2, Value: "klabel_to", Result: &input.Input{Object: "moved()",
		Type: &input.Type{Kind: input.Bool, Size: 1}}}
	truth := &input.Call{Result: &input.Input{Object: "ready()", Mask: true,
		Type: &input.Type{Kind: input.Bool, Size: 1}}}
	real := &input.Call{Result: &input.Input{Object: "ratio()", Type: &input.Type{Kind: input.Float, Size: 8}}}
	o := Options{Lacks: []string{"level", "moved", "ratio", "ready"},
		Called: map[string]bool{"level": true, "ratio": true},
		Stubs: map[string]*input.Call{"level": number, "moved": back, "ratio": real,
			"ready": truth}}
	s := o.standIns(true)
	for _, want := range []string{"signed short given;", "klabel_take(&given, sizeof given, \"level()\");",
		"klabel_missing_2(long a1, long a2)\n{", "return given & 1 ? a2 : 0;",
		"klabel_take(&given, sizeof given, \"ready()\");\n    return given & 1;",
		"long klabel_missing_3(void)\n{\n    return 0;"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	if s := o.standIns(false); strings.Contains(s, "given;") {
		t.Errorf("no test gives anything:\n%s", s)
	}
}
