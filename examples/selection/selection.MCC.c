/* Selection sort: the smallest of what is left goes to the front.
   Labelled for multiple condition coverage: 8 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

void selection(int *t, int n)
{
    int i;
    int j;
    int least;
    int kept;

    i = 0;
    while (1) {
        cov_label(i < (n - 1), 1, "MCC");
        cov_label(!(i < (n - 1)), 2, "MCC");
        if (!(i < (n - 1))) {
            break;
        }
        least = i;
        j = i + 1;
        while (1) {
            cov_label(j < n, 3, "MCC");
            cov_label(!(j < n), 4, "MCC");
            if (!(j < n)) {
                break;
            }
            cov_label(t[j] < t[least], 5, "MCC");
            cov_label(!(t[j] < t[least]), 6, "MCC");
            if (t[j] < t[least]) {
                least = j;
            }
            j = j + 1;
        }
        cov_label(least != i, 7, "MCC");
        cov_label(!(least != i), 8, "MCC");
        if (least != i) {
            kept = t[i];
            t[i] = t[least];
            t[least] = kept;
        }
        i = i + 1;
    }
}

/* Tables of up to five items. */
int main(void)
{
    int t[6];
    int n;

    klee_make_symbolic(t, sizeof t, "t");
    klee_make_symbolic(&n, sizeof n, "n");
    klee_assume((n >= 0) & (n <= 5));
    selection(t, n);
    return 0;
}
