/* Remainder by a power of two less one (1, 3, 7, 15, ...), without dividing:
   the digits of n in base m + 1 are added up until one digit is left.
   Labelled for condition coverage: 6 labels. */
#include "harness_macros.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

unsigned modulus(unsigned n, unsigned bits)
{
    unsigned m = (1u << bits) - 1;
    unsigned rest = n;
    unsigned sum;

    while (1) {
        cov_label(rest > m, 1, "CC");
        cov_label(!(rest > m), 2, "CC");
        if (!(rest > m)) {
            break;
        }
        sum = 0;
        while (1) {
            cov_label(rest != 0, 3, "CC");
            cov_label(!(rest != 0), 4, "CC");
            if (!(rest != 0)) {
                break;
            }
            sum = sum + (rest & m);
            rest = rest >> bits;
        }
        rest = sum;
    }
    cov_label(rest == m, 5, "CC");
    cov_label(!(rest == m), 6, "CC");
    if (rest == m) {
        rest = 0;
    }
    return rest;
}

/* Numbers of 16 bits, moduli from 7 to 255. */
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
