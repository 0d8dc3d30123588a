/* Labels for a real run: which of them can be covered is said beside them. */
#include "klee/klee.h"
static int table[4] = { 0, 5, 7, 9 };
static int small(int x) { return x < 3; }

int main(int argc, char **argv)
{
    unsigned x, y;
    int i;

    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume((x < 10) & (y < 10));
    cov_label(x == 3 && y == 4, 1, "T"); // covered
    cov_label(x > 20, 2, "T");
    cov_label((x > 5 || y > 5) != (x > 5 && y > 5), 3, "T"); // covered
    cov_label(x < 4 && table[x] == 7, 4, "T"); // covered
    cov_label(x < 4 && table[x] == 8, 5, "T");
    cov_label(y != 0 && x / y == 4, 6, "T"); // covered
    cov_label(small(x) && !small(y), 7, "T"); // covered
    if (x == y) {
        cov_label(x != y, 8, "T");
        cov_label(1, 9, "T"); // covered
    }
    for (i = 0; i < 3; i++)
        cov_label(x == i + 7u, 10, "T"); // covered
    for (i = 0; i < 3; i++)
        cov_label(i == 3, 11, "T");
    cov_label(({ unsigned t = x; t += y; t == 18; }), 12, "T"); // covered
    cov_label(argc > 0 && argv[0] == 0, 13, "T");
    return 0;
}
