package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

const streamText = `#include <stdlib.h>
struct stream { const unsigned char *next; unsigned left; int total; void *state; };
int stream_init(struct stream *s, int level, int size)
{
    if (s == NULL || size != (int)sizeof(struct stream))
        return -1;
    s->state = malloc(4);
    s->total = 0;
    return s->state != NULL && level > 2;
}
void stream_deinit(struct stream *s) { free(s->state); s->state = NULL; }
int stream_read(struct stream *s)
{
    int n = 0;
    if (s->state == NULL)
        return -1;
    while (s->left > 0 && *s->next != 0) {
        s->left--;
        s->next++;
        n++;
    }
    s->total += n;
    return n;
}
`

// What a function returns itself is assigned to, unless a part of it is constant.
func TestReturnedStructures(t *testing.T) {
	const text = `struct pair { FIELD; int kind, n; };
struct pair pair_of(int n) { struct pair p = {.kind = 7, .n = n}; return p; }
struct pair pair_next(struct pair p) { return pair_of(p.n + 1); }
void pair_set(struct pair *p, int n) { p->n = n; }
void pair_copy(struct pair from, struct pair *to) { to->n = from.n; }
int pair_odd(const struct pair *p) { return p->kind == 7 && p->n > 3; }
int pair_is(const struct pair p) { return p.kind == 7 && p.n > 3; }
`
	for _, c := range []struct {
		field, function, want string
		has                   bool
	}{
		{"int a", "pair_odd", "if (p != 0) *(struct pair *)p = pair_of(", true},
		{"int a", "pair_odd", "if (p != 0) *(struct pair *)p = pair_next(*(struct pair *)p);", true},
		{"const char *a[2]", "pair_odd", "= pair_of(", true},
		{"const int a", "pair_odd", "= pair_of(", false},
		{"const int a[2]", "pair_odd", "= pair_of(", false},
		{"char *const a", "pair_odd", "= pair_of(", false},
		{"struct { int b; const int c; } a[2]", "pair_odd", "= pair_of(", false},
		{"int a", "pair_is", "case 1: p = pair_of(", true},
		{"int a", "pair_is", "p = pair_next(p);", true},
		{"int a", "pair_is", "pair_set((void *)&p, ", true},
		{"int a", "pair_is", "pair_copy(", true},
		{"int a", "pair_is", "(void *)&p); break;", true}, // of two that it could be, what it changes
	} {
		got := entryOf(t, strings.ReplaceAll(text, "FIELD", c.field), c.function, drivers.Calls)
		if strings.Contains(got, c.want) != c.has {
			t.Errorf("%s, %q: %s: want %v\n%s", c.function, c.field, c.want, c.has, got)
		}
	}
}

// What a function begins in memory of the caller's is begun first, and what that leaves to the user is set
// before the function under test is called, and once more before: a pointer with as many items as there are.
func TestFieldsAreSet(t *testing.T) {
	c := entryOf(t, streamText, "stream_read", drivers.Calls)
	for _, want := range []string{
		"s_begun_choice = klabel_choose(\"s:begun\", 2);",
		"(void)stream_init((void *)s, s_begun_stream_init_level, 24);",
		"case 1: if (s != 0) (void)stream_read((void *)s); break;",
		"self->left = times_1 * items_1;",
		"set_s_for_stream_read((void *)s, s_set_1_next, s_set_1_next_times, s_set_1_next_items_2)",
		"if (s_set_choice && s != 0) set_s_for_stream_read((void *)s, s_set_next,",
	} {
		if !strings.Contains(c, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, no := range []string{"self->total", "self->state", "begun:stream_deinit"} {
		if strings.Contains(c, no) {
			t.Errorf("%s is there", no)
		}
	}
	if t.Failed() {
		t.Log(c)
	}
	if c := entryOf(t, streamText, "stream_read", drivers.Arguments); strings.Contains(c, "set_s_for") {
		t.Errorf("fields are set where nothing is called before:\n%s", c)
	}
}

// What begins an object and is not told how much memory it is given has much of it.
func TestWindowIsGiven(t *testing.T) {
	c := entryOf(t, `#include <stdlib.h>
struct window { unsigned char *bytes; unsigned size; };
int window_init(struct window *w, int bits, unsigned char *bytes)
{
    if (bits < 8 || bits > 15)
        return -1;
    w->bytes = bytes;
    w->size = 1u << bits;
    return 0;
}
int window_last(struct window *w) { return w->size ? w->bytes[w->size - 1] : -1; }
`, "window_last", drivers.Calls)
	if !strings.Contains(c, "(void)window_init((void *)w, w_begun_window_init_bits, calloc(1, 65536));") {
		t.Errorf("no memory is given:\n%s", c)
	}
}

// A function that is called through a pointer, and hands out bytes, hands out as many as it says.
func TestBytesAreHandedOut(t *testing.T) {
	c := entryOf(t, `typedef unsigned (*reader)(void *from, const unsigned char **bytes);
int sum(reader in, void *from)
{
    const unsigned char *p = 0;
    unsigned n = in(from, &p);
    int s = 0;
    while (n-- > 0)
        s += *p++;
    return s;
}
`, "sum", drivers.Arguments)
	for _, want := range []string{"*klabel_bytes = (void *)klabel_value;", "klee_assume(klabel_count <= 32);",
		"return klabel_count;"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %s:\n%s", want, c)
		}
	}
}

// What begins an object may be given settings that only the driver makes, if it promises to leave them alone; and it
// may be said to create the object.
func TestBegunWithSettings(t *testing.T) {
	const text = `struct conf { int rate; int (*read)(void *to, int n); };
struct port { int (*read)(void *to, int n); int rate; };
int port_create(struct port *p, const struct conf *c)
{
    p->rate = c->rate;
    p->read = c->read;
    return c->read ? 0 : -1;
}
int port_poll(struct port *p) { char c; return p->rate > 5 && p->read && p->read(&c, 1) == 1 ? c : -1; }
`
	c := entryOf(t, text, "port_poll", drivers.Calls)
	if !strings.Contains(c, "case 1: if (p != 0) (void)port_create((void *)p,") {
		t.Errorf("not begun:\n%s", c)
	}
	changing := strings.Replace(text, "const struct conf *c)\n{", "struct conf *c)\n{\n    c->rate++;", 1)
	if c := entryOf(t, changing, "port_poll", drivers.Calls); strings.Contains(c, "p_begun_choice") {
		t.Errorf("begun with what somebody must make first:\n%s", c)
	}
}
