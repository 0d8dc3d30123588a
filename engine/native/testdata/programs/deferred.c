/* expect: greybox labels=1,3 infeasible=2,4 complete
   A label counts only on runs that end normally: 1 is met first with values
   that crash later; 2 is met only by values that crash. */
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    int x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    L(x >= 0, 1)
    L(x == 0 || x == 5, 2)
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(y != 0);
    if (x == 5) x = 0;
    x = y / x;
    L(y == 12 && x == 3, 3)
    L(y == 0, 4)
    klee_silent_exit(0);
}
