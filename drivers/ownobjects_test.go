package drivers_test

import (
	"strings"
	"testing"
)

// TestOwnObjects: a pointer to constant operations leads to those that the unit has, too; one to what may be written
// to, or to plain data, does not.
func TestOwnObjects(t *testing.T) {
	b := newBench(t)
	const ops = `
struct ops { int (*get)(const char *); int k; };
struct wide { struct ops ops; int type[4]; };
struct data { int k; };
static int get(const char *s) { return s[0]; }
int nothing(const struct wide *w);
static const struct ops plain = { get, 3 };
static struct ops changing = { get, 4 };
static const struct wide wide = { { get, 2 }, { 7, 8, 9, 10 } };
static const struct data data = { 4 };
struct holder { const struct ops *ops; const struct data *data; };
`
	for _, c := range []struct {
		name, code string
		want, not  []string
	}{
		{"a parameter", "int f(const struct ops *o) { return o && o->get(\"\") && plain.k && changing.k; }",
			[]string{"&plain;", "&wide.ops;"}, []string{"&changing", "&data"}},
		{"a field", "int f(struct holder *h) { return h && h->ops && h->data && h->ops->get(\"\") + data.k; }",
			[]string{"h_item->ops = (void *)&plain;", "h_item->ops = (void *)&wide.ops;"}, []string{"&data"}},
		{"what may be written to", "int f(struct ops *o) { return o && o->get(\"\") && plain.k; }",
			nil, []string{"&plain", "&wide"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := b.driverOf(t, ops+c.code).Text()
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			for _, not := range c.not {
				if strings.Contains(text, not) {
					t.Errorf("%q in\n%s", not, text)
				}
			}
		})
	}
}
