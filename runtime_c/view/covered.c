/* covered(): the live view, for programs that an engine runs.
 *
 * Preloaded into the engine's process. The file that KLABEL_VIEW names is
 * mapped once, when the library is loaded; after that no call does more than
 * read memory, and pending() swap one byte. Without the file, or with one that
 * is none, no label is covered. Layout, little-endian:
 *
 *   0 "KLABELV1"   8 version, 1   12 number of labels N   16 generation
 *   64 N bytes, one status a label (see klabel/view.h and label/status.go)
 */
#include "../include/klabel/view.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 64, UNKNOWN = 0, PENDING = 2, REFUSED = 7 };

/* The header, pinned to the format that package liveview writes. */
struct header {
    char magic[8];
    uint32_t version;
    uint32_t count;
    uint64_t generation;
    unsigned char reserved[40];
};

_Static_assert(sizeof(struct header) == HEADER, "the header's size");
_Static_assert(offsetof(struct header, version) == 8, "the version's place");
_Static_assert(offsetof(struct header, count) == 12, "the count's place");
_Static_assert(offsetof(struct header, generation) == 16, "the generation's place");

static const unsigned char *view; /* status of label 0 */
static unsigned char *writable;   /* the same, or NULL */
static unsigned count;

static uint32_t u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static void use(unsigned char *file, size_t size, int may_write)
{
    size_t n;

    if (memcmp(file, "KLABELV1", 8) != 0 || u32(file + offsetof(struct header, version)) != 1)
        return;
    n = u32(file + offsetof(struct header, count));
    if (n > size - HEADER) /* never beyond the file: that would be SIGBUS */
        n = size - HEADER;
    view = file + HEADER;
    writable = may_write ? file + HEADER : NULL;
    count = (unsigned)n;
}

__attribute__((constructor)) static void map_view(void)
{
    const char *path = getenv("KLABEL_VIEW");
    struct stat st;
    int may_write = 1;
    int fd;
    void *p;

    if (path == NULL || *path == '\0')
        return;
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        may_write = 0;
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= HEADER &&
        st.st_size <= INT32_MAX) {
        p = mmap(NULL, (size_t)st.st_size,
                 may_write ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd,
                 0);
        if (p != MAP_FAILED)
            use(p, (size_t)st.st_size, may_write);
    }
    close(fd);
}

int covered(int id)
{
    unsigned char status;

    if ((unsigned)id >= count)
        return 0;
    status = __atomic_load_n(&view[id], __ATOMIC_RELAXED);
    return status != UNKNOWN && status != REFUSED;
}

void pending(int id)
{
    unsigned char expected = UNKNOWN;

    if (writable != NULL && (unsigned)id < count)
        __atomic_compare_exchange_n(&writable[id], &expected, PENDING, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void klabel_view_copy(unsigned char *to, int from, int n)
{
    size_t known, i;

    if (n <= 0)
        return;
    if (from < 0 || (unsigned)from >= count) {
        memset(to, UNKNOWN, (size_t)n);
        return;
    }
    known = count - (unsigned)from;
    if (known > (size_t)n)
        known = (size_t)n;
    for (i = 0; i < known; i++)
        to[i] = view[(size_t)from + i] == REFUSED ? UNKNOWN
                                                  : view[(size_t)from + i];
    memset(to + known, UNKNOWN, (size_t)n - known);
}

__attribute__((noinline)) void nop(void)
{
    __asm__ volatile("");
}

/* Second names, for programs that use the first for something of their own. */
int klabel_covered(int id) __attribute__((alias("covered")));
void klabel_pending(int id) __attribute__((alias("pending")));
void klabel_nop(void) __attribute__((alias("nop")));
