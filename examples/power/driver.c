/* Any base, exponents from 0 to 63. */
#include "klee/klee.h"
#include "power.c"

int main(void)
{
    unsigned x;
    int n;

    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&n, sizeof n, "n");
    klee_assume((n >= 0) & (n <= 63));
    power(x, n);
    return 0;
}
