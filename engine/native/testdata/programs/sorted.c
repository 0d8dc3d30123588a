/* expect: greybox labels=1,2,4 infeasible=3 incomplete
   What qsort calls equal is the same here: nothing depends on its order. */
#include <klee/klee.h>
#include <stdlib.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
static int compare(const void *a, const void *b)
{
    int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}
int main(void)
{
    int v[3];
    klee_make_symbolic(v, sizeof v, "v");
    qsort(v, 3, sizeof v[0], compare);
    L(v[0] == 5 && v[2] == 7, 1)
    L(v[0] == v[2], 2)
    L(v[0] > v[1], 3)
    L(v[1] < 0, 4)
    klee_silent_exit(0);
}
