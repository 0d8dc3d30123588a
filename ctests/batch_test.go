package ctests

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBatch: of tests that were run together, those count that ended normally; where
// it cannot be told which, none does, and each is looked at by itself.
func TestBatch(t *testing.T) {
	head := func(name string) string { return "\n" + heading + name + "\n" }
	whole := head("a") + "after 0 1\n" + head("b") + "half a line" + head("c") + "after 0 3\n"
	for _, c := range []struct {
		what, printed string
		want          map[string]string
	}{
		{"all", whole + "3 tests, 0 failed\n",
			map[string]string{"a": "after 0 1\n", "b": "half a line", "c": "after 0 3\n"}},
		{"one fails", head("a") + "after 0 1\n" + head("b") + "b: failed\n" + head("c") + "3 tests, 1 failed\n",
			map[string]string{"a": "after 0 1\n", "c": ""}},
		{"the last one hangs", whole, nil},
		{"one ends before it begins", head("a") + head("c") + "3 tests, 1 failed\n", nil},
		{"nothing", "", nil},
	} {
		o := Options{Observe: func(string, []string) ([]byte, error) {
			return []byte(c.printed), errors.New("its exit code says nothing")
		}}
		tests := []*written{{name: "a"}, {name: "b"}, {name: "c"}}
		got := map[string]string{}
		for k, v := range o.batch("", tests) {
			got[k.name] = string(v)
		}
		if c.want == nil {
			c.want = map[string]string{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
	alone := Options{Observe: func(string, []string) ([]byte, error) { panic("one test is looked at by itself") }}
	if got := alone.batch("", []*written{{name: "a"}}); got != nil {
		t.Errorf("one test: %v", got)
	}
}
