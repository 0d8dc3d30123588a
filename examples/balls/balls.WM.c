/* One of four balls weighs more than the others, or none does.
   Two weighings on a balance find it: 1 to 4, or 0 for none.
   Weights that fit neither case give -1.
   Labelled for weak mutations: 69 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

int balls(int a, int b, int c, int d)
{
    int left;
    int right;
    int heavy = 0;

    cov_label(a < 0, 1, "WM ABS");
    cov_label(b < 0, 2, "WM ABS");
    cov_label((a + b) != (a - b), 3, "WM AOR");
    cov_label((a + b) != (a * b), 4, "WM AOR");
    cov_label(b != 0 && (a + b) != (a / b), 5, "WM AOR");
    left = a + b;
    cov_label(c < 0, 6, "WM ABS");
    cov_label(d < 0, 7, "WM ABS");
    cov_label((c + d) != (c - d), 8, "WM AOR");
    cov_label((c + d) != (c * d), 9, "WM AOR");
    cov_label(d != 0 && (c + d) != (c / d), 10, "WM AOR");
    right = c + d;
    cov_label((left == right) != (left < right), 11, "WM ROR");
    cov_label((left == right) != (left <= right), 12, "WM ROR");
    cov_label((left == right) != (left > right), 13, "WM ROR");
    cov_label((left == right) != (left >= right), 14, "WM ROR");
    cov_label((left == right) != (left != right), 15, "WM ROR");
    if (left == right) {
        cov_label((a != b) != (a < b), 16, "WM ROR");
        cov_label((a != b) != (a <= b), 17, "WM ROR");
        cov_label((a != b) != (a > b), 18, "WM ROR");
        cov_label((a != b) != (a >= b), 19, "WM ROR");
        cov_label((a != b) != (a == b), 20, "WM ROR");
        cov_label((c != d) != (c < d), 21, "WM ROR");
        cov_label((c != d) != (c <= d), 22, "WM ROR");
        cov_label((c != d) != (c > d), 23, "WM ROR");
        cov_label((c != d) != (c >= d), 24, "WM ROR");
        cov_label((c != d) != (c == d), 25, "WM ROR");
        cov_label(((a != b) || (c != d)) != ((a != b) && (c != d)), 26, "WM COR");
        cov_label(((a != b) || (c != d)) != !!(a != b), 27, "WM COR");
        cov_label(((a != b) || (c != d)) != !!(c != d), 28, "WM COR");
        if (a != b || c != d) {
            heavy = -1;
        }
        return heavy;
    }
    cov_label((left > right) != (left < right), 29, "WM ROR");
    cov_label((left > right) != (left <= right), 30, "WM ROR");
    cov_label((left > right) != (left >= right), 31, "WM ROR");
    cov_label((left > right) != (left == right), 32, "WM ROR");
    cov_label((left > right) != (left != right), 33, "WM ROR");
    if (left > right) {
        cov_label((c != d) != (c < d), 34, "WM ROR");
        cov_label((c != d) != (c <= d), 35, "WM ROR");
        cov_label((c != d) != (c > d), 36, "WM ROR");
        cov_label((c != d) != (c >= d), 37, "WM ROR");
        cov_label((c != d) != (c == d), 38, "WM ROR");
        cov_label((a == b) != (a < b), 39, "WM ROR");
        cov_label((a == b) != (a <= b), 40, "WM ROR");
        cov_label((a == b) != (a > b), 41, "WM ROR");
        cov_label((a == b) != (a >= b), 42, "WM ROR");
        cov_label((a == b) != (a != b), 43, "WM ROR");
        cov_label(((c != d) || (a == b)) != ((c != d) && (a == b)), 44, "WM COR");
        cov_label(((c != d) || (a == b)) != !!(c != d), 45, "WM COR");
        cov_label(((c != d) || (a == b)) != !!(a == b), 46, "WM COR");
        if (c != d || a == b) {
            return -1;
        }
        cov_label((a > b) != (a < b), 47, "WM ROR");
        cov_label((a > b) != (a <= b), 48, "WM ROR");
        cov_label((a > b) != (a >= b), 49, "WM ROR");
        cov_label((a > b) != (a == b), 50, "WM ROR");
        cov_label((a > b) != (a != b), 51, "WM ROR");
        if (a > b) {
            heavy = 1;
        } else {
            heavy = 2;
        }
        return heavy;
    }
    cov_label((a != b) != (a < b), 52, "WM ROR");
    cov_label((a != b) != (a <= b), 53, "WM ROR");
    cov_label((a != b) != (a > b), 54, "WM ROR");
    cov_label((a != b) != (a >= b), 55, "WM ROR");
    cov_label((a != b) != (a == b), 56, "WM ROR");
    cov_label((c == d) != (c < d), 57, "WM ROR");
    cov_label((c == d) != (c <= d), 58, "WM ROR");
    cov_label((c == d) != (c > d), 59, "WM ROR");
    cov_label((c == d) != (c >= d), 60, "WM ROR");
    cov_label((c == d) != (c != d), 61, "WM ROR");
    cov_label(((a != b) || (c == d)) != ((a != b) && (c == d)), 62, "WM COR");
    cov_label(((a != b) || (c == d)) != !!(a != b), 63, "WM COR");
    cov_label(((a != b) || (c == d)) != !!(c == d), 64, "WM COR");
    if (a != b || c == d) {
        return -1;
    }
    cov_label((c > d) != (c < d), 65, "WM ROR");
    cov_label((c > d) != (c <= d), 66, "WM ROR");
    cov_label((c > d) != (c >= d), 67, "WM ROR");
    cov_label((c > d) != (c == d), 68, "WM ROR");
    cov_label((c > d) != (c != d), 69, "WM ROR");
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
