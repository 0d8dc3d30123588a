/* Looks a value up among the first n items of a table.
   Labelled for weak mutations: 17 labels. */
#include "harness_macros.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

int search(const int *table, int n, int value)
{
    int found = 0;
    int i = 0;

    while (1) {
        cov_label((i < n) != (i <= n), 1, "WM ROR");
        cov_label((i < n) != (i > n), 2, "WM ROR");
        cov_label((i < n) != (i >= n), 3, "WM ROR");
        cov_label((i < n) != (i == n), 4, "WM ROR");
        cov_label((i < n) != (i != n), 5, "WM ROR");
        cov_label(((!found) && (i < n)) != ((!found) || (i < n)), 6, "WM COR");
        cov_label(((!found) && (i < n)) != !!(!found), 7, "WM COR");
        cov_label(((!found) && (i < n)) != !!(i < n), 8, "WM COR");
        if (!((!found) && (i < n))) {
            break;
        }
        cov_label((table[i] == value) != (table[i] < value), 9, "WM ROR");
        cov_label((table[i] == value) != (table[i] <= value), 10, "WM ROR");
        cov_label((table[i] == value) != (table[i] > value), 11, "WM ROR");
        cov_label((table[i] == value) != (table[i] >= value), 12, "WM ROR");
        cov_label((table[i] == value) != (table[i] != value), 13, "WM ROR");
        if (table[i] == value) {
            found = 1;
        }
        cov_label(i < 0, 14, "WM ABS");
        cov_label((i + 1) != (i - 1), 15, "WM AOR");
        cov_label((i + 1) != (i * 1), 16, "WM AOR");
        cov_label((i + 1) != (i / 1), 17, "WM AOR");
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
