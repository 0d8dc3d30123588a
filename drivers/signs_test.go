package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// A length may be negative where the function asks whether it is.
func TestNegativeLengths(t *testing.T) {
	const text = `
struct text { int room, len; char *data; };
int last(const struct text *t)
{
    if (t == 0 || t->data == 0 || t->len ASKED)
        return -1;
    return t->len == 0 ? -1 : t->data[t->len - 1];
}
`
	for asked, lower := range map[string]bool{"< 0": false, "<= 0": true, "> 6": true, "== 0 || 0 > t->len": false,
		"== 1 || !(t->len >= 0)": false, "== 1 || 0 <= t->room": true} {
		e := entryOf(t, strings.ReplaceAll(text, "ASKED", asked), "last", drivers.Arguments)
		if strings.Contains(e, ".len >= 0") != lower || !strings.Contains(e, ".len <= ") {
			t.Errorf("with %q:\n%s", asked, e)
		}
	}
}
