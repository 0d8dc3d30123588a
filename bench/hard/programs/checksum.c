/* Hard spots: what stands behind checksums of the input. */
#include "klee/klee.h"

#include <stdint.h>

static uint32_t crc32(const unsigned char *p, unsigned n)
{
    uint32_t c = 0xffffffff;

    while (n-- > 0) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
    }
    return ~c;
}

static uint16_t fletcher(const unsigned char *p, unsigned n)
{
    uint16_t a = 0, b = 0;

    while (n-- > 0) {
        a = (uint16_t)((a + *p++) % 255);
        b = (uint16_t)((b + a) % 255);
    }
    return (uint16_t)(b << 8 | a);
}

static uint32_t mix(uint32_t x)
{
    x = (x ^ 61) ^ x >> 16;
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ x >> 15;
}

static int packet(const unsigned char *p, unsigned n, uint32_t sum)
{
    if (n < 6)
        return -1;
    if (p[0] != 0x55 || p[1] != 0xaa)
        return -2;
    if ((fletcher(p + 2, 4) & 0xff) == 0x7b && p[2] > p[3] && p[4] != p[5])
        return 1;
    if ((mix(sum) & 0xfff) == 0x5a5) {
        if (p[2] == 7 && p[3] > 0x80)
            return 2;
        if (p[4] == 'q' || p[5] == 'z')
            return 3;
    }
    if (crc32(p, 4) == sum) {
        if (p[2] == 1 && n > 7)
            return 4;
        if (p[2] == 2 && p[3] == 0xff)
            return 5;
        return 6;
    }
    return 0;
}

int main(void)
{
    unsigned char data[8];

    klee_make_symbolic(data, sizeof data, "data");
    return packet(data, (unsigned)klee_range(0, 9, "n"), (uint32_t)klee_int("sum"));
}
