/* Hard spots: magic numbers of 16, 32 and 64 bits, some of them computed. */
#include "klee/klee.h"

#include <stdint.h>
#include <string.h>

static int header(const unsigned char *p, unsigned n)
{
    uint32_t magic, version;
    uint64_t key;
    double scale;

    if (n < 28)
        return -1;
    memcpy(&magic, p, 4);
    memcpy(&version, p + 4, 4);
    memcpy(&key, p + 8, 8);
    memcpy(&scale, p + 16, 8);
    if (magic != 0x89504e47 && magic != 0x464c457f)
        return -2;
    if (version == 0xcafe && magic == 0x464c457f)
        return 1;
    if ((version ^ magic) == 0x12345678)
        return 2;
    if (key * 3 == 0x0123456789abcdef && version > 7)
        return 3;
    if (scale > 0.4999 && scale < 0.5 && magic != 0x89504e47)
        return 4;
    if (p[24] == 'Z' && p[25] == 'i' && p[26] == 'P' && p[27] == '!' && key == version)
        return 5;
    return 0;
}

int main(void)
{
    unsigned char data[32];

    klee_make_symbolic(data, sizeof data, "data");
    return header(data, klee_range(0, 33, "n"));
}
