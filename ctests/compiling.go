package ctests

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"klabel/toolchain"
)

const recordFile = ".record.c"

// Undeclared is a flag for a Recorder of linked tests: what no header declares
// cannot be called.
const Undeclared = toolchain.Undeclared

// compiling leaves out the functions whose tests no compiler takes, and says so.
// Where nothing compiles there is nothing good.
func compiling(dir string, tests []*written, o *Options) ([]*written, error) {
	path := filepath.Join(dir, recordFile)
	defer func() { _ = os.Remove(path) }()
	try := func(some []*written) error { return compiles(path, some, *o) }
	whole := o.complete(func() error { return try(tests) })
	if whole == nil {
		return tests, nil
	}
	var good []*written
	var failed []error
	for from := 0; from < len(tests); {
		to := from
		for to < len(tests) && tests[to].tested() == tests[from].tested() {
			to++
		}
		if err := try(tests[from:to]); err != nil {
			failed = append(failed, fmt.Errorf("the tests of %s are left out: %w", tests[from].tested(), err))
		} else {
			good = append(good, tests[from:to]...)
		}
		from = to
	}
	if len(good) == 0 {
		return nil, whole
	}
	return good, errors.Join(failed...)
}

// compiles says why a program of these tests cannot be built.
func compiles(path string, some []*written, o Options) error {
	if err := put(path, runner(some, o, true)); err != nil {
		return err
	}
	_, err := o.Observe(path, nil)
	return err
}

// refusal is a compiler's, which is no failure of a test's run.
type refusal struct {
	said    string
	lines   []int    // of the runner, with errors
	missing []string // names that the linker looked for in vain
}

func (r *refusal) Error() string { return r.said }

var refusedLine = regexp.MustCompile(`(?m)^\S*` + regexp.QuoteMeta(recordFile) +
	`:(\d+):(?:\d+:)? (?:fatal )?error: `)

func compileFailure(err error) error {
	var te *toolchain.ToolError
	if !errors.As(err, &te) {
		return fmt.Errorf("%v", err)
	}
	r := &refusal{said: toolchain.TellingLine(te.Stderr), missing: toolchain.Undefined(te.Stderr)}
	for _, m := range refusedLine.FindAllStringSubmatch(te.Stderr, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			r.lines = append(r.lines, n)
		}
	}
	return r
}
