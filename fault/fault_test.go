package fault

import (
	"errors"
	"fmt"
	"testing"
)

func TestCode(t *testing.T) {
	plain := errors.New("x")
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, Done}, {plain, Failed}, {Usagef("bad %d", 1), Usage}, {WithCode(Under, plain), Under},
		{fmt.Errorf("in f: %w", WithHint(WithCode(ToolMissing, plain), "install it")), ToolMissing},
		{errors.Join(plain, WithCode(Interrupted, plain)), Interrupted},
		{WithCode(Under, nil), Done},
	} {
		if got := Code(c.err); got != c.want {
			t.Errorf("Code(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

func TestHintIsSaidOnce(t *testing.T) {
	err := WithHint(fmt.Errorf("in f: %w", WithHint(errors.New("full"), "free %d MB", 3)), "look elsewhere")
	if Hint(err) != "free 3 MB" || err.Error() != "in f: full\nhint: free 3 MB" {
		t.Errorf("%q has the hint %q", err, Hint(err))
	}
	if WithHint(nil, "x") != nil || Hint(errors.New("x")) != "" {
		t.Error("a hint without an error")
	}
}
