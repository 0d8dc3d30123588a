package replayer

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/label"
)

const ways = `
static int state = 3;
void entry_one(void) { klabel_hit(klee_int("x") == 7 ? 1 : 2); }
void entry_two(void) { state++; if (state == 4) klabel_hit(3); exit(5); }
void entry_bad(void) { klabel_hit(4); abort(); }
`

func buildWays(t *testing.T, source string, entries []Entry) string {
	t.Helper()
	dir := t.TempDir()
	c, out := filepath.Join(dir, "ways.c"), filepath.Join(dir, "replay")
	if err := os.WriteFile(c, []byte(prelude+source), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := BuildAll(t.Context(), clang(t), []Source{{File: c}}, entries, out, true, "-Wall", "-Wextra",
		"-Werror"); err != nil {
		t.Fatal(err)
	}
	return out
}

// Names and numbers as a campaign gives them, not in order and with gaps.
var waysEntries = []Entry{
	{9, "entry_bad", "bad"},
	{1, "entry_one", `dir/a "b".c:one+state??/`},
	{4, "entry_two", "two"},
}

func TestEntries(t *testing.T) {
	p := newPool(t, Options{Binary: buildWays(t, ways+"int main(void) { klabel_hit(5); return 0; }", waysEntries)})
	for _, c := range []struct {
		entry, x int
		outcome  label.Outcome
		hits     []label.ID
	}{
		{1, 7, label.Normal, []label.ID{1}},
		{1, 8, label.Normal, []label.ID{2}},
		{4, 0, label.Normal, []label.ID{3}},
		{4, 0, label.Normal, []label.ID{3}}, // from the same start
		{0, 0, label.Normal, []label.ID{5}},
		{9, 0, label.Aborted, []label.ID{4}},
	} {
		v, err := p.Replay(t.Context(), c.entry, test(i32("x", int32(c.x))))
		if err != nil || v.Outcome != c.outcome || !slices.Equal(v.Hits, c.hits) {
			t.Errorf("entry %d with %d: %+v, %v", c.entry, c.x, v, err)
		}
	}
	named := test()
	named.Args = []string{"two"}
	if v, err := p.Replay(t.Context(), ByName, named); err != nil || !slices.Equal(v.Hits, []label.ID{3}) {
		t.Errorf("by name: %+v, %v", v, err)
	}
	if v, err := p.Replay(t.Context(), ByName, test()); err != nil || !slices.Equal(v.Hits, []label.ID{5}) {
		t.Errorf("by the name of no entry: %+v, %v", v, err)
	}
	for _, n := range []int{2, 5, 10} {
		if v, err := p.Replay(t.Context(), n, test()); err != nil || v.Outcome != label.Diverged ||
			!strings.Contains(v.Reason, "no entry") {
			t.Errorf("entry %d: %+v, %v", n, v, err)
		}
	}
}

func TestEntriesWithoutMain(t *testing.T) {
	p := newPool(t, Options{Binary: buildWays(t, ways, waysEntries)})
	if v, err := p.Replay(t.Context(), 1, test(i32("x", 7))); err != nil || !slices.Equal(v.Hits, []label.ID{1}) {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := p.Replay(t.Context(), 0, test()); err != nil || v.Outcome != label.Diverged ||
		!strings.Contains(v.Reason, "no main") {
		t.Errorf("main: %+v, %v", v, err)
	}
}

// TestEntriesByHand: the first argument of a test names its entry.
func TestEntriesByHand(t *testing.T) {
	binary := buildWays(t, ways+"int main(void) { klabel_hit(5); return 0; }", waysEntries)
	file := filepath.Join(t.TempDir(), "a.ktest")
	for name, want := range map[string]string{
		waysEntries[1].Name: "labels hit: 1\n", "two": "labels hit: 3\n",
		"program.bc": "labels hit: 5\n", "": "labels hit: 5\n",
	} {
		x := test(i32("x", 7))
		x.Args = []string{name}
		if err := os.WriteFile(file, x.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		out, _ := exec.Command(binary, file).CombinedOutput() // entry two exits with 5
		if string(out) != want {
			t.Errorf("%q: %s, want %s", name, out, want)
		}
	}
}
