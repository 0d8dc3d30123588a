/* expect: greybox labels=1 incomplete
   A symbolic float is made concrete, so nothing can be proved. */
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    int x;
    float f;
    klee_make_symbolic(&x, sizeof x, "x");
    L(1, 1)
    f = x;
    L(f == 123456.0f && x == 0, 2)
    klee_silent_exit(0);
}
