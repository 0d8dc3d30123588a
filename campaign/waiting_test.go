package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/store"
)

// eightBits has a path for each of 2^8 inputs, and four labels.
const eightBits = `
int klee_int(const char *name);
#define pc_label(...) do { } while (0)
int main(void)
{
    int x = klee_int("x"), i, n = 0;
    for (i = 0; i < 8; i++)
        if (x & (1 << i)) n++;
    pc_label(n == 0, 1, "CC");
    pc_label(n > 0, 2, "CC");
    pc_label(n == 8, 3, "CC");
    pc_label(n > 8, 4, "CC");
    return n;
}
`

// Of the tests of a mode that explores every path only those are confirmed by a
// further run, and kept, that tell something new.
func TestTellsSomethingNew(t *testing.T) {
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ids := []label.ID{1, 2, 3, 4, 5}
	for _, all := range []bool{false, true} {
		k := newJudge(st, nil, layout{dir: t.TempDir()}, "native", Silent{})
		k.all = all
		if err := os.MkdirAll(k.layout.tests(), 0o777); err != nil {
			t.Fatal(err)
		}
		var ls []label.Label
		for _, id := range ids {
			ls = append(ls, label.Label{ID: id + label.ID(len(ids))*label.ID(serial(all))})
		}
		if err := st.SetLabels(ls); err != nil {
			t.Fatal(err)
		}
		var told []bool
		for i, hits := range [][]int{{0, 1}, {0, 1}, {1}, {0, 2}, {1, 2}, {0, 1, 2}, {2, 0}} {
			v := label.Verdict{Outcome: label.Normal}
			for _, h := range hits {
				v.Hits = append(v.Hits, ls[h].ID)
			}
			tells := k.tells(v.Hits)
			told = append(told, tells)
			test := &ktest.Test{Objects: []ktest.Object{{Name: "x", Data: []byte{byte(i), byte(serial(all))}}}}
			if err := k.keep(test, origin{}, v, tells, time.Now(), "native"); err != nil {
				t.Fatal(err)
			}
		}
		want := []bool{true, false, false, true, false, true, false}
		if all {
			want = []bool{true, false, true, true, true, true, true}
		}
		files, _ := filepath.Glob(filepath.Join(k.layout.tests(), "*.ktest"))
		kept := 0
		for _, w := range want {
			if w {
				kept++
			}
		}
		if !slices.Equal(told, want) || len(files) != kept {
			t.Errorf("all %v: tests tell %v, want %v; %d are kept", all, told, want, len(files))
		}
	}
}

func serial(all bool) int {
	if all {
		return 1
	}
	return 0
}

// Tests that are not replayed in time are said, wait in a file, and the next run
// begins with them.
func TestTestsWait(t *testing.T) {
	tools := testTools(t, "")
	dir := t.TempDir()
	source := filepath.Join(dir, "bits.c")
	if err := os.WriteFile(source, []byte(eightBits), 0o666); err != nil {
		t.Fatal(err)
	}
	j := Job{Sources: []Source{{Path: source}}, OutputDir: filepath.Join(dir, "out"), Engine: "native",
		Mode: engine.Naive, NoRandom: true, Prune: PruneNever, NoSanitizers: true, Workers: 1, TestStyle: NoCTests,
		Budget: time.Minute}
	c, err := newSession(j, tools, Silent{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	open := func(c *session) {
		t.Helper()
		if err := c.chooseEngine(); err != nil {
			t.Fatal(err)
		}
		if err := c.read(ctx); err != nil {
			t.Fatal(err)
		}
		if err := c.openStore(); err != nil {
			t.Fatal(err)
		}
		if err := c.openJudge(ctx); err != nil {
			t.Fatal(err)
		}
	}
	open(c)
	late, stop := context.WithCancel(ctx)
	stop()
	for i := range 3 {
		test := &ktest.Test{Version: ktest.Version, Args: []string{"x"},
			Objects: []ktest.Object{{Name: "x", Data: []byte{byte(i), 0, 0, 0}}}}
		c.judge.take(late, origin{entry: c.prog.image.entries[0], mode: engine.Naive, by: "native"},
			replayer.TestFile{Path: fmt.Sprint(i), Test: test})
	}
	if err := c.leaveWaiting(); err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(c.takeNotes(), "\n"); c.st.Covered() != 0 || !c.unfinished ||
		!strings.Contains(notes, "tests not replayed, no time left: 3; the next run") {
		t.Errorf("%d labels are covered, unfinished %v, notes:\n%s", c.st.Covered(), c.unfinished, notes)
	}
	c.close()

	if c, err = newSession(j, tools, Silent{}); err != nil {
		t.Fatal(err)
	}
	open(c)
	defer c.close()
	c.recallWaiting()
	if err := c.replayWaiting(ctx, time.Now()); err != nil || c.judge.waiting.count() != 3 || c.st.Covered() != 0 {
		t.Errorf("without time %d tests wait, %d labels are covered; %v", c.judge.waiting.count(), c.st.Covered(), err)
	}
	if err := c.replayWaiting(ctx, time.Now().Add(time.Minute)); err != nil || c.st.Covered() != 2 {
		t.Errorf("%d labels are covered, want 2; %v", c.st.Covered(), err)
	}
	if err := c.leaveWaiting(); err != nil || exists(c.layout.waiting()) {
		t.Errorf("a file of waiting tests is left; %v", err)
	}
}

// Of a short budget replays after the engine's end have a part.
func TestLeastReplays(t *testing.T) {
	for _, c := range []struct{ budget, each, want time.Duration }{
		{3 * time.Second, 0, 600 * time.Millisecond},
		{10 * time.Second, 0, 2 * time.Second},
		{time.Minute, 0, 2 * time.Second},
		{time.Second, time.Second, 2 * time.Second},
	} {
		s := session{job: Job{Budget: c.budget, FunctionBudget: c.each}}
		if got := s.leastReplays(); got != c.want {
			t.Errorf("budget %v, of a function %v: %v, want %v", c.budget, c.each, got, c.want)
		}
	}
}

// Tests of entries whose replays take long are the last.
func TestQuickReplaysFirst(t *testing.T) {
	k := &judge{tallies: map[string]*tally{
		"sleeps": {replays: 3, took: 750 * time.Millisecond},
		"hangs":  {replays: 1, took: 2 * time.Second},
		"a":      {replays: 100, took: 300 * time.Millisecond},
		"b":      {replays: 10, took: 2 * time.Millisecond},
		"none":   {},
	}}
	var tests []waitingTest
	for _, e := range []string{"hangs", "sleeps", "b", "new", "sleeps", "a", "none", "b"} {
		tests = append(tests, waitingTest{Entry: e, Test: []byte{byte(len(tests))}})
	}
	var got []string
	for _, w := range k.quickFirst(tests) {
		got = append(got, fmt.Sprint(w.Entry, w.Test[0]))
	}
	if want := "b2 new3 a5 none6 b7 sleeps1 sleeps4 hangs0"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}
