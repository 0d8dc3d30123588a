package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"klabel/drivers"
	"klabel/engine"
	"klabel/label"
	"klabel/linkage"
	"klabel/runtime_c"
	"klabel/store"
	"klabel/toolchain"
)

func TestFits(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		base, left, took, used time.Duration
		least, most            int
	}{
		{s, 50 * s, s, s, 1000, 1e6},                             // time enough
		{s, 50 * s, 8 * s, s, leastFirst, 500},                   // others keep the machine busy
		{s, 5 * s, s, s, leastFirst, 300},                        // a short budget
		{20 * s, 10 * s, s, s, 100, 2000},                        // the program alone takes more: entries are cheap beside it
		{s / 100, -s, s, s, leastFirst, leastFirst},              // no time is left
		{s / 100, s, s, 0, leastFirst, 100},                      // nothing is known
		{s, time.Second * 1 / 10, s, s / 1000, leastFirst, 1000}, // reading waited for other things
	} {
		if n := fits(c.base, c.left, c.took, c.used); n < c.least || n > c.most {
			t.Errorf("%+v: %d functions", c, n)
		}
	}
}

// manyFunctions is a program of that many, every third static, and one that cannot
// be called.
func manyFunctions(t *testing.T, n int) (*program, *Job) {
	t.Helper()
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	clang, err := tools.RequireClang()
	if err != nil {
		t.Skip(err)
	}
	var text strings.Builder
	for i := range n {
		static := ""
		if i%3 == 0 {
			static = "static "
		}
		fmt.Fprintf(&text, "%sint f%d(int x) { return x > %d ? x : %d; }\n", static, i, i, i)
	}
	text.WriteString("int calls(int x) { return x > 1 ? f0(x) + f3(x) : 2; }\n")
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	rt, done, err := runtime_c.Shared()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	j := &Job{Sources: []Source{{Path: file}}, Criteria: []string{"CC"}, AllFunctions: true, Budget: time.Second,
		Mode: engine.Greybox}
	p, err := load(t.Context(), clang, rt, j, start{began: time.Now().Add(-time.Hour),
		stored: map[string]bool{"f33" + drivers.State.String(): true}, rested: map[string]bool{"calls": true}},
		map[string]string{})
	if err != nil {
		t.Fatal(err)
	}
	return p, j
}

// Where there is no time the first image has some functions: what there are tests of,
// then the public ones. The others come first in the portions, and until then nothing
// is complete.
func TestFirstImageOfSome(t *testing.T) {
	const functions = 3 * leastFirst
	p, j := manyFunctions(t, functions)
	has := map[string]bool{}
	public := 0
	for _, e := range p.image.entries {
		has[e.target] = true
	}
	for name := range has {
		var i int
		if _, err := fmt.Sscanf(name, "f%d", &i); err == nil && i%3 != 0 {
			public++
		}
	}
	if len(has) != leastFirst || public != leastFirst-1 || !has["f33"] || has["calls"] {
		t.Errorf("the first image has %d functions, %d public: %v", len(has), public, has)
	}
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.SetLabels(p.labels); err != nil {
		t.Fatal(err)
	}
	c := &session{st: st, prog: p, judge: newJudge(st, nil, layout{}, "native", Silent{}), job: *j,
		explored: map[string]bool{}, tried: map[string]bool{}, memory: recallFrom(nil)}
	f := &follower{session: c, open: c.isOpen}
	ways := c.ways(p.image)
	for _, w := range ways {
		w.complete = true
		c.tried[w.entry.name] = true
	}
	if f.seenAll(ways) {
		t.Error("complete with functions that have no entry")
	}
	if n := len(p.without()); n != functions+1-leastFirst {
		t.Errorf("%d functions without an entry", n)
	}
	late := c.turnless()
	if why := late[linkage.Place{Unit: 0, Name: "calls"}]; !strings.Contains(why, "before calls had an entry") ||
		len(late) != len(p.without()) {
		t.Errorf("calls: %q; %d functions had no turn", why, len(late))
	}
	list, _ := c.newPortions(time.Now().Add(time.Hour)).wishes()
	for i, w := range list {
		if first := i < functions+1-leastFirst; first != (w.late < 0) || first && has[w.target.name] {
			t.Fatalf("wish %d is for %s, late %d", i, w.target.name, w.late)
		}
	}

	c.prog.resting = map[string]bool{"calls": true}
	if late := c.turnless(); late[linkage.Place{Unit: 0, Name: "calls"}] != "" {
		t.Error("calls rests, and is said to have had no turn")
	}
	var rest []entry
	for _, t := range p.without() {
		rest = append(rest, entry{target: t.name, name: t.name, function: t.function})
	}
	p.add(&image{entries: rest})
	ways = append(ways, &way{complete: true})
	if f.seenAll(ways) {
		t.Error("complete, and nobody knows whether calls was")
	}
	c.explored["calls"] = true
	if !f.seenAll(ways) {
		t.Error("not complete with all functions explored")
	}
}

// What has no entry in an image is not read once more for it.
func TestUnitsWithoutEntriesStay(t *testing.T) {
	p, j := manyFunctions(t, leastFirst)
	p.units = append(p.units, p.units[0])
	p.sources = append(p.sources, p.sources[0])
	p.definedOnce, p.acrossOnce = sync.Once{}, sync.Once{} // it is another program now
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	im, err := makeImage(t.Context(), tools.Clang, runtime_c.Paths{}, j, p, p.asked[:1],
		firstVariants(j.Mode, nil, p.units))
	if err != nil {
		t.Fatal(err)
	}
	if im.units[0] == p.units[0] || im.units[1] != p.units[1] || len(im.entries) == 0 {
		t.Errorf("%d entries; the first unit has none: %v, the second is another one: %v", len(im.entries),
			im.units[0] == p.units[0], im.units[1] != p.units[1])
	}
}

// A run that has hardly any time says of every open label why it is open.
func TestRunOfSome(t *testing.T) {
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools.RequireClang(); err != nil {
		t.Skip(err)
	}
	_, j := manyFunctions(t, 3*leastFirst)
	j.OutputDir, j.Engine, j.Mode = filepath.Join(t.TempDir(), "out"), "native", ""
	j.TestTimeout, j.Version = 5*time.Second, "test"
	sum, err := Run(context.Background(), *j, tools, Silent{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Result(j.OutputDir)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Labels.Total == 0 || sum.Labels.Covered == 0 || sum.Labels.Infeasible != 0 {
		t.Errorf("%+v", sum.Labels)
	}
	turnless := 0
	for _, l := range r.Rows {
		if l.Status == label.Unknown && l.Reason == "" {
			t.Errorf("label %d of %s is unknown without a reason", l.ID, l.Function)
		}
		if strings.Contains(l.Reason, "the run ended before") {
			turnless++
		}
	}
	said := strings.Contains(strings.Join(sum.Notes, "\n"), "functions that had no turn")
	if said != (turnless > 0) || turnless > 0 && sum.Engine.Complete {
		t.Errorf("%d labels of functions without a turn; complete %v; notes %q", turnless, sum.Engine.Complete,
			sum.Notes)
	}
}
