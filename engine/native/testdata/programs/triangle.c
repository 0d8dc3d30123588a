/* expect: completed=10 tests=10 complete */
#include <klee/klee.h>
static int kind(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a + b <= c || a + c <= b || b + c <= a) return 1;
    if (a == b && b == c) return 2;
    return a == b || b == c || a == c ? 3 : 4;
}
int main(void)
{
    int a, b, c;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    return kind(a, b, c);
}
