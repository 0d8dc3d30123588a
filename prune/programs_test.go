package prune_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"klabel/campaign"
	"klabel/csource"
	"klabel/instrument"
	"klabel/label"
	"klabel/prune"
	"klabel/runtime_c"
	"klabel/toolchain"
)

const preamble = "#include <klee/klee.h>\n#define IN(t, n) t n; klee_make_symbolic(&n, sizeof n, #n)\n"

type sample struct {
	name, text, relations string
	flags                 []string
}

func samples(t testing.TB) []sample {
	t.Helper()
	b, err := os.ReadFile("testdata/programs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []sample
	for _, part := range strings.Split(string(b), "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		name, relations, asked := strings.Cut(strings.TrimSpace(name), "|")
		if asked {
			relations += " "
		}
		out = append(out, sample{name: strings.TrimSpace(name), text: text, relations: relations})
	}
	if len(out) < 60 {
		t.Fatalf("%d programs", len(out))
	}
	return out
}

// world is a program with what random inputs and tests show of it.
type world struct {
	unit    *csource.Unit
	opts    csource.Options
	tags    map[label.ID]string
	covered map[label.ID]bool
	apart   map[[2]label.ID]bool // a run covers the first and not the second
	runs    int                  // random ones that ended normally
	tries   int
}

// inputs say how many random inputs to try, and where they start from.
type inputs struct {
	runs  int
	loop  bool     // all runs in one process: quick, for programs that leave nothing behind
	known []string // inputs as NAME=V,V... of all objects
}

func prepare(t *testing.T, x *toolchain.Tools, s sample, in inputs) *world {
	t.Helper()
	dir := t.TempDir()
	paths, err := runtime_c.Extract(filepath.Join(dir, "c"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, s.name+".c")
	if err := os.WriteFile(file, []byte(preamble+s.text), 0o666); err != nil {
		t.Fatal(err)
	}
	w := &world{opts: csource.Options{Clang: x.Clang, Flags: s.flags, IncludeDirs: []string{paths.Include}},
		tags:    map[label.ID]string{},
		covered: map[label.ID]bool{}, apart: map[[2]label.ID]bool{}}
	if w.unit, err = csource.Load(t.Context(), file, w.opts); err != nil {
		t.Fatal(err)
	}
	calls, err := w.unit.Labels()
	if err != nil {
		t.Fatal(err)
	}
	last := label.ID(0)
	for _, c := range calls {
		w.tags[c.ID] = c.Tags[0]
		last = max(last, c.ID)
	}
	w.random(t, x, dir, s, last, in)
	for id := range w.covered {
		if w.tags[id] == "I" {
			t.Fatalf("label %d is called infeasible, and a random input covers it", id)
		}
	}
	return w
}

// random runs the program on random inputs.
func (w *world) random(t *testing.T, x *toolchain.Tools, dir string, s sample, last label.ID, in inputs) {
	t.Helper()
	text, err := instrument.Rewrite(w.unit, instrument.Options{Mode: instrument.Replay})
	if err != nil {
		t.Fatal(err)
	}
	c, obj, bin, known := filepath.Join(dir, "replay.c"), filepath.Join(dir, "replay.o"), filepath.Join(dir, "random"),
		filepath.Join(dir, "known")
	if err := errors.Join(os.WriteFile(c, text, 0o666), os.WriteFile(known,
		[]byte(strings.Join(append(in.known, ""), "\n")), 0o666)); err != nil {
		t.Fatal(err)
	}
	args := []string{"-w", "-c", "-O0", "-Dmain=klabel_program", "-Dexit=klabel_exit", "-fwrapv",
		"-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-ffp-contract=off",
		"-fsanitize=undefined",
		"-fno-sanitize=signed-integer-overflow,shift-base,pointer-overflow,alignment,bool,function,vptr",
		"-fsanitize-trap=undefined", c, "-o", obj}
	for _, a := range [][]string{args, {"-w", "-O1", "testdata/random.c", obj, "-o", bin}} {
		if out, err := exec.Command(x.Clang.Path, append(a, s.flags...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	mode := "fork"
	if in.loop {
		mode = "loop"
	}
	run := append([]string{mode, strconv.Itoa(in.runs), "1", last.String(), known}, regexp.MustCompile(`\b\d+\b`).FindAllString(s.text, 200)...)
	out, err := exec.Command(bin, run...).Output()
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(out), "\n")
	if _, err := fmt.Sscan(head, &w.runs, &w.tries); err != nil {
		t.Fatalf("%q: %v", head, err)
	}
	for line := range strings.Lines(rest) {
		var a label.ID
		for i, f := range strings.Fields(line) {
			id, err := label.ParseID(f)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				a = id
				w.covered[a] = true
			} else {
				w.apart[[2]label.ID{a, id}] = true
			}
		}
	}
}

// add takes up a test that ended normally.
func (w *world) add(hits []label.ID) {
	hit := map[label.ID]bool{}
	for _, id := range hits {
		hit[id], w.covered[id] = true, true
	}
	for id := range w.tags {
		if !hit[id] {
			for _, a := range hits {
				w.apart[[2]label.ID{a, id}] = true
			}
		}
	}
}

// check compares findings with what is known, and with random runs and tests.
func (w *world) check(t *testing.T, how string, fs []prune.Finding) (proved int) {
	t.Helper()
	for _, f := range fs {
		if f.Status == label.Infeasible && w.tags[f.ID] == "I" {
			proved++
		}
		if why := w.wrong(f); why != "" {
			t.Errorf("%s: label %d is %v (of %d) says %s, step %d: %s: %s", how, f.ID, f.Status, f.Of, f.Method, f.Step,
				f.Text, why)
		}
	}
	return proved
}

// wrong says what contradicts a finding, "" for nothing.
func (w *world) wrong(f prune.Finding) string {
	more, less := w.apart[[2]label.ID{f.ID, f.Of}], w.apart[[2]label.ID{f.Of, f.ID}]
	switch {
	case f.Status == label.Infeasible && w.covered[f.ID]:
		return "a run covers it"
	case f.Status == label.Infeasible && w.tags[f.ID] == "C":
		return "it can be covered"
	case f.Status == label.Duplicate && more:
		return "a run covers it alone"
	case f.Status == label.Duplicate && less, f.Status == label.Subsumed && less:
		return "a run covers the other alone"
	}
	return ""
}

// What the other tests trust: runs and tests disprove what is wrong.
func TestWrongProofsAreNoticed(t *testing.T) {
	w := prepare(t, tools(t), sample{name: "wrong", text: `static int n; void exit(int);
int main(void) { IN(int, x); IN(int, y); klee_assume((x > 1000) & (x < 1100)); n++; cov_label(n > 1, 1, "I"); cov_label(x > 1050, 2, "?"); cov_label(x > 1090, 3, "?");
		cov_label(y == 7, 4, "?"); if (x == 1099) exit(0); cov_label(x == 1099, 5, "I"); cov_label(x != 1099, 6, "?"); return 0; }
`}, inputs{runs: 500, loop: true, known: []string{"x=1001 y=0", "x=1099 y=1,0,0,0"}})
	if w.runs != 502 {
		t.Fatalf("%d of %d runs", w.runs, w.tries)
	}
	w.add([]label.ID{2, 4})
	for f, want := range map[prune.Finding]bool{
		{ID: 1, Status: label.Infeasible}: false, {ID: 5, Status: label.Infeasible}: false,
		{ID: 2, Status: label.Infeasible}: true, {ID: 3, Status: label.Infeasible}: true, {ID: 4, Status: label.Infeasible}: true,
		{ID: 3, Status: label.Subsumed, Of: 2}: true, {ID: 2, Status: label.Subsumed, Of: 3}: false,
		{ID: 2, Status: label.Duplicate, Of: 3}: true, {ID: 3, Status: label.Duplicate, Of: 2}: true,
		{ID: 6, Status: label.Subsumed, Of: 4}: true,
	} {
		if why := w.wrong(f); (why != "") != want {
			t.Errorf("label %d, %v of %d: %q", f.ID, f.Status, f.Of, why)
		}
	}
}

// TestPrograms runs every method by itself on programs of which all is known:
// nothing wrong may be said. The share found is printed. Frama-C's methods take
// minutes for all the programs: by default they see three each, and the others
// every second one; all with KLABEL_PRUNE_ALL=1.
func TestPrograms(t *testing.T) {
	x := tools(t)
	sets := [][]prune.Method{{prune.Compiler}, {prune.Native}}
	if x.FramaC != nil {
		sets = append(sets, []prune.Method{prune.Eva}, []prune.Method{prune.WP}, []prune.Method{prune.Eva, prune.EvaWP})
	} else {
		t.Log("Frama-C is not installed: eva, wp and eva+wp are not tested")
	}
	all := os.Getenv("KLABEL_PRUNE_ALL") != ""
	var mu sync.Mutex
	proved, known := map[string]int{}, map[string]int{}
	t.Run("each", func(t *testing.T) {
		for i, s := range samples(t) {
			if !all && i%8 != 0 {
				continue
			}
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				w := prepare(t, x, s, inputs{runs: 150})
				inf := 0
				for _, tag := range w.tags {
					if tag == "I" {
						inf++
					}
				}
				for k, ms := range sets {
					slow := k >= 2
					if slow && !all && (testing.Short() || i%56 != k*8) {
						continue
					}
					how := fmt.Sprint(ms)
					res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, Clang: x.Clang,
						FramaC:  x.FramaC,
						Explore: campaign.Explorer(x.Clang), CSource: w.opts, Methods: ms, Budget: 40 * time.Second,
						Goal: time.Second})
					if err != nil {
						t.Errorf("%s: %v", how, err)
						continue
					}
					n := w.check(t, how, res.Findings)
					mu.Lock()
					proved[how] += n
					known[how] += inf
					mu.Unlock()
					if testing.Verbose() && n < inf {
						t.Logf("%s: %d of %d; %v", how, n, inf, res.Notes)
					}
				}
			})
		}
	})
	for how, n := range known {
		t.Logf("%s: %d of %d infeasible labels proved", how, proved[how], n)
		if n > 50 && proved[how] < n/2 {
			t.Errorf("%s: only %d of %d infeasible labels proved", how, proved[how], n)
		}
	}
}

// What WP finds of steps 2 and 3, where it is known: of each sixth program, of
// all with KLABEL_PRUNE_ALL=1.
func TestRelationsByWP(t *testing.T) {
	x := tools(t)
	if x.FramaC == nil {
		t.Skip("Frama-C is not installed")
	}
	for i, s := range samples(t) {
		if s.relations == "" || os.Getenv("KLABEL_PRUNE_ALL") == "" && (testing.Short() || i%6 != 3) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			w := prepare(t, x, s, inputs{runs: 300})
			res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, FramaC: x.FramaC,
				Methods: []prune.Method{prune.WP}, Budget: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			w.check(t, "wp", res.Findings)
			var got []string
			for _, f := range res.Findings {
				switch f.Status {
				case label.Duplicate:
					got = append(got, fmt.Sprintf("%d=%d", f.ID, f.Of))
				case label.Subsumed:
					got = append(got, fmt.Sprintf("%d<%d", f.ID, f.Of))
				}
			}
			if want := strings.Fields(s.relations); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
				t.Errorf("got %v, want %v; %v", got, want, res.Notes)
			}
		})
	}
}

// The example of the LUncov paper that neither analysis proves alone: WP does
// not know the ranges of the arguments, value analysis not that x is x.
func TestGreyboxCombination(t *testing.T) {
	x := tools(t)
	if x.FramaC == nil {
		t.Skip("Frama-C is not installed")
	}
	w := prepare(t, x, sample{name: "figure4", text: `int g(int x, int a) { int res; cov_label(x + a < x, 1, "I"); if (x + a >= x) res = 1; else res = 0; cov_label(res != 1, 2, "I");
		cov_label((x * x + a) * 2 < 0, 3, "I"); return res; }
int main(void) { int a = klee_range(0, 21, "a"); int x = klee_range(-1000, 1001, "x"); return g(x, a); }
`}, inputs{runs: 50})
	count := func(ms ...prune.Method) int {
		res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, Clang: x.Clang,
			FramaC: x.FramaC, CSource: w.opts, Methods: ms, Budget: time.Minute, Goal: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return w.check(t, fmt.Sprint(ms), res.Findings)
	}
	both := count(prune.Eva, prune.EvaWP)
	if wp := count(prune.WP); wp >= both || both != 3 {
		t.Errorf("wp proves %d, eva and wp together %d of 3", wp, both)
	}
}
