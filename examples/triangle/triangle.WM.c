/* Says what kind of triangle three sides make.
   Labelled for weak mutations: 99 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

enum kind { NOT_A_TRIANGLE, SCALENE, ISOSCELES, EQUILATERAL };

enum kind triangle(int a, int b, int c)
{
    int same = 0;

    cov_label((a <= 0) != (a < 0), 1, "WM ROR");
    cov_label((a <= 0) != (a > 0), 2, "WM ROR");
    cov_label((a <= 0) != (a >= 0), 3, "WM ROR");
    cov_label((a <= 0) != (a == 0), 4, "WM ROR");
    cov_label((a <= 0) != (a != 0), 5, "WM ROR");
    cov_label((b <= 0) != (b < 0), 6, "WM ROR");
    cov_label((b <= 0) != (b > 0), 7, "WM ROR");
    cov_label((b <= 0) != (b >= 0), 8, "WM ROR");
    cov_label((b <= 0) != (b == 0), 9, "WM ROR");
    cov_label((b <= 0) != (b != 0), 10, "WM ROR");
    cov_label(((a <= 0) || (b <= 0)) != ((a <= 0) && (b <= 0)), 11, "WM COR");
    cov_label(((a <= 0) || (b <= 0)) != !!(a <= 0), 12, "WM COR");
    cov_label(((a <= 0) || (b <= 0)) != !!(b <= 0), 13, "WM COR");
    cov_label((c <= 0) != (c < 0), 14, "WM ROR");
    cov_label((c <= 0) != (c > 0), 15, "WM ROR");
    cov_label((c <= 0) != (c >= 0), 16, "WM ROR");
    cov_label((c <= 0) != (c == 0), 17, "WM ROR");
    cov_label((c <= 0) != (c != 0), 18, "WM ROR");
    cov_label((((a <= 0) || (b <= 0)) || (c <= 0)) != (((a <= 0) || (b <= 0)) && (c <= 0)), 19, "WM COR");
    cov_label((((a <= 0) || (b <= 0)) || (c <= 0)) != !!((a <= 0) || (b <= 0)), 20, "WM COR");
    cov_label((((a <= 0) || (b <= 0)) || (c <= 0)) != !!(c <= 0), 21, "WM COR");
    if (a <= 0 || b <= 0 || c <= 0) {
        return NOT_A_TRIANGLE;
    }
    cov_label(a < 0, 22, "WM ABS");
    cov_label(b < 0, 23, "WM ABS");
    cov_label((a + b) != (a - b), 24, "WM AOR");
    cov_label((a + b) != (a * b), 25, "WM AOR");
    cov_label(b != 0 && (a + b) != (a / b), 26, "WM AOR");
    cov_label(((a + b) <= c) != ((a + b) < c), 27, "WM ROR");
    cov_label(((a + b) <= c) != ((a + b) > c), 28, "WM ROR");
    cov_label(((a + b) <= c) != ((a + b) >= c), 29, "WM ROR");
    cov_label(((a + b) <= c) != ((a + b) == c), 30, "WM ROR");
    cov_label(((a + b) <= c) != ((a + b) != c), 31, "WM ROR");
    cov_label(c < 0, 32, "WM ABS");
    cov_label((b + c) != (b - c), 33, "WM AOR");
    cov_label((b + c) != (b * c), 34, "WM AOR");
    cov_label(c != 0 && (b + c) != (b / c), 35, "WM AOR");
    cov_label(((b + c) <= a) != ((b + c) < a), 36, "WM ROR");
    cov_label(((b + c) <= a) != ((b + c) > a), 37, "WM ROR");
    cov_label(((b + c) <= a) != ((b + c) >= a), 38, "WM ROR");
    cov_label(((b + c) <= a) != ((b + c) == a), 39, "WM ROR");
    cov_label(((b + c) <= a) != ((b + c) != a), 40, "WM ROR");
    cov_label((((a + b) <= c) || ((b + c) <= a)) != (((a + b) <= c) && ((b + c) <= a)), 41, "WM COR");
    cov_label((((a + b) <= c) || ((b + c) <= a)) != !!((a + b) <= c), 42, "WM COR");
    cov_label((((a + b) <= c) || ((b + c) <= a)) != !!((b + c) <= a), 43, "WM COR");
    cov_label((a + c) != (a - c), 44, "WM AOR");
    cov_label((a + c) != (a * c), 45, "WM AOR");
    cov_label(c != 0 && (a + c) != (a / c), 46, "WM AOR");
    cov_label(((a + c) <= b) != ((a + c) < b), 47, "WM ROR");
    cov_label(((a + c) <= b) != ((a + c) > b), 48, "WM ROR");
    cov_label(((a + c) <= b) != ((a + c) >= b), 49, "WM ROR");
    cov_label(((a + c) <= b) != ((a + c) == b), 50, "WM ROR");
    cov_label(((a + c) <= b) != ((a + c) != b), 51, "WM ROR");
    cov_label(((((a + b) <= c) || ((b + c) <= a)) || ((a + c) <= b)) != ((((a + b) <= c) || ((b + c) <= a)) && ((a + c) <= b)), 52, "WM COR");
    cov_label(((((a + b) <= c) || ((b + c) <= a)) || ((a + c) <= b)) != !!(((a + b) <= c) || ((b + c) <= a)), 53, "WM COR");
    cov_label(((((a + b) <= c) || ((b + c) <= a)) || ((a + c) <= b)) != !!((a + c) <= b), 54, "WM COR");
    if (a + b <= c || b + c <= a || a + c <= b) {
        return NOT_A_TRIANGLE;
    }
    cov_label((a == b) != (a < b), 55, "WM ROR");
    cov_label((a == b) != (a <= b), 56, "WM ROR");
    cov_label((a == b) != (a > b), 57, "WM ROR");
    cov_label((a == b) != (a >= b), 58, "WM ROR");
    cov_label((a == b) != (a != b), 59, "WM ROR");
    if (a == b) {
        cov_label(same < 0, 60, "WM ABS");
        cov_label((same + 1) != (same - 1), 61, "WM AOR");
        cov_label((same + 1) != (same * 1), 62, "WM AOR");
        cov_label((same + 1) != (same / 1), 63, "WM AOR");
        same = same + 1;
    }
    cov_label((b == c) != (b < c), 64, "WM ROR");
    cov_label((b == c) != (b <= c), 65, "WM ROR");
    cov_label((b == c) != (b > c), 66, "WM ROR");
    cov_label((b == c) != (b >= c), 67, "WM ROR");
    cov_label((b == c) != (b != c), 68, "WM ROR");
    if (b == c) {
        cov_label(same < 0, 69, "WM ABS");
        cov_label((same + 1) != (same - 1), 70, "WM AOR");
        cov_label((same + 1) != (same * 1), 71, "WM AOR");
        cov_label((same + 1) != (same / 1), 72, "WM AOR");
        same = same + 1;
    }
    cov_label((a == c) != (a < c), 73, "WM ROR");
    cov_label((a == c) != (a <= c), 74, "WM ROR");
    cov_label((a == c) != (a > c), 75, "WM ROR");
    cov_label((a == c) != (a >= c), 76, "WM ROR");
    cov_label((a == c) != (a != c), 77, "WM ROR");
    if (a == c) {
        cov_label(same < 0, 78, "WM ABS");
        cov_label((same + 1) != (same - 1), 79, "WM AOR");
        cov_label((same + 1) != (same * 1), 80, "WM AOR");
        cov_label((same + 1) != (same / 1), 81, "WM AOR");
        same = same + 1;
    }
    cov_label((same >= 1) != (same < 1), 82, "WM ROR");
    cov_label((same >= 1) != (same <= 1), 83, "WM ROR");
    cov_label((same >= 1) != (same > 1), 84, "WM ROR");
    cov_label((same >= 1) != (same == 1), 85, "WM ROR");
    cov_label((same >= 1) != (same != 1), 86, "WM ROR");
    cov_label((same < 3) != (same <= 3), 87, "WM ROR");
    cov_label((same < 3) != (same > 3), 88, "WM ROR");
    cov_label((same < 3) != (same >= 3), 89, "WM ROR");
    cov_label((same < 3) != (same == 3), 90, "WM ROR");
    cov_label((same < 3) != (same != 3), 91, "WM ROR");
    cov_label(((same >= 1) && (same < 3)) != ((same >= 1) || (same < 3)), 92, "WM COR");
    cov_label(((same >= 1) && (same < 3)) != !!(same >= 1), 93, "WM COR");
    cov_label(((same >= 1) && (same < 3)) != !!(same < 3), 94, "WM COR");
    if (same >= 1 && same < 3) {
        return ISOSCELES;
    }
    cov_label((same == 3) != (same < 3), 95, "WM ROR");
    cov_label((same == 3) != (same <= 3), 96, "WM ROR");
    cov_label((same == 3) != (same > 3), 97, "WM ROR");
    cov_label((same == 3) != (same >= 3), 98, "WM ROR");
    cov_label((same == 3) != (same != 3), 99, "WM ROR");
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
