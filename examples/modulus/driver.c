/* Numbers of 16 bits, moduli from 7 to 255. */
#include "harness_macros.h"
#include "modulus.c"

int main(void)
{
    unsigned n;
    unsigned bits;

    HARNESS_START;
    _FLAT(n, "n", unsigned);
    _FLAT(bits, "bits", unsigned);
    ASSUME(n <= 65535);
    ASSUME((bits >= 3) & (bits <= 8));
    modulus(n, bits);
    HARNESS_END;
    return 0;
}
