/* Remainder by a power of two less one (1, 3, 7, 15, ...), without dividing:
   the digits of n in base m + 1 are added up until one digit is left. */

unsigned modulus(unsigned n, unsigned bits)
{
    unsigned m = (1u << bits) - 1;
    unsigned rest = n;
    unsigned sum;

    while (rest > m) {
        sum = 0;
        while (rest != 0) {
            sum = sum + (rest & m);
            rest = rest >> bits;
        }
        rest = sum;
    }
    if (rest == m) {
        rest = 0;
    }
    return rest;
}
