package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"klabel/engine"
	"klabel/store"
	"klabel/store/storetest"
)

// lossy is a program one of whose two paths past the label ends in an error
// that only the replay sees: whichever path an engine takes first marks the
// label as pending, and the other passes it meanwhile. The fault is on the side
// that bad says.
const lossy = `#include <klee/klee.h>
#include <klabel/labels.h>
#include <unistd.h>
int main(void)
{
    int a = klee_int("a"), b = klee_int("b"), bad = 0;
    if (b %s 7)
        bad = 1;
    pc_label(a > 10, 1, "X");
    if (bad)
        write(-1, "", 0), __builtin_trap();
    return 0;
}
`

func testRounds(t *testing.T, eng, klee string, modes ...engine.Mode) {
	tools := testTools(t, klee)
	again := false
	for _, m := range modes {
		for _, side := range []string{"==", "!="} {
			dir := t.TempDir()
			file := filepath.Join(dir, "lossy.c")
			if err := os.WriteFile(file, fmt.Appendf(nil, lossy, side), 0o666); err != nil {
				t.Fatal(err)
			}
			obs := &notebook{}
			j := Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(dir, "out"), Engine: eng, Mode: m,
				NoRandom: true, Prune: PruneNever, Budget: 60 * time.Second}
			sum, err := Run(t.Context(), j, tools, obs)
			if err != nil {
				t.Fatal(err)
			}
			storetest.Check(t, storetest.Open(t, j.OutputDir, store.Options{}))
			if sum.Labels.Covered != 1 {
				t.Errorf("%s, error where b %s 7: %+v; notes: %s", m, side, sum.Labels, obs.text())
			}
			again = again || strings.Contains(obs.text(), "were not confirmed")
		}
	}
	if !again {
		t.Error("no label was lost at first: the test shows nothing")
	}
}

func TestRoundsNative(t *testing.T) {
	t.Parallel()
	testRounds(t, "native", "", engine.Fused, engine.Greybox)
}

func TestRoundsKLEE(t *testing.T) {
	t.Parallel()
	testRounds(t, "klee", realKLEE(t), engine.Fused)
}

// A path that never ends keeps the engine from its end: the label whose test is refused
// by what the program does with other inputs is covered all the same.
func TestRoundsEndless(t *testing.T) {
	t.Parallel()
	tools := testTools(t, "")
	dir := t.TempDir()
	file := filepath.Join(dir, "endless.c")
	if err := os.WriteFile(file, []byte(`#include <klee/klee.h>
#include <klabel/labels.h>
int main(void)
{
    int a = klee_int("a"), b = klee_int("b");
    pc_label(a == 10, 1, "X");
    while (b == 3)
        ;
    return 100 / b;
}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	obs := &notebook{}
	j := Job{Sources: []Source{{Path: file}}, OutputDir: filepath.Join(dir, "out"), Engine: "native",
		Mode: engine.Fused, NoRandom: true, Prune: PruneNever, Budget: 10 * time.Second}
	sum, err := Run(t.Context(), j, tools, obs)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Labels.Covered != 1 || !strings.Contains(obs.text(), "followed to the program's end") {
		t.Errorf("%+v; notes: %s", sum.Labels, obs.text())
	}
}
