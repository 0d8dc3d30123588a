package drivers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/drivers"
)

// What nobody reads is not built: each pointer would be a fork, each thing that
// it points to more of them. What may be read is built all the same.
func TestUnreadFields(t *testing.T) {
	b := newBench(t)
	const types = `typedef unsigned long size_t;
int memcmp(const void *, const void *, size_t);
struct node { int value; struct node *next; char *name; double weight; };
struct tail { long more; struct node *last; };
int elsewhere(struct node *);
static int length(struct node *n) { return n->next ? 1 + length(n->next) : 0; }
`
	for _, c := range []struct {
		name, function string
		options        drivers.Options
		want, not      []string // choices of the driver
	}{
		{"read by name", "int f(struct node *n) { return n->name && n->name[0] == 'x'; }", drivers.Options{},
			[]string{"n->name"}, []string{"n->next", "n->weight"}},
		{"read by a callee", "int f(struct node *n) { return length(n); }", drivers.Options{},
			[]string{"n->next", "n->next->next"}, []string{"n->name", "n->next->name", "n->weight"}},
		{"read by a function that is given away", "int (*of)(struct node *); int f(struct node *n) { of = length; return n->value; }", drivers.Options{},
			[]string{"n->next"}, []string{"n->name"}},
		{"read as another type", "int f(struct node *n) { return ((struct tail *)n)->last != 0; }", drivers.Options{},
			nil, []string{"n->name"}},
		{"read as bytes", "int f(struct node *n) { return ((char *)n)[8] != 0; }", drivers.Options{},
			[]string{"n[0].next", "n[0].name", "n[0].weight"}, nil},
		{"compared as bytes", "int f(struct node *n, struct node *m) { return memcmp(n, m, sizeof *n); }", drivers.Options{},
			[]string{"n->next", "m->name"}, nil},
		{"read in another file", "int f(struct node *n) { return elsewhere(n); }", drivers.Options{Defined: map[string]bool{"elsewhere": true}},
			[]string{"n->next", "n->name", "n->weight"}, nil},
		{"given to a stub", "int f(struct node *n) { return elsewhere(n); }", drivers.Options{},
			nil, []string{"n->next", "n->name", "n->weight"}},
		{"spoken of by the user", "int f(struct node *n) { return n->value; }", drivers.Options{NonNull: []string{"n->next"}},
			[]string{"n"}, []string{"n->name"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "f.c")
			if err := os.WriteFile(file, []byte(types+c.function+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			c.options.Function = "f"
			d, err := drivers.Generate(b.unit(t, file), c.options)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range c.want {
				if !strings.Contains(d.Text, `klabel_choose("`+name+`"`) {
					t.Errorf("%s is not built:\n%s", name, d.Text)
				}
			}
			for _, name := range c.not {
				if strings.Contains(d.Text, `klabel_choose("`+name+`"`) {
					t.Errorf("%s is built:\n%s", name, d.Text)
				}
			}
			if c.options.NonNull != nil && !strings.Contains(d.Text, "n_next_item") {
				t.Errorf("what the user speaks of is not built:\n%s", d.Text)
			}
		})
	}
}
