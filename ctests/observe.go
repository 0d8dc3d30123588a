package ctests

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"klabel/input"
	"klabel/toolchain"
)

// recording is a test that prints what it would check: before the call, what
// the call may change, and after it all values.
func (t *written) recording(o Options) string {
	var s strings.Builder
	fmt.Fprintf(&s, "static void %s(void)\n{\n", t.function())
	fmt.Fprintf(&s, "    printf(\"\\n%s%s\\n\");\n    fflush(stdout);\n", heading, t.function())
	limit := "    klabel_timer(%d, (const long[4]){0, 0, %d, 0}, NULL);\n"
	fmt.Fprintf(&s, limit+limit, byClock, testSeconds, ofProcessor, o.busySeconds())
	fmt.Fprintf(&s, "    klabel_move();\n%s\n", t.before)
	show := func(when string, i int, c check) {
		switch c.typ.Kind {
		case input.Float:
			fmt.Fprintf(&s, "    printf(\"%%s %d %%.17g\\n\", %q, (double)%s);\n", i, when, c.expr)
		case input.Pointer:
			fmt.Fprintf(&s, "    printf(\"%%s %d %%d\\n\", %q, %s != NULL);\n", i, when, c.expr)
		default:
			fmt.Fprintf(&s, "    printf(\"%%s %d %%lld\\n\", %q, (long long)%s);\n", i, when, c.expr)
		}
	}
	for i, c := range t.checks {
		if !strings.HasPrefix(c.expr, "result") {
			show("before", i, c)
		}
	}
	s.WriteString("    klabel_call();\n")
	if t.result != nil && observable(t.result) {
		fmt.Fprintf(&s, "    %s = %s;\n    (void)&result;\n", t.result.Declare("result"), t.call)
	} else {
		fmt.Fprintf(&s, "    %s;\n", t.call)
	}
	s.WriteString("    klabel_calling = 0;\n")
	if t.fails > 0 {
		s.WriteString("    fail_allocation(0);\n")
	}
	if t.stream > 0 {
		s.WriteString("    fail_on_streams(0);\n")
	}
	for i, c := range t.checks {
		show("after", i, c)
	}
	s.WriteString("}\n\n")
	return s.String()
}

// testSeconds is what a test may take when it is recorded, by the clock, whatever
// other tests share its run.
const testSeconds = 20

// busySeconds is what it may take of a processor, as long as a replay may take: a test that goes on and on leaves
// time for others.
func (o Options) busySeconds() int {
	return max(leastBusySeconds, int(math.Ceil(o.TestTimeout.Seconds())))
}

const leastBusySeconds = 2

// The timers of setitimer: ITIMER_REAL and ITIMER_PROF.
const (
	byClock     = 0
	ofProcessor = 2
)

// timer sets a limit to a test's time. It is not called by its own name, which may be
// a variable's of the program.
const timer = "extern int klabel_timer(int, const long *, long *) __asm__(\"setitimer\");\n\n"

// exitsLine is what the recording part of exits prints.
const exitsLine = "\nklabel_exits\n"

// endLine is what the runner prints of a test that has failed in a process of its own, where that says more than
// that: 1 is the status of a failing check, and of many a program.
var endLine = regexp.MustCompile(`(?m)^(\w+): (signal|exit status) (\d+)$`)

// observe runs every test and notes what is checked: results, what a call has
// changed, or with which status the program has called exit. A test that does not end
// normally in C, where memory lies elsewhere, is blind: it is no test to keep, and the remark says so. One
// that is known to end in an error is not asked. Of a program of its own, which prints as it likes, and with
// another oracle, the end alone is noted.
func observe(dir string, tests []*written, o Options) error {
	path := filepath.Join(dir, recordFile)
	if err := put(path, runner(tests, o, true)); err != nil {
		return err
	}
	defer func() { _ = os.Remove(path) }()
	tests = slices.DeleteFunc(slices.Clone(tests), func(t *written) bool {
		return t.Error != ""
	})
	all := o.allBatches(path, tests)
	defer o.tellBlind(tests) // also where an error ends this
	for _, t := range tests {
		t.blind = t.endless.Load()
	}
	for _, b := range all {
		for _, t := range b.tests {
			if t.blind {
				continue
			}
			if err := o.settle(path, b, t); isEnd(err) {
				t.blind = true
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// tellBlind names the tests that are left out.
func (o Options) tellBlind(tests []*written) {
	var blind []string
	for _, t := range tests {
		if t.blind {
			blind = append(blind, t.origin())
		}
	}
	if len(blind) > 0 && o.Remark != nil {
		o.Remark(fmt.Sprintf("%d of the tests of %s are not written as C: they do not end normally there: %s",
			len(blind), o.Source, strings.Join(blind, ", ")))
	}
}

// settle notes what a test shows. An error that is an end of the test's says that it is blind.
func (o Options) settle(path string, b *seen, t *written) (err error) {
	t.exits = false // what is seen here wins over what the replay said
	first := b.one[t]
	if first == nil {
		first, err = o.look(path, t)
	}
	if status, ok := t.exited(first, err); ok {
		again, ok := t.exited(b.other[t], nil)
		if !ok {
			again, ok = t.exited(o.look(path, t))
		}
		// Nothing else of such a test is checked: what the call changed ended with its process.
		t.exits, t.status, t.blind = ok && again == status, status, !ok || again != status
		return nil
	}
	if o.Oracle != Observed {
		return nil
	}
	if err != nil {
		return err
	}
	again := b.other[t]
	if again == nil {
		if again, err = o.look(path, t, elsewhere); err != nil {
			return err
		}
	}
	if t.driver == nil {
		return nil
	}
	others := [][]byte{again}
	if len(b.tests) == 1 {
		b.more = o.further(path, b.tests)
	}
	for _, run := range b.more {
		if out := run[t]; out != nil {
			others = append(others, out)
		}
	}
	if len(others) == 1 {
		more, err := o.look(path, t)
		if err != nil {
			return err
		}
		others = append(others, more)
	}
	t.note(first, others...)
	if a, b := readings(first).calls, readings(again).calls; t.mocks() && slices.Equal(a, b) {
		t.expects, t.calls = true, a
	}
	return nil
}

// isEnd reports whether an error is how a test has ended, and not that nobody could see that.
func isEnd(err error) bool {
	te := (*toolchain.ToolError)(nil)
	return errors.As(err, &te) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// goesOn reports whether a test has had as much of a processor as it may: however busy the machine is, it goes on.
func goesOn(err error) bool {
	te := (*toolchain.ToolError)(nil)
	return errors.As(err, &te) && te.Signal == syscall.SIGPROF
}

// exited is the status with which the program under test has called exit, if it has: in the process that was
// run, or in one that the runner has started and told of.
func (t *written) exited(out []byte, err error) (status int, ok bool) {
	if te := (*toolchain.ToolError)(nil); errors.As(err, &te) {
		status = te.ExitCode
	} else if err != nil {
		return 0, false
	} else if t.failed(out) {
		status = 1
		for _, said := range endLine.FindAllSubmatch(out, -1) {
			if string(said[1]) == t.name && string(said[2]) == "signal" {
				return 0, false
			} else if string(said[1]) == t.name {
				status, _ = strconv.Atoi(string(said[3])) // the pattern has digits alone
			}
		}
	}
	return status, status >= 0 && bytes.Contains(out, []byte(exitsLine))
}

// failed reports whether the runner says that the test has failed.
func (t *written) failed(out []byte) bool { return bytes.Contains(out, []byte(t.name+": failed\n")) }

// note reads what runs of a test printed; what differs between them (time,
// addresses, uninitialised memory) is not checked.
func (t *written) note(first []byte, others ...[]byte) {
	a := readings(first)
	var further []reading
	for _, o := range others {
		further = append(further, readings(o))
	}
	for i, c := range t.checks {
		after, ok := a.after[i]
		differs := func(r reading) bool { return r.after[i] != after }
		if !ok || slices.ContainsFunc(further, differs) ||
			a.before[i] == after && !strings.HasPrefix(c.expr, "result") {
			continue
		}
		switch c.typ.Kind {
		case input.Float:
			v, err := strconv.ParseFloat(after, 64)
			if err != nil {
				continue
			}
			s := floatNumber(v)
			if c.typ.Size == 4 && !strings.Contains(s, "N") {
				s += "f"
			}
			t.expect[i] = s
		case input.Pointer:
			t.expect[i] = "NULL"
			if after != "0" {
				t.expect[i] = "not NULL"
			}
		default:
			v, err := strconv.ParseInt(after, 10, 64)
			if err != nil {
				continue
			}
			var buf [8]byte
			for k := range buf {
				buf[k] = byte(v >> (8 * k))
			}
			t.expect[i] = integer(buf[:min(int(c.typ.Size), 8)], c.typ)
		}
	}
}

type reading struct {
	before, after map[int]string
	calls         []string // of mocks
}

func readings(out []byte) reading {
	r := reading{before: map[int]string{}, after: map[int]string{}}
	sc := bufio.NewScanner(bytes.NewReader(out))
	for sc.Scan() {
		if call, ok := strings.CutPrefix(sc.Text(), "called "); ok {
			r.calls = append(r.calls, call)
		}
		f := strings.Fields(sc.Text())
		if len(f) != 3 {
			continue
		}
		i, err := strconv.Atoi(f[1])
		if err != nil {
			continue
		}
		switch f[0] {
		case "before":
			r.before[i] = f[2]
		case "after":
			r.after[i] = f[2]
		}
	}
	return r
}
