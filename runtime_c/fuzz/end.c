/* Ends a run from wherever the program is. */
#include "fuzz.h"

#include <unistd.h>

sigjmp_buf klabel_fuzz_back;
volatile sig_atomic_t klabel_fuzz_running;

void klabel_fuzz_end(enum klabel_fuzz_end how)
{
    if (!klabel_fuzz_running)
        _exit(1); /* a thread of the program, or its constructor */
    siglongjmp(klabel_fuzz_back, (int)how);
}
