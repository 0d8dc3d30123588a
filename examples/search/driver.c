/* A table of eight items, of which the first n are looked at. */
#include "harness_macros.h"
#include "search.c"

int main(void)
{
    int table[9];
    int n;
    int value;

    HARNESS_START;
    _FLAT(table, "table", int[9]);
    _FLAT(n, "n", int);
    _FLAT(value, "value", int);
    ASSUME((n >= 0) & (n <= 8));
    search(table, n, value);
    HARNESS_END;
    return 0;
}
