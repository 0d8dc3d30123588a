/* Integer power by repeated squaring.
   Labelled for condition coverage: 4 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

unsigned power(unsigned x, int n)
{
    unsigned result = 1;
    unsigned square = x;
    int left = n;

    while (1) {
        cov_label(left >= 1, 1, "CC");
        cov_label(!(left >= 1), 2, "CC");
        if (!(left >= 1)) {
            break;
        }
        cov_label((left % 2) != 0, 3, "CC");
        cov_label(!((left % 2) != 0), 4, "CC");
        if (left % 2 != 0) {
            left = left - 1;
            result = result * square;
        }
        square = square * square;
        left = left / 2;
    }
    return result;
}

/* Any base, exponents from 0 to 63. */
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
