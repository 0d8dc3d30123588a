/* Looks a value up among the first n items of a table.
   Labelled for multiple condition coverage: 6 labels. */
#include "harness_macros.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

int search(const int *table, int n, int value)
{
    int found = 0;
    int i = 0;

    while (1) {
        cov_label(found && (i < n), 1, "MCC");
        cov_label(found && !(i < n), 2, "MCC");
        cov_label(!found && (i < n), 3, "MCC");
        cov_label(!found && !(i < n), 4, "MCC");
        if (!((!found) && (i < n))) {
            break;
        }
        cov_label(table[i] == value, 5, "MCC");
        cov_label(!(table[i] == value), 6, "MCC");
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
