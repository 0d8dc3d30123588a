/* expect: greybox labels=1,2 infeasible= incomplete
   Which of two equals comes first is nobody's promise. */
#include <klee/klee.h>
#include <stdlib.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
struct item { unsigned char key, at; };
static int compare(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
int main(void)
{
    struct item v[2];
    unsigned char k[2];
    klee_make_symbolic(k, sizeof k, "k");
    v[0].key = k[0], v[1].key = k[1];
    v[0].at = 0, v[1].at = 1;
    qsort(v, 2, sizeof v[0], compare);
    L(v[0].at == 0, 1)
    L(v[0].at == 1, 2)
    L(v[0].key == v[1].key && v[0].at == 1, 3)
    klee_silent_exit(0);
}
