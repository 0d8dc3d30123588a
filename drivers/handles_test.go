package drivers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
)

// What other files make is made by their functions; what takes one object beside
// another gets the one that was made, after it.
func TestHandles(t *testing.T) {
	b := newBench(t)
	const text = `typedef struct queue *queue_t;
typedef struct cursor *cursor_t;
typedef char *text;
cursor_t cursor_open(queue_t q);
queue_t queue_new(int limit);
int queue_get(queue_t q, int *to, int n);
int cursor_next(cursor_t c);
text text_new(int n) { static char t[8]; return n < 8 ? t : 0; }
int walk(cursor_t c, queue_t q) { int n = 0; while (cursor_next(c)) n++; return n > queue_get(q, 0, 0); }
int last(text t) { return t[0] == 'x'; }
int plain(const char *t, int *p) { return t && p; }
`
	file := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	u := b.unit(t, file)
	for name, want := range map[string]bool{"walk": true, "last": true, "plain": false, "text_new": false} {
		if got := drivers.TakesHandle(u, u.Function(name)); got != want {
			t.Errorf("%s takes a handle: %v", name, got)
		}
	}
	elsewhere := map[string]bool{"cursor_open": true, "queue_new": true, "queue_get": true, "cursor_next": true}
	d, err := drivers.ForUnit(u, drivers.Options{Defined: elsewhere}, []drivers.Want{
		{Function: "walk", Number: 1}, {Function: "walk", Variant: drivers.Calls, Number: 2},
		{Function: "last", Variant: drivers.Calls, Number: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.LeftOut) != 1 || d.LeftOut[0].Number != 1 {
		t.Errorf("left out: %+v", d.LeftOut)
	}
	c := d.Text()
	first := strings.Index(c, "q = (void *)queue_new(")
	second := strings.Index(c, "if (q != 0) c = (void *)cursor_open((void *)q)")
	if first < 0 || second < first || !strings.Contains(c, "t = (void *)text_new(") {
		t.Errorf("no queue is made, or no cursor on it behind that, or no text:\n%s", c)
	}
	if _, err := csource.Parse(t.Context(), file, d.Apply(u), b.options()); err != nil {
		t.Errorf("%v\n%s", err, c)
	}
}

// A library may hide its structure behind "typedef void *server;": a pointer to that is what the code takes it for.
func TestHiddenStructure(t *testing.T) {
	const code = `typedef void *server;
struct own { int state; int term; };
int server_state(server *me_) { struct own *me = (struct own *)me_; return me->state == 3 ? me->term : 0; }
int server_first(server *all) { return all[0] != 0; }
int server_ask(server *me_) { return server_state(me_) > 7; }
`
	for function, want := range map[string]string{
		"server_state": "me_ = (void *)&me_item;", "server_ask": "me_ = (void *)&me_item;",
		"server_first": "server (*all_items)[4];"} {
		if c := entryOf(t, code, function, drivers.Arguments); !strings.Contains(c, want) {
			t.Errorf("%s: %q is not in\n%s", function, want, c)
		}
	}
}
