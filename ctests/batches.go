package ctests

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// heading stands before what a test prints, with its name.
const heading = "klabel_test "

// together is how many tests share a process that starts each in one of its own:
// confining a process takes longer than most tests.
const together = 128

// elsewhere, as the last name, asks for a run in which memory lies elsewhere, on the stack and from malloc, in another
// order and at other distances where there is AddressSanitizer: what is seen of addresses alone differs, and is not
// checked.
const elsewhere = "elsewhere"

// away is the environment of such a run.
var away = "KLABEL_ELSEWHERE=" + strings.Repeat("x", 1000)

// seen are tests that share a process, and what they print there, elsewhere, and in further runs: the lowest byte of an
// address on the stack is the same in two runs out of 16, and an address has as many digits in one of three.
type seen struct {
	tests      []*written
	one, other map[*written][]byte
	more       []map[*written][]byte
}

// again, as the last name, asks for those further runs, in one process, unless they take long: so many, or few in a
// hurry.
const (
	again       = "again"
	furtherRuns = 6
	fewRuns     = 2
)

// allBatches runs all tests, many in a process and as many processes as there are processors.
func (o Options) allBatches(path string, tests []*written) []*seen {
	var out []*seen
	var g errgroup.Group
	g.SetLimit(runtime.NumCPU())
	for some := range slices.Chunk(tests, together) {
		b := &seen{tests: some}
		out = append(out, b)
		g.Go(func() error { b.one = o.batches(path, some); return nil })
		g.Go(func() error { b.other = o.batches(path, some, elsewhere); return nil })
		g.Go(func() error {
			if some := ending(some); len(some) > 1 {
				b.more = o.further(path, some)
			}
			return nil
		})
	}
	_ = g.Wait()
	return out
}

// batches runs tests and gives what those print that end normally. The others are to
// be looked at one by one. One that is in the way of the rest is left to that, too, and
// the rest begins anew.
func (o Options) batches(path string, tests []*written, how ...string) map[*written][]byte {
	out := map[*written][]byte{}
	tests = ending(tests)
	for len(tests) > 1 {
		got, told := o.batch(path, tests, how...)
		maps.Copy(out, got)
		tests = tests[min(told+1, len(tests)):]
	}
	return out
}

// ending are the tests that are not known to have no end.
func ending(tests []*written) []*written {
	return slices.DeleteFunc(slices.Clone(tests), func(t *written) bool { return t.endless.Load() })
}

// batch runs tests once. told is how many of them, the first ones, have come to an end
// that can be told from what was printed.
func (o Options) batch(path string, tests []*written, how ...string) (out map[*written][]byte, told int) {
	printed, _ := o.Observe(path, slices.Concat(functions(tests), how))
	return read(printed, tests)
}

// further gives what tests print in further runs.
func (o Options) further(path string, tests []*written) (runs []map[*written][]byte) {
	printed, _ := o.Observe(path, append(functions(tests), again))
	end := regexp.MustCompile(fmt.Sprintf(`(?m)^%d tests, \d+ failed\n`, len(tests)))
	for at := end.FindIndex(printed); at != nil; at = end.FindIndex(printed) {
		out, _ := read(printed[:at[1]], tests)
		runs, printed = append(runs, out), printed[at[1]:]
	}
	return runs
}

func functions(tests []*written) (names []string) {
	for _, t := range tests {
		names = append(names, t.function())
	}
	return names
}

// read takes what a run of tests printed apart.
func read(printed []byte, tests []*written) (out map[*written][]byte, told int) {
	out = map[*written][]byte{}
	for i, t := range tests {
		rest, ok := bytes.CutPrefix(printed[max(0, bytes.Index(printed, []byte("\n"+heading))):],
			[]byte("\n"+heading+t.function()+"\n"))
		if !ok {
			return out, i
		}
		printed = rest
		end := bytes.Index(rest, []byte("\n"+heading))
		if end < 0 {
			end = bytes.LastIndex(rest, fmt.Appendf(nil, "%d tests, ", len(tests)))
		}
		if end < 0 { // cut short
			return out, i
		}
		text := rest[:end]
		if _, exits := t.exited(text, nil); exits || !t.failed(text) {
			out[t] = text
		} else if bytes.Contains(text, fmt.Appendf(nil, "%s: signal %d\n", t.name, syscall.SIGPROF)) {
			t.endless.Store(true)
		}
	}
	return out, len(tests)
}

// look runs a test. One that fails is given further tries: on a busy machine what
// ended normally in a replay may run out of time here, and would lose its checks.
func (o Options) look(path string, t *written, how ...string) (out []byte, err error) {
	for range 3 {
		out, err = o.Observe(path, append([]string{t.function()}, how...))
		if _, exits := t.exited(out, err); exits || err == nil || goesOn(err) {
			break
		}
	}
	return out, err
}
