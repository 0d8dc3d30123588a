package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// Where a file only declares what an iterator goes over, that is made, and filled, beside it.
func TestSourceBeside(t *testing.T) {
	c := entryOf(t, `#include <stdlib.h>
struct set { int n, keys[4]; };
struct walk { const struct set *over; int at; };
struct set *set_new(void) { return calloc(1, sizeof(struct set)); }
int set_size(const struct set *s) { return s->n; }
int set_add(struct set *s, int key) { return s->n < 4 ? s->keys[s->n++] = key : -1; }
void walk_start(struct walk *w, const struct set *s) { w->over = s; w->at = 0; }
int walk_next(struct walk *w) { return w->over && w->at < w->over->n ? w->over->keys[w->at++] : -1; }
`, "walk_next", drivers.Calls)
	for _, want := range []string{"struct set *klabel_a_set;", "klabel_a_set = (void *)set_new();",
		"case 1: if (klabel_a_set != 0) (void)set_add((void *)klabel_a_set,",
		"case 1: if (w != 0) if (klabel_a_set != 0) (void)walk_start((void *)w, (void *)klabel_a_set)"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
}

// What a value holds is filled through it; of makers one that makes the inner object, too, is there.
// Nothing is put into itself.
func TestViewBeside(t *testing.T) {
	c := entryOf(t, `#include <stdlib.h>
struct list { int n; struct value *items[4]; };
struct value { int kind; struct list *list; };
struct list *value_list(struct value *v) { return v->list; }
int list_append_value(struct list *l, struct value *v) { return l->n < 4 ? (l->items[l->n++] = v, 0) : -1; }
int list_append(struct list *l, int n) { (void)n; return list_append_value(l, 0); }
static struct list *list_new(void) { return calloc(1, sizeof(struct list)); }
struct value *value_null(void) { return calloc(1, sizeof(struct value)); }
struct value *value_read(const char *s) { return s && *s == 'n' ? value_null() : 0; }
struct value *value_of_list(void)
{
    struct value *v = value_null();
    if (v)
        v->list = list_new();
    return v;
}
int length(struct value *v) { struct list *l = value_list(v); return l && l->n == 2; }
`, "length", drivers.Calls)
	for _, want := range []string{"v = (void *)value_of_list();", "klabel_a_list = (void *)value_list((void *)v);",
		"(void)list_append((void *)klabel_a_list,"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
	if strings.Contains(c, "list_append_value((void *)klabel_a_list, (void *)v)") {
		t.Errorf("a value is put into its own list:\n%s", c)
	}
}

// Of makers that are as easy to call the one that does most comes first, then the one that does least;
// what reads a file comes late.
func TestBestMakers(t *testing.T) {
	c := entryOf(t, `#include <stdio.h>
#include <stdlib.h>
struct tree { struct tree *sub; int kind; };
struct tree *tree_some(int kind) { struct tree *t = calloc(1, sizeof *t); if (t) t->kind = kind & 3; return t; }
struct tree *tree_none(void) { return 0; }
static int digit(char c) { return c >= '0' && c <= '9'; }
struct tree *tree_parse(const char *s) { return s && digit(*s) ? tree_some(*s) : tree_none(); }
struct tree *tree_load(const char *name)
{
    FILE *f = fopen(name, "r");
    return f && digit((char)getc(f)) ? tree_parse("1") : tree_none();
}
int tree_depth(struct tree *t) { return t ? 1 + (t->sub != 0) : 0; }
`, "tree_depth", drivers.Calls)
	parse, none := strings.Index(c, "t = (void *)tree_parse("), strings.Index(c, "t = (void *)tree_none(")
	if parse < 0 || none < parse || strings.Contains(c, "tree_load(") {
		t.Errorf("want tree_parse, then tree_none:\n%s", c)
	}
}

// Two of them whose types have the same last word have names of their own.
func TestNamesBeside(t *testing.T) {
	c := entryOf(t, `struct in_list { int n; };
struct out_list { int n; };
struct pipe { struct in_list in; struct out_list out; };
struct pipe *pipe_new(void) { static struct pipe p; return &p; }
struct in_list *pipe_in(struct pipe *p) { return &p->in; }
struct out_list *pipe_out(struct pipe *p) { return &p->out; }
void in_add(struct in_list *l, int n) { l->n += n; }
void out_add(struct out_list *l, int n) { l->n -= n; }
int level(struct pipe *p) { return p->in.n > p->out.n; }
`, "level", drivers.Calls)
	for _, want := range []string{"(void)in_add((void *)klabel_a_list,",
		"(void)out_add((void *)klabel_a_list_beside,"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
}
