package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// Who stops before the end gets two blocks and some more.
func TestSparedItems(t *testing.T) {
	const text = `
typedef unsigned char byte;
static int blocks(const byte *p, const int *size)
{
    const byte *const end = p + *size;
    int n = 0;
    WHILE
        n += *p, p += 4;
    return n;
}
static int given(const byte *p, int *size) { return blocks(p, size); }
int sum(const byte *data, int len, int k) { return given(data, &len) + k; }
`
	for while, items := range map[string]string{
		"while (p < end - 12)": "[32]",
		"const byte *const limit = end - 20; while (p <= limit)": "[48]",
		"while (end - p >= 16)":                                  "[40]",
		"while (p + 9 <= end)":                                   "[26]",
		"while (end >= p + 9)":                                   "[26]",
		"while (p < end - 1)":                                    "[4]",
		"while (p < end - 200)":                                  "[4]",
		"while (p < end)":                                        "[4]",
	} {
		e := entryOf(t, strings.ReplaceAll(text, "WHILE", while), "sum", drivers.Arguments)
		if !strings.Contains(e, "(*data_items)"+items+";") {
			t.Errorf("%s: not %s:\n%s", while, items, e)
		}
	}
}
