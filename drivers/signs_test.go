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

// A number of items comes to the constant that tells too many apart.
func TestTooMany(t *testing.T) {
	const text = `
int sum(const char *s, int len)
{
    int i, n = 0;
    if (s == 0 || len ASKED)
        return -1;
    for (i = 0; i < len; i++)
        n += s[i];
    return n;
}
`
	for _, asked := range []string{">= 100000", "> 99999", "== 100000"} {
		e := entryOf(t, strings.ReplaceAll(text, "ASKED", asked), "sum", drivers.Arguments)
		if !strings.Contains(e, "(len == 100000)") {
			t.Errorf("with %q:\n%s", asked, e)
		}
	}
}
