/* Looks a value up among the first n items of a table.
   Labelled for condition coverage: 6 labels. */
#include "harness_macros.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

int search(const int *table, int n, int value)
{
    int found = 0;
    int i = 0;

    while (1) {
        cov_label(found, 1, "CC");
        cov_label(!found, 2, "CC");
        cov_label(i < n, 3, "CC");
        cov_label(!(i < n), 4, "CC");
        if (!((!found) && (i < n))) {
            break;
        }
        cov_label(table[i] == value, 5, "CC");
        cov_label(!(table[i] == value), 6, "CC");
        if (table[i] == value) {
            found = 1;
        }
        i = i + 1;
    }
    return found;
}

/* A table of eight items, of which the first n are looked at. */
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
