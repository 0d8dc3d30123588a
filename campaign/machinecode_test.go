package campaign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/csource"
)

// Assembler that is this machine's stays; what it refuses ends a run, where it stands.
func TestWithoutForeign(t *testing.T) {
	tools := testTools(t, "")
	const text = `int own(void) { __asm__ volatile("nop"); return 1; }
int foreign(int n)
{
	if (n > 3)
		__asm__ volatile("no_such_instruction\n\t"
			"nop");
	return n;
}
`
	file := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	opts := csource.Options{Clang: tools.Clang}
	u, err := csource.Load(t.Context(), file, opts)
	if err != nil {
		t.Fatal(err)
	}
	out, where, err := withoutForeign(t.Context(), tools.Clang, u, opts)
	if err != nil || !slices.Equal(where, []string{file + ":5"}) {
		t.Fatalf("%v, %v", where, err)
	}
	if got := string(out.Text); strings.Contains(got, "no_such") || !strings.Contains(got, `volatile("nop")`) ||
		strings.Count(got, "klee_report_error(") != 2 ||
		strings.Count(got, "\n") != strings.Count(string(u.Text), "\n") {
		t.Error(got)
	}
	again, where, err := withoutForeign(t.Context(), tools.Clang, out, opts)
	if err != nil || len(where) > 0 || again != out {
		t.Errorf("%v, %v: something is left", where, err)
	}
}
