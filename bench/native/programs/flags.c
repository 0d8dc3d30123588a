/* A small program: some counters, and bits that are read one after another. */
#include "klee/klee.h"

int main(void)
{
    unsigned flags = 0, set = 0, last = 0;

    klee_make_symbolic(&flags, sizeof flags, "flags");
    for (unsigned i = 0; i < ROUNDS; i++) {
        if (flags >> i & 1) {
            set++;
            last = i;
        }
    }
    klee_warning_once("all states are there");
    return set > last;
}
