/* Remainder by a power of two less one (1, 3, 7, 15, ...), without dividing:
   the digits of n in base m + 1 are added up until one digit is left.
   Labelled for weak mutations: 25 labels. */
#include "harness_macros.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

unsigned modulus(unsigned n, unsigned bits)
{
    cov_label((1u << bits) != (1u >> bits), 1, "WM AOR");
    cov_label(((1u << bits) - 1) != ((1u << bits) + 1), 2, "WM AOR");
    cov_label(((1u << bits) - 1) != ((1u << bits) * 1), 3, "WM AOR");
    cov_label(((1u << bits) - 1) != ((1u << bits) / 1), 4, "WM AOR");
    unsigned m = (1u << bits) - 1;
    unsigned rest = n;
    unsigned sum;

    while (1) {
        cov_label((rest > m) != (rest < m), 5, "WM ROR");
        cov_label((rest > m) != (rest <= m), 6, "WM ROR");
        cov_label((rest > m) != (rest >= m), 7, "WM ROR");
        cov_label((rest > m) != (rest == m), 8, "WM ROR");
        cov_label((rest > m) != (rest != m), 9, "WM ROR");
        if (!(rest > m)) {
            break;
        }
        sum = 0;
        while (1) {
            cov_label((rest != 0) != (rest < 0), 10, "WM ROR");
            cov_label((rest != 0) != (rest <= 0), 11, "WM ROR");
            cov_label((rest != 0) != (rest > 0), 12, "WM ROR");
            cov_label((rest != 0) != (rest >= 0), 13, "WM ROR");
            cov_label((rest != 0) != (rest == 0), 14, "WM ROR");
            if (!(rest != 0)) {
                break;
            }
            cov_label((rest & m) != (rest | m), 15, "WM AOR");
            cov_label((rest & m) != (rest ^ m), 16, "WM AOR");
            cov_label((sum + (rest & m)) != (sum - (rest & m)), 17, "WM AOR");
            cov_label((sum + (rest & m)) != (sum * (rest & m)), 18, "WM AOR");
            cov_label((rest & m) != 0 && (sum + (rest & m)) != (sum / (rest & m)), 19, "WM AOR");
            sum = sum + (rest & m);
            cov_label((rest >> bits) != (rest << bits), 20, "WM AOR");
            rest = rest >> bits;
        }
        rest = sum;
    }
    cov_label((rest == m) != (rest < m), 21, "WM ROR");
    cov_label((rest == m) != (rest <= m), 22, "WM ROR");
    cov_label((rest == m) != (rest > m), 23, "WM ROR");
    cov_label((rest == m) != (rest >= m), 24, "WM ROR");
    cov_label((rest == m) != (rest != m), 25, "WM ROR");
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
