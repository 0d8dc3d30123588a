/* expect: greybox labels=1,2,3 incomplete
   A block of any size: some sizes that small inputs come to, and not all. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    unsigned long n;
    char text[16], *p;
    klee_make_symbolic(&n, sizeof n, "n");
    klee_make_symbolic(text, sizeof text, "text");
    klee_assume(n < 1000000);
    p = malloc(8 + n + 1);
    if (n <= sizeof text) {
        memcpy(p + 8, text, n);
        L(n == 0, 1)
        L(n == 3 && p[10] == 'c', 2)
    }
    L(n == 1024, 3)
    L(n == 777, 4)
    klee_silent_exit(0);
}
