/* expect: greybox labels=1,2,4
   A label that inputs can cover is not left to what memory holds that was never set. */
#include <stdlib.h>
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    unsigned char x, c[200];
    char *p = malloc(20);
    klee_make_symbolic(&x, sizeof x, "x");
    if (x < 200) {
        c[x] = 7;
        L(c[77] == 7, 1)
        L(c[3] == 7 || c[150] == 7, 2)
    }
    if (p) {
        p[x & 15] = 'k';
        L(p[9] == 'k', 4)
        free(p);
    }
    klee_silent_exit(0);
}
