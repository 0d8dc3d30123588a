/* expect: errors= tests=1 concrete: memory, strings and conversions as C has them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
void klee_report_error(const char *, int, const char *, const char *);
#define CHECK(c) do { if (!(c)) klee_report_error(__FILE__, __LINE__, #c, "bad.err"); } while (0)
struct bits { int a : 3; int b : 5; unsigned c : 17; float f, g; };
struct big { char text[40]; long n; };
struct pair { double x; int y; };
union view { unsigned u; unsigned char b[4]; float f; };
static int table[4] = {1, 2, 3};
static int *into = &table[2];
static int (*pick)(int) = abs;
static int sum(int n, ...)
{
    __builtin_va_list ap, aq;
    int s = 0, i;
    __builtin_va_start(ap, n);
    __builtin_va_copy(aq, ap);
    for (i = 0; i < n; i++) s += __builtin_va_arg(ap, int);
    for (i = 0; i < n; i++) s += __builtin_va_arg(aq, int);
    __builtin_va_end(ap);
    return s;
}
static double mixed(int n, ...)
{
    __builtin_va_list ap;
    double s = 0;
    __builtin_va_start(ap, n);
    for (int i = 0; i < n; i++) {
        struct big b;
        struct pair p;
        s += __builtin_va_arg(ap, double);
        s += __builtin_va_arg(ap, long);
        b = __builtin_va_arg(ap, struct big);
        s += (double)b.n + b.text[39];
        p = __builtin_va_arg(ap, struct pair);
        s += p.x + p.y;
        s += (double)__builtin_va_arg(ap, long double);
    }
    __builtin_va_end(ap);
    return s;
}
static struct big grow(struct big b) { b.n++; b.text[39]++; return b; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    struct bits s = {1, 2, 70000, 3.5f, 1};
    struct big b = {{0}, 7};
    struct pair p = {0.5, 3};
    union view v;
    int a[6] = {5, 3, 9, 1, 2, 0}, key = 3, n, over;
    char buf[64], *q;
    unsigned __int128 w = (unsigned __int128)1 << 100;
    long double l = 1.0L;
    s.a = -2;
    CHECK(s.a == -2 && s.b == 2 && s.c == 70000);
    b.text[39] = 1;
    b = grow(grow(b));
    CHECK(b.n == 9 && b.text[39] == 3);
    CHECK(*into == 3 && pick(-4) == 4);
    CHECK(sum(8, 1, 2, 3, 4, 5, 6, 7, 8) == 72);
    CHECK(mixed(2, 1.5, 2L, b, p, 0.25L, 1.0, 1L, b, p, 0.25L) == 1.5 + 2 + 12 + 3.5 + 0.25 + 1 + 1 + 12 + 3.5 + 0.25);
    qsort(a, 6, sizeof *a, compare);
    CHECK(a[0] == 0 && a[3] == 3 && a[5] == 9 && bsearch(&key, a, 6, sizeof *a, compare) == a + 3);
    n = snprintf(buf, sizeof buf, "%d-%05x|%-6s|%c%+d %lu|%3d|%-3d|", -42, 0xbeef, "hi", 'z', 7, 123456789012UL, 5, 6);
    CHECK(!strcmp(buf, "-42-0beef|hi    |z+7 123456789012|  5|6  |") && n == (int)strlen(buf));
    sprintf(buf, "%.3f", 3.14159);
    CHECK(!strcmp(buf, "3.142") && snprintf(NULL, 0, "%s\n", buf) == 6);
    q = malloc(10);
    strcpy(q, "hello");
    q = realloc(q, 20);
    strcat(q, " world");
    CHECK(!strcmp(q, "hello world") && strchr(q, 'w') == q + 6 && strstr(q, "lo") == q + 3 && !memcmp(q, "hell", 4));
    free(q);
    CHECK(atoi(" -123x") == -123 && strtoul("0xff", NULL, 0) == 255 && strtol("-9223372036854775808", NULL, 10) < 0);
    CHECK(isalpha('x') && !isalpha('3') && toupper('q') == 'Q' && isspace('\t') && ispunct('!'));
    w /= 7;
    CHECK((unsigned long)(w >> 64) == 9817068105UL);
    for (n = 0; n < 40; n++) l = l * 3 / 2;
    CHECK((long)l == 11057332 && l > 11057332.3L && l < 11057332.4L);
    v.f = -1.5f;
    CHECK(v.u == 0xbfc00000 && v.b[3] == 0xbf);
    CHECK(__builtin_add_overflow(2147483647, 1, &over) && over == (-2147483647 - 1));
    CHECK(!__builtin_mul_overflow(-3, 5, &over) && over == -15);
    CHECK(__builtin_popcount(0xf0f0) == 8 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && __builtin_bswap32(1) == 0x1000000);
    CHECK(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f && (int)-2.9 == -2 && (unsigned char)(int)300.7 == 44);
    return 0;
}
