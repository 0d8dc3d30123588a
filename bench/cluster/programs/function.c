/* One of many: main.go puts the function's number in the place of 1 and 1001. */
int function_1(unsigned a, unsigned b)
{
    unsigned h = 1;
    for (int i = 0; i < 6; i++) {
        if (a & (1u << i))
            h = (h << 3) ^ b;
        else
            h += b >> i;
        if (h == 1001u + i)
            return i;
    }
    return h > 1001u || a == 5;
}
