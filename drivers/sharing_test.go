package drivers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/drivers"
)

// TestSharedByEitherName: what "node *" leads to a "struct node *" may share, and
// nothing shares a pointer that is always NULL.
func TestSharedByEitherName(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "s.c")
	err := os.WriteFile(file, []byte("typedef struct node { struct node *next, *prev; } node;\n"+
		"int f(node *p, node *q) { return p && p->next == q && q->prev == p; }\n"), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	d, err := drivers.ForUnit(b.unit(t, file), drivers.Options{MaxDepth: 1}, []drivers.Want{
		{Function: "f", Variant: drivers.Sharing, Number: 1}})
	if err != nil || len(d.Entries) != 1 {
		t.Fatalf("%v: %d entries, %+v", err, len(d.Entries), d.LeftOut)
	}
	text := strings.Join(strings.Fields(d.Text()), " ")
	for _, want := range []string{"p_item.next = (void *)&p_item;", "p_item.prev = (void *)&p_item;",
		"q = (void *)p;", "q_item.next = (void *)&q_item;"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, d.Text())
		}
	}
}

// TestSharedDeeper: an untyped list's items share each other's targets, though nothing does as deep as the list
// itself; and a pointer that is compared with an item leads to one.
func TestSharedDeeper(t *testing.T) {
	const list = `#include <stddef.h>
struct item { struct item *next, *previous; };
int holds(void **list, const void *element)
{
    struct item *this = *list;
    do {
        if (this == element) return 1;
        this = this->next;
    } while (this != *list);
    return 0;
}
`
	text := entryOf(t, list, "holds", drivers.Sharing)
	for _, want := range []string{"list_item_2.next = (void *)&list_item_2;", "struct item element_item;",
		"element = (void *)(list != 0 ? list_item : 0);",
		"element = (void *)(list != 0 && list_item != 0 ? ((struct item *)list_item)->next : 0);"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
