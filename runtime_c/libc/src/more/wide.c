/* wchar.h and wctype.h in the locale "C": characters beyond ASCII are of no class. */
#include "libc.h"

typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;

size_t wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n]) n++;
    return n;
}
size_t wcsnlen(const wchar_t *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}

static int order(wchar_t a, wchar_t b) { return klabel_sign((a > b) - (a < b)); }

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    while (*a && *a == *b) a++, b++;
    return order(*a, *b);
}
int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (; n; n--, a++, b++) {
        if (*a != *b) return order(*a, *b);
        if (!*a) return 0;
    }
    return 0;
}
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (; n; n--, a++, b++)
        if (*a != *b) return order(*a, *b);
    return 0;
}

wchar_t *wcscpy(wchar_t *dst, const wchar_t *src)
{
    size_t i = 0;
    do dst[i] = src[i];
    while (src[i++]);
    return dst;
}
wchar_t *wcsncpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    size_t i = 0;
    for (; i < n && src[i]; i++) dst[i] = src[i];
    for (; i < n; i++) dst[i] = 0;
    return dst;
}
wchar_t *wcscat(wchar_t *dst, const wchar_t *src)
{
    wcscpy(dst + wcslen(dst), src);
    return dst;
}
wchar_t *wcsncat(wchar_t *dst, const wchar_t *src, size_t n)
{
    wchar_t *p = dst + wcslen(dst);
    for (; n && *src; n--) *p++ = *src++;
    *p = 0;
    return dst;
}
wchar_t *wcsdup(const wchar_t *s)
{
    wchar_t *p = malloc((wcslen(s) + 1) * sizeof *p);
    return p ? wcscpy(p, s) : p;
}
wchar_t *wmemcpy(wchar_t *dst, const wchar_t *src, size_t n) { return memcpy(dst, src, n * sizeof *dst); }
wchar_t *wmemmove(wchar_t *dst, const wchar_t *src, size_t n) { return memmove(dst, src, n * sizeof *dst); }
wchar_t *wmemset(wchar_t *dst, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++) dst[i] = c;
    return dst;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    for (;; s++) {
        if (*s == c) return (wchar_t *)s;
        if (!*s) return NULL;
    }
}
wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *found = NULL;
    for (;; s++) {
        if (*s == c) found = s;
        if (!*s) return (wchar_t *)found;
    }
}
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (; n; n--, s++)
        if (*s == c) return (wchar_t *)s;
    return NULL;
}
wchar_t *wcsstr(const wchar_t *hay, const wchar_t *needle)
{
    size_t n = wcslen(needle);
    for (;; hay++) {
        size_t i = 0;
        while (i < n && hay[i] == needle[i]) i++;
        if (i == n) return (wchar_t *)hay;
        if (!*hay) return NULL;
    }
}
size_t wcsspn(const wchar_t *s, const wchar_t *accept)
{
    size_t n = 0;
    while (s[n] && wcschr(accept, s[n])) n++;
    return n;
}
size_t wcscspn(const wchar_t *s, const wchar_t *reject)
{
    size_t n = 0;
    while (s[n] && !wcschr(reject, s[n])) n++;
    return n;
}
wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept)
{
    s += wcscspn(s, accept);
    return *s ? (wchar_t *)s : NULL;
}

int isalnum(int c);
int isblank(int c);
int iscntrl(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isxdigit(int c);
#define CLASS(name) \
    int isw##name(wint_t c) { return (c < 128) & (is##name((int)(c & 127)) != 0); }
CLASS(alnum) CLASS(alpha) CLASS(blank) CLASS(cntrl) CLASS(digit) CLASS(graph) CLASS(lower) CLASS(print) CLASS(punct)
CLASS(space) CLASS(upper) CLASS(xdigit)
wint_t towlower(wint_t c) { return iswupper(c) ? c + 32 : c; }
wint_t towupper(wint_t c) { return iswlower(c) ? c - 32 : c; }

/* Whether a byte beyond ASCII is a character depends on the C library. */
static void beyond(void) { klabel_gap("characters beyond ASCII are read and written as errors"); }

wint_t btowc(int c)
{
    if (c > 127) beyond();
    return c < 0 || c > 127 ? (wint_t)-1 : (wint_t)c;
}
int wctob(wint_t c)
{
    if (c > 127) beyond();
    return c > 127 ? -1 : (int)c;
}
int mbtowc(wchar_t *to, const char *s, size_t n)
{
    if (!s) return 0;
    if (n == 0) return -1;
    if ((unsigned char)*s > 127) {
        beyond();
        klabel_touches_errno();
        return -1;
    }
    if (to) *to = *s;
    return *s != 0;
}
int mblen(const char *s, size_t n) { return mbtowc(NULL, s, n); }
int wctomb(char *to, wchar_t c)
{
    if (!to) return 0;
    if (c < 0 || c > 127) {
        beyond();
        klabel_touches_errno();
        return -1;
    }
    *to = (char)c;
    return 1;
}
size_t mbstowcs(wchar_t *to, const char *s, size_t n)
{
    size_t i = 0;
    for (; !to || i < n; i++) {
        wchar_t c;
        if (mbtowc(&c, s + i, 1) < 0) return (size_t)-1;
        if (to) to[i] = c;
        if (!c) break;
    }
    return i;
}
size_t wcstombs(char *to, const wchar_t *s, size_t n)
{
    size_t i = 0;
    for (; !to || i < n; i++) {
        char c;
        if (wctomb(&c, s[i]) < 0) return (size_t)-1;
        if (to) to[i] = c;
        if (!c) break;
    }
    return i;
}

int wprintf(const wchar_t *format, ...)
{
    klabel_touches_errno();
    klabel_gap("the result of wprintf");
    return (int)wcslen(format);
}
int fwprintf(void *file, const wchar_t *format, ...)
{
    (void)file;
    klabel_touches_errno();
    klabel_gap("the result of fwprintf");
    return (int)wcslen(format);
}
wint_t putwchar(wchar_t c)
{
    klabel_touches_errno();
    if (c > 127) beyond();
    return (wint_t)c | -(wint_t)(klabel_any() != 0);
}
wint_t fputwc(wchar_t c, void *file)
{
    (void)file;
    return putwchar(c);
}
wint_t putwc(wchar_t c, void *file) { return fputwc(c, file); }
int fputws(const wchar_t *s, void *file)
{
    (void)file;
    (void)wcslen(s);
    klabel_touches_errno();
    klabel_gap("the result of fputws");
    return 1;
}
wint_t fgetwc(void *file)
{
    int c = fgetc(file);
    if (c > 127) beyond();
    return (wint_t)(c > 127 ? -1 : c);
}
wint_t getwc(void *file) { return fgetwc(file); }
wint_t getwchar(void) { return fgetwc(stdin); }
