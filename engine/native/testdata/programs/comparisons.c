/* expect: greybox labels=1 infeasible=2 incomplete
   How often a comparison is asked, and of what, is the library's affair. */
#include <klee/klee.h>
#include <stdlib.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
static int quiet(const void *a, const void *b)
{
    L(*(const int *)a == 3 && *(const int *)b == 1, 4)
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    unsigned char x;
    int v[3] = {1, 2, 3};
    klee_make_symbolic(&x, sizeof x, "x");
    qsort(v, 3, sizeof v[0], quiet);
    L(x == 9, 1)
    L(v[0] != 1, 2)
    klee_silent_exit(0);
}
