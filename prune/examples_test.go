package prune_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"klabel/campaign"
	"klabel/csource"
	"klabel/engine"
	"klabel/examples"
	"klabel/ktest"
	"klabel/label"
	"klabel/prune"
	"klabel/store"
	"klabel/toolchain"
)

func tools(t testing.TB) *toolchain.Tools {
	t.Helper()
	x, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if x.Clang == nil {
		t.Skip("no clang")
	}
	return x
}

// effort is how much TestExamples tries.
type effort struct {
	runs   int           // random inputs that end normally
	engine time.Duration // for each mode of an engine
	prover time.Duration // for each set of methods
	sets   []set         // who proves, one set after the other
	all    bool          // every mode on every program; otherwise they take turns
}

// set is methods that prove, told of no test or, as in a campaign, of the tests
// that there are: WP then has time for what they leave open.
type set struct {
	methods []prune.Method
	told    bool
}

// KLABEL_PRUNE_ALL=1 is the whole: an hour or more. KLABEL_PRUNE_METHODS, with
// KLABEL_PRUNE_TOLD=1 told of the tests, and KLABEL_PRUNE_RUNS choose otherwise.
func wanted(t *testing.T, x *toolchain.Tools) effort {
	t.Helper()
	e := effort{runs: 3000, engine: time.Second, prover: time.Minute,
		sets: []set{{methods: []prune.Method{prune.Compiler, prune.Native}}}}
	if e.all = os.Getenv("KLABEL_PRUNE_ALL") != ""; e.all {
		e.runs, e.engine, e.sets = 100000, 5*time.Second, []set{{methods: []prune.Method{prune.Compiler}},
			{methods: []prune.Method{prune.Native}}}
		if x.FramaC != nil {
			wp, both := []prune.Method{prune.WP}, []prune.Method{prune.Eva, prune.EvaWP}
			e.sets = append(e.sets, set{methods: []prune.Method{prune.Eva}}, set{wp, false}, set{wp, true},
				set{both, false}, set{both, true})
		}
	}
	if s := os.Getenv("KLABEL_PRUNE_METHODS"); s != "" {
		ms, err := prune.ParseMethods(s)
		if err != nil {
			t.Fatal(err)
		}
		e.sets = []set{{ms, os.Getenv("KLABEL_PRUNE_TOLD") != ""}}
	}
	if s := os.Getenv("KLABEL_PRUNE_RUNS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		e.runs = n
	}
	return e
}

// mode is an engine's way to generate tests.
type mode struct {
	engine string
	mode   engine.Mode
}

// modes are those that a program's tests come from: all of them, or the native
// engine's best and one of the others for each engine, in turns.
func modes(x *toolchain.Tools, e effort, i int) []mode {
	five := []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused}
	out := []mode{{"native", engine.Greybox}}
	for k, m := range five {
		if e.all || k == i%5 && !testing.Short() {
			out = append(out, mode{"native", m})
		}
		if x.KLEE != nil && (e.all || k == (i+2)%5 && !testing.Short()) {
			out = append(out, mode{"klee", m})
		}
	}
	return out
}

// What is proved on the examples agrees with what is known of them, with the
// tests that all modes of the engines generate, kept or not, and with random
// inputs.
func TestExamples(t *testing.T) {
	x := tools(t)
	all, err := examples.All("../examples")
	if err != nil {
		t.Fatal(err)
	}
	e := wanted(t, x)
	if x.KLEE == nil {
		t.Log("SKIPPED: KLEE's modes; there is no KLEE in KLABEL_KLEE or on PATH")
	}
	if x.FramaC == nil {
		t.Log("Frama-C is not installed: eva, wp and eva+wp are not tested")
	}
	var mu sync.Mutex
	sum := map[string]int{}
	count := func(what string, n int) { mu.Lock(); defer mu.Unlock(); sum[what] += n }
	t.Run("each", func(t *testing.T) {
		for i, p := range all {
			if !e.all && i%3 != i/3%3 { // of each program one criterion
				continue
			}
			t.Run(p.Name+"."+p.Criterion, func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(p.File)
				if err != nil {
					t.Fatal(err)
				}
				in := inputs{runs: e.runs, loop: true}
				for _, test := range p.Tests {
					in.known = append(in.known, strings.Join(test, " "))
				}
				var hits [][]label.ID
				for _, m := range modes(x, e, i) {
					known, h := generate(t, x, p, m, e.engine)
					in.known, hits = append(in.known, known...), append(hits, h...)
					count("tests", len(known))
				}
				w := prepare(t, x, sample{name: p.Name, text: string(text)}, in)
				if w.runs < e.runs {
					t.Errorf("%d of %d random inputs end normally: the driver refuses too many", w.runs, w.tries)
				}
				for _, h := range hits {
					w.add(h)
				}
				count("random inputs", w.runs)
				for id := range w.covered {
					if slices.Contains(p.Infeasible, id) {
						t.Errorf("label %d is written down as infeasible, and a run covers it", id)
					}
				}
				for _, id := range p.Coverable {
					if !w.covered[id] {
						t.Errorf("no run covers label %d", id)
					}
				}
				for _, by := range e.sets {
					w.prove(t, x, p, by, hits, e.prover, count)
				}
			})
		}
	})
	var line []string
	for k, n := range sum {
		line = append(line, fmt.Sprintf("%s: %d", k, n))
	}
	slices.Sort(line)
	t.Log(strings.Join(line, "; "))
}

// prove holds what methods say of an example against what is known.
func (w *world) prove(t *testing.T, x *toolchain.Tools, p examples.Program, by set, hits [][]label.ID,
	budget time.Duration, count func(string, int)) {
	ms := fmt.Sprint(by.methods)
	if by.told {
		ms += " told of the tests"
	} else {
		hits = nil
	}
	res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, Clang: x.Clang, FramaC: x.FramaC,
		CSource: w.opts, Explore: campaign.Explorer(x.Clang), Methods: by.methods, Hits: hits, Budget: budget})
	if err != nil {
		t.Errorf("%s: %v", ms, err)
		return
	}
	w.check(t, ms, res.Findings)
	n := map[label.Status]int{}
	var missed []label.ID
	proved := map[label.ID]bool{}
	for _, f := range res.Findings {
		if f.Status == label.Infeasible && slices.Contains(p.Coverable, f.ID) {
			t.Errorf("label %d can be covered, and %s calls it infeasible: %s", f.ID, f.Method, f.Text)
		}
		n[f.Status]++
		if f.Status == label.Infeasible {
			proved[f.ID] = true
		}
	}
	for _, id := range p.Infeasible {
		if !proved[id] {
			missed = append(missed, id)
		}
	}
	count(ms+" infeasible", len(p.Infeasible)-len(missed))
	count(ms+" duplicate or subsumed", n[label.Duplicate]+n[label.Subsumed])
	line := fmt.Sprintf("%3d labels: %2d of %2d infeasible, %2d duplicate, %2d subsumed, %5.2f s, missed %v",
		res.Labels,
		len(p.Infeasible)-len(missed), len(p.Infeasible), n[label.Duplicate], n[label.Subsumed], res.Seconds, missed)
	for _, s := range res.Methods {
		line += fmt.Sprintf("; %s %d in %.2f s %s", s.Method, s.Found, s.Seconds, s.Note)
	}
	t.Log(line)
}

// generate has an engine generate tests for an example. It returns the inputs of
// all of them, also of those that a campaign would drop, and what the replays of
// those that it kept have hit.
func generate(t *testing.T, x *toolchain.Tools, p examples.Program, m mode, budget time.Duration) (known []string,
	hits [][]label.ID) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	s, err := campaign.Run(t.Context(), campaign.Job{Sources: []campaign.Source{{Path: p.File}}, OutputDir: out,
		Engine: m.engine, Mode: m.mode,
		Budget: budget, NoRandom: true, Prune: campaign.PruneNever, KeepAll: true, NoSanitizers: true, Workers: 1}, x,
		campaign.Silent{})
	if err != nil {
		t.Errorf("%s %s: %v", m.engine, m.mode, err)
		return nil, nil
	}
	if len(s.Contradictions) > 0 {
		t.Errorf("%s %s: contradictions: %+v", m.engine, m.mode, s.Contradictions)
	}
	st, err := store.Open(out, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	tests, err := st.Tests()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tests {
		if one.Verdict.Outcome == label.Normal {
			hits = append(hits, one.Verdict.Hits)
		}
	}
	files, _ := filepath.Glob(filepath.Join(out, "engine", "*", "*.ktest"))
	kept, _ := filepath.Glob(filepath.Join(out, "tests", "*.ktest"))
	for _, f := range append(files, kept...) {
		if test, err := ktest.ReadFile(f); err == nil { // the last one may be cut short
			known = append(known, written(test))
		}
	}
	if len(known) == 0 {
		t.Logf("%s %s: no test within %s", m.engine, m.mode, budget)
		if s.Engine.Complete {
			t.Errorf("%s %s: explored to the end, and no test", m.engine, m.mode)
		}
	}
	return known, hits
}

// written is a test as NAME=V,V... of all objects, a value for each byte.
func written(test *ktest.Test) string {
	var b strings.Builder
	for _, o := range test.StripChoices().Objects {
		fmt.Fprintf(&b, "%s=", o.Name)
		for i, c := range o.Data {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(int(c)))
		}
		b.WriteByte(' ')
	}
	return b.String()
}
