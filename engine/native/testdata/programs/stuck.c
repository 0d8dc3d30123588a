/* expect: greybox labels=1 incomplete max-instructions=20000
   What lies behind a loop without end is unknown, not infeasible. */
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    int x;
    volatile int n = 0;
    klee_make_symbolic(&x, sizeof x, "x");
    L(x == 1, 1)
    if (x == 2)
        for (;;) n++;
    L(x == 2, 2)
    klee_silent_exit(0);
}
