package ctests

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"klabel/toolchain"
)

// Where two objects lie to each other is not the same in the two runs that are compared, and
// what AddressSanitizer refuses ends the second one: in the hands of whoever builds the
// tests so it would fail.
func TestElsewhere(t *testing.T) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil || !tools.Clang.HasASan {
		t.Skip("no clang with AddressSanitizer")
	}
	for _, c := range []struct {
		name, text   string
		same, broken bool
	}{
		{"a number", `printf("%d\n", argc);`, true, false},
		{"a distance", `char a[8] = "a", b[8] = "b"; printf("%ld\n", (long)(a - b));`, false, false},
		{"a place", `char a[8], *b = malloc(8); printf("%ld\n", ((long)a - (long)b) >> 20);`, false, false},
		{"what nobody has set", `volatile unsigned n; printf("%d\n", n == 0xaaaaaaaa);`, false, false},
		{"beyond an end", `char a[8] = "a"; volatile int n = 9; printf("%d\n", a[n] * 0);`, false, true},
	} {
		runner := filepath.Join(t.TempDir(), RunnerFile)
		text := "#include <stdio.h>\n#include <stdlib.h>\n" +
			"int main(int argc, char **argv) { " + c.text + " return 0; }\n"
		if err := os.WriteFile(runner, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		observe, clean, err := Recorder(context.Background(), tools.Clang, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer clean()
		one, err := observe(runner, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		other, err := observe(runner, []string{elsewhere})
		if (err != nil) != c.broken {
			t.Errorf("%s, elsewhere: %v", c.name, err)
		}
		if err == nil && (string(one) == string(other)) != c.same {
			t.Errorf("%s: %q here and %q elsewhere", c.name, one, other)
		}
	}
}
