/* Functions that work on what other functions of the file make. */
#include <stdarg.h>
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

/* A string whose length stands before its characters. */
typedef char *text;

static int *text_length(text t) { return (int *)(t - sizeof(int)); }

text text_new(const void *from, unsigned char n)
{
    char *t;

    n &= 7;
    t = malloc(sizeof(int) + n + 1u);
    if (t == 0) {
        return 0;
    }
    t += sizeof(int);
    memset(t, 0, n + 1u);
    if (from != 0 && n <= 4) {
        memcpy(t, from, n);
    }
    *text_length(t) = n;
    return t;
}

text text_add(text t, char c)
{
    text r;

    if (*text_length(t) > 6) {
        return t;
    }
    r = text_new(0, (unsigned char)(*text_length(t) + 1));
    memcpy(r, t, (size_t)*text_length(t));
    r[*text_length(t)] = c;
    free(t - sizeof(int));
    return r;
}

void text_free(text t)
{
    if (t != 0) {
        free(t - sizeof(int));
    }
}

/* driver: --variant calls */
int text_compare(const text a, const text b)
{
    if (a == 0 || b == 0) {
        return 0;
    }
    cov_label(*text_length(a) == 5 && a[4] == 'x' && *text_length(b) == 0, 7, "CC");
    cov_label(*text_length(b) == 3 && b[2] == 'y', 8, "CC");
    return *text_length(a) - *text_length(b);
}

/* What is made where a caller says, with a structure that tells how. */
struct settings { int limit; int (*order)(int, int); };

struct heap { int limit, size; int *items; int (*order)(int, int); };

int ascending(int a, int b) { return a < b; }

int heap_new(const struct settings *s, struct heap **to)
{
    struct heap *h;

    if (s == 0 || s->limit < 1 || s->limit > 4 || s->order == 0) {
        return 1;
    }
    h = malloc(sizeof *h);
    h->limit = s->limit;
    h->size = 0;
    h->items = calloc((size_t)h->limit, sizeof *h->items);
    h->order = s->order;
    *to = h;
    return 0;
}

int heap_add(struct heap *h, int value)
{
    if (h->size == h->limit) {
        return 1;
    }
    h->items[h->size++] = value;
    return 0;
}

/* driver: --variant calls */
int heap_top(struct heap *h)
{
    if (h == 0 || h->size < 2) {
        return 0;
    }
    cov_label(h->limit == 3 && h->order(h->items[0], h->items[1]), 9, "CC");
    return h->items[0];
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

/* driver: --variant failing */
int pair_of(int value)
{
    int *first = malloc(sizeof *first);
    int *second = calloc(1, sizeof *second);
    int sum;

    cov_label(first != 0 && second == 0 && value == 7, 10, "CC");
    cov_label(first == 0 && second != 0, 11, "CC");
    if (first == 0 || second == 0) {
        free(first);
        free(second);
        return -1;
    }
    *first = value;
    sum = *first + *second;
    free(first);
    free(second);
    return sum;
}

/* driver: --variant calls */
int queue_holds(const struct queue *q, int n, ...)
{
    va_list list;
    int first;

    if (q == 0 || n < 1) {
        return 0;
    }
    va_start(list, n);
    first = va_arg(list, int);
    va_end(list);
    cov_label(q->used == 1 && q->items[0] == first && first == 7, 12, "CC");
    return 1;
}

struct cell { int key; void *value; struct cell *next; };
struct table { unsigned size, used; struct cell **cells; };

struct table *table_new(void)
{
    struct table *t = malloc(sizeof *t);

    if (t != 0) {
        t->size = 4;
        t->used = 0;
        t->cells = calloc(t->size, sizeof *t->cells);
    }
    return t;
}

static void table_grow(struct table *t)
{
    struct cell **cells = calloc(4 * t->size, sizeof *cells);
    struct cell *c, *next;
    unsigned i;

    for (i = 0; i < t->size; i++) {
        for (c = t->cells[i]; c != 0; c = next) {
            next = c->next;
            c->next = cells[c->key & (4 * t->size - 1)];
            cells[c->key & (4 * t->size - 1)] = c;
        }
    }
    free(t->cells);
    t->cells = cells;
    t->size *= 4;
}

int table_put(struct table *t, int key, void *value)
{
    struct cell *c = malloc(sizeof *c);

    if (c == 0) {
        return 0;
    }
    if (t->used >= t->size) {
        table_grow(t);
    }
    c->key = key;
    c->value = value;
    c->next = t->cells[key & (t->size - 1)];
    t->cells[key & (t->size - 1)] = c;
    t->used++;
    return 1;
}

/* driver: --variant sequences */
int table_get(const struct table *t, int key)
{
    const struct cell *c;

    if (t == 0) {
        return 0;
    }
    for (c = t->cells[key & (t->size - 1)]; c != 0; c = c->next) {
        if (c->key == key) {
            cov_label(t->size == 64 && c->value != 0 && *(int *)c->value == key, 13, "CC");
            return 1;
        }
    }
    cov_label(t->size == 16, 14, "CC");
    return 0;
}

/* A text whose length stands before it: nothing but slip_new makes one. */
typedef char *slip;

slip slip_new(const char *text)
{
    size_t n = text == 0 ? 0 : strlen(text);
    unsigned char *p = malloc(n + 2);

    if (p == 0) {
        return 0;
    }
    p[0] = (unsigned char)n;
    if (n > 0) {
        memcpy(p + 1, text, n);
    }
    p[n + 1] = 0;
    return (slip)(p + 1);
}

/* driver: --variant calls */
int slips_length(slip *list, int count)
{
    int i, total = 0;

    for (i = 0; i < count; i++) {
        total += list[i] == 0 ? 0 : ((unsigned char *)list[i])[-1];
    }
    cov_label(count == 2 && total == 3 && list[0] != 0 && ((unsigned char *)list[0])[-1] == 1, 15, "CC");
    free(list);
    return total;
}

struct source { const unsigned char *next; unsigned left; int ready; };

void source_init(struct source *s, int ready)
{
    s->ready = ready & 1;
}

/* driver: --variant calls; infeasible 18 */
int source_take(struct source *s)
{
    if (s == 0 || !s->ready || s->left == 0) {
        return -1;
    }
    cov_label(s->left == 3 && s->next[2] == 'x', 16, "CC");
    cov_label(s->left > 1000 && s->next[70] == 'y', 17, "CC");
    cov_label(s->ready > 1, 18, "CC");
    s->left--;
    return *s->next++;
}

/* driver: --nonnull more */
int handed_sum(unsigned (*more)(void *from, const unsigned char **bytes), void *from)
{
    const unsigned char *p = 0;
    unsigned n = more(from, &p);

    if (n < 2 || p == 0) {
        return -1;
    }
    cov_label(n == 20 && p[19] == 'z', 19, "CC");
    return p[0] + p[1];
}
