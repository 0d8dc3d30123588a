/* Says what kind of triangle three sides make.
   Labelled for condition coverage: 24 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

enum kind { NOT_A_TRIANGLE, SCALENE, ISOSCELES, EQUILATERAL };

enum kind triangle(int a, int b, int c)
{
    int same = 0;

    cov_label(a <= 0, 1, "CC");
    cov_label(!(a <= 0), 2, "CC");
    cov_label(b <= 0, 3, "CC");
    cov_label(!(b <= 0), 4, "CC");
    cov_label(c <= 0, 5, "CC");
    cov_label(!(c <= 0), 6, "CC");
    if (a <= 0 || b <= 0 || c <= 0) {
        return NOT_A_TRIANGLE;
    }
    cov_label((a + b) <= c, 7, "CC");
    cov_label(!((a + b) <= c), 8, "CC");
    cov_label((b + c) <= a, 9, "CC");
    cov_label(!((b + c) <= a), 10, "CC");
    cov_label((a + c) <= b, 11, "CC");
    cov_label(!((a + c) <= b), 12, "CC");
    if (a + b <= c || b + c <= a || a + c <= b) {
        return NOT_A_TRIANGLE;
    }
    cov_label(a == b, 13, "CC");
    cov_label(!(a == b), 14, "CC");
    if (a == b) {
        same = same + 1;
    }
    cov_label(b == c, 15, "CC");
    cov_label(!(b == c), 16, "CC");
    if (b == c) {
        same = same + 1;
    }
    cov_label(a == c, 17, "CC");
    cov_label(!(a == c), 18, "CC");
    if (a == c) {
        same = same + 1;
    }
    cov_label(same >= 1, 19, "CC");
    cov_label(!(same >= 1), 20, "CC");
    cov_label(same < 3, 21, "CC");
    cov_label(!(same < 3), 22, "CC");
    if (same >= 1 && same < 3) {
        return ISOSCELES;
    }
    cov_label(same == 3, 23, "CC");
    cov_label(!(same == 3), 24, "CC");
    if (same == 3) {
        return EQUILATERAL;
    }
    return SCALENE;
}

/* Sides within what three of them add up to without overflow. */
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
