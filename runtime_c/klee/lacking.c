/* Functions of the C library that KLEE's uclibc lacks. KLEE would call them in the
 * machine's own library: what that allocates is no memory that KLEE knows, and a path
 * ends at the first access. Weak, as a program may define them itself.
 *
 * package campaign names them, in outsideklee.go. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

void *reallocarray(void *p, size_t n, size_t size);
void explicit_bzero(void *p, size_t n);
size_t __ctype_get_mb_cur_max(void);
char *secure_getenv(const char *name);

WEAK void *reallocarray(void *p, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, n * size);
}

WEAK void explicit_bzero(void *p, size_t n)
{
    memset(p, 0, n);
}

/* Replays run in the locale "C". */
WEAK size_t __ctype_get_mb_cur_max(void)
{
    return 1;
}

WEAK char *secure_getenv(const char *name)
{
    return getenv(name);
}
