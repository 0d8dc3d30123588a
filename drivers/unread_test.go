package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// A length is limited by the items that there are, not by those that nobody looks at.
func TestLengthsOfUnreadItems(t *testing.T) {
	const text = `
struct buffer { char *bytes; unsigned long begin, end, size; };
char at(struct buffer *b) { return b->begin < b->end ? b->bytes[b->begin] : 0; }
int seek(struct buffer *b, unsigned long by)
{
    unsigned long n = b->end - b->begin;
    if (by < n) { b->begin += by; return 0; }
    return 1;
}
`
	if e := entryOf(t, text, "at", drivers.Arguments); !strings.Contains(e, ".end <= ") {
		t.Errorf("what is read has no bounds:\n%s", e)
	}
	if e := entryOf(t, text, "seek", drivers.Arguments); strings.Contains(e, " <= ") {
		t.Errorf("what nobody reads bounds a length:\n%s", e)
	}
}
