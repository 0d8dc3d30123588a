package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// TestStrays: what the code looks for beside an object, as if it were one of another type, is not what happens to stand
// beside it on the stack.
func TestStrays(t *testing.T) {
	const text = `struct head { long size, next; };
struct body { int kind; double of[9]; };
long before(struct body *b) { return ((struct head *)b - 1)->size; }
double first(struct body *b) { return b->of[0]; }
struct plain { int n; };
int only(struct plain *p) { return p->n; }
`
	for function, want := range map[string]bool{"before": true, "first": true, "only": false} {
		if c := entryOf(t, text, function, drivers.Arguments); strings.Contains(c, "malloc(sizeof") != want {
			t.Errorf("%s: memory from malloc: want %v\n%s", function, want, c)
		}
	}
}
