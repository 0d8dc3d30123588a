package drivers_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/drivers"
	"klabel/drivers/driverstest"
	"klabel/engine"
	"klabel/engine/klee"
	"klabel/engine/native"
	"klabel/input"
	"klabel/instrument"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/runtime_c"
	"klabel/suite"
	"klabel/toolchain"
)

// TestMain lets the test binary be the native engine's process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == native.Subcommand {
		os.Exit(native.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// sample is a function of the corpus with its driver's options.
type sample struct {
	file, name string
	options    drivers.Options
	infeasible map[label.ID]bool
}

var directive = regexp.MustCompile(`(?m)^/\* driver: ?(.*?) ?\*/\n(?:[^\n(]*\n)?[^\n(]*?([A-Za-z_0-9]+)\(`)

// corpus reads the functions of testdata.
func corpus(t testing.TB) []sample {
	t.Helper()
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	var out []sample
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range directive.FindAllStringSubmatch(string(text), -1) {
			s := sample{file: f, name: m[2], infeasible: map[label.ID]bool{}}
			flags, rest, _ := strings.Cut(m[1], "infeasible ")
			for _, w := range strings.Fields(rest) {
				id, err := label.ParseID(w)
				if err != nil {
					t.Fatalf("%s: %s: %v", f, s.name, err)
				}
				s.infeasible[id] = true
			}
			if s.options, err = driverstest.Options(strings.TrimRight(flags, "; ")); err != nil {
				t.Fatalf("%s: %s: %v", f, s.name, err)
			}
			s.options.Function = s.name
			out = append(out, s)
		}
	}
	return out
}

// bench is what all corpus tests share.
type bench struct {
	tools *toolchain.Tools
	rt    runtime_c.Paths
	units map[string]*csource.Unit
}

func newBench(t testing.TB) *bench {
	t.Helper()
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("no clang")
	}
	rt, err := runtime_c.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &bench{tools, rt, map[string]*csource.Unit{}}
}

func (b *bench) options() csource.Options {
	return csource.Options{Clang: b.tools.Clang, IncludeDirs: []string{b.rt.Include}, Lean: true, Keep: drivers.Named}
}

func (b *bench) unit(t testing.TB, file string) *csource.Unit {
	t.Helper()
	if u := b.units[file]; u != nil {
		return u
	}
	u, err := csource.Load(context.Background(), file, b.options())
	if err != nil {
		t.Fatal(err)
	}
	b.units[file] = u
	return u
}

// labelsIn are the labels of a function, and those that its comment does not
// call infeasible.
func labelsIn(t testing.TB, u *csource.Unit, s sample) (coverable []label.ID) {
	t.Helper()
	calls, err := u.Labels()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if c.Function == s.name && !s.infeasible[c.ID] {
			coverable = append(coverable, c.ID)
		}
	}
	sort.Slice(coverable, func(i, j int) bool { return coverable[i] < coverable[j] })
	return coverable
}

// TestCorpus drives every function of the corpus, lets the engines that are
// there explore it, and replays their tests: every label that can be covered
// must be, no other, and no run may end in an error.
func TestCorpus(t *testing.T) {
	b := newBench(t)
	samples := corpus(t)
	if len(samples) < 40 {
		t.Fatalf("only %d functions in the corpus", len(samples))
	}
	for i, s := range samples {
		if testing.Short() && i%5 != 0 {
			continue
		}
		u := b.unit(t, s.file)
		t.Run(strings.TrimSuffix(filepath.Base(s.file), ".c")+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			d, err := drivers.Generate(u, s.options)
			if err != nil {
				t.Fatal(err)
			}
			driven, err := csource.Parse(context.Background(), s.file, d.Apply(u), b.options())
			if err != nil {
				t.Fatalf("the driver does not compile: %v\n%s", err, d.Text)
			}
			want := labelsIn(t, u, s)
			pool := b.replayer(t, driven)
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			b.explore(t, driven, native.New(b.tools.Clang).WithBinary(exe), b.tools.Clang, pool, d, want)
			if b.tools.KLEE == nil {
				t.Log("no KLEE: explored with the native engine alone")
				return
			}
			c, err := b.tools.ClangFor(b.tools.KLEE)
			if err != nil {
				t.Fatal(err)
			}
			b.explore(t, driven, klee.New(b.tools.KLEE), c, pool, d, want)
		})
	}
}

func (b *bench) replayer(t testing.TB, u *csource.Unit) *replayer.Pool {
	t.Helper()
	dir := t.TempDir()
	text, err := instrument.Rewrite(u, instrument.Options{Mode: instrument.Replay, MaxID: 100})
	if err != nil {
		t.Fatal(err)
	}
	c := filepath.Join(dir, "replay.c")
	if err := os.WriteFile(c, prefixed(u, text), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "replay")
	source := []replayer.Source{{File: c}}
	if err := replayer.BuildAll(context.Background(), b.tools.Clang, source, nil, bin, true); err != nil {
		t.Fatal(err)
	}
	pool, err := replayer.New(context.Background(), replayer.Options{Binary: bin, Workers: 1, MaxID: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

// explore runs an engine to its end and compares what its tests cover.
func (b *bench) explore(t *testing.T, u *csource.Unit, e engine.Engine, clang *toolchain.Clang, pool *replayer.Pool,
	d *drivers.Driver, want []label.ID) {
	t.Helper()
	covered, tests, stats := b.explored(t, u, e, clang, pool, d.Inputs)
	if *update && e.Name() == "native" {
		keep(t, d.Inputs.Function, tests)
	}
	if e.Name() == "klee" && !stats.Complete && len(covered) < len(want) && subset(covered, want) {
		t.Logf("klee had no time for all paths: %d labels of %d", len(covered), len(want))
		return
	}
	if diff := cmp.Diff(want, covered); diff != "" {
		t.Errorf("%s: labels that can be covered and covered ones differ:\n%s\n%s", e.Name(), diff, d.Text)
	}
}

func subset(some, of []label.ID) bool {
	return !slices.ContainsFunc(some, func(id label.ID) bool { return !slices.Contains(of, id) })
}

// explored runs an engine to its end and judges its tests.
func (b *bench) explored(t *testing.T, u *csource.Unit, e engine.Engine, clang *toolchain.Clang, pool *replayer.Pool,
	inputs *input.Driver) ([]label.ID, []suite.Test, engine.Stats) {
	t.Helper()
	ctx := context.Background()
	dir := t.TempDir()
	text, err := instrument.Rewrite(u, instrument.Options{Mode: engine.Tight, MaxID: 100})
	if err != nil {
		t.Fatal(err)
	}
	c := filepath.Join(dir, "engine.c")
	text, ins := prefixed(u, text), []string{c}
	if sized := drivers.SizedPrefix(u); sized != "" && e.Name() == "klee" {
		text, ins = append([]byte(sized), text...), append(ins, b.rt.Lacking)
	}
	if err := os.WriteFile(c, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(u.Text), "__VERIFIER_") {
		ins = append(ins, b.rt.Verifier)
	}
	var outs []string
	for i, in := range ins {
		out := filepath.Join(dir, strconv.Itoa(i))
		compile := clang.IR
		if e.Name() == "klee" {
			compile, out = clang.Bitcode, out+".bc"
		} else {
			out += ".ll"
		}
		if err := compile(ctx, in, out, []string{"-w", "-I" + b.rt.Include}); err != nil {
			t.Fatal(err)
		}
		outs = append(outs, out)
	}
	if e.Name() == "klee" && len(outs) > 1 {
		linked := filepath.Join(dir, "linked.bc")
		if err := clang.Link(ctx, outs, linked); err != nil {
			t.Fatal(err)
		}
		outs = []string{linked}
	}
	run, err := e.Start(ctx, engine.Program{Files: outs},
		engine.Options{Mode: engine.Tight, OutputDir: filepath.Join(dir, "out"), Budget: 15 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	stats, err := run.Wait()
	if err != nil {
		t.Fatalf("%s: %v", e.Name(), err)
	}
	covered, tests := b.judge(t, e.Name(), run.Dir(), pool, inputs)
	return covered, tests, stats
}

// judge replays the tests of a directory.
func (b *bench) judge(t *testing.T, engineName, dir string, pool *replayer.Pool, inputs *input.Driver) (
	covered []label.ID, tests []suite.Test) {
	t.Helper()
	errs, _ := filepath.Glob(filepath.Join(dir, "*.err"))
	for _, f := range errs {
		if !strings.HasSuffix(f, ".assert.err") {
			text, _ := os.ReadFile(f)
			t.Errorf("%s: false error %s:\n%s", engineName, filepath.Base(f), text)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.ktest"))
	hit := map[label.ID]bool{}
	for _, f := range files {
		tf := replayer.ReadTestFile(f)
		if tf.Problem != nil {
			t.Errorf("%s: %v", engineName, tf.Problem)
			continue
		}
		v, err := pool.Replay(context.Background(), 0, tf.Test)
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != label.Normal {
			t.Errorf("%s: %s: replay ended %s: %s", engineName, filepath.Base(f), v.Outcome, v.Reason)
			continue
		}
		tests = append(tests, suite.Test{Name: f, Hits: v.Hits})
		for _, id := range v.Hits {
			hit[id] = true
		}
		if _, err := inputs.Decode(tf.Test.StripChoices()); err != nil {
			t.Errorf("%s: %s: %v", engineName, filepath.Base(f), err)
		}
	}
	for id := range hit {
		covered = append(covered, id)
	}
	sort.Slice(covered, func(i, j int) bool { return covered[i] < covered[j] })
	return covered, tests
}

// keep records a small set of tests of a function, for the tests of the
// documentation and of the writers of C tests.
func keep(t *testing.T, function string, tests []suite.Test) {
	t.Helper()
	old, _ := filepath.Glob(filepath.Join("testdata", "tests", function+"-*.ktest"))
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	for i, k := range suite.Reduce(tests, nil) {
		kt, err := ktest.ReadFile(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		kt = kt.StripChoices()
		kt.Args = []string{"program"}
		if err := os.WriteFile(filepath.Join("testdata", "tests", fmt.Sprintf("%s-%d.ktest", function, i+1)),
			kt.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var update = flag.Bool("update", false, "record tests of the corpus and renew docs/drivers.md")

// prefixed is a unit as it stands in a program: with what lets allocations fail.
func prefixed(u *csource.Unit, text []byte) []byte {
	if bytes.Contains(text, []byte("klabel_failing")) {
		return append([]byte(drivers.FailingPrefix(u)), text...)
	}
	return text
}
