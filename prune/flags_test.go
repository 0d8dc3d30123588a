package prune

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/toolchain"
)

// Each unit is compiled with its own flags: what a char holds in one says nothing
// of the other. A method that cannot be told of them stands back from both.
func TestEachUnitHasItsFlags(t *testing.T) {
	_, _, x := parse(t, "int x;")
	var units []*csource.Unit
	for i, flags := range []toolchain.Flags{{"-std=c99"}, {"-funsigned-char", "-O2", "-lm"}} {
		text := fmt.Sprintf("int f%d(void) { char c = (char)200; cov_label(c > 100, %d, \"C\"); return c; }\n", i, i+1)
		u, err := csource.Parse(context.Background(), fmt.Sprintf("u%d.c", i), []byte(text),
			csource.Options{Clang: x.Clang, Flags: flags})
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
	}
	r, err := Run(t.Context(), Options{Units: units, Clang: x.Clang, FramaC: x.FramaC,
		Methods: []Method{Compiler, Eva}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].ID != 1 {
		t.Errorf("label 1 alone is infeasible, found %+v", r.Findings)
	}
	for _, m := range r.Methods {
		if x.FramaC != nil && m.Method == Eva && !strings.Contains(m.Note, "-funsigned-char") {
			t.Errorf("eva is told: %+v", m)
		}
	}
}

// TestThirtyTwoBits: no method judges a program of another width; each says so in words.
func TestThirtyTwoBits(t *testing.T) {
	_, _, x := parse(t, "int x;")
	flags := toolchain.Flags{"-m32"}
	text := "int f(int c) { cov_label(c > 1 && c < 0, 1, \"C\"); return c; }\n"
	u, err := csource.Parse(t.Context(), "u.c", []byte(text), csource.Options{Clang: x.Clang, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Options{Units: []*csource.Unit{u}, Clang: x.Clang, FramaC: x.FramaC,
		Methods: []Method{Compiler, Eva, Pairs}})
	if err != nil || len(r.Findings) > 0 {
		t.Fatal(r, err)
	}
	for _, m := range r.Methods {
		if !strings.Contains(m.Note, "not told of -m32") && (m.Method != Eva || x.FramaC != nil) {
			t.Errorf("%s says %q", m.Method, m.Note)
		}
	}
}
