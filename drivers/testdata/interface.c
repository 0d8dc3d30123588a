/* Functions that work on what other functions of the file make. */
#include <stdlib.h>
#include <string.h>

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

struct queue { int size; int used; int *items; };

struct queue *queue_new(unsigned char size)
{
    struct queue *q = malloc(sizeof *q);

    if (q != 0) {
        q->size = size & 3;
        q->used = 0;
        q->items = calloc(3, sizeof *q->items);
    }
    return q;
}

void queue_add(struct queue *q, int value)
{
    if (q->used < q->size) {
        q->items[q->used++] = value;
    }
}

/* driver: --variant calls */
int queue_last(const struct queue *q)
{
    if (q == 0) {
        return 0;
    }
    cov_label(q->used == 2 && q->items[0] == 5 && q->items[1] == 6, 1, "CC");
    cov_label(q->used == 1 && q->size == 1, 2, "CC");
    return q->used > 0 ? q->items[q->used - 1] : -1;
}

struct tally { int count; char last[4]; };

void tally_name(struct tally *t, const char *name)
{
    if (name != 0) {
        t->count++;
        strncpy(t->last, name, 3);
    }
}

/* driver: --variant calls; infeasible 4 */
int tally_check(struct tally *t)
{
    if (t == 0) {
        return 0;
    }
    cov_label(t->count == 2 && strcmp(t->last, "ab") == 0, 3, "CC");
    cov_label(t->count == 3, 4, "CC");
    return 1;
}

static struct queue *shared;

void open_shared(unsigned char size)
{
    if (shared == 0) {
        shared = queue_new(size);
    }
}

void push_shared(int value)
{
    if (shared != 0) {
        queue_add(shared, value);
    }
}

/* driver: --variant calls */
int pop_shared(void)
{
    if (shared == 0 || shared->used == 0) {
        return -1;
    }
    cov_label(shared->items[shared->used - 1] == 9, 5, "CC");
    shared->used--;
    return shared->items[shared->used];
}

struct link { int value; struct link *next; };

struct link *link_add(struct link *l, int value)
{
    struct link *n = malloc(sizeof *n);

    n->value = value;
    n->next = l;
    return n;
}

/* driver: --variant calls */
int link_ordered(const struct link *l)
{
    if (l == 0 || l->next == 0) {
        return 1;
    }
    cov_label(l->value < l->next->value, 6, "CC");
    return l->value <= l->next->value;
}
