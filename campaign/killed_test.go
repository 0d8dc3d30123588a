package campaign

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A run that is killed after the source has changed, and before the program that replays
// it is built, leaves no claim that 'klabel verify' cannot confirm, and the next run has
// all that the one before the change has found of what is as it was.
func TestKilledBeforeTheReplayProgram(t *testing.T) {
	tools := testTools(t, "")
	dir := t.TempDir()
	source, out := filepath.Join(dir, "two.c"), filepath.Join(dir, "out")
	write := func(first string) {
		t.Helper()
		text := first + "int same(int x) { if (x > 3 && x < 1000) return 1; return 0; }\n"
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	j := Job{Sources: []Source{{Path: source}}, OutputDir: out, Engine: "native", AllFunctions: true,
		Criteria: []string{"CC"}, Prune: PruneNever, NoSanitizers: true, Workers: 1,
		TestStyle: NoCTests, Budget: 20 * time.Second}
	write("int first(int x) { if (x == 7) return 1; return 0; }\n")
	if _, err := Run(t.Context(), j, tools, Silent{}); err != nil {
		t.Fatal(err)
	}
	verified := func(want int) {
		t.Helper()
		v, err := Verify(t.Context(), out, time.Minute, Silent{})
		if err != nil || len(v.Open) > 0 || v.Confirmed != want {
			t.Errorf("%d labels are confirmed, want %d; %+v, %v", v.Confirmed, want, v, err)
		}
	}
	verified(6)
	// Labels have other numbers now.
	write("int first(int x) { if (x == 8 || x > 100) return 1; return 0; }\n")
	for range 2 {
		c, err := newSession(j, tools, Silent{})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.chooseEngine(); err != nil {
			t.Fatal(err)
		}
		if err := c.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.openStore(); err != nil {
			t.Fatal(err)
		}
		c.close()
		verified(0)
	}
	if _, err := Run(t.Context(), j, tools, Silent{}); err != nil {
		t.Fatal(err)
	}
	verified(8)
}
