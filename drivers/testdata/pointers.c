/* Pointers: to one item, to arrays, strings, to pointers, to functions. */
#include <stddef.h>

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

/* driver: */
int maybe_null(const int *p)
{
    if (!p) {
        cov_label(1, 1, "STMT");
        return 0;
    }
    cov_label(*p == 42, 2, "CC");
    return 1;
}

/* driver: --nonnull p; infeasible 4 */
int never_null(int *p)
{
    cov_label(*p > 1, 3, "CC");
    cov_label(p == 0, 4, "CC");
    return 1;
}

/* driver: */
void output(int x, int *out)
{
    if (out) {
        cov_label(x == 3, 5, "CC");
        *out = x;
    }
}

/* driver: */
int guessed_length(const int *t, int n)
{
    int i, found = 0;

    for (i = 0; i < n; i++) {
        if (t[i] == 7) {
            cov_label(i == 3, 6, "CC");
            found = 1;
        }
    }
    cov_label(n == 0, 7, "CC");
    cov_label(!found && n == 4, 8, "CC");
    return found;
}

/* driver: --array from:k --array to:k; infeasible 10 */
int given_length(const short *from, short *to, size_t k)
{
    size_t i;

    for (i = 0; i < k; i++) {
        to[i] = from[i];
    }
    cov_label(k == 4 && from[3] == -1, 9, "CC");
    cov_label(k > 4, 10, "CC");
    return 0;
}

/* driver: --array t:3 --nonnull t */
int exactly_three(const int *t)
{
    cov_label(t[0] < t[1] && t[1] < t[2], 11, "CC");
    return 0;
}

/* driver: --max-array 6 */
int larger(const unsigned char *bytes, unsigned len)
{
    cov_label(len == 6 && bytes[5] == 6, 12, "CC");
    return 0;
}

/* driver: */
int text(const char *s)
{
    int n = 0;

    if (s == NULL) {
        cov_label(1, 13, "STMT");
        return -1;
    }
    while (s[n] != 0) {
        n++;
    }
    cov_label(n == 0, 14, "CC");
    cov_label(n == 8, 15, "CC");
    cov_label(s[0] == 'h' && s[1] == 'i', 16, "CC");
    return n;
}

/* driver: --max-string 2; infeasible 18 */
int short_text(char *s)
{
    if (s == NULL || s[0] == 0 || s[1] == 0) {
        return 0;
    }
    cov_label(s[0] == '"' && s[1] == '\\', 17, "CC");
    cov_label(s[2] != 0, 18, "CC");
    return 1;
}

/* driver: --string s --nonnull s */
int unsigned_text(const unsigned char *s)
{
    int n = 0;

    while (s[n] != 0) {
        n++;
    }
    cov_label(n == 2 && s[0] > 200, 19, "CC");
    return n;
}

/* driver: --max-array 2 */
int words(char **list, int count)
{
    if (list == NULL || count < 2 || list[0] == NULL || list[1] == NULL) {
        return 0;
    }
    cov_label(list[0][0] == 'a' && list[1][0] == 'b', 20, "CC");
    return 1;
}

/* driver: */
int pointer_to_pointer(int **pp)
{
    if (pp == NULL) {
        cov_label(1, 21, "STMT");
        return 0;
    }
    if (*pp == NULL) {
        cov_label(1, 22, "STMT");
        return 1;
    }
    cov_label(**pp == 5, 23, "CC");
    return 2;
}

/* driver: */
int restricted(const int *restrict a, volatile int *restrict b)
{
    if (a == NULL || b == NULL) {
        return 0;
    }
    cov_label(*a == *b, 24, "CC");
    return 1;
}

/* driver: */
int untyped(const void *p, size_t size)
{
    const unsigned char *b = p;

    if (p == NULL || size < 4) {
        cov_label(p == NULL, 25, "CC");
        return 0;
    }
    cov_label(b[0] == 0xca && b[3] == 0xfe, 26, "CC");
    return 1;
}

typedef int (*compare)(const void *, const void *);

/* driver: */
int callback(compare f, int (*g)(int))
{
    int order;

    if (f == NULL || g == NULL) {
        cov_label(f == NULL, 27, "CC");
        return 0;
    }
    order = f(0, 0);
    cov_label(order < 0, 28, "CC");
    if (g(1) == 10) {
        cov_label(1, 29, "STMT");
    }
    return 1;
}

/* driver: --nonnull visit */
void every(void visit(int))
{
    visit(1);
    cov_label(1, 30, "STMT");
}

/* driver: --alias p,q */
int aliased(const int *p, const int *q)
{
    if (p == NULL || q == NULL) {
        return 0;
    }
    cov_label(p == q, 31, "CC");
    cov_label(p != q && *p == *q, 32, "CC");
    return 1;
}

struct buffer { int size; char data[]; };

/* driver: --array b->data:b->size */
int flexible(const struct buffer *b)
{
    if (b == NULL || b->size < 3) {
        return 0;
    }
    cov_label(b->data[2] == '!', 33, "CC");
    return 1;
}

struct vector { int *items; int count; };

/* driver: --array v->items:v->count --nonnull v --nonnull v->items; infeasible 35 */
int counted(const struct vector *v)
{
    cov_label(v->count == 4 && v->items[3] == 44, 34, "CC");
    cov_label(v->count > 4, 35, "CC");
    return 0;
}

struct names { unsigned char used; const char *list[]; };

/* driver: ; infeasible 38 */
int flexible_pointers(const struct names *n)
{
    int i, found = 0;

    if (n == NULL) {
        return 0;
    }
    for (i = 0; i < n->used; i++) {
        if (n->list[i] == NULL) {
            found++;
        }
    }
    cov_label(n->used == 3 && found == 2 && n->list[1] != NULL && n->list[1][0] == 'k', 36, "CC");
    cov_label(n->used > 4, 38, "CC");
    return found;
}

struct __attribute__((packed)) heading { unsigned char kind : 3; unsigned short length; char text[]; };

/* driver: */
int flexible_packed(struct heading *h)
{
    unsigned i;

    if (h == NULL) {
        return 0;
    }
    for (i = 0; i < h->length; i++) {
        cov_label(h->kind == 5 && i == 2 && h->text[i] == '?', 37, "CC");
    }
    return 1;
}

struct page { unsigned count : 4; struct page *children[]; };

/* driver: */
int flexible_recursive(const struct page *p)
{
    if (p == NULL || p->count != 2 || p->children[0] != NULL || p->children[1] == NULL) {
        return 0;
    }
    cov_label(p->children[1]->count == 9, 39, "CC");
    return 1;
}
