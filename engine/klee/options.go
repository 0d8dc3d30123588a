package klee

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"klabel/engine"
	"klabel/toolchain"
)

// release is a KLEE version as a number that orders: 3.1 is 301.
type release int

const always release = 0

// options that came or went since 2.3, read in KLEE's sources. until is the
// first release without the option, 0 if it is still there. Where KLEE's own
// help could be read, that decides instead.
var options = map[string]struct{ since, until release }{
	"external-call-warnings": {301, 0},
	"ignore-solver-failures": {always, 302},
	"ignore-stp-failures":    {302, 0},
	"write-xml-tests":        {302, 0},
	"write-ktests":           {302, 0},
	"write-exec-tree":        {301, 0},
	"kdalloc":                {300, 0},
	"load":                   {always, 301},
}

func knows(k *toolchain.KLEE, name string) bool {
	if k.KnowsOptions() {
		return k.HasOption(name)
	}
	o, listed := options[name]
	if !listed {
		return true // there in every release since 2.3
	}
	is := release(100*k.Major + k.Minor)
	return is >= o.since && (o.until == 0 || is < o.until)
}

// Searchers are the names that --search takes; several interleave.
var Searchers = []string{
	"dfs", "bfs", "random-state", "random-path",
	"nurs:covnew", "nurs:md2u", "nurs:depth", "nurs:rp", "nurs:icnt", "nurs:cpicnt", "nurs:qc",
}

// fusedBatch is how many instructions of a path KLEE executes before it chooses
// anew: enough for the end of a label's path. Of 50, 200, 1000 and 10000, 200 was
// the best or among them on programs of some hundred lines (bench/curves).
const fusedBatch = 200

// arguments builds KLEE's command line, without KLEE itself. What the user
// gives in ExtraArgs replaces what would be passed otherwise: KLEE refuses an
// option that occurs twice.
func arguments(k *toolchain.KLEE, p engine.Program, o engine.Options) ([]string, error) {
	b := &builder{klee: k, user: map[string]bool{}}
	for _, a := range o.ExtraArgs {
		if name := optionName(a); name != "" {
			b.user[name] = true
		}
	}
	if b.user["output-dir"] {
		return nil, fmt.Errorf("--output-dir cannot be passed to KLEE: klabel gives every run a directory of its own")
	}
	for _, s := range o.Searchers {
		if !slices.Contains(Searchers, s) {
			return nil, fmt.Errorf("unknown searcher %q: KLEE knows %s", s, strings.Join(Searchers, ", "))
		}
	}

	b.add("output-dir", absolute(o.OutputDir))
	if p.Entry != "" {
		b.add("entry-point", p.Entry)
	}
	b.limits(o)
	b.reports(o)
	if err := b.environment(o); err != nil {
		return nil, err
	}
	if !b.user["search"] {
		for _, s := range o.Searchers {
			b.args = append(b.args, "--search="+s)
		}
	}
	if o.Mode == engine.Fused && !b.user["use-batching-search"] {
		// KLEE's searchers choose another path at every instruction. The path that a
		// label has just been forked for would wait among thousands, not yet pending,
		// while others fork for the same label: it shall come to its end first.
		b.add("use-batching-search", "")
		b.add("batch-instructions", strconv.Itoa(fusedBatch))
	}
	if o.Seed != 0 {
		b.add("rng-initial-seed", strconv.FormatUint(uint64(o.Seed), 10))
	}
	b.args = append(b.args, o.ExtraArgs...)
	for _, f := range p.Files[1:] {
		b.args = append(b.args, "--link-llvm-lib="+absolute(f))
	}
	b.args = append(b.args, absolute(p.Files[0]))
	for _, a := range o.ProgramArgs {
		if engine.OpenInput(a) { // what is compiled in shortens it
			a = "--sym-stdin"
		}
		b.args = append(b.args, a)
	}
	return b.args, nil
}

type builder struct {
	klee *toolchain.KLEE
	user map[string]bool // options that the user passes
	args []string
}

// add passes an option that every release knows, unless the user does.
func (b *builder) add(name, value string) {
	if b.user[name] {
		return
	}
	if value == "" {
		b.args = append(b.args, "--"+name)
		return
	}
	b.args = append(b.args, "--"+name+"="+value)
}

// addKnown passes the first of the options that this release knows.
func (b *builder) addKnown(namesAndValues ...[2]string) {
	for _, nv := range namesAndValues {
		if knows(b.klee, nv[0]) {
			b.add(nv[0], nv[1])
			return
		}
	}
}

func (b *builder) limits(o engine.Options) {
	if o.Budget > 0 {
		b.add("max-time", wholeSeconds(o.Budget))
	}
	solver := o.SolverBudget
	if solver == 0 && o.Budget > 0 {
		// A halt waits for the running query, so a bounded run wants bounded queries.
		solver = min(10*time.Second, max(time.Second, o.Budget/4))
	}
	switch {
	case o.Unbounded && unbounded(b.klee, b.user):
		b.add("use-forked-solver", "false")
	case solver > 0:
		b.add("max-solver-time", wholeSeconds(solver))
	}
	if o.MaxMemoryMB > 0 {
		b.add("max-memory", strconv.Itoa(told(o.MaxMemoryMB)))
	}
	if o.MaxInstr > 0 {
		b.add("max-instructions", strconv.FormatUint(o.MaxInstr, 10))
	}
	if o.MaxDepth > 0 {
		b.add("max-depth", strconv.Itoa(o.MaxDepth))
	}
	if o.MaxPaths > 0 {
		b.add("max-forks", strconv.Itoa(o.MaxPaths-1)) // a fork adds a path to the first
	}
	// One solver that crashes, or that a halt takes away, shall cost one path
	// and not the run.
	b.addKnown([2]string{"ignore-stp-failures", ""}, [2]string{"ignore-solver-failures", ""})
}

// unbounded reports whether KLEE is better off without a limit for queries. With
// one it forks itself for each query of STP: 5 ms in a process of usual size,
// where most queries take one. user are the options that the user passes.
func unbounded(k *toolchain.KLEE, user map[string]bool) bool {
	return k.STP && !user["solver-backend"] && !user["max-solver-time"] && !user["use-forked-solver"]
}

func (b *builder) reports(o engine.Options) {
	none := "false"
	if b.klee.FirstWord("dump-states-on-halt") == "none" { // which states to dump, in KLEEF
		none = "none"
	}
	b.add("dump-states-on-halt", none)
	switch {
	case o.EveryPath:
	case o.Mode == engine.Ignore || o.Mode == engine.Naive:
		// KLEE's own idea of a useful test, as in the papers. It never holds back
		// a test of an error.
		b.add("only-output-states-covering-new", "")
	case o.Mode == engine.Fused:
		// A program that ends by exit, or is bitcode, would have a test a path.
		b.add("only-output-states-covering-new", "")
		// Without it KLEE writes one test a label, and a label whose first test
		// the replay refuses could not be tried again.
		b.add("emit-all-errors", "")
	}
	// What is called natively decides what a run proves: see externals.
	b.addKnown([2]string{"external-call-warnings", "once-per-function"})
	b.add("external-calls", "concrete")
}

func (b *builder) environment(o engine.Options) error {
	if !o.Posix && !b.user["posix-runtime"] {
		// KLEE's small libc is linked as far as it is used, and lets paths follow
		// strlen, strcmp and the like instead of ending at an external call.
		b.add("libc", "klee")
		return nil
	}
	if !b.klee.Posix {
		return &toolchain.MissingError{
			Tool: "KLEE", Why: fmt.Sprintf("%s was built without the POSIX runtime, which symbolic arguments and "+
				"files need", b.klee.Path),
			Install: "use a KLEE with POSIX runtime and uclibc, such as that of the klee/klee image",
		}
	}
	b.add("posix-runtime", "")
	if b.klee.Uclibc {
		b.add("libc", "uclibc")
	} else {
		b.add("libc", "klee")
	}
	return nil
}

// wholeSeconds writes a time as KLEE's timers want it, never shorter.
func wholeSeconds(d time.Duration) string {
	return strconv.FormatInt(int64(math.Ceil(d.Seconds())), 10) + "s"
}

// optionName returns the name in "--name=value" or "-name", "" for what is not
// an option.
func optionName(arg string) string {
	if !strings.HasPrefix(arg, "-") {
		return ""
	}
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return name
}

// kept are the variables of the user's that KLEE and its libraries read.
var kept = []string{"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LANG", "LC_ALL", "TZ"}

// environment has nothing of the user's but those, with the library that answers
// covered() and the place of the live view.
func environment(o engine.Options, scratch string) []string {
	// Where it crashes, LLVM would start another program, for names that nobody reads.
	env := []string{"HOME=" + scratch, "TMPDIR=" + scratch, "LLVM_DISABLE_SYMBOLIZATION=1"}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		own := strings.HasPrefix(name, "KLEE_") || strings.HasPrefix(name, "KLABEL_") && name != "KLABEL_VIEW"
		if (own || slices.Contains(kept, name)) && (o.Preload == "" || name != "LD_PRELOAD") {
			env = append(env, v)
		}
	}
	if o.Preload != "" {
		preload := absolute(o.Preload)
		if before := os.Getenv("LD_PRELOAD"); before != "" {
			preload += ":" + before
		}
		env = append(env, "LD_PRELOAD="+preload)
	}
	if o.LiveView != "" {
		env = append(env, "KLABEL_VIEW="+absolute(o.LiveView))
	}
	return env
}

// absolute keeps a path true after a change of directory.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
