/* The program's heap: empty at the beginning of each run. New blocks hold what
 * AddressSanitizer puts into them in a replay. The first small ones are guarded
 * (exact.c), the others stand side by side in one area.
 */
#include "fuzz.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define MOST ((size_t)512 << 20)
/* AddressSanitizer's bound of a block; of 32 bits one below it, which no class is above. */
#define NEVER ((size_t)1 << (sizeof(size_t) == 8 ? 40 : 30))

enum { CLASSES = 48, FILLED = 4096, FILL = 0xbe, STEP = 64 << 10 };

/* What stands before a block. */
struct head {
    _Alignas(16) size_t size; /* asked for */
    size_t class;             /* 1 << class bytes are there, this included */
};
_Static_assert(sizeof(struct head) == 16, "blocks are aligned to 16");

struct freed {
    struct freed *next;
};

static size_t heap_size; /* three quarters of what the process may have, at most MOST */
static unsigned char *heap, *top, *dirty; /* beyond dirty all is zero, */
static unsigned char *usable;             /* beyond this nobody may touch anything */
static struct freed *freed[CLASSES];

void klabel_fuzz_empty_heap(void)
{
    if (heap == NULL) {
        struct rlimit most;

        heap_size = MOST;
        if (getrlimit(RLIMIT_DATA, &most) == 0 && most.rlim_cur / 4 * 3 < MOST)
            heap_size = (size_t)most.rlim_cur / 4 * 3;
        heap = mmap(NULL, heap_size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (heap == MAP_FAILED)
            __builtin_trap();
        dirty = usable = heap;
    }
    if (top > dirty)
        dirty = top;
    if (dirty > heap + (16 << 20)) { /* give memory back */
        madvise(heap, (size_t)(dirty - heap), MADV_DONTNEED);
        mprotect(heap, (size_t)(usable - heap), PROT_NONE);
        dirty = usable = heap;
    }
    top = heap;
    memset(freed, 0, sizeof freed);
    klabel_fuzz_empty_exact();
}

static int ours(const void *p)
{
    return (const unsigned char *)p >= heap &&
           (const unsigned char *)p < heap + heap_size;
}

static struct head *head_of(const void *p)
{
    return (struct head *)(uintptr_t)((const unsigned char *)p -
                                      sizeof(struct head));
}

static size_t class_of(size_t n)
{
    size_t class = 5;

    while ((size_t)1 << class < n)
        class++;
    return class;
}

/* Makes memory usable up to a place at least. */
static void reach(const unsigned char *end)
{
    size_t have = (size_t)(usable - heap), want = (size_t)(end - heap);
    size_t more = have < STEP ? STEP : have;

    while (have + more < want)
        more *= 2;
    if (more > heap_size - have)
        more = heap_size - have;
    if (mprotect(usable, more, PROT_READ | PROT_WRITE) != 0)
        klabel_fuzz_end(END_DISCARDED);
    usable += more;
}

static void *block(size_t n)
{
    size_t class;
    struct head *h;

    if (n > NEVER) {
        errno = ENOMEM;
        return NULL;
    }
    class = class_of(n + sizeof *h);
    if (freed[class] != NULL) {
        h = head_of(freed[class]);
        freed[class] = freed[class]->next;
    } else {
        if ((size_t)1 << class > heap_size - (size_t)(top - heap))
            klabel_fuzz_end(END_DISCARDED);
        h = (struct head *)(void *)top;
        if (top + ((size_t)1 << class) > usable)
            reach(top + ((size_t)1 << class));
        top += (size_t)1 << class;
    }
    h->size = n;
    h->class = class;
    return h + 1;
}

void *klabel_fuzz_malloc(size_t n);
void *klabel_fuzz_calloc(size_t n, size_t size);
void *klabel_fuzz_realloc(void *p, size_t n);
void *klabel_fuzz_reallocarray(void *p, size_t n, size_t size);
void klabel_fuzz_free(void *p);
void *klabel_fuzz_aligned_alloc(size_t alignment, size_t n);
int klabel_fuzz_posix_memalign(void **to, size_t alignment, size_t n);
size_t klabel_fuzz_malloc_usable_size(void *p);
char *klabel_fuzz_strdup(const char *s);
char *klabel_fuzz_strndup(const char *s, size_t n);

void *klabel_fuzz_array(size_t size);

/* An array of an entry, which a program on its stack would have. */
void *klabel_fuzz_array(size_t size)
{
    void *p = klabel_fuzz_exact(size);

    if (p == NULL)
        p = block(size);
    if (p == NULL)
        klabel_fuzz_end(END_DISCARDED);
    return memset(p, 0, size);
}

/* A program's own functions of these names win. */
#define WEAK __attribute__((weak))

static void *filled(unsigned char *p, size_t n)
{
    if (p == NULL)
        return NULL;
    memset(p, FILL, n < FILLED ? n : FILLED);
    if (n > FILLED && p + FILLED < dirty)
        memset(p + FILLED, 0, n - FILLED);
    return p;
}

WEAK void *klabel_fuzz_malloc(size_t n)
{
    unsigned char *p = klabel_fuzz_exact(n);

    return filled(p != NULL ? p : block(n), n);
}

WEAK void *klabel_fuzz_calloc(size_t n, size_t size)
{
    size_t all;
    void *p;

    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    p = klabel_fuzz_exact(all);
    if (p == NULL)
        p = block(all);
    if (p != NULL)
        memset(p, 0, all);
    return p;
}

WEAK void *klabel_fuzz_realloc(void *p, size_t n)
{
    size_t had;
    void *q;

    if (p == NULL)
        return klabel_fuzz_malloc(n);
    if (n == 0) {
        klabel_fuzz_free(p);
        return NULL;
    }
    had = klabel_fuzz_malloc_usable_size(p);
    q = klabel_fuzz_malloc(n);
    if (q == NULL)
        return NULL;
    memcpy(q, p, had < n ? had : n);
    klabel_fuzz_free(p);
    return q;
}

WEAK void *klabel_fuzz_reallocarray(void *p, size_t n, size_t size)
{
    size_t all;

    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return klabel_fuzz_realloc(p, all);
}

/* What the C library has allocated itself is left: a variable that was put back
 * may point to it. */
WEAK void klabel_fuzz_free(void *p)
{
    struct head *h;
    struct freed *f = p;

    if (klabel_fuzz_is_exact(p))
        klabel_fuzz_free_exact(p);
    if (!ours(p))
        return;
    h = head_of(p);
    if (h->class >= CLASSES || h->class == 0)
        klabel_fuzz_end(END_FAILED); /* freed twice, or overwritten */
    f->next = freed[h->class];
    freed[h->class] = f;
}

WEAK void *klabel_fuzz_aligned_alloc(size_t alignment, size_t n)
{
    unsigned char *p;
    struct head *h;
    size_t gap;

    if (alignment <= sizeof *h)
        return filled(block(n), n);
    if (n > NEVER - alignment)
        return block(NEVER + 1);
    p = filled(block(n + alignment + sizeof *h), n + alignment + sizeof *h);
    gap = alignment - (uintptr_t)p % alignment;
    if (gap == alignment)
        return p;
    h = head_of(p + gap); /* the gap is of the program's block: not freed */
    h->size = n;
    h->class = 5;
    return p + gap;
}

WEAK int klabel_fuzz_posix_memalign(void **to, size_t alignment, size_t n)
{
    void *p = klabel_fuzz_aligned_alloc(alignment, n);

    if (p == NULL)
        return ENOMEM;
    *to = p;
    return 0;
}

WEAK size_t klabel_fuzz_malloc_usable_size(void *p)
{
    if (p == NULL)
        return 0;
    if (klabel_fuzz_is_exact(p))
        return klabel_fuzz_exact_size(p);
    return ours(p) ? head_of(p)->size : malloc_usable_size(p);
}

WEAK char *klabel_fuzz_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = klabel_fuzz_malloc(n);

    return p != NULL ? memcpy(p, s, n) : NULL;
}

WEAK char *klabel_fuzz_strndup(const char *s, size_t n)
{
    size_t length = strnlen(s, n);
    char *p = klabel_fuzz_malloc(length + 1);

    if (p == NULL)
        return NULL;
    memcpy(p, s, length);
    p[length] = '\0';
    return p;
}
