package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestToolsFit holds what is said of tools to the width of a terminal.
func TestToolsFit(t *testing.T) {
	tools := []Tool{{Tool: "clang for klee", Purpose: "writes bitcode that KLEE reads", OK: true, Version: "19.1.7-rc1",
		Path: "/usr/lib/llvm/bin/clang"}, {Tool: "klee", Purpose: strings.Repeat("explores ", 20),
		Install: strings.Repeat("install it from somewhere ", 9)}}
	got := render(t, Tools, "text", tools, Options{Width: 80})
	for _, line := range strings.Split(got, "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("more than 80 columns: %s", line)
		}
	}
	if strings.Count(got, "explores") != 20 || strings.Count(got, "somewhere") != 9 || !strings.Contains(got, "rc1") {
		t.Errorf("something is missing in\n%s", got)
	}
}

// TestCriteriaFit does the same for criteria.
func TestCriteriaFit(t *testing.T) {
	list := []Criterion{{Name: "CC", Meaning: "conditions"}, {Name: "LIMIT-N",
		Meaning: strings.Repeat("at its limits ", 12), Example: strings.Repeat("a < b ", 20)}}
	got := render(t, Criteria, "text", list, Options{Width: 80})
	for _, line := range strings.Split(got, "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("more than 80 columns: %s", line)
		}
	}
	if strings.Count(got, "limits") != 12 || strings.Count(got, "a < b") != 20 {
		t.Errorf("something is missing in\n%s", got)
	}
}
