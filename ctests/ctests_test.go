package ctests_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/ctests"
	"klabel/drivers"
	"klabel/drivers/driverstest"
	"klabel/examples"
	"klabel/instrument"
	"klabel/ktest"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/toolchain"
)

type bench struct {
	clang *toolchain.Clang
	rt    runtime_c.Paths
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
	return &bench{tools.Clang, rt}
}

func (b *bench) load(t testing.TB, file string) *csource.Unit {
	t.Helper()
	u, err := csource.Load(context.Background(), file, csource.Options{Clang: b.clang,
		IncludeDirs: []string{b.rt.Include}})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// objects makes a test from the values of an expectation file.
func objects(t testing.TB, inputs []string, o ctests.Options) *ktest.Test {
	t.Helper()
	out := &ktest.Test{Args: []string{"program"}}
	for _, in := range inputs {
		name, values, _ := strings.Cut(in, "=")
		typ := o.Objects[name]
		if typ == nil {
			t.Fatalf("the program has no input %s", name)
			return nil
		}
		list := strings.Split(values, ",")
		width := int(typ.Size) / len(list)
		var data []byte
		for _, v := range list {
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			var buf [8]byte
			binary.LittleEndian.PutUint64(buf[:], uint64(n))
			data = append(data, buf[:width]...)
		}
		out.Objects = append(out.Objects, ktest.Object{Name: name, Data: data})
	}
	return out
}

// built compiles the runner of a folder with recording labels.
func (b *bench) built(t testing.TB, dir string) string {
	t.Helper()
	runner := b.load(t, filepath.Join(dir, ctests.RunnerFile))
	text, err := instrument.Rewrite(runner, instrument.Options{Mode: instrument.Replay, MaxID: 1000})
	if err != nil {
		t.Fatal(err)
	}
	c := filepath.Join(dir, "labelled.c")
	if err := os.WriteFile(c, text, 0o600); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "run_tests")
	if err := ctests.Build(context.Background(), b.clang, b.rt, []string{c}, bin, nil); err != nil {
		t.Fatal(err)
	}
	return bin
}

// without compiles and runs the tests as a user would, without klabel.
func without(t testing.TB, b *bench, dir string) {
	t.Helper()
	bin := filepath.Join(dir, "plain")
	out, err := exec.Command(b.clang.Path, "-std=gnu11", "-Wall", "-Wno-unknown-warning-option",
		"-Wno-deprecated-non-prototype", "-Wno-ignored-attributes", "-I", dir, "-o", bin,
		filepath.Join(dir, ctests.RunnerFile), "-lm").CombinedOutput()
	if err != nil {
		t.Fatalf("the C tests do not compile: %v\n%s", err, out)
	}
	out, err = exec.Command(bin).CombinedOutput()
	if err != nil {
		t.Errorf("the C tests fail: %v\n%s", err, out)
	}
}

// TestExamples writes the tests of every labelled example as C, runs them and
// compares what they cover with what can be covered.
func TestExamples(t *testing.T) {
	b := newBench(t)
	programs, err := examples.All("../examples")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		if !whole && i%3 != i/3%3 { // of each program one criterion
			continue
		}
		t.Run(p.Name+"."+p.Criterion, func(t *testing.T) {
			t.Parallel()
			u := b.load(t, p.File)
			source, err := filepath.Abs(p.File)
			if err != nil {
				t.Fatal(err)
			}
			o := ctests.Options{Style: ctests.Plain, Oracle: ctests.Observed, Source: source, Include: source,
				Objects: drivers.Objects(u), MainParams: drivers.MainParameters(u)}
			var cases []ctests.Case
			for i, in := range p.Tests {
				cases = append(cases, ctests.Case{Number: i + 1, Test: objects(t, in, o)})
			}
			dir := t.TempDir()
			if err := ctests.Write(dir, cases, o); err != nil {
				t.Fatal(err)
			}
			without(t, b, dir)
			bin := b.built(t, dir)
			v, err := ctests.Run(context.Background(), bin, nil, 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(p.Coverable, v.Hits); d != "" {
				t.Errorf("labels that can be covered, and covered by the C tests, differ:\n%s", d)
			}
		})
	}
}

// whole says that every program and function is tried, as make nightly does, and
// not a part that fits in a test run.
var whole = os.Getenv("KLABEL_CTESTS_ALL") != ""

var directive = regexp.MustCompile(`(?m)^/\* driver: ?(.*?) ?\*/\n(?:[^\n(]*\n)?[^\n(]*?([A-Za-z_0-9]+)\(`)

// TestDrivenFunctions does the same for the functions of the drivers' corpus,
// each test on its own.
func TestDrivenFunctions(t *testing.T) {
	b := newBench(t)
	files, err := filepath.Glob("../drivers/testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		u := b.load(t, file)
		for i, m := range directive.FindAllStringSubmatch(string(text), -1) {
			if testing.Short() && i%5 != 0 || !whole && i%2 != 0 {
				continue
			}
			t.Run(m[2], func(t *testing.T) {
				t.Parallel()
				driven(t, b, u, file, m[2], m[1])
			})
		}
	}
}

func driven(t *testing.T, b *bench, u *csource.Unit, file, function, flags string) {
	options, err := driverstest.Options(strings.TrimRight(strings.Split(flags, "infeasible")[0], "; "))
	if err != nil {
		t.Fatal(err)
	}
	options.Function = function
	d, err := drivers.Generate(u, options)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob("../drivers/testdata/tests/" + function + "-*.ktest")
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests recorded: %v", err)
	}
	sort.Strings(tests)
	var cases []ctests.Case
	for i, f := range tests {
		kt, err := ktest.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, ctests.Case{Number: i + 1, Test: kt})
	}
	source, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	observe, clean, err := ctests.Recorder(context.Background(), b.clang, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer clean()
	dir := t.TempDir()
	o := ctests.Options{Style: ctests.Plain, Oracle: ctests.Observed, Source: source, Include: source, Driver: d.Inputs,
		Objects: drivers.Objects(u), Observe: observe}
	if err := ctests.Write(dir, cases, o); err != nil {
		t.Fatal(err)
	}
	shown := func() string {
		var all bytes.Buffer
		fs, _ := filepath.Glob(filepath.Join(dir, "test_*.c"))
		for _, f := range fs {
			text, _ := os.ReadFile(f)
			all.Write(text)
		}
		return all.String()
	}
	without(t, b, dir)
	bin := b.built(t, dir)
	places := ctests.Places(dir)
	if len(places) != len(cases) {
		t.Errorf("%d tests, %d found as C", len(cases), len(places))
	}
	var covered []label.ID
	seen := map[label.ID]bool{}
	for i := range cases {
		v, err := ctests.Run(context.Background(), bin, []string{places[fmt.Sprintf("test%06d", i+1)].Function},
			10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != label.Normal || v.Reason != "" {
			t.Errorf("test %d ended %s: %s", i+1, v.Outcome, v.Reason)
		}
		for _, id := range v.Hits {
			if !seen[id] {
				seen[id] = true
				covered = append(covered, id)
			}
		}
	}
	sort.Slice(covered, func(i, j int) bool { return covered[i] < covered[j] })
	want := coverable(t, u, function, flags)
	if diff := cmp.Diff(want, covered); diff != "" {
		t.Errorf("labels of the function, and covered by the C tests, differ:\n%s\n%s", diff, shown())
	}
	if t.Failed() || testing.Verbose() {
		t.Log(shown())
	}
}

func coverable(t *testing.T, u *csource.Unit, function, flags string) (out []label.ID) {
	t.Helper()
	not := map[label.ID]bool{}
	if _, rest, ok := strings.Cut(flags, "infeasible "); ok {
		for _, w := range strings.Fields(rest) {
			id, err := label.ParseID(w)
			if err != nil {
				t.Fatal(err)
			}
			not[id] = true
		}
	}
	calls, err := u.Labels()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if c.Function == function && !not[c.ID] {
			out = append(out, c.ID)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// TestEveryNumberIsRecorded takes the largest number that a label may have.
func TestEveryNumberIsRecorded(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	c, bin := filepath.Join(dir, "t.c"), filepath.Join(dir, "t")
	text := fmt.Sprintf("void klabel_hit(int);\nint main(void) { klabel_hit(3); klabel_hit(%d); return 0; }\n",
		label.MaxID)
	if err := os.WriteFile(c, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ctests.Build(t.Context(), b.clang, b.rt, []string{c}, bin, nil); err != nil {
		t.Fatal(err)
	}
	v, err := ctests.Run(t.Context(), bin, nil, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Hits) != 2 || v.Hits[1] != label.MaxID {
		t.Errorf("hits %v", v.Hits)
	}
}
