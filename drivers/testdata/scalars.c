/* Arguments that are single values. A comment "driver:" in front of a function
   holds its driver's options; every label of a function can be covered, save
   those that the comment lists as infeasible. */
#include <stdbool.h>
#include <stdint.h>

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

/* driver: */
int plain_int(int x)
{
    cov_label(x < 0, 1, "IDP");
    cov_label(x == 2147483647, 2, "IDP");
    return x > 10;
}

/* driver: */
int all_widths(signed char a, unsigned char b, short c, unsigned short d, long e, unsigned long f)
{
    cov_label(a == -128 && b == 255, 3, "IDP");
    cov_label(c == -32768 && d == 65535, 4, "IDP");
    cov_label(e < -4294967296L && f > 0xffffffff00000000UL, 5, "IDP");
    return 0;
}

/* driver: */
int long_long(long long a, unsigned long long b)
{
    cov_label(a < 0 && b == 0xffffffffffffffffULL, 6, "IDP");
    return 0;
}

/* driver: */
int fixed_width(int8_t a, uint16_t b, int32_t c, uint64_t d)
{
    cov_label(a < 0 && b > 60000 && c == -1 && d > 0x100000000UL, 7, "IDP");
    return 0;
}

/* driver: */
int wide(unsigned __int128 x)
{
    cov_label((unsigned long)(x >> 64) == 5, 8, "IDP");
    return 0;
}

/* driver: infeasible 11 */
int truth(_Bool yes, bool no)
{
    cov_label(yes && !no, 9, "CC");
    cov_label(!yes && no, 10, "CC");
    cov_label(yes + no > 2, 11, "CC");
    return yes + no;
}

/* driver: */
int characters(char c, unsigned char u, signed char s)
{
    cov_label(c == 'a' && u == 'b' && s == -1, 12, "CC");
    return c;
}

enum color { RED, GREEN, BLUE };
enum sparse { LOW = -5, MIDDLE = 10, HIGH = 1000 };

/* driver: infeasible 15 */
int colors(enum color c, enum sparse s)
{
    cov_label(c == BLUE, 13, "CC");
    cov_label(s == HIGH, 14, "CC");
    cov_label(c > BLUE || (s != LOW && s != MIDDLE && s != HIGH), 15, "CC");
    return c;
}

/* driver: --any-enum */
int any_color(enum color c)
{
    cov_label(c == 77, 16, "CC");
    return c;
}

typedef unsigned short age;
typedef const long fixed;

/* driver: */
int named_types(age a, fixed f)
{
    cov_label(a > 150, 17, "CC");
    cov_label(f == -3, 18, "CC");
    return a;
}

/* driver: --range x:10..20 --range y:-3..INT_MAX; infeasible 20 22 */
int ranges(unsigned x, int y)
{
    cov_label(x == 20, 19, "CC");
    cov_label(x > 20 || x < 10, 20, "CC");
    cov_label(y == 2147483647, 21, "CC");
    cov_label(y < -3, 22, "CC");
    return 0;
}

/* driver: --assume 'x < y && y < 100'; infeasible 24 */
int related(int x, int y)
{
    cov_label(x == 98 && y == 99, 23, "CC");
    cov_label(x >= y, 24, "CC");
    return 0;
}

/* driver: */
int floats(float f, double d)
{
    cov_label(f > 2.5f, 25, "CC");
    cov_label(!(f > 2.5f), 26, "CC");
    cov_label(d == 100.25, 27, "CC");
    cov_label(d < 100.25, 28, "CC");
    return 0;
}

/* driver: */
int not_a_number(double d)
{
    cov_label(d != d, 29, "CC");
    cov_label(d > 1e300, 30, "CC");
    return 0;
}

/* driver: --range t:-10..50; infeasible 33 */
int temperature(double t)
{
    cov_label(t < 0, 31, "CC");
    cov_label(t >= 50, 32, "CC");
    cov_label(t > 50, 33, "CC");
    return 0;
}

/* driver: */
static int hidden(int x)
{
    cov_label(x == 1234, 34, "CC");
    return x;
}

int use_hidden(void) { return hidden(0); }

/* driver: */
int nothing(void)
{
    cov_label(1, 35, "FC");
    return hidden(3);
}

/* driver: */
int old_style(a, b)
int a;
short b;
{
    cov_label(a == b + 1, 36, "CC");
    return 0;
}

/* driver: */
int variadic(int n, ...)
{
    cov_label(n > 5, 37, "CC");
    return n;
}

/* Takes more arguments than it is given: those are zeros, in every build. */
/* driver: infeasible 39 */
int fifth(int n, ...)
{
    __builtin_va_list more;
    int last = 0;

    __builtin_va_start(more, n);
    for (int i = 0; i < 5; i++)
        last = __builtin_va_arg(more, int);
    __builtin_va_end(more);
    cov_label(last == 0, 38, "CC");
    cov_label(last != 0, 39, "CC");
    return last;
}
