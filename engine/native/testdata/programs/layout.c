/* expect: greybox infeasible=17
   Where objects stand is not the engine's to say, also where a constant says it, or an
   address is a number in a union. */
#include <stdint.h>
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int a, b;
static int t[4];
static const char text[] = "abc";
static uintptr_t above = (uintptr_t)&a + 1;
union number { int *p; uintptr_t n; };
static void constants(void)
{
    L(&a < &b, 1) L(&a > &b, 2)
    L((unsigned)((uintptr_t)&a * 2654435761u) >> 28 != 99, 3)
    L((unsigned)((uintptr_t)&a * 2654435761u) >> 28 == 5, 4)
    L(((uintptr_t)&a ^ (uintptr_t)&b) == 4, 5)
    L(&a + 1 == &b, 6)
    L((char *)&a - (char *)&b == 4, 7)
    L((uintptr_t)&a >> 40 == 0, 8)
}
static void numbers(unsigned char x)
{
    union number u;
    const char *s = "abc", *n = text;
    u.p = &a;
    L(u.p == &a, 9)
    L(u.n > (uintptr_t)1 << 46, 10)
    L(u.n == 0x40001234, 11) L(u.n > 0x700000000000, 19)
    L(((u.n ^ x) & 1) == x / 255u + 2, 12)
    L(above % 16 == 3, 13)
    L(s != n, 14) L(s == n, 15)
    L(u.p != 0 && u.n < (uintptr_t)-4095, 16)
}
int main(void)
{
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    L(&t[3] < &t[1] || &t[2] - &t[0] != 2, 17)
    L(x == 7, 18)
    if (x == 3) constants();
    if (x == 4) numbers(x);
    klee_silent_exit(0);
}
