/* Which of two blocks has the lower address: the heap of AddressSanitizer and the fuzzer's say the same. */
#include "fuzz/exact.c"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 100 };

void klabel_fuzz_end(enum klabel_fuzz_end how)
{
    exit((int)how);
}

int main(void)
{
    const unsigned char *here[COUNT], *there[COUNT];
    unsigned seed = 1, i, k, different = 0, both = 0;
    size_t sizes[COUNT];

    klabel_fuzz_empty_exact();
    for (i = 0; i < COUNT; i++) {
        seed = seed * 1103515245 + 12345;
        sizes[i] = 1 + (seed >> 16) % (i % 4 == 0 ? PAGE : i % 4 == 1 ? 600 : 100);
        here[i] = klabel_fuzz_exact(sizes[i]);
        there[i] = malloc(sizes[i]);
        for (k = 0; k < i; k++) {
            both |= here[k] < here[i] ? 1 : 2;
            if ((here[k] < here[i]) != (there[k] < there[i])) {
                printf("%zu before %zu: %d\n", sizes[k], sizes[i], there[k] < there[i]);
                different++;
            }
        }
    }
    printf("%u different, %u\n", different, both);
    return 0;
}
