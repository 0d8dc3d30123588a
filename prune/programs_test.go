package prune_test

import (
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

type sample struct{ name, text string }

func samples(t testing.TB) []sample {
	t.Helper()
	b, err := os.ReadFile("testdata/programs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []sample
	for _, part := range strings.Split(string(b), "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		out = append(out, sample{strings.TrimSpace(name), text})
	}
	if len(out) < 60 {
		t.Fatalf("%d programs", len(out))
	}
	return out
}

// world is a program with what random inputs show of it.
type world struct {
	unit *csource.Unit
	opts csource.Options
	tags map[label.ID]string
	runs [][]label.ID
}

func prepare(t *testing.T, x *toolchain.Tools, s sample, runs int) *world {
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
	w := &world{opts: csource.Options{Clang: x.Clang, IncludeDirs: []string{paths.Include}}, tags: map[label.ID]string{}}
	if w.unit, err = csource.Load(t.Context(), file, w.opts); err != nil {
		t.Fatal(err)
	}
	calls, err := w.unit.Labels()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		w.tags[c.ID] = c.Tags[0]
	}
	text, err := instrument.Rewrite(w.unit, instrument.Options{Mode: instrument.Replay})
	if err != nil {
		t.Fatal(err)
	}
	c, bin := filepath.Join(dir, "replay.c"), filepath.Join(dir, "random")
	if err := os.WriteFile(c, text, 0o666); err != nil {
		t.Fatal(err)
	}
	obj := filepath.Join(dir, "replay.o")
	args := []string{"-w", "-c", "-O0", "-Dmain=klabel_program", "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-ffp-contract=off",
		"-fsanitize=undefined", "-fno-sanitize=signed-integer-overflow,shift-base,pointer-overflow,alignment,bool,function,vptr", "-fsanitize-trap=undefined", c, "-o", obj}
	for _, a := range [][]string{args, {"-w", "-O1", "testdata/random.c", obj, "-o", bin}} {
		if out, err := exec.Command(x.Clang.Path, a...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	run := []string{strconv.Itoa(runs), "1"}
	run = append(run, regexp.MustCompile(`\b\d+\b`).FindAllString(s.text, 200)...)
	out, err := exec.Command(bin, run...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		hits := []label.ID{}
		for _, f := range strings.Fields(line) {
			id, _ := label.ParseID(f)
			hits = append(hits, id)
		}
		w.runs = append(w.runs, hits)
	}
	for _, r := range w.runs {
		for _, id := range r {
			if w.tags[id] == "I" {
				t.Fatalf("label %d is called infeasible, and a random input covers it", id)
			}
		}
	}
	return w
}

// check compares findings with what is known and with the random runs.
func (w *world) check(t *testing.T, how string, fs []prune.Finding) (proved int) {
	t.Helper()
	for _, f := range fs {
		switch f.Status {
		case label.Infeasible:
			if w.tags[f.ID] == "C" {
				t.Errorf("%s: label %d can be covered, %s calls it infeasible: %s", how, f.ID, f.Method, f.Text)
			}
			if w.tags[f.ID] == "I" {
				proved++
			}
		}
		for _, r := range w.runs {
			this, other := slices.Contains(r, f.ID), slices.Contains(r, f.Of)
			switch {
			case f.Status == label.Infeasible && this:
				t.Errorf("%s: a random input covers label %d, %s calls it infeasible: %s", how, f.ID, f.Method, f.Text)
				return proved
			case f.Status == label.Duplicate && this != other, f.Status == label.Subsumed && other && !this:
				t.Errorf("%s: a random input tells label %d from %d, %s calls it %v (step %d): %s", how, f.ID, f.Of, f.Method, f.Status, f.Step, f.Text)
				return proved
			}
		}
	}
	return proved
}

// TestPrograms runs every method by itself on programs of which all is known:
// nothing wrong may be said. The share found is printed. Frama-C's methods take
// minutes for all the programs: by default they see three each; all with
// KLABEL_PRUNE_ALL=1.
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
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				w := prepare(t, x, s, 150)
				inf := 0
				for _, tag := range w.tags {
					if tag == "I" {
						inf++
					}
				}
				for k, ms := range sets {
					slow := k >= 2
					if slow && !all && (testing.Short() || i%30 != k*7) {
						continue
					}
					how := fmt.Sprint(ms)
					res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, Clang: x.Clang, FramaC: x.FramaC,
						Explore: campaign.Explorer(x.Clang), CSource: w.opts, Methods: ms, Budget: 40 * time.Second, Goal: time.Second})
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
	}
}

// The example of the LUncov paper that neither analysis proves alone: WP does
// not know the ranges of the arguments, value analysis not that x is x.
func TestGreyboxCombination(t *testing.T) {
	x := tools(t)
	if x.FramaC == nil {
		t.Skip("Frama-C is not installed")
	}
	w := prepare(t, x, sample{"figure4", `int g(int x, int a) { int res; cov_label(x + a < x, 1, "I"); if (x + a >= x) res = 1; else res = 0; cov_label(res != 1, 2, "I");
		cov_label((x * x + a) * 2 < 0, 3, "I"); return res; }
int main(void) { int a = klee_range(0, 21, "a"); int x = klee_range(-1000, 1001, "x"); return g(x, a); }
`}, 50)
	count := func(ms ...prune.Method) int {
		res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, Clang: x.Clang, FramaC: x.FramaC, CSource: w.opts, Methods: ms, Budget: time.Minute, Goal: 2 * time.Second})
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
