/* Division and multiplication of complex numbers, names of files. */
#include "libc.h"

/* The compiler calls these where a plain product is no number, and to divide. What
   the machine's own give may differ in the last digit. */
#define COMPLEX(suffix, type) \
    _Complex type __mul##suffix(type a, type b, type c, type d); \
    _Complex type __mul##suffix(type a, type b, type c, type d) \
    { \
        klabel_gap("complex numbers that are not finite"); \
        return __builtin_complex(a * c - b * d, a * d + b * c); \
    } \
    _Complex type __div##suffix(type a, type b, type c, type d); \
    _Complex type __div##suffix(type a, type b, type c, type d) \
    { \
        type size = c * c + d * d; \
        klabel_gap("division of complex numbers"); \
        return __builtin_complex((a * c + b * d) / size, (b * c - a * d) / size); \
    }
COMPLEX(sc3, float)
COMPLEX(dc3, double)
COMPLEX(xc3, long double)

/* string.h's: what stands behind the last slash */
char *basename(const char *path)
{
    const char *last = path;
    for (; *path; path++)
        if (*path == '/') last = path + 1;
    return (char *)last;
}

/* libgen.h's: without slashes at the end, which are cut off */
char *__xpg_basename(char *path)
{
    size_t n;
    if (path == NULL || *path == 0) return (char *)".";
    n = strlen(path);
    while (n > 1 && path[n - 1] == '/') path[--n] = 0;
    if (n == 1 && *path == '/') return path;
    return basename(path);
}
char *dirname(char *path)
{
    size_t n;
    if (path == NULL || *path == 0) return (char *)".";
    n = strlen(path);
    while (n > 1 && path[n - 1] == '/') n--;
    while (n > 0 && path[n - 1] != '/') n--;
    if (n == 0) return (char *)".";
    while (n > 1 && path[n - 1] == '/') n--;
    path[n] = 0;
    return path;
}
