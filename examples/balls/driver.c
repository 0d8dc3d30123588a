/* Weights from 0 to 1000. */
#include "klee/klee.h"
#include "balls.c"

int main(void)
{
    int a;
    int b;
    int c;
    int d;

    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    klee_make_symbolic(&d, sizeof d, "d");
    klee_assume((a >= 0) & (a <= 1000) & (b >= 0) & (b <= 1000));
    klee_assume((c >= 0) & (c <= 1000) & (d >= 0) & (d <= 1000));
    balls(a, b, c, d);
    return 0;
}
