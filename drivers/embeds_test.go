package drivers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/drivers"
)

const (
	embeddingTypes = `
struct base { int kind; };
typedef struct { struct base base; int more; } middle_t;
struct last { middle_t middle; char text[4]; };
struct link { struct link *next; };
struct job { int priority; struct { int n; struct link link; } queue; struct link all; };
struct event { short code; };
struct key { short code; int value; };
struct other { int value; short code; };
struct flexible { struct base base; int items[]; };
`
	embeddingUses = embeddingTypes + `
#define job_of(l, m) ((struct job *)((char *)(l) - __builtin_offsetof(struct job, m)))
int up(struct base *b) { return ((const middle_t *)b)->more; }
int again(struct base *b) { return ((middle_t *)(void *)b)->more; }
int queued(struct link *l) { return job_of(l, queue.link)->priority + job_of(l, all)->priority; }
int typed(struct event *e) { return ((struct key *)e)->value; }
int not_alike(struct event *e) { return ((struct other *)e)->value; }
int down(struct last *l) { return ((struct base *)l)->kind; }
int open_end(struct base *b) { return ((struct flexible *)b)->items[0]; }
int after(struct link *l) { return *(int *)((char *)l + 4); }
int hidden(struct unknown *h) { return ((struct key *)h)->value; }
`
	embeddingFurther = embeddingTypes + `
int further(middle_t *m) { return ((struct last *)m)->text[0]; }
`
)

// Casts of all units tell, and what follows from two of them.
func TestEmbeddings(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	var units []*csource.Unit
	for _, f := range []struct{ name, text string }{{"uses.c", embeddingUses}, {"further.c", embeddingFurther}} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(f.text), 0o666); err != nil {
			t.Fatal(err)
		}
		units = append(units, b.unit(t, path))
	}
	want := map[string][]drivers.Embedding{
		"struct base": {{Whole: "middle_t", Path: ".base"}, {Whole: "struct last", Path: ".middle.base"}},
		"middle_t":    {{Whole: "struct last", Path: ".middle"}},
		"struct link": {{Whole: "struct job", Path: ".queue.link", Offset: 16},
			{Whole: "struct job", Path: ".all", Offset: 24}},
		"struct event":   {{Whole: "struct key"}},
		"struct unknown": {{Whole: "struct key"}},
	}
	if diff := cmp.Diff(want, drivers.Embeddings(units)); diff != "" {
		t.Error(diff)
	}
}

// TestHidden: what leads to a structure that the unit only declares leads to the one that the unit takes it for, and
// back to its owner where the unit makes sure of that. The link of a list need not.
func TestHidden(t *testing.T) {
	b := newBench(t)
	const types = "struct hidden; struct stream { int n; struct hidden *state; };\n" +
		"struct state { struct stream *strm; struct state *next; int mode; };\n"
	for _, c := range []struct {
		name, code string
		want, not  []string
	}{
		{"a field", "int f(struct stream *s) { struct state *x = (struct state *)s->state; return x && x->mode == 3; }",
			[]string{"s_item.state = (void *)&s_state_item;", `"*((struct state *)s->state)"`}, nil},
		{"a parameter", "int f(struct hidden *h) { return ((const struct state *)h)->mode == 3; }",
			[]string{"h = (void *)&h_item;"}, nil},
		{"an owner", "int f(struct stream *s) { struct state *x = (struct state *)s->state;\n" +
			"    if (x == 0 || x->strm != s) return -1; return x->mode == 3; }",
			[]string{"s_state_item.strm = (void *)&s_item;", "s_state_item.strm = 0;"}, []string{"strm_item"}},
		{"both ways", "struct up; struct in { struct up *up; int n; }; struct up { struct in *in; int m; };\n" +
			"int f(struct in *a) { return a->up->in->n + a->up->m; }",
			[]string{"a_up_item.in = (void *)&a_item;", "a_up_item.in = 0;"}, []string{"in_item"}},
		{"a link", "int f(struct state *a) { return a->next == a ? a->mode : 0; }", nil, []string{"next = (void *)&a_item"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := b.driverOf(t, types+c.code)
			told := slices.ContainsFunc(d.Entries[0].Narrowed, func(n string) bool {
				return strings.Contains(n, "takes it for")
			})
			if strings.Contains(c.code, "struct hidden") && !told {
				t.Errorf("nothing narrows it: %q", d.Entries[0].Narrowed)
			}
			for _, w := range c.want {
				if !strings.Contains(d.Text(), w) {
					t.Errorf("no %q in\n%s", w, d.Text())
				}
			}
			for _, w := range c.not {
				if strings.Contains(d.Text(), w) {
					t.Errorf("%q in\n%s", w, d.Text())
				}
			}
		})
	}
}

// Nodes that begin alike and hold pointers to what they begin with, as those of a radix tree, are followed no deeper
// than others.
func TestEmbeddedNodesEnd(t *testing.T) {
	b := newBench(t)
	d := b.driverOf(t, `typedef struct { unsigned char type, used; } node;
typedef struct { node n; node *below[4]; } node4;
typedef struct { node n; node *below[48]; } node48;
typedef struct { node n; node *below[256]; } node256;
int f(const node *n, unsigned char c)
{
    switch (n->type) {
        case 1: return ((node4 *)n)->below[c & 3] != 0;
        case 2: return ((node48 *)n)->below[c % 48] != 0;
        case 3: return ((node256 *)n)->below[c] != 0;
    }
    return 0;
}
`)
	c := d.Text()
	if len(c) > 100_000 || !strings.Contains(c, "node48 *node4_n_below_0_item") {
		t.Errorf("%d bytes:\n%.3000s", len(c), c)
	}
}

// TestFollowsFirstPointers: what the pointers of the first structure lead to is built though it has many fields, and
// what its own pointers lead to is not.
func TestFollowsFirstPointers(t *testing.T) {
	var fields, sum strings.Builder
	for i := range 45 {
		fmt.Fprintf(&fields, "    int v%d;\n", i)
		fmt.Fprintf(&sum, " + fd->fs->v%d + fd->fs->above->v%d", i, i)
	}
	c := entryOf(t, "struct fs {\n"+fields.String()+
		"    unsigned mounted : 1;\n    struct fs *above;\n    int (*read)(struct fs *, int);\n};\n"+
		"struct fd { struct fs *fs; int at; };\n"+
		"int f(struct fd *fd) { return fd->at + fd->fs->read(fd->fs, 3)"+sum.String()+"; }", "f", drivers.Arguments)
	if !strings.Contains(c, "fd_fs_item = malloc") || strings.Contains(c, "fd_fs_above_item = malloc") {
		t.Errorf("not fd->fs alone is built:\n%s", c)
	}
}
