package ctests

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"klabel/input"
	"klabel/toolchain"
)

// TestBatch: of tests that were run together, those count that ended normally. From
// the one on of which that cannot be told, none does.
func TestBatch(t *testing.T) {
	head := func(name string) string { return "\n" + heading + name + "\n" }
	whole := head("a") + "after 0 1\n" + head("b") + "half a line" + head("c") + "after 0 3\n"
	for _, c := range []struct {
		what, printed string
		told          int
		want          map[string]string
	}{
		{"all", whole + "3 tests, 0 failed\n", 3,
			map[string]string{"a": "after 0 1\n", "b": "half a line", "c": "after 0 3\n"}},
		{"one fails", head("a") + "after 0 1\n" + head("b") + "b: failed\n" + head("c") + "3 tests, 1 failed\n", 3,
			map[string]string{"a": "after 0 1\n", "c": ""}},
		{"one calls exit", head("a") + head("b") + exitsLine + "b: failed\n" + head("c") + "3 tests, 1 failed\n", 3,
			map[string]string{"a": "", "b": exitsLine + "b: failed\n", "c": ""}},
		{"one calls exit and crashes then", head("a") + head("b") + exitsLine + "b: signal 11\nb: failed\n" +
			head("c") + "3 tests, 1 failed\n", 3, map[string]string{"a": "", "c": ""}},
		{"the last one hangs", whole, 2, map[string]string{"a": "after 0 1\n", "b": "half a line"}},
		{"one ends before it begins", head("a") + head("c") + "3 tests, 1 failed\n", 1, map[string]string{"a": ""}},
		{"nothing", "", 0, nil},
	} {
		o := Options{Observe: func(string, []string) ([]byte, error) {
			return []byte(c.printed), errors.New("its exit code says nothing")
		}}
		tests := []*written{{name: "a"}, {name: "b"}, {name: "c"}}
		got := map[string]string{}
		printed, told := o.batch("", tests)
		for k, v := range printed {
			got[k.name] = string(v)
		}
		if told != c.told {
			t.Errorf("%s: %d are told, want %d", c.what, told, c.told)
		}
		if c.want == nil {
			c.want = map[string]string{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
	alone := Options{Observe: func(string, []string) ([]byte, error) { panic("one test is looked at by itself") }}
	if got := alone.batches("", []*written{{name: "a"}}); len(got) > 0 {
		t.Errorf("one test: %v", got)
	}
}

// TestFurther: runs that one process makes are told apart; what a run that was cut short shows is not taken.
func TestFurther(t *testing.T) {
	head := func(name string) string { return "\n" + heading + name + "\n" }
	run := func(v string) string { return head("a") + "after 0 " + v + "\n" + head("b") + "2 tests, 0 failed\n" }
	var asked []string
	o := Options{Observe: func(_ string, names []string) ([]byte, error) {
		asked = names
		return []byte(run("1") + run("2") + head("a") + "after 0 3\n"), nil
	}}
	a, b := &written{name: "a"}, &written{name: "b"}
	runs := o.further("", []*written{a, b})
	if want := []string{"a", "b", again}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
	if len(runs) != 2 {
		t.Fatalf("%d runs", len(runs))
	}
	if string(runs[0][a]) != "after 0 1\n" || string(runs[1][a]) != "after 0 2\n" || runs[1][b] == nil {
		t.Errorf("%q, %q, %v", runs[0][a], runs[1][a], runs[1][b] != nil)
	}
}

// TestExited: the status of exit is told by the process that was run, or by what the runner says of one that it
// has started.
func TestExited(t *testing.T) {
	tool := func(code int) error { return &toolchain.ToolError{ExitCode: code} }
	for _, c := range []struct {
		printed string
		err     error
		status  int
		ok      bool
	}{
		{exitsLine, nil, 0, true},
		{exitsLine, tool(7), 7, true},
		{exitsLine, tool(-1), 0, false},
		{exitsLine, errors.New("no time left"), 0, false},
		{exitsLine + "a: failed\n", nil, 1, true},
		{exitsLine + "a: exit status 7\na: failed\n", nil, 7, true},
		{exitsLine + "ba: exit status 7\na: failed\n", nil, 1, true},
		{exitsLine + "a: signal 11\na: failed\n", nil, 0, false},
		{"a: exit status 7\na: failed\n", nil, 0, false},
		{"", nil, 0, false},
	} {
		status, ok := (&written{name: "a"}).exited([]byte(c.printed), c.err)
		if ok != c.ok || ok && status != c.status {
			t.Errorf("%q, %v: %d, %v", c.printed, c.err, status, ok)
		}
	}
}

// TestBatchesGoOn: a test that is in the way of others keeps none of them from being
// recorded.
func TestBatchesGoOn(t *testing.T) {
	var tests []*written
	for _, n := range []string{"a", "b", "hangs", "c", "d", "hangs too", "e", "f"} {
		tests = append(tests, &written{name: n})
	}
	runs := 0
	o := Options{Observe: func(_ string, names []string) ([]byte, error) {
		runs++
		var s strings.Builder
		for _, n := range names {
			s.WriteString("\n" + heading + n + "\nafter 0 1\n")
			if strings.HasPrefix(n, "hangs") {
				return []byte(s.String()), errors.New("no time left")
			}
		}
		fmt.Fprintf(&s, "%d tests, 0 failed\n", len(names))
		return []byte(s.String()), nil
	}}
	got := o.batches("", tests)
	for _, test := range tests {
		if _, ok := got[test]; ok == strings.HasPrefix(test.name, "hangs") {
			t.Errorf("%s: recorded: %v", test.name, ok)
		}
	}
	if runs != 3 {
		t.Errorf("%d runs, want 3", runs)
	}
}

// TestEndless: a test that has had its time of a processor is blind, and not asked again. That nobody had the time to
// look at one is no end of it.
func TestEndless(t *testing.T) {
	result := &input.Type{Kind: input.Int, Size: 4, Signed: true, Decl: "int @"}
	var tests []*written
	for _, name := range []string{"ends", "endless", "late"} {
		tests = append(tests, &written{name: name, driver: &input.Driver{Function: "f"}, call: "f()", result: result})
	}
	over := &toolchain.ToolError{Cause: context.DeadlineExceeded}
	var mu sync.Mutex
	asked := map[string]int{}
	o := Options{Source: "f.c", Oracle: Observed}
	o.Observe = func(_ string, names []string) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		var s strings.Builder
		for _, n := range names {
			asked[n]++
			s.WriteString("\n" + heading + n + "\n")
			switch n {
			case "endless":
				fmt.Fprintf(&s, "%s: signal %d\n%s: failed\n", n, syscall.SIGPROF, n)
			case "late":
				return []byte(s.String()), over
			}
		}
		fmt.Fprintf(&s, "%d tests, 1 failed\n", len(names))
		return []byte(s.String()), nil
	}
	if err := observe(t.TempDir(), tests, o); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the time is up: %v", err)
	}
	for _, test := range tests {
		if test.blind != (test.name == "endless") {
			t.Errorf("%s: blind is %v", test.name, test.blind)
		}
	}
	if asked["endless"] > 3 { // in each of the runs of many
		t.Errorf("it is asked %d times", asked["endless"])
	}
	o.TestTimeout = 2500 * time.Millisecond
	if text := tests[0].recording(o); !strings.Contains(text, "(2, (const long[4]){0, 0, 3, 0}") {
		t.Errorf("what it may take of a processor is not told: %s", text)
	}
}

// TestBlind: a test that does not end when it is recorded is told from others, and in the
// remark; one that is known to end in an error is not run.
func TestBlind(t *testing.T) {
	result := &input.Type{Kind: input.Int, Size: 4, Signed: true, Decl: "int @"}
	test := func(name string) *written {
		return &written{name: name, driver: &input.Driver{Function: "f"}, call: "f()", result: result,
			checks: []check{{expr: "result", typ: result}}, expect: map[int]string{}}
	}
	ends, hangs, fails, ofProgram := test("ends"), test("hangs"), test("fails"), test("hangsof")
	ofProgram.driver, ofProgram.checks, ofProgram.Number = nil, nil, 8 // its end alone is looked at
	hangs.Number = 7
	fails.Error = "AddressSanitizer: /* heap */ overflow"
	said := ""
	o := Options{Source: "f.c", Oracle: Observed, Remark: func(text string) { said = text }}
	o.Observe = func(_ string, names []string) ([]byte, error) {
		var s strings.Builder
		for _, n := range names {
			if n == "fails" {
				t.Error("it is known to fail")
			}
			s.WriteString("\n" + heading + n + "\n")
			if strings.HasPrefix(n, "hangs") {
				return []byte(s.String()), &toolchain.ToolError{}
			}
			s.WriteString("after 0 5\n")
		}
		return []byte(s.String()), nil
	}
	if err := observe(t.TempDir(), []*written{ends, hangs, fails, ofProgram}, o); err != nil {
		t.Fatal(err)
	}
	if ends.expect[0] != "5" || ends.blind || !hangs.blind || fails.blind || !ofProgram.blind ||
		len(hangs.expect)+len(fails.expect) > 0 {
		t.Errorf("ends: %v, hangs: %v, fails: %v", ends, hangs, fails)
	}
	if said != "2 of the tests of f.c are not written as C: they do not end normally there: test000007, "+
		"test000008" {
		t.Errorf("the remark: %q", said)
	}
	if c := fails.comment(); strings.Contains(c, "*/") || !strings.Contains(c, "Ends in an error: AddressSanitizer") {
		t.Errorf("the comment: %s", c)
	}
}
