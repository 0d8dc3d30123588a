package campaign

import (
	"slices"
	"strings"

	"klabel/csource"
	"klabel/drivers"
	"klabel/engine"
	"klabel/engine/fuzz"
	"klabel/engine/klee"
	"klabel/engine/native"
	"klabel/fault"
	"klabel/linkage"
	"klabel/toolchain"
)

// engineRow is all that a campaign knows of an engine before it has one. To add
// an engine, write its package and a row in engineTable.
type engineRow struct {
	name  string
	title string        // for people
	modes []engine.Mode // in the order of comparisons
	best  engine.Mode   // what it runs in when nobody says
	form  form          // what it runs
	// preload: it calls covered() natively, from a library that is built for it.
	preload bool
	// bounds are those of a program's arguments, input and files where nobody says what
	// it is given; zero: it makes none by itself.
	bounds linkage.Bounds
	// environment says why it can make none for a program on this machine, "" if it can;
	// nil: it always can.
	environment func(*toolchain.Tools, []*csource.Unit) string
	// allocations says that it tells where an allocation that fails makes a difference;
	// of others nothing is believed where a program allocates.
	allocations bool
	// failing says that its proofs hold for runs that end in an error, too, where those count.
	failing bool
	// never32 says why it cannot run programs of 32 bits, "" if it can.
	never32 string
	// floats is how drivers make floating-point inputs for it.
	floats drivers.Floats
	// wholeArrays says that it hands its solver all of an array.
	wholeArrays bool
	// portfolio deals out search heuristics: engines side by side differ in them.
	portfolio [][]string
	// helped says that two of them explore one entry better than one: see helper.go.
	helped bool
	// wished says that the user means it without its name; nil: who names none gets it where it is ready.
	wished func(t *toolchain.Tools, args []string) bool
	// found says that it is on this machine, ready why it cannot be used there;
	// clang is the compiler whose output it reads.
	found func(*toolchain.Tools) bool
	ready func(*toolchain.Tools) error
	clang func(*toolchain.Tools) (*toolchain.Clang, error)
	open  func(*toolchain.Tools, *toolchain.Clang) engine.Engine
}

// form is what an engine runs the program as.
type form int

// The forms.
const (
	bitcode  form = iota // .bc
	assembly             // LLVM's, .ll
	fuzzed               // a native program that libFuzzer runs
)

// engineTable lists the engines in the order in which "auto" looks for one.
func engineTable() []engineRow {
	plain := []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused}
	return []engineRow{
		{
			name: "klee", title: "KLEE", modes: plain, best: engine.Fused, preload: true,
			bounds: linkage.Bounds{Argument: 6, Many: 4, Input: 16, File: 16},
			portfolio: [][]string{{"random-path", "nurs:covnew"}, {"nurs:covnew"}, {"dfs"}, {"nurs:md2u"}, {"bfs"},
				{"random-state"}, {"nurs:qc"}, {"nurs:depth"}},
			environment: outsideKLEE,
			wholeArrays: true,
			never32:     "KLEE runs programs of 64 bits only",
			wished: func(t *toolchain.Tools, args []string) bool {
				return t.KLEE != nil && t.KLEE.Chosen || len(args) > 0
			},
			found: func(t *toolchain.Tools) bool { return t.KLEE != nil },
			ready: readyKLEE,
			clang: func(t *toolchain.Tools) (*toolchain.Clang, error) { return t.ClangFor(t.KLEE) },
			open:  func(t *toolchain.Tools, _ *toolchain.Clang) engine.Engine { return klee.New(t.KLEE) },
		},
		{
			name: "native", title: "the native engine", modes: append(plain, engine.Greybox), best: engine.Greybox,
			form: assembly, bounds: linkage.Bounds{Argument: 6, Many: 4, Input: 16, File: 16},
			allocations: true, failing: true,
			floats:    drivers.SymbolicFloats,
			portfolio: [][]string{nil, {"dfs"}, {"random-path"}, {"covnew"}, {"bfs"}},
			helped:    true,
			found:     func(*toolchain.Tools) bool { return true },
			ready:     func(*toolchain.Tools) error { return nil },
			clang:     func(t *toolchain.Tools) (*toolchain.Clang, error) { return t.RequireClang() },
			open:      func(_ *toolchain.Tools, c *toolchain.Clang) engine.Engine { return native.New(c) },
		},
		{
			name: fuzzName, title: "the fuzzer", modes: []engine.Mode{engine.Fuzz}, best: engine.Fuzz,
			form: fuzzed, bounds: linkage.Bounds{Argument: 16, Many: 16, Input: 256, File: 256},
			floats:    drivers.SymbolicFloats,
			portfolio: [][]string{nil, {fuzz.ValueProfile}},
			found:     func(t *toolchain.Tools) bool { _, err := t.ClangForFuzzing(); return err == nil },
			ready:     func(t *toolchain.Tools) error { _, err := t.ClangForFuzzing(); return err },
			clang:     func(t *toolchain.Tools) (*toolchain.Clang, error) { return t.ClangForFuzzing() },
			open:      func(_ *toolchain.Tools, c *toolchain.Clang) engine.Engine { return fuzz.New(c) },
		},
	}
}

// readyKLEE says why KLEE cannot run here: there is none, or no clang that it can read the bitcode of.
func readyKLEE(t *toolchain.Tools) error {
	k, err := t.RequireKLEE()
	if err == nil {
		_, err = t.ClangFor(k)
	}
	return err
}

// fuzzName is the name of the fuzzer.
const fuzzName = "fuzz"

// fuzzer finds the fuzzer's row; nil: there is none.
func fuzzer(table []engineRow) *engineRow {
	for i := range table {
		if table[i].form == fuzzed {
			return &table[i]
		}
	}
	return nil
}

// autoEngine is the name that lets klabel decide: the first engine that is ready, and the
// fuzzer beside it when it finds nothing any more. KLEE, which reads the program anew for every
// slice, covers less of nearly every program than klabel's own engine in the same time: it is
// taken where the user means it, or asks for a mode, most of which were made for it.
const autoEngine = "auto"

// Engines are the names that a Job may give.
func Engines() []string {
	names := []string{autoEngine}
	for _, r := range engineTable() {
		names = append(names, r.name)
	}
	return names
}

// pickEngine finds the row of a name. For auto it is the first that is ready and
// has the mode; passed says why one that is installed was passed over. The arguments are
// those that the user gives engines, by name.
func pickEngine(table []engineRow, name string, mode engine.Mode, args map[string][]string,
	tools *toolchain.Tools) (row engineRow, passed string, err error) {
	var names []string
	for _, r := range table {
		names = append(names, r.name)
		if name != autoEngine && name != r.name {
			continue
		}
		if name == autoEngine && mode == "" && r.wished != nil && !r.wished(tools, args[r.name]) {
			continue
		}
		err := r.ready(tools)
		if name == autoEngine && (err != nil || mode != "" && !slices.Contains(r.modes, mode)) {
			if err != nil && r.found(tools) && (mode == "" || slices.Contains(r.modes, mode)) {
				passed = r.title + " is not used: " + err.Error()
			}
			continue
		}
		if err != nil {
			return r, passed, err
		}
		if mode != "" && !slices.Contains(r.modes, mode) {
			return r, passed, fault.Usagef("engine %s has no mode %q: want one of %v", r.name, mode, r.modes)
		}
		return r, passed, nil
	}
	if name == autoEngine {
		return row, passed, fault.Usagef("no engine has the mode %q", mode)
	}
	return row, passed, fault.Usagef("unknown engine %q: want %s, %s or %s", name, autoEngine,
		strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
}

// Modes lists the modes of an engine; for auto of that which a job with one of them would get.
func Modes(name string, tools *toolchain.Tools) ([]engine.Mode, error) {
	name, _, err := splitEngines(name, engineTable())
	if err != nil {
		return nil, err
	}
	var one engine.Mode
	if name == autoEngine {
		one = engine.Ignore
	}
	r, _, err := pickEngine(engineTable(), name, one, nil, tools)
	return r.modes, err
}

// searchers returns the heuristics of the i-th of n engines. What the user chose
// goes to a single engine whole, and is dealt out one by one to a portfolio.
func (r engineRow) searchers(chosen []string, i, n int) []string {
	switch {
	case n == 1:
		return chosen
	case len(chosen) > 0:
		return []string{chosen[i%len(chosen)]}
	case len(r.portfolio) == 0:
		return nil
	}
	return r.portfolio[i%len(r.portfolio)]
}
