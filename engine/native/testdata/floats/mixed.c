/* Floats through integers, unions and the functions of math.h. */
#include <klee/klee.h>
#include <math.h>
#include <string.h>

int classify(double d, float f, int n)
{
    union {
        float f;
        unsigned u;
    } bits;
    long long raw;

    if (d > 1234.5 && d < 1234.50001)
        return 1;
    memcpy(&raw, &d, sizeof raw);
    if (raw == 0x3ff8000000000001LL && d > 1.5)
        return 2;
    bits.f = f;
    if ((bits.u & 0x80000000u) && f >= 0)
        return 3;
    if (isnan(f) && bits.u != 0x7fc00000u)
        return 4;
    if (floor(d) == 17.0 && d - 17.0 > 0.75 && fmod(d, 0.5) < 0.375)
        return 5;
    if (n > 0 && (double)(float)n != n && n < 17000000)
        return 6;
    if (f * f == 2.0f || fabsf(f - 0.1f) < 1e-8f)
        return 7;
    if (fabs(d) < 1e-310 && d != 0 && d / 2 * 2 == d)
        return 8;
    return (int)f == n && n > 1000;
}

int main(void)
{
    double d;
    float f;
    int n;
    klee_make_symbolic(&d, sizeof d, "d");
    klee_make_symbolic(&f, sizeof f, "f");
    klee_make_symbolic(&n, sizeof n, "n");
    return classify(d, f, n);
}
