package prune

import (
	"regexp"
	"slices"
	"testing"
)

// Registers are found as a pattern of their names finds them.
func TestRegisters(t *testing.T) {
	pattern := regexp.MustCompile(`%[-\w.$"]+`)
	for _, l := range []string{"", "%", "%%", "  %1 = add i32 %x.addr, %-y$2", `  store i8 %"a b", ptr %p, align 1`,
		"  br i1 %cmp, label %if.then, label %if.end", "%a%b,%", "  %ä = load i8, ptr %é_1", "c\"100%\\00\" %s"} {
		if got, want := registers(l), pattern.FindAllString(l, -1); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", l, got, want)
		}
	}
}
