/* Functions of math.h and complex.h that are exact on the bits of a number, or
   made of others. */
#include "libc.h"

double trunc(double x);
float truncf(float x);
double copysign(double x, double y);
float copysignf(float x, float y);
double hypot(double x, double y);
double atan2(double y, double x);
double sin(double x);
double cos(double x);
double exp(double x);

static unsigned long long bits(double x)
{
    unsigned long long u;
    memcpy(&u, &x, sizeof u);
    return u;
}
static double number(unsigned long long u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}
static unsigned bitsf(float x)
{
    unsigned u;
    memcpy(&u, &x, sizeof u);
    return u;
}
static float numberf(unsigned u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

double frexp(double x, int *e)
{
    unsigned long long u = bits(x);
    int n = (int)(u >> 52 & 0x7ff), less = 0;
    if (n == 0 && u << 1) {
        u = bits(x * 0x1p64);
        n = (int)(u >> 52 & 0x7ff);
        less = 64;
    } else if (n == 0) {
        *e = 0;
        return x;
    } else if (n == 0x7ff) {
        *e = klabel_any();
        return x;
    }
    *e = n - 0x3fe - less;
    return number((u & 0x800fffffffffffffULL) | 0x3fe0000000000000ULL);
}
float frexpf(float x, int *e) { return (float)frexp(x, e); }

double scalbn(double x, int n)
{
    klabel_touches_errno();
    for (int i = 0; i < 2 && n > 1023; i++, n -= 1023) x *= 0x1p1023;
    for (int i = 0; i < 2 && n < -1022; i++, n += 969) x *= 0x1p-969;
    if (n > 1023) n = 1023;
    if (n < -1022) n = -1022;
    return x * number((unsigned long long)(0x3ff + n) << 52);
}
double ldexp(double x, int n) { return scalbn(x, n); }
float scalbnf(float x, int n) { return (float)scalbn(x, n); }
float ldexpf(float x, int n) { return (float)scalbn(x, n); }

double modf(double x, double *whole)
{
    *whole = trunc(x);
    if ((bits(x) << 1) == 0xffe0000000000000ULL) return copysign(0, x);
    return copysign(x - *whole, x);
}
float modff(float x, float *whole)
{
    *whole = truncf(x);
    if ((bitsf(x) << 1) == 0xff000000U) return copysignf(0, x);
    return copysignf(x - *whole, x);
}

double nextafter(double x, double y)
{
    unsigned long long u = bits(x);
    klabel_touches_errno();
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return copysign(0x1p-1074, y);
    return number(((x < y) == (x > 0)) ? u + 1 : u - 1);
}
float nextafterf(float x, float y)
{
    unsigned u = bitsf(x);
    klabel_touches_errno();
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return copysignf(0x1p-149f, y);
    return numberf(((x < y) == (x > 0)) ? u + 1 : u - 1);
}

int ilogb(double x)
{
    int e;
    klabel_touches_errno();
    if (x == 0 || x != x) return -2147483647 - 1;
    if ((bits(x) << 1) == 0xffe0000000000000ULL) return 2147483647;
    frexp(x, &e);
    return e - 1;
}
int ilogbf(float x) { return ilogb(x); }
double logb(double x)
{
    klabel_touches_errno();
    if (x == 0) return -1 / (x * x);
    if (x - x != 0) return x * x;
    return ilogb(x);
}
float logbf(float x) { return (float)logb(x); }

void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}
double nan(const char *tag)
{
    (void)tag;
    return __builtin_nan("");
}

double creal(double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
float crealf(float _Complex z) { return __real__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return ~z; }
float _Complex conjf(float _Complex z) { return ~z; }
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
float cabsf(float _Complex z) { return (float)hypot(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
double _Complex cexp(double _Complex z)
{
    double _Complex r;
    double size = exp(__real__ z);
    __real__ r = size * cos(__imag__ z);
    __imag__ r = size * sin(__imag__ z);
    return r;
}
