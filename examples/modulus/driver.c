/* Numbers of 16 bits, moduli from 7 to 255. */
#include "harness_macros.h"
#include "modulus.c"

HARNESS_START
{
    unsigned n;
    unsigned bits;

    _FLAT(n, "n", unsigned);
    _FLAT(bits, "bits", unsigned);
    ASSUME(n <= 65535);
    ASSUME((bits >= 3) & (bits <= 8));
    modulus(n, bits);
}
HARNESS_END
