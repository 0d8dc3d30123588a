/* Small functions, to measure how often they run a second. Labels are written as the
 * fuzzing runtime gets them; those that have the number 0 stay open. */
#include <klee/klee.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void klabel_fuzz_label(int id, unsigned distance);
extern const volatile unsigned char *klabel_fuzz_view;
#define LABEL(id, holds) \
    if (0x85 >> klabel_fuzz_view[id] & 1) \
    klabel_fuzz_label(id, (holds) ? 0 : 64)

static int kind(int a, int b, int c)
{
    LABEL(1, a <= 0);
    LABEL(2, b <= 0);
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    LABEL(3, a + b <= c);
    LABEL(4, b + c <= a);
    if (a + b <= c || b + c <= a || a + c <= b)
        return 0;
    LABEL(5, a == b && b == c);
    return 1 + (a == b) + (b == c) + (a == c);
}

void triangle(void)
{
    int a, b, c;

    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    kind(a, b, c);
}

/* A number of a text, as a parser's step: what it allocates it frees. */
static long number(const char *text, char **end)
{
    long n = 0;
    char *copy = malloc(strlen(text) + 1);

    if (copy == NULL)
        return -1;
    strcpy(copy, text);
    LABEL(11, *copy == '-');
    for (*end = (char *)text; **end >= '0' && **end <= '9' && n < 100000; ++*end)
        n = 10 * n + **end - '0';
    LABEL(12, n == 54321);
    LABEL(13, **end == '\0' && n > 0);
    free(copy);
    return n;
}

void step(void)
{
    char text[16], *end;

    klee_make_symbolic(text, sizeof text, "text");
    text[15] = '\0';
    number(text, &end);
}
