/* Integer power by repeated squaring.
   Labelled for weak mutations: 30 labels. */
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
        cov_label((left >= 1) != (left < 1), 1, "WM ROR");
        cov_label((left >= 1) != (left <= 1), 2, "WM ROR");
        cov_label((left >= 1) != (left > 1), 3, "WM ROR");
        cov_label((left >= 1) != (left == 1), 4, "WM ROR");
        cov_label((left >= 1) != (left != 1), 5, "WM ROR");
        if (!(left >= 1)) {
            break;
        }
        cov_label(left < 0, 6, "WM ABS");
        cov_label((left % 2) != (left + 2), 7, "WM AOR");
        cov_label((left % 2) != (left - 2), 8, "WM AOR");
        cov_label((left % 2) != (left * 2), 9, "WM AOR");
        cov_label((left % 2) != (left / 2), 10, "WM AOR");
        cov_label(((left % 2) != 0) != ((left % 2) < 0), 11, "WM ROR");
        cov_label(((left % 2) != 0) != ((left % 2) <= 0), 12, "WM ROR");
        cov_label(((left % 2) != 0) != ((left % 2) > 0), 13, "WM ROR");
        cov_label(((left % 2) != 0) != ((left % 2) >= 0), 14, "WM ROR");
        cov_label(((left % 2) != 0) != ((left % 2) == 0), 15, "WM ROR");
        if (left % 2 != 0) {
            cov_label(left < 0, 16, "WM ABS");
            cov_label((left - 1) != (left + 1), 17, "WM AOR");
            cov_label((left - 1) != (left * 1), 18, "WM AOR");
            cov_label((left - 1) != (left / 1), 19, "WM AOR");
            left = left - 1;
            cov_label((result * square) != (result + square), 20, "WM AOR");
            cov_label((result * square) != (result - square), 21, "WM AOR");
            cov_label(square != 0 && (result * square) != (result / square), 22, "WM AOR");
            result = result * square;
        }
        cov_label((square * square) != (square + square), 23, "WM AOR");
        cov_label((square * square) != (square - square), 24, "WM AOR");
        cov_label(square != 0 && (square * square) != (square / square), 25, "WM AOR");
        square = square * square;
        cov_label(left < 0, 26, "WM ABS");
        cov_label((left / 2) != (left + 2), 27, "WM AOR");
        cov_label((left / 2) != (left - 2), 28, "WM AOR");
        cov_label((left / 2) != (left * 2), 29, "WM AOR");
        cov_label((left / 2) != (left % 2), 30, "WM AOR");
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
