package drivers_test

import (
	"slices"
	"strings"
	"testing"
)

// Of an array of thousands of values that are not plain bytes the first ones are built, and the others have no
// pointers: the driver says so, and stays small.
func TestLargeArraysOfParts(t *testing.T) {
	b := newBench(t)
	d := b.driverOf(t, `
struct value { int kind; char *text; struct { long n; char *const names[3]; } in[2]; };
struct machine { int top; struct value values[2048]; double plain[4000]; };
int f(struct machine *m) { return m->values[m->top & 2047].text == 0 ? m->values[3].in[1].names[2] != 0 : 1; }
`)
	text := d.Text()
	if len(text) > 200_000 || strings.Contains(text, "values[32]") || !strings.Contains(text, "values[31].text = ") {
		t.Errorf("%d bytes, values[32]: %v", len(text), strings.Contains(text, "values[32]"))
	}
	for _, want := range []string{
		"for (klabel_item_0 = 32; klabel_item_0 < 2048; klabel_item_0++) {",
		"__builtin_memset((void *)&m_item->values[klabel_item_0].text, 0, ",
		"__builtin_memset((void *)&m_item->values[klabel_item_0].in[klabel_item_1].names[0], 0, 24);",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	const want = "what is not plain bytes in more than 32 items of m->values"
	if said := d.Entries[0].Narrowed; !slices.Contains(said, want) {
		t.Errorf("it says %q", said)
	}
}
