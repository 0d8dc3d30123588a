/* Says what kind of triangle three sides make.
   Labelled for multiple condition coverage: 28 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

enum kind { NOT_A_TRIANGLE, SCALENE, ISOSCELES, EQUILATERAL };

enum kind triangle(int a, int b, int c)
{
    int same = 0;

    cov_label((a <= 0) && (b <= 0) && (c <= 0), 1, "MCC");
    cov_label((a <= 0) && (b <= 0) && !(c <= 0), 2, "MCC");
    cov_label((a <= 0) && !(b <= 0) && (c <= 0), 3, "MCC");
    cov_label((a <= 0) && !(b <= 0) && !(c <= 0), 4, "MCC");
    cov_label(!(a <= 0) && (b <= 0) && (c <= 0), 5, "MCC");
    cov_label(!(a <= 0) && (b <= 0) && !(c <= 0), 6, "MCC");
    cov_label(!(a <= 0) && !(b <= 0) && (c <= 0), 7, "MCC");
    cov_label(!(a <= 0) && !(b <= 0) && !(c <= 0), 8, "MCC");
    if (a <= 0 || b <= 0 || c <= 0) {
        return NOT_A_TRIANGLE;
    }
    cov_label(((a + b) <= c) && ((b + c) <= a) && ((a + c) <= b), 9, "MCC");
    cov_label(((a + b) <= c) && ((b + c) <= a) && !((a + c) <= b), 10, "MCC");
    cov_label(((a + b) <= c) && !((b + c) <= a) && ((a + c) <= b), 11, "MCC");
    cov_label(((a + b) <= c) && !((b + c) <= a) && !((a + c) <= b), 12, "MCC");
    cov_label(!((a + b) <= c) && ((b + c) <= a) && ((a + c) <= b), 13, "MCC");
    cov_label(!((a + b) <= c) && ((b + c) <= a) && !((a + c) <= b), 14, "MCC");
    cov_label(!((a + b) <= c) && !((b + c) <= a) && ((a + c) <= b), 15, "MCC");
    cov_label(!((a + b) <= c) && !((b + c) <= a) && !((a + c) <= b), 16, "MCC");
    if (a + b <= c || b + c <= a || a + c <= b) {
        return NOT_A_TRIANGLE;
    }
    cov_label(a == b, 17, "MCC");
    cov_label(!(a == b), 18, "MCC");
    if (a == b) {
        same = same + 1;
    }
    cov_label(b == c, 19, "MCC");
    cov_label(!(b == c), 20, "MCC");
    if (b == c) {
        same = same + 1;
    }
    cov_label(a == c, 21, "MCC");
    cov_label(!(a == c), 22, "MCC");
    if (a == c) {
        same = same + 1;
    }
    cov_label((same >= 1) && (same < 3), 23, "MCC");
    cov_label((same >= 1) && !(same < 3), 24, "MCC");
    cov_label(!(same >= 1) && (same < 3), 25, "MCC");
    cov_label(!(same >= 1) && !(same < 3), 26, "MCC");
    if (same >= 1 && same < 3) {
        return ISOSCELES;
    }
    cov_label(same == 3, 27, "MCC");
    cov_label(!(same == 3), 28, "MCC");
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
