/* expect: greybox labels=1 incomplete
   sin is computed by samples, so nothing can be proved. */
#include <klee/klee.h>
#include <math.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    int x;
    double f;
    klee_make_symbolic(&x, sizeof x, "x");
    L(1, 1)
    f = sin(x);
    L(f == 123456.0 && x == 0, 2)
    klee_silent_exit(0);
}
