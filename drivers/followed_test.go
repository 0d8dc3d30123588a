package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// Where there are too many objects, those go first that nobody looks behind, and those of a kind that there is above:
// what leads to other kinds is built.
func TestNewKindsFirst(t *testing.T) {
	const machine = `
struct event { int type; void *data; };
struct state;
struct transition {
    int type;
    void *condition;
    int (*guard)(void *, struct event *);
    void (*action)(void *, struct event *, void *);
    struct state *next;
};
struct state {
    struct state *parent, *entry;
    struct transition *transitions;
    unsigned count;
    void *data;
    void (*enter)(void *, struct event *);
    void (*leave)(void *, struct event *);
};
struct machine { struct state *current, *previous, *error; };
int handle(struct machine *m, struct event *e)
{
    struct state *next;
    unsigned i;
    if (!m || !e || !m->current)
        return -1;
    for (next = m->current; next; next = next->parent)
        for (i = 0; i < next->count; i++) {
            struct transition *t = &next->transitions[i];
            if (t->type == e->type && (!t->guard || t->guard(t->condition, e)) && t->next) {
                m->previous = m->current;
                m->current = t->next;
                while (m->current->entry)
                    m->current = m->current->entry;
                if (m->current == m->error)
                    m->error->enter(m->error->data, e);
                return m->current != m->previous;
            }
        }
    return 0;
}
`
	text := entryOf(t, machine, "handle", drivers.Arguments)
	for _, want := range []string{
		`klabel_choose("m->current->transitions", 2)`,
		`klee_make_symbolic(m_current_transitions_0_next_item, `, // with no pointers behind it
		`klee_make_symbolic(m_previous_item, `,
		`m_previous_item->transitions = 0;`, // it is compared alone
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, `klabel_choose("m->previous->`) {
		t.Errorf("there are pointers behind what nobody follows:\n%s", text)
	}
}
