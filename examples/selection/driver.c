/* Tables of up to five items. */
#include "klee/klee.h"
#include "selection.c"

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
