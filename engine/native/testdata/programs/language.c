/* expect: completed=1 errors= complete */
/* What C has beside plain functions: each part checks itself, here and natively. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(c) do { if (!(c)) abort(); } while (0)

/* aliases, weak symbols, thread-local variables */
static int twice(int x) { return 2 * x; }
int doubled(int) __attribute__((alias("twice")));
int counter = 5;
extern int counter_alias __attribute__((alias("counter")));
int nowhere(int) __attribute__((weak));
extern int no_variable __attribute__((weak));
_Thread_local int local_number = 3;

static void symbols(void)
{
    CHECK(doubled(4) == 8);
    counter_alias++;
    CHECK(counter == 6);
    CHECK(!nowhere && !&no_variable);
    local_number += counter;
    CHECK(local_number == 9);
}

/* labels as values */
static int run(const char *program)
{
    static void *const table[] = {&&add, &&twofold, &&end};
    int v = 1;
    goto *table[*program++ - '0'];
add:
    v += 3;
    goto *table[*program++ - '0'];
twofold:
    v *= 2;
    goto *table[*program++ - '0'];
end:
    return v;
}

/* vectors */
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef long l2 __attribute__((vector_size(16)));
typedef int v3 __attribute__((ext_vector_type(3)));

struct mixed { char c; v4 v; f4 f; };

static v4 scale(v4 a, int by) { return a * by; }

static void vectors(int i)
{
    v4 a = {1, -2, 3, -4}, b = {10, 20, 30, 40}, c = a + b, m = a < b;
    f4 f = {1.5f, 2.5f, -3.5f, 0.0f}, g = f * f;
    d2 d = {1.0, 2.0};
    v16 bytes = (v16)a;
    v3 three = {7, 8, 9};
    struct mixed s = {1, a, f}, t = s;

    CHECK(c[0] == 11 && c[3] == 36 && m[0] == -1 && (a > b)[1] == 0);
    CHECK(scale(a, 3)[2] == 9 && (a / (v4){1, 2, 3, 4})[1] == -1 && (b >> 1)[3] == 20 && (-a)[1] == 2);
    CHECK(g[2] == 12.25f && (d + d)[1] == 4.0 && (f == f)[3] == -1);
    CHECK(bytes[0] == 1 && bytes[4] == 0xfe && bytes[15] == 0xff && ((l2)a)[0] == (long)0xfffffffe00000001);
    a[i] = 77;
    CHECK(a[2] == 77 && b[i] == 30);
    CHECK(__builtin_shufflevector(a, b, 0, 5, 2, 7)[1] == 20 && three.z == 9 && (three.zyx).x == 9);
    CHECK(__builtin_convertvector(f, v4)[2] == -3 && __builtin_convertvector(a, f4)[2] == 77.0f);
    CHECK(t.v[1] == -2 && t.f[1] == 2.5f && sizeof t == 48);
}

/* inline assembly that does nothing, or turns bytes round */
static void assembly(unsigned x)
{
    unsigned y = x;
    unsigned short h = 0x1234;
    unsigned long l = x;
    __asm__ volatile("" : "+r"(y) : : "memory");
    CHECK(y == x);
    __asm__("bswap %0" : "+r"(y));
    CHECK(y == __builtin_bswap32(x));
    __asm__("rorw $8, %w0" : "+r"(h));
    CHECK(h == 0x3412);
    __asm__("bswapq %0" : "=r"(l) : "0"(l));
    CHECK(l == __builtin_bswap64(x));
    __asm__ volatile("" : "+m"(x));
    __asm__ volatile("mfence" : : : "memory");
    CHECK(y == __builtin_bswap32(x));
}

/* setjmp */
static jmp_buf place;
static void deep(int n) { if (n == 0) longjmp(place, 0); char a[9]; a[n] = n; deep(n - 1); CHECK(a[n] == n); }

static int jumps(void)
{
    volatile int round = 0;
    jmp_buf copy;
    int how = setjmp(place);
    CHECK(how == (round > 0 ? round == 1 ? 1 : 7 : 0));
    round++;
    if (round == 1)
        deep(5);
    memcpy(&copy, &place, sizeof copy);
    if (round == 2)
        longjmp(copy, 7);
    return round;
}

/* numbers */
struct large { long a[5]; };
struct small { float x, y; };
static struct large make(struct large l, struct small s) { l.a[4] += (long)(s.x + s.y); return l; }
static struct small turn(struct small s) { struct small t = {s.y, s.x}; return t; }

static void numbers(unsigned x)
{
    double complex z = 3.0 + 4.0 * I, w = conj(z);
    float complex q = 1.0f + 2.0f * I;
    __int128 wide = (__int128)1 << 100;
    unsigned long long sum;
    struct large l = {{1, 2, 3, 4, 5}};
    struct small s = {1.5f, 2.5f};

    CHECK(creal(z + w) == 6.0 && cimag(z - w) == 8.0 && crealf(q + q) == 2.0f);
    CHECK((long)(wide >> 98) == 4 && wide / 3 * 3 != wide);
    CHECK(__builtin_popcount(x) == 13 && __builtin_clz(x) == 3 && __builtin_ctzl(x) == 3);
    CHECK(__builtin_uaddll_overflow(~0ull, 1, &sum) && sum == 0);
    CHECK(__builtin_rotateleft32(x, 8) == 0x34567812u && __builtin_bitreverse8(3) == 0xc0);
    CHECK(make(l, s).a[4] == 9 && turn(s).x == 2.5f);
#if __has_extension(bit_int) || __clang_major__ >= 14
    _BitInt(37) odd = 1;
    odd <<= 36;
    CHECK(odd < 0);
#endif
}

/* variable arguments: more than the registers hold, of all sizes */
static double gather(int n, ...)
{
    va_list ap, again;
    double sum = 0;

    va_start(ap, n);
    va_copy(again, ap);
    for (int i = 0; i < n; i++) {
        sum += va_arg(ap, int);
        sum += va_arg(ap, double);
        sum += va_arg(ap, struct large).a[3];
        sum += va_arg(ap, struct small).y;
    }
    CHECK(va_arg(again, int) == 1);
    va_end(again);
    va_end(ap);
    return sum;
}

static void variable(void)
{
    struct large l = {{0, 0, 0, 1000, 0}};
    struct small s = {0, 0.5f};

    CHECK(gather(4, 1, 0.25, l, s, 2, 0.25, l, s,
                 3, 0.25, l, s, 4, 0.25, l, s) == 4013.0);
}

int main(void)
{
    symbols();
    variable();
    CHECK(run("0112") == 16);
    vectors(2);
    assembly(0x12345678);
    CHECK(jumps() == 3);
    numbers(0x12345678);
    return 0;
}
