package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An engine that has seen every path of the C has not seen what the loader makes of it.
func TestNoClaimsBeyondC(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	for section, claimed := range map[string]int{".init_array": 0, ".mine": 1} {
		file := filepath.Join(t.TempDir(), "early.c")
		text := "#include <klabel/labels.h>\n#include <klee/klee.h>\nstatic int g;\nstatic void c(void) { g = 5; }\n" +
			"__attribute__((section(\"" + section + "\"), used)) static void (*p)(void) = c;\n" +
			"int main(void) { int x = klee_int(\"x\"); pc_label(g == 5 && x == 3, 1, \"X\"); return 0; }\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		sum, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(t.TempDir(), "out"),
			Engine: "native", NoRandom: true, Budget: 20 * time.Second, TestStyle: NoCTests}, tools, Silent{})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Labels.Infeasible != claimed {
			t.Errorf("%s: %+v; %s", section, sum.Labels, strings.Join(sum.Notes, "; "))
		}
	}
}
