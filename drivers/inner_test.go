package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// TestInner: a pointer shares what pointers within another parameter's object lead to, a list's first item say, the
// shallowest first; not within its own, where others above and beside it do, and not of another type.
func TestInner(t *testing.T) {
	const list = `
struct node { int v; struct node *next; };
struct other { struct other *next; };
struct list { struct node *head, *tail; struct other *other; };
int f(struct list *l, struct node *n) { return l && n && l->head == n && l->tail != n && n->next; }
int g(struct node *n, struct list *l) { return l && n && l->head == n; }
`
	text := entryOf(t, list, "f", drivers.Sharing)
	for _, want := range []string{"n = (void *)(l != 0 ? l->head : 0);", "n = (void *)(l != 0 ? l->tail : 0);",
		"n = (void *)(l != 0 && l->head != 0 ? l->head->next : 0);"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "l->other : 0)") || strings.Contains(text, "(n != 0") {
		t.Errorf("more is shared in\n%s", text)
	}
	if text := entryOf(t, list, "f", drivers.Arguments); strings.Contains(text, "l->head : 0)") {
		t.Errorf("the plain entry shares:\n%s", text)
	}
	if text := entryOf(t, list, "g", drivers.Sharing); !strings.Contains(text, "head = (void *)n;") {
		t.Errorf("the head of a list that comes later does not share:\n%s", text)
	}
}
