/* Functions of the C library that KLEE's uclibc lacks. KLEE would call them in the
 * machine's own library: what that allocates is no memory that KLEE knows, and a path
 * ends at the first access. Weak, as a program may define them itself.
 *
 * And those that give memory, as programs for KLEE call them (package drivers, sized.go):
 * KLEE picks one size where many are possible, and ends the paths of the others.
 *
 * package campaign names them, in outsideklee.go. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <klee/klee.h>

#define WEAK __attribute__((weak))

#define SMALL_SIZE 16   /* all up to this are tried, a path each */
#define SOME_SIZES 4    /* of those between a limit and the next so many */
#define LARGE_SIZE 4096 /* of what is larger KLEE picks one, and fails what is huge */

/* A size, one of those that are possible: each has its own path. Small ones come first. */
static size_t one_size(size_t n)
{
    size_t limit, value, i;

    if (!klee_is_symbolic(n))
        return n;
    for (limit = SMALL_SIZE; limit <= LARGE_SIZE; limit *= 4) {
        if (n > limit)
            continue;
        for (i = 0; i < (limit > SMALL_SIZE ? SOME_SIZES : SMALL_SIZE + 1); i++) {
            value = (size_t)klee_get_valuel((long)n);
            if (n == value)
                return value;
        }
        break;
    }
    return n;
}

WEAK void *klabel_sized_malloc(size_t n)
{
    return malloc(one_size(n));
}

WEAK void *klabel_sized_calloc(size_t n, size_t size)
{
    n = one_size(n);
    return calloc(n, one_size(size));
}

WEAK void *klabel_sized_realloc(void *p, size_t n)
{
    return realloc(p, one_size(n));
}

void *klabel_sized_malloc(size_t n);
void *klabel_sized_calloc(size_t n, size_t size);
void *klabel_sized_realloc(void *p, size_t n);
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
