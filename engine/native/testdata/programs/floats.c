/* expect: greybox labels=1,2,3,4,5,6,8,9,10,13 infeasible=7,11,12,14 complete
   Symbolic floats of every width: arithmetic, comparisons, conversions. */
#include <klee/klee.h>
#include <string.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    double d;
    float f;
    long double x = 0;
    int n;
    long long bits;
    klee_make_symbolic(&d, sizeof d, "d");
    klee_make_symbolic(&f, sizeof f, "f");
    klee_make_symbolic(&x, 10, "x");
    klee_make_symbolic(&n, sizeof n, "n");
    memcpy(&bits, &d, sizeof bits);
    L(d > 1234.5 && d < 1234.50001, 1)
    L(d != d, 2)
    L(d == 0 && 1 / d < 0, 3)
    L(f + 1.0f == f && f - f == 0, 4)
    L((double)(float)n != n && n > 0 && n < 16777300, 5)
    L(x * x == 2.25L, 6)
    L(d < 3 && d > 3, 7)
    L(bits == 0x4000000000000001LL && d > 2, 8)
    L((int)f == 77 && f != 77, 9)
    L(d != 0 && d / 2 == 0, 10)
    L(f > 1 && f + 1 < 1, 11)
    L((double)(float)d == d && d > 1e300 && d < 1.7e308, 12)
    L(__builtin_flt_rounds() == 1 && n == 77, 13)
    L(__builtin_flt_rounds() != 1 && n == 78, 14)
    klee_silent_exit(0);
}
