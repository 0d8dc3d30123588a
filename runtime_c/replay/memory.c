/* Much memory at once. What asks for 16 GB gets it on one machine and not on
 * another, so a test that does shows nothing of what it covers elsewhere: it ends as one
 * that is out of memory. What no machine has is refused as everywhere. The linker
 * leads the program's calls here (--wrap); those of other allocators are not looked at.
 */
#include "replay.h"

#include <stdint.h>
#include <stdlib.h>

#define GB ((uint64_t)1 << 30)

enum { ANY_HAS = 4, NONE_HAS = 1024 }; /* GB; AddressSanitizer refuses more than a terabyte */

static void ask(uint64_t size)
{
    if (klabel_run.shm != NULL && size > ANY_HAS * GB && size <= NONE_HAS * GB)
        klabel_stop(END_MEMORY, "asks for more than %d GB of memory at once", ANY_HAS);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    ask(size);
    return __real_malloc(size);
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
    if (size != 0 && n <= SIZE_MAX / size)
        ask((uint64_t)n * size);
    return __real_calloc(n, size);
}

void *__real_realloc(void *from, size_t size);
void *__wrap_realloc(void *from, size_t size);
void *__wrap_realloc(void *from, size_t size)
{
    ask(size);
    return __real_realloc(from, size);
}
