/* How many real roots a*x*x + b*x + c has. */
#include <klee/klee.h>
#include <math.h>

int roots(double a, double b, double c, double *x)
{
    double d;

    if (!(a > -1e6 && a < 1e6) || !(b > -1e6 && b < 1e6) || !(c > -1e6 && c < 1e6))
        return -1;
    if (a == 0) {
        if (b == 0)
            return c == 0 ? 3 : 0;
        x[0] = -c / b;
        return 1;
    }
    d = b * b - 4 * a * c;
    if (d < 0)
        return 0;
    if (d == 0 && b != 0) {
        x[0] = -b / (2 * a);
        return 1;
    }
    if (d > 1234.5 && d < 1234.50001)
        return 4;
    d = sqrt(d);
    x[0] = (-b - d) / (2 * a);
    x[1] = (-b + d) / (2 * a);
    if (x[0] > x[1] && a > 0)
        return 5;
    return 2;
}

int main(void)
{
    double a, b, c, x[2];
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    return roots(a, b, c, x);
}
