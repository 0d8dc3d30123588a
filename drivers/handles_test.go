package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

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
