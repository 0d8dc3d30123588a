package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// What a function returns takes the place of the object that it is given, or it does not.
func TestReplaces(t *testing.T) {
	for name, text := range map[string]string{
		"add_same":    `struct n *add_same(struct n *p) { p->x++; return p; }`,
		"add_first":   `struct n *add_first(struct n *p) { struct n *n = malloc(sizeof *n); n->next = p; return n; }`,
		"add_through": `struct n *add_through(struct n *p) { return made(1, p); }`,
		"add_to_tree": `struct n *add_to_tree(struct n *p, int x) { if (!p) return made(x, 0);
			if (x < p->x) p->left = add_to_tree(p->left, x); return p; }`,
		"add_room": `struct n *add_room(struct n *p) { struct n *q = realloc(p, 100); return q ? q : (void *)0; }`,
		"add_reversed": `struct n *add_reversed(struct n *p) { struct n *done = 0, *next;
			while (p) { next = p->next; p->next = done; done = p; p = next; } return done; }`,
		"add_rest": `struct n *add_rest(struct n *p) { struct n *old = p; p = p->next; free(old); return p; }`,
		"no item":  `struct n *add_item(struct n *p, int i) { p->x++; return &p->items[i]; }`,
		"no next":  `struct n *add_next(struct n *p) { p->x++; return p->next; }`,
		"no last": `struct n *add_last(struct n *p) { struct n *q = p; while (q->next) q = q->next;
			q->x = 1; return q; }`,
		"no new one": `struct n *add_new_one(struct n *p) { struct n *n = malloc(sizeof *n); p->items = n; return n; }`,
		"no other's": `struct n *one(struct n *p) { struct n *n = malloc(sizeof *n); p->items = n; return n; }
			struct n *add_others(struct n *p) { struct n *r = one(p); return r->x ? r : 0; }`,
		"no copy": `struct n *add_copy(struct n *p) { struct n *n = malloc(sizeof *n); *n = *p; p->x++; return n; }`,
	} {
		c := entryOf(t, `struct n { struct n *next, *left; int x; struct n *items; };
			void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);
			struct n *n_new(void) { return malloc(sizeof(struct n)); }
			static struct n *made(int x, struct n *next) { struct n *n = malloc(sizeof *n);
				if (n) { n->x = x; n->next = next; } return n; }
			`+text+`
			int seen(struct n *p) { return p && p->x == 5 && made(0, 0); }`, "seen", drivers.Calls)
		not, isNot := strings.CutPrefix(name, "no ")
		if isNot {
			name = "add_" + strings.NewReplacer(" ", "_", "'", "").Replace(not)
		}
		if strings.Contains(c, "p = (void *)"+name+"(") == isNot || strings.Contains(c, "(void)"+name+"(") != isNot {
			t.Errorf("%s:\n%s", name, c[max(0, len(c)-1500):])
		}
	}
}

// Of functions that begin one type of object those come first, and of those that fill it, whose names say what
// the function under test is about.
func TestKinship(t *testing.T) {
	c := entryOf(t, `struct v { int kind, n; };
		void v_init_null(struct v *v) { v->kind = 0; } void v_init_int(struct v *v) { v->kind = 1; }
		void v_init_text(struct v *v) { v->kind = 2; } void v_init_dict(struct v *v) { v->kind = 3; }
		void v_int_add(struct v *v) { v->n++; } void v_text_append(struct v *v) { v->n++; }
		void v_list_add(struct v *v) { v->n++; } void v_list_insert(struct v *v) { v->n++; }
		void v_dict_add(struct v *v) { v->n++; }
		int v_dict_size(struct v *v) { return v->kind == 3 ? v->n : -1; }`, "v_dict_size", drivers.Calls)
	for _, want := range []string{"case 1: if (v != 0) (void)v_init_dict(", "case 2: if (v != 0) (void)v_dict_add("} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
}
