/* expect: greybox labels=1,2,3,5,6,7,8,9,10,12,13 infeasible=4,11,14 complete
   Numbers of two and of sixteen bytes, where clang has them. */
#include <klee/klee.h>
#include <stdarg.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
typedef __float128 quad;
#ifdef __FLT16_MANT_DIG__
typedef _Float16 half;
#else /* clang 14 has none on x86-64 */
typedef float half;
#endif
struct both { half a, b; quad q; };
static quad quads[2] = { 1.5, -2 };
static half halves[3] = { 1, 2, 3.5f };
static struct both next(struct both x)
{
    x.a += 1;
    x.q *= 2;
    return x;
}
static double sum(int n, ...)
{
    va_list ap;
    double r = 0;
    va_start(ap, n);
    while (n-- > 0)
        r += va_arg(ap, struct both).a;
    va_end(ap);
    return r;
}
int main(void)
{
    half h, g;
    quad q = 0;
    int i;
    struct both x;
    klee_make_symbolic(&h, sizeof h, "h");
    klee_make_symbolic(&g, sizeof g, "g");
    klee_make_symbolic(&i, sizeof i, "i");
    L(h * h == 4 && h < 0, 1)
    L(h + g == g && h > 0 && g - g == 0, 2)
    L(h != h, 3)
    L(h < g && g < h, 4)
    L(h - h != 0 && h == h, 5)
    q = i;
    L(q * q == 144, 6)
    L(quads[i & 1] == -2, 7)
    L(i == 2 && halves[i % 3] == 3.5f, 8)
    x.a = h, x.b = 2, x.q = i;
    x = next(x);
    L(x.a == 4, 9)
    L(x.q == 10, 10)
    L(x.b != 2, 11)
    L(sum(2, x, x) == 18, 12)
    L((quad)h == q && i == 100, 13)
    L(sizeof(half) == 2 && h == (half)(float)65520 && h - h == 0, 14)
    klee_silent_exit(0);
}
