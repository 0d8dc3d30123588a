/* The first blocks of a run, if they are small: each stands at the very end of a page
 * of its own, and nobody may touch the page behind it, nor what is far before and behind
 * all of them, so that a run that goes beyond a block fails here as it does in a replay.
 * Without this it would go on, for long perhaps, be kept for what it reaches, and lead
 * nowhere. What a block of an odd size costs is its alignment. Before a find is told,
 * its input is run again with the blocks at the front of their pages, behind which ones
 * that nobody may touch are too, and with those that are freed taken away.
 */
#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>

#define AROUND ((size_t)4 << 30) /* what 32 bits tell apart */

enum { BLOCKS = 128, PAGE = 4096, APART = 2 * PAGE, FREED = 0xdd };

/* Blocks of one size class stand together, as in the heap of AddressSanitizer, small ones
 * before large ones: who compares the addresses of two blocks is answered as in a replay.
 */
enum { CLASSES = 34, SLOTS = CLASSES * BLOCKS };

static unsigned char *area;
static struct {
    uint32_t size;
    unsigned char live, open;
} slots[SLOTS];
static unsigned used;
static unsigned next_of[CLASSES];

int klabel_fuzz_strict;

static void make_area(void)
{
    area = mmap(NULL, (size_t)SLOTS * APART + 2 * AROUND, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        __builtin_trap();
    area += AROUND;
}

static void set_open(unsigned i, int yes)
{
    int access = yes ? PROT_READ | PROT_WRITE : PROT_NONE;

    if (slots[i].open != yes && mprotect(area + (size_t)i * APART, PAGE, access) != 0)
        __builtin_trap();
    slots[i].open = (unsigned char)yes;
}

static size_t place(size_t n)
{
    return klabel_fuzz_strict ? 0 : PAGE - n;
}

/* The class of a block with what the sanitizer puts before it: steps of 16 bytes up to
 * 256, four to each power of two above that.
 */
static unsigned class_of(size_t n)
{
    size_t size = n + (n <= 48 ? 16 : n <= 96 ? 32 : n <= 448 ? 64 : n <= 3968 ? 128 : 256);
    unsigned log;

    size = (size + 7) & ~(size_t)7;
    if (size <= 256)
        return (unsigned)((size + 15) >> 4) - 1;
    log = 63 - (unsigned)__builtin_clzl(size);
    return 15 + ((log - 8) << 2) + (unsigned)(size >> (log - 2) & 3) +
           (size % ((size_t)1 << (log - 2)) != 0);
}

void klabel_fuzz_empty_exact(void)
{
    if (area == NULL)
        make_area();
    used = 0;
    memset(next_of, 0, sizeof next_of);
}

void *klabel_fuzz_exact(size_t n)
{
    unsigned class, i;

    if (n > PAGE || used == BLOCKS)
        return NULL;
    used++;
    class = class_of(n);
    i = class * BLOCKS + next_of[class]++;
    set_open(i, 1);
    slots[i].size = (uint32_t)n;
    slots[i].live = 1;
    return area + (size_t)i * APART + place(n);
}

int klabel_fuzz_is_exact(const void *p)
{
    return (const unsigned char *)p >= area &&
           (const unsigned char *)p < area + (size_t)SLOTS * APART;
}

/* What is no block that is in use is an error of the program's. */
static unsigned number_of(const void *p)
{
    size_t at = (size_t)((const unsigned char *)p - area);
    unsigned i = (unsigned)(at / APART);

    if (i % BLOCKS >= next_of[i / BLOCKS] || !slots[i].live || at % APART != place(slots[i].size))
        klabel_fuzz_end(END_FAILED);
    return i;
}

size_t klabel_fuzz_exact_size(const void *p)
{
    return slots[number_of(p)].size;
}

/* Pointers in a block that is freed lead nowhere. */
void klabel_fuzz_free_exact(void *p)
{
    unsigned i = number_of(p);

    slots[i].live = 0;
    memset(p, FREED, slots[i].size);
    if (klabel_fuzz_strict)
        set_open(i, 0);
}
