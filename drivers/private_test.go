package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// TestPrivate: what is the C library's own affair is left as it begins.
func TestPrivate(t *testing.T) {
	const text = `#include <pthread.h>
struct queue { int items; pthread_mutex_t lock; int last; };
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static int used;
int take(struct queue *q)
{
    pthread_mutex_lock(&all);
    pthread_mutex_lock(&q->lock);
    used++;
    return q->items > q->last + used;
}
`
	for _, v := range []drivers.Variant{drivers.Arguments, drivers.State} {
		c := entryOf(t, text, "take", v)
		if !strings.Contains(c, "__builtin_memset(&q_item->lock, 0, sizeof q_item->lock);") ||
			strings.Contains(c, "__list") || strings.Contains(c, "&all") {
			t.Errorf("a lock is built\n%s", c)
		}
	}
}
