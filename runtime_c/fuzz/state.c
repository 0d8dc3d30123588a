/* The program's variables, put back before each run. */
#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>

extern unsigned char klabel_data_begin[], klabel_data_end[];
extern unsigned char klabel_bss_begin[], klabel_bss_end[];

static unsigned char *saved_data, *saved_bss; /* NULL: all zeros */

static unsigned char *copy(const unsigned char *from, size_t size)
{
    void *p;

    if (size == 0)
        return NULL;
    if (from[0] == 0 && memcmp(from, from + 1, size - 1) == 0)
        return NULL;
    p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
             -1, 0);
    if (p == MAP_FAILED)
        __builtin_trap();
    memcpy(p, from, size);
    return p;
}

static void put_back(unsigned char *to, const unsigned char *saved, size_t size)
{
    if (saved != NULL)
        memcpy(to, saved, size);
    else
        memset(to, 0, size);
}

/* After the program's constructors. */
void klabel_fuzz_save_state(void)
{
    saved_data = copy(klabel_data_begin,
                      (size_t)(klabel_data_end - klabel_data_begin));
    saved_bss =
        copy(klabel_bss_begin, (size_t)(klabel_bss_end - klabel_bss_begin));
}

void klabel_fuzz_restore_state(void)
{
    put_back(klabel_data_begin, saved_data,
             (size_t)(klabel_data_end - klabel_data_begin));
    put_back(klabel_bss_begin, saved_bss,
             (size_t)(klabel_bss_end - klabel_bss_begin));
}
