/* wchar.h: numbers in wide texts, words, and texts of both kinds. */
#include "libc.h"

typedef __WCHAR_TYPE__ wchar_t;

double strtod(const char *text, char **end);
float strtof(const char *s, char **end);
long double strtold(const char *s, char **end);
size_t wcslen(const wchar_t *s);
wchar_t *wcscpy(wchar_t *dst, const wchar_t *src);
wchar_t *wcsncpy(wchar_t *dst, const wchar_t *src, size_t n);
wchar_t *wmemcpy(wchar_t *dst, const wchar_t *src, size_t n);
size_t wcsspn(const wchar_t *s, const wchar_t *accept);
size_t wcscspn(const wchar_t *s, const wchar_t *reject);
unsigned towlower(unsigned c);
int mbtowc(wchar_t *to, const char *s, size_t n);
int wctomb(char *to, wchar_t c);

/* No number has a character beyond ASCII in it. */
static char *narrow(char *copy, const wchar_t *s, size_t n)
{
    copy[n] = 0;
    while (n-- > 0) copy[n] = (char)(s[n] > 0 && s[n] < 128 ? s[n] : 1);
    return copy;
}

#define INTEGER(type, wide, plain)                      \
    type wide(const wchar_t *s, wchar_t **end, int base) \
    {                                                   \
        size_t n = wcslen(s);                           \
        char copy[n + 1], *behind;                      \
        type r = plain(narrow(copy, s, n), &behind, base); \
        if (end) *end = (wchar_t *)s + (behind - copy); \
        return r;                                       \
    }
#define FRACTION(type, wide, plain)                     \
    type wide(const wchar_t *s, wchar_t **end)          \
    {                                                   \
        size_t n = wcslen(s);                           \
        char copy[n + 1], *behind;                      \
        type r = plain(narrow(copy, s, n), &behind);    \
        if (end) *end = (wchar_t *)s + (behind - copy); \
        return r;                                       \
    }
INTEGER(long, wcstol, strtol)
INTEGER(long long, wcstoll, strtoll)
INTEGER(unsigned long, wcstoul, strtoul)
INTEGER(unsigned long long, wcstoull, strtoull)
INTEGER(long, __isoc23_wcstol, strtol)
INTEGER(long long, __isoc23_wcstoll, strtoll)
INTEGER(unsigned long, __isoc23_wcstoul, strtoul)
INTEGER(unsigned long long, __isoc23_wcstoull, strtoull)
FRACTION(double, wcstod, strtod)
FRACTION(float, wcstof, strtof)
FRACTION(long double, wcstold, strtold)

wchar_t *wcstok(wchar_t *s, const wchar_t *between, wchar_t **rest)
{
    wchar_t *end;
    if (s == NULL) s = *rest;
    s += wcsspn(s, between);
    end = s + wcscspn(s, between);
    *rest = end;
    if (end == s) return NULL;
    if (*end) {
        *end = 0;
        *rest = end + 1;
    }
    return s;
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (; n > 0; n--, a++, b++) {
        wchar_t x = (wchar_t)towlower((unsigned)*a), y = (wchar_t)towlower((unsigned)*b);
        if (x != y) return klabel_sign((x > y) - (x < y));
        if (x == 0) break;
    }
    return 0;
}
int wcscasecmp(const wchar_t *a, const wchar_t *b) { return wcsncasecmp(a, b, (size_t)-1); }

wchar_t *wcpcpy(wchar_t *dst, const wchar_t *src) { return wcscpy(dst, src) + wcslen(src); }
wchar_t *wmempcpy(wchar_t *dst, const wchar_t *src, size_t n) { return wmemcpy(dst, src, n) + n; }

size_t mbsrtowcs(wchar_t *to, const char **from, size_t n, void *state)
{
    size_t i = 0;
    (void)state;
    for (; !to || i < n; i++) {
        wchar_t c;
        if (mbtowc(&c, *from + i, 1) < 0) {
            if (to) *from += i;
            return (size_t)-1;
        }
        if (to) to[i] = c;
        if (!c) break;
    }
    if (to) *from = i < n ? NULL : *from + i;
    return i;
}
size_t wcsrtombs(char *to, const wchar_t **from, size_t n, void *state)
{
    size_t i = 0;
    (void)state;
    for (; !to || i < n; i++) {
        char c;
        if (wctomb(&c, (*from)[i]) < 0) {
            if (to) *from += i;
            return (size_t)-1;
        }
        if (to) to[i] = c;
        if (!c) break;
    }
    if (to) *from = i < n ? NULL : *from + i;
    return i;
}
