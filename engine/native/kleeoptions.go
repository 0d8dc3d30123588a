package native

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// KLEE's options, so that a call of KLEE is a call of this engine. Those that it
// has are in settings and image. Of the others, some ask for what it does anyway
// or say how KLEE is to work inside: they are accepted. The rest is refused by
// name, since to ignore it would be another run than the one asked for.

// accepted have no effect, whatever their value.
var accepted = []string{
	"posix-runtime", "ubsan-runtime", "libcxx", "warn-all-external-symbols", "warnings-only-to-file", "watchdog",
	"disable-verify", "disable-inlining", "disable-internalize", "verify-each", "klee-call-optimisation",
	"output-istats", "output-stats", "output-source", "output-module", "track-instruction-time", "use-call-paths",
	"solver-optimize-divides", "use-forked-solver", "use-cex-cache", "use-branch-cache", "use-independent-solver",
	"use-fast-cex-solver", "use-constant-arrays", "use-visitor-hash", "use-construct-hash-stp",
	"use-construct-hash-z3", "cex-cache-superset", "cex-cache-try-all", "ignore-solver-failures",
	"ignore-stp-failures", "rewrite-equalities", "equality-substitution", "simplify-sym-indices",
	"const-array-opt", "kdalloc", "kdalloc-mark-as-unneeded", "allocate-determ", "max-memory-inhibit",
	"use-batching-search", "strip-all", "strip-debug", "color", "readable-posix-inputs",
	"suppress-external-warnings", "debug-validate-solver", "compress-exec-tree", "compress-query-log",
	"debug-assignment-validating-solver", "debug-cex-cache-check-binding", "debug-check-for-implied-values",
	"debug-compress-instructions", "debug-z3-validate-models", "log-partial-queries-early",
	"log-timed-out-queries", "pc-all-const-widths", "pc-all-widths", "pc-multibyte-reads", "pc-prefix-width",
	"pc-width-as-arg", "smtlib-human-readable", "use-construct-hash-metasmt",
}

// acceptedValues have no effect either; their value may stand behind them as an
// argument of its own.
var acceptedValues = []string{
	"runtime-build", "external-calls", "external-call-warnings", "stats-write-interval",
	"stats-write-after-instructions", "stats-commit-after", "istats-write-interval",
	"istats-write-after-instructions", "uncovered-update-interval", "use-query-log", "solver-backend",
	"stp-sat-solver", "optimize-array", "array-value-ratio", "array-value-symb-ratio", "kdalloc-quarantine",
	"batch-instructions", "batch-time", "timer-interval", "switch-type", "debug-crosscheck-core-solver",
	"debug-z3-verbosity", "exec-tree-batch-size", "kdalloc-constants-size", "kdalloc-constants-start-address",
	"kdalloc-external-page-threshold", "kdalloc-globals-size", "kdalloc-globals-start-address",
	"kdalloc-heap-size", "kdalloc-heap-start-address", "kdalloc-stack-size", "kdalloc-stack-start-address",
	"metasmt-backend", "min-query-time-to-log", "smtlib-abbreviation-mode", "smtlib-display-constants",
}

// fixed are understood with one value, which is what this engine does.
var fixed = map[string]string{
	"optimize": "false", "dump-states-on-halt": "false", "check-div-zero": "true", "check-overshift": "true",
	"use-merge":                "false",
	"single-object-resolution": "false", "return-null-on-zero-malloc": "false", "write-ktests": "true",
	"write-no-tests":     "false",
	"silent-klee-assume": "false", "write-paths": "false", "write-sym-paths": "false", "write-kqueries": "false",
	"write-smt2s": "false",
	"write-cvcs":  "false", "write-cov": "false", "write-test-info": "false", "write-xml-tests": "false",
	"write-exec-tree": "false",
	"only-seed":       "false", "only-replay-seeds": "false", "make-concrete-symbolic": "0", "max-sym-array-size": "0",
}

// refused are options of KLEE's that this engine does not have.
var refused = []string{
	"seed-file", "seed-dir", "seed-time", "named-seed-matching", "allow-seed-extension", "allow-seed-truncation",
	"always-output-seeds", "replay-ktest-file", "replay-ktest-dir", "replay-path", "exit-on-error-type",
	"env-file", "run-in-dir", "max-stack-frames", "max-static-fork-pct", "max-static-solve-pct",
	"max-static-cpfork-pct", "max-static-cpsolve-pct", "max-static-pct-check-delay",
	"use-iterative-deepening-time-search", "use-incomplete-merge", "function-alias", "load",
	"debug-dump-stp-queries", "debug-log-incomplete-merge", "debug-log-merge", "debug-log-state-merge",
	"debug-print-escaping-functions", "debug-print-instructions", "debug-z3-dump-queries",
	"debug-z3-log-api-interaction",
}

// kleeFlags adds the options that have no meaning of their own here.
func kleeFlags(fs *flag.FlagSet) {
	own := func(name string) bool { return fs.Lookup(name) != nil }
	for _, name := range accepted {
		if !own(name) {
			fs.BoolFunc(name, "accepted, without effect", func(string) error { return nil })
		}
	}
	for _, name := range acceptedValues {
		if !own(name) {
			fs.Func(name, "accepted, without effect", func(string) error { return nil })
		}
	}
	for name, value := range fixed {
		add := fs.BoolFunc
		if value != "true" && value != "false" {
			add = fs.Func
		}
		add(name, "only "+value, func(s string) error {
			if s != value {
				return fmt.Errorf("the native engine has no other value than %s", value)
			}
			return nil
		})
	}
	for _, name := range refused {
		fs.BoolFunc(name, "refused", func(string) error {
			return errors.New("the native engine does not have this " +
				"option of KLEE's")
		})
	}
}

// longWords turns the lengths of time that KLEE knows into Go's: 1h10min is
// 1h10m.
func longWords(s string) string { return strings.ReplaceAll(s, "min", "m") }

// nextOutput is the directory that KLEE would make: klee-out-N beside the
// program, with a link klee-last to it.
func nextOutput(program string) (string, error) {
	dir := filepath.Dir(program)
	n := 0
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), "klee-out-"); ok {
			if k, err := strconv.Atoi(rest); err == nil {
				n = max(n, k+1)
			}
		}
	}
	name := fmt.Sprintf("klee-out-%d", n)
	last := filepath.Join(dir, "klee-last")
	if st, err := os.Lstat(last); err == nil && st.Mode()&os.ModeSymlink != 0 {
		if err := os.Remove(last); err != nil {
			return "", err
		}
	}
	_ = os.Symlink(name, last) // a convenience; a file of that name stays
	return filepath.Join(dir, name), nil
}

// given reports whether an option was given, if only as empty.
func given(fs *flag.FlagSet, name string) bool {
	var set []string
	fs.Visit(func(f *flag.Flag) { set = append(set, f.Name) })
	return slices.Contains(set, name)
}
