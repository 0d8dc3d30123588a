/* stdlib.h; more/environment.c has the environment. */
#include "libc.h"

int *__errno_location(void)
{
    static int number;
    if (klabel_errno_touched()) number = klabel_any();
    return &number;
}

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }

struct klabel_div { int quot, rem; };
struct klabel_ldiv { long quot, rem; };
struct klabel_div div(int a, int b)
{
    struct klabel_div r = {a / b, a % b};
    return r;
}
struct klabel_ldiv ldiv(long a, long b)
{
    struct klabel_ldiv r = {a / b, a % b};
    return r;
}
struct klabel_lldiv { long long quot, rem; };
struct klabel_lldiv lldiv(long long a, long long b)
{
    struct klabel_lldiv r = {a / b, a % b};
    return r;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

/* Reads a number; negative numbers down to -limit_neg, others up to limit. */
static unsigned long long number(const char *s, char **end, int base, unsigned long long limit_pos,
                                 unsigned long long limit_neg, int sign)
{
    const char *start = s;
    unsigned long long v = 0, limit;
    int negative = 0, any = 0, over = 0;
    if (base < 0 || base == 1 || base > 36) {
        if (end) *end = (char *)start;
        *__errno_location() = 22;
        return 0;
    }
    while (isspace((unsigned char)*s)) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    if ((base == 0 || base == 16) && *s == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    limit = negative && sign ? limit_neg : limit_pos;
    for (;; s++) {
        int d = digit(*s);
        if (d >= base) break;
        any = 1;
        if (over || v > (limit - (unsigned long long)d) / (unsigned long long)base) over = 1;
        else v = v * (unsigned long long)base + (unsigned long long)d;
    }
    if (end) *end = (char *)(any ? s : start);
    if (over) {
        *__errno_location() = 34;
        return negative && sign ? 0 - limit_neg : limit_pos;
    }
    return negative ? 0 - v : v;
}

#define LONG_TOP (~0UL >> 1)
#define LONG_LONG_TOP (~0ULL >> 1)
long strtol(const char *s, char **end, int base) { return (long)number(s, end, base, LONG_TOP, LONG_TOP + 1, 1); }
long long strtoll(const char *s, char **end, int base)
{
    return (long long)number(s, end, base, LONG_LONG_TOP, LONG_LONG_TOP + 1, 1);
}
unsigned long strtoul(const char *s, char **end, int base)
{
    return (unsigned long)number(s, end, base, ~0UL, ~0UL, 0);
}
unsigned long long strtoull(const char *s, char **end, int base) { return number(s, end, base, ~0ULL, ~0ULL, 0); }
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }
int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtoll(s, NULL, 10); }

/* Which of several that equal the key is found is as in glibc and musl. */
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    const char *a = base;
    klabel_compares(compare);
    while (n > 0) {
        size_t half = n / 2;
        int c = compare(key, a + half * size);
        if (c == 0) return (void *)(a + half * size);
        if (c > 0) {
            a += (half + 1) * size;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return NULL;
}

/* A fixed seed, so that runs repeat. */
static unsigned long long random_state = 1;
void srand(unsigned seed) { random_state = seed; }
void srandom(unsigned seed) { random_state = seed; }
int rand(void)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)(random_state >> 33);
}
long random(void) { return rand(); }
int rand_r(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return (int)(*seed >> 1);
}

long time(long *t)
{
    if (t) *t = 1000000000;
    return 1000000000;
}
long clock(void) { return 0; }
int getpid(void) { return 4242; }
unsigned sleep(unsigned seconds) { return seconds * 0; }
int usleep(unsigned useconds) { return (int)(useconds * 0); }
