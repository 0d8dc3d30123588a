/* string.h, and strings.h where it is the same. */
#include "libc.h"

size_t strlen(const char *s)
{
    const char *p = s;
    while (*p) p++;
    return (size_t)(p - s);
}

size_t strnlen(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}

/* All n bytes are there, wherever the first two differ: a replay looks at the last. */
int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    if (n) {
        (void)*(const volatile unsigned char *)(x + n - 1);
        (void)*(const volatile unsigned char *)(y + n - 1);
    }
    for (; n; n--, x++, y++)
        if (*x != *y) return klabel_sign(*x - *y);
    return klabel_sign(0); /* each call has one unknown value: see the engine's sign */
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (; n; n--, p++)
        if (*p == (unsigned char)c) return (void *)p;
    return NULL;
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    while (n--)
        if (p[n] == (unsigned char)c) return (void *)(p + n);
    return NULL;
}

void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c) p++;
    return (void *)p;
}

void *mempcpy(void *dst, const void *src, size_t n) { return (char *)memcpy(dst, src, n) + n; }

void *memmem(const void *hay, size_t n, const void *needle, size_t m)
{
    const unsigned char *h = hay;
    for (; n >= m; n--, h++)
        if (memcmp(h, needle, m) == 0) return (void *)h;
    return NULL;
}

void bzero(void *s, size_t n) { memset(s, 0, n); }
void bcopy(const void *src, void *dst, size_t n) { memmove(dst, src, n); }

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return klabel_sign((unsigned char)*a - (unsigned char)*b);
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strncmp(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++) {
        if (*a != *b) return klabel_sign((unsigned char)*a - (unsigned char)*b);
        if (!*a) break;
    }
    return klabel_sign(0);
}

int strcasecmp(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) a++, b++;
    return klabel_sign(tolower((unsigned char)*a) - tolower((unsigned char)*b));
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++) {
        int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
        if (x != y) return klabel_sign(x - y);
        if (!x) break;
    }
    return klabel_sign(0);
}

char *stpcpy(char *dst, const char *src)
{
    while ((*dst = *src)) dst++, src++;
    return dst;
}

char *strcpy(char *dst, const char *src)
{
    stpcpy(dst, src);
    return dst;
}

char *strncpy(char *dst, const char *src, size_t n)
{
    size_t i = 0;
    for (; i < n && src[i]; i++) dst[i] = src[i];
    for (; i < n; i++) dst[i] = 0;
    return dst;
}

char *strcat(char *dst, const char *src)
{
    stpcpy(dst + strlen(dst), src);
    return dst;
}

char *strncat(char *dst, const char *src, size_t n)
{
    char *p = dst + strlen(dst);
    for (; n && *src; n--) *p++ = *src++;
    *p = 0;
    return dst;
}

char *strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return NULL;
    }
}

char *strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c) s++;
    return (char *)s;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c)
{
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (!*s) return (char *)found;
    }
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

size_t strspn(const char *s, const char *accept)
{
    size_t n = 0;
    while (s[n] && strchr(accept, s[n])) n++;
    return n;
}

size_t strcspn(const char *s, const char *reject)
{
    size_t n = 0;
    while (s[n] && !strchr(reject, s[n])) n++;
    return n;
}

char *strpbrk(const char *s, const char *accept)
{
    s += strcspn(s, accept);
    return *s ? (char *)s : NULL;
}

char *strstr(const char *hay, const char *needle)
{
    size_t n = strlen(needle);
    for (;; hay++) {
        if (strncmp(hay, needle, n) == 0) return (char *)hay;
        if (!*hay) return NULL;
    }
}

char *strtok_r(char *s, const char *delim, char **save)
{
    char *end;
    if (!s) s = *save;
    s += strspn(s, delim);
    if (!*s) {
        *save = s;
        return NULL;
    }
    end = s + strcspn(s, delim);
    if (*end) *end++ = 0;
    *save = end;
    return s;
}

char *strtok(char *s, const char *delim)
{
    static char *save;
    return strtok_r(s, delim, &save);
}

char *strsep(char **s, const char *delim)
{
    char *start = *s, *end;
    if (!start) return NULL;
    end = start + strcspn(start, delim);
    *s = *end ? end + 1 : NULL;
    *end = 0;
    return start;
}

char *strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = malloc(n);
    return p ? memcpy(p, s, n) : NULL;
}

char *strndup(const char *s, size_t max)
{
    size_t n = strnlen(s, max);
    char *p = malloc(n + 1);
    if (!p) return NULL;
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

char *strerror(int number)
{
    (void)number;
    return (char *)"error";
}
