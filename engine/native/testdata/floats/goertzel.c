/* Goertzel: power of one frequency over N samples. */
#include <klee/klee.h>
#define N 8
double goertzel(const double *x, int n, double coeff)
{
    double s0, s1 = 0, s2 = 0;
    int i;
    for (i = 0; i < n; i++) {
        s0 = x[i] + coeff * s1 - s2;
        s2 = s1;
        s1 = s0;
    }
    return s1 * s1 + s2 * s2 - coeff * s1 * s2;
}
int main(void)
{
    double x[N], p, q;
    int i, k = 0;
    klee_make_symbolic(x, sizeof x, "x");
    for (i = 0; i < N; i++)
        if (!(x[i] >= -1 && x[i] <= 1))
            return 1;
    p = goertzel(x, N, 1.41421356);
    q = goertzel(x, N, 0.0);
    if (p > 10.0 && q < 1.0)
        k = 1;
    else if (q > 10.0 && p < 1.0)
        k = 2;
    else if (p > 4 && q > 4)
        k = 3;
    if (p < 0 || q < 0)
        k = 4;
    return k;
}
