/* One of four balls weighs more than the others, or none does.
   Two weighings on a balance find it: 1 to 4, or 0 for none.
   Weights that fit neither case give -1.
   Labelled for condition coverage: 20 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

int balls(int a, int b, int c, int d)
{
    int left;
    int right;
    int heavy = 0;

    left = a + b;
    right = c + d;
    cov_label(left == right, 1, "CC");
    cov_label(!(left == right), 2, "CC");
    if (left == right) {
        cov_label(a != b, 3, "CC");
        cov_label(!(a != b), 4, "CC");
        cov_label(c != d, 5, "CC");
        cov_label(!(c != d), 6, "CC");
        if (a != b || c != d) {
            heavy = -1;
        }
        return heavy;
    }
    cov_label(left > right, 7, "CC");
    cov_label(!(left > right), 8, "CC");
    if (left > right) {
        cov_label(c != d, 9, "CC");
        cov_label(!(c != d), 10, "CC");
        cov_label(a == b, 11, "CC");
        cov_label(!(a == b), 12, "CC");
        if (c != d || a == b) {
            return -1;
        }
        cov_label(a > b, 13, "CC");
        cov_label(!(a > b), 14, "CC");
        if (a > b) {
            heavy = 1;
        } else {
            heavy = 2;
        }
        return heavy;
    }
    cov_label(a != b, 15, "CC");
    cov_label(!(a != b), 16, "CC");
    cov_label(c == d, 17, "CC");
    cov_label(!(c == d), 18, "CC");
    if (a != b || c == d) {
        return -1;
    }
    cov_label(c > d, 19, "CC");
    cov_label(!(c > d), 20, "CC");
    if (c > d) {
        heavy = 3;
    } else {
        heavy = 4;
    }
    return heavy;
}

/* Weights from 0 to 1000. */
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
