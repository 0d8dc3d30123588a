/* Sides within what three of them add up to without overflow. */
#include "klee/klee.h"
#include "triangle.c"

int main(void)
{
    int a;
    int b;
    int c;

    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    klee_assume((a >= -10000) & (a <= 10000));
    klee_assume((b >= -10000) & (b <= 10000));
    klee_assume((c >= -10000) & (c <= 10000));
    triangle(a, b, c);
    return 0;
}
