/* expect: greybox labels=1,2,4,5,6,7,8 infeasible=3,9,10,11 errors=ptr.err completed=12 complete
   Label 4 needs an overflow, 10 stands before a certain crash, 11 cannot hold. */
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
static int kind(int a, int b, int c)
{
    L(a > 0 && b > 0, 1)
    L(a < 0, 2)
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    L(a <= 0, 3)
    L(a == b && b == c && a + b < c, 4)
    L(a + b <= c && c > 1000, 5)
    if (a + b <= c || a + c <= b || b + c <= a) return 1;
    if (a == b && b == c) { L(1, 6) return 2; }
    L(a == 7, 7)
    if (a == b || b == c || a == c) return 3;
    L(a * a + b * b == c * c, 8)
    L(c % 7 == 9, 9)
    return 4;
}
static int klabel_main(void)
{
    int a, b, c, *p;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    p = a == 55 ? (int *)0 : &b;
    L(a == 55, 10)
    L(p == 0 && c == 3 && b != b, 11)
    *p = *p;
    return kind(a, b, c);
}
int main(void)
{
    klabel_main();
    klee_silent_exit(0);
}
