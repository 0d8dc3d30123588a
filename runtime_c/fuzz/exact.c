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

static unsigned char *area;
static struct {
    uint32_t size;
    int live;
} blocks[BLOCKS];
static unsigned used;
static unsigned taken_away; /* pages of freed blocks */

int klabel_fuzz_strict;

static void open_page(unsigned i)
{
    if (mprotect(area + (size_t)i * APART, PAGE, PROT_READ | PROT_WRITE) != 0)
        __builtin_trap();
}

static void make_area(void)
{
    unsigned i;

    area = mmap(NULL, (size_t)BLOCKS * APART + 2 * AROUND, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        __builtin_trap();
    area += AROUND;
    for (i = 0; i < BLOCKS; i++)
        open_page(i);
}

static size_t place(size_t n)
{
    return klabel_fuzz_strict ? 0 : PAGE - n;
}

void klabel_fuzz_empty_exact(void)
{
    unsigned i;

    if (area == NULL)
        make_area();
    for (i = 0; taken_away > 0 && i < used; i++)
        if (!blocks[i].live)
            open_page(i);
    taken_away = 0;
    used = 0;
}

void *klabel_fuzz_exact(size_t n)
{
    if (n > PAGE || used == BLOCKS)
        return NULL;
    blocks[used].size = (uint32_t)n;
    blocks[used].live = 1;
    return area + (size_t)used++ * APART + place(n);
}

int klabel_fuzz_is_exact(const void *p)
{
    return (const unsigned char *)p >= area &&
           (const unsigned char *)p < area + (size_t)BLOCKS * APART;
}

/* What is no block that is in use is an error of the program's. */
static unsigned number_of(const void *p)
{
    size_t at = (size_t)((const unsigned char *)p - area);
    unsigned i = (unsigned)(at / APART);

    if (i >= used || !blocks[i].live || at % APART != place(blocks[i].size))
        klabel_fuzz_end(END_FAILED);
    return i;
}

size_t klabel_fuzz_exact_size(const void *p)
{
    return blocks[number_of(p)].size;
}

/* Pointers in a block that is freed lead nowhere. */
void klabel_fuzz_free_exact(void *p)
{
    unsigned i = number_of(p);

    blocks[i].live = 0;
    memset(p, FREED, blocks[i].size);
    if (klabel_fuzz_strict &&
        mprotect(area + (size_t)i * APART, PAGE, PROT_NONE) == 0)
        taken_away++;
}
