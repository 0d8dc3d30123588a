/* Memory that is released, functions that give memory, lengths that the code
   tells, and pointers that lead to the same. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

struct item { int value; char *name; struct item *next; };

/* driver: --max-depth 2 --max-string 2 */
int release(struct item *i)
{
    int n = 0;

    while (i != NULL) {
        struct item *next = i->next;

        if (i->name != NULL) {
            cov_label(i->name[0] == 'x', 1, "CC");
            free(i->name);
        }
        free(i);
        n++;
        i = next;
    }
    cov_label(n == 0, 2, "CC");
    cov_label(n == 2, 3, "CC");
    return n;
}

struct memory { void *(*get)(size_t); void (*put)(void *); };

/* driver: --nonnull m->get --nonnull m->put */
int through_hooks(const struct memory *m)
{
    char *p;

    if (m == NULL) {
        return 0;
    }
    p = m->get(20);
    if (p == NULL) {
        return 1;
    }
    p[19] = 7;
    cov_label(p[19] == 7, 4, "CC");
    m->put(p);
    return 2;
}

static int half(int x) { return x / 2; }
static int (*const halving)(int) = half;

/* driver: --nonnull f */
int own_function(int (*f)(int))
{
    cov_label(f == half, 5, "CC");
    cov_label(f != half, 6, "CC");
    return f == halving;
}

/* driver: */
int length_by_code(const unsigned char *from, unsigned upto)
{
    unsigned i;
    int sum = 0;

    if (from == NULL) {
        return 0;
    }
    for (i = 0; i < upto; i++) {
        sum += from[i];
    }
    cov_label(upto == 4 && sum == 1000, 7, "CC");
    return sum;
}

/* driver: */
int constant_index(const int *t)
{
    int i, sum = 0;

    if (t == NULL) {
        return 0;
    }
    for (i = 0; i < 9; i++) {
        sum += t[i];
    }
    cov_label(t[8] == 5 && t[11] == 6, 8, "CC");
    return sum;
}

struct reader { const unsigned char *bytes; size_t at; size_t end; };

/* driver: --nonnull r --nonnull r->bytes */
int length_in_field(struct reader *r)
{
    int sum = 0;

    while (r->at < r->end) {
        sum += r->bytes[r->at];
        r->at++;
    }
    cov_label(sum == 1020, 9, "CC");
    cov_label(sum == 0, 10, "CC");
    return sum;
}

/* driver: --variant sharing --max-depth 2 */
int cycle(const struct item *i)
{
    if (i == NULL || i->next == NULL) {
        return 0;
    }
    cov_label(i->next == i, 11, "CC");
    cov_label(i->next != i && i->next->next == i, 12, "CC");
    return 1;
}

/* driver: --variant sharing --max-depth 2 --max-string 1 */
int cycle_released(struct item *i)
{
    struct item *first = i;
    int n = 0;

    if (i == NULL || i->next != first) {
        return 0;
    }
    n = i->value;
    free(i);
    cov_label(n == 3, 13, "CC");
    return n;
}

/* driver: --variant sharing */
int same(const struct item *a, const struct item *b)
{
    if (a == NULL || b == NULL) {
        return 0;
    }
    cov_label(a == b, 14, "CC");
    cov_label(a != b && a->value == b->value, 15, "CC");
    return 1;
}

/* driver: --variant sharing */
int ends(const unsigned char *from, const unsigned char *to)
{
    if (from == NULL || to == NULL) {
        return 0;
    }
    cov_label(to - from == 3, 16, "CC");
    cov_label(to == from, 17, "CC");
    return 1;
}

static int level;
void set_level(int to) { level = to; }

/* driver: --variant state */
int reads_level(int x)
{
    cov_label(level == 77 && x == level + 1, 18, "CC");
    return 0;
}

/* driver: --variant wider */
int longer(const char *s)
{
    cov_label(s != NULL && strlen(s) == 20, 19, "CC");
    return 0;
}

/* driver: --variant widest */
int many(const unsigned char *t, unsigned n)
{
    cov_label(n == 64 && t[63] == 1, 20, "CC");
    return 0;
}

static int value_of(const void *p) { return ((const struct item *)p)->value; }

/* driver: */
int untyped_structure(const void *context, const void *other)
{
    const struct item *i = context;

    if (i == NULL || other == NULL) {
        return 0;
    }
    cov_label(i->value == 3 && value_of(other) == 4, 21, "CC");
    return 1;
}

/* driver: */
int untyped_text(const void *context)
{
    const char *s = context;

    if (s == NULL) {
        return 0;
    }
    cov_label(strcmp(s, "abc") == 0, 22, "CC");
    return 1;
}

struct code { unsigned char op; unsigned short value; };

/* driver: --nonnull *table --nonnull table --nonnull out */
int moved_behind(struct code **table, struct code *out)
{
    struct code *next = out;

    *(*table)++ = *next++;
    *(*table)++ = *next;
    cov_label((*table)[-1].value == 9, 23, "CC");
    return 1;
}

void *own_memory(void *context, unsigned items, unsigned size);

/* driver: */
int allocator_stub(unsigned char n)
{
    unsigned char *p = own_memory(0, 2, 20);

    if (p == NULL) {
        cov_label(n == 3, 24, "CC");
        return 0;
    }
    p[39] = n;
    cov_label(p[39] == 4, 25, "CC");
    free(p);
    return 1;
}
