/* Selection sort: the smallest of what is left goes to the front.
   Labelled for weak mutations: 36 labels. */
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
        cov_label(n < 0, 1, "WM ABS");
        cov_label((n - 1) != (n + 1), 2, "WM AOR");
        cov_label((n - 1) != (n * 1), 3, "WM AOR");
        cov_label((n - 1) != (n / 1), 4, "WM AOR");
        cov_label((i < (n - 1)) != (i <= (n - 1)), 5, "WM ROR");
        cov_label((i < (n - 1)) != (i > (n - 1)), 6, "WM ROR");
        cov_label((i < (n - 1)) != (i >= (n - 1)), 7, "WM ROR");
        cov_label((i < (n - 1)) != (i == (n - 1)), 8, "WM ROR");
        cov_label((i < (n - 1)) != (i != (n - 1)), 9, "WM ROR");
        if (!(i < (n - 1))) {
            break;
        }
        least = i;
        cov_label(i < 0, 10, "WM ABS");
        cov_label((i + 1) != (i - 1), 11, "WM AOR");
        cov_label((i + 1) != (i * 1), 12, "WM AOR");
        cov_label((i + 1) != (i / 1), 13, "WM AOR");
        j = i + 1;
        while (1) {
            cov_label((j < n) != (j <= n), 14, "WM ROR");
            cov_label((j < n) != (j > n), 15, "WM ROR");
            cov_label((j < n) != (j >= n), 16, "WM ROR");
            cov_label((j < n) != (j == n), 17, "WM ROR");
            cov_label((j < n) != (j != n), 18, "WM ROR");
            if (!(j < n)) {
                break;
            }
            cov_label((t[j] < t[least]) != (t[j] <= t[least]), 19, "WM ROR");
            cov_label((t[j] < t[least]) != (t[j] > t[least]), 20, "WM ROR");
            cov_label((t[j] < t[least]) != (t[j] >= t[least]), 21, "WM ROR");
            cov_label((t[j] < t[least]) != (t[j] == t[least]), 22, "WM ROR");
            cov_label((t[j] < t[least]) != (t[j] != t[least]), 23, "WM ROR");
            if (t[j] < t[least]) {
                least = j;
            }
            cov_label(j < 0, 24, "WM ABS");
            cov_label((j + 1) != (j - 1), 25, "WM AOR");
            cov_label((j + 1) != (j * 1), 26, "WM AOR");
            cov_label((j + 1) != (j / 1), 27, "WM AOR");
            j = j + 1;
        }
        cov_label((least != i) != (least < i), 28, "WM ROR");
        cov_label((least != i) != (least <= i), 29, "WM ROR");
        cov_label((least != i) != (least > i), 30, "WM ROR");
        cov_label((least != i) != (least >= i), 31, "WM ROR");
        cov_label((least != i) != (least == i), 32, "WM ROR");
        if (least != i) {
            kept = t[i];
            t[i] = t[least];
            t[least] = kept;
        }
        cov_label(i < 0, 33, "WM ABS");
        cov_label((i + 1) != (i - 1), 34, "WM AOR");
        cov_label((i + 1) != (i * 1), 35, "WM AOR");
        cov_label((i + 1) != (i / 1), 36, "WM AOR");
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
