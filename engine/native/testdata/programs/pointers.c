/* expect: errors=ptr.err completed=9 complete
   Symbolic indices read and write without a fork; a pointer that is one of
   several splits only where it leaves its objects. */
#include <klee/klee.h>
static int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
struct item { short a; char c[5]; int d; };
int main(void)
{
    unsigned i, j, k;
    int x = 1, y = 2, *p, hist[10] = {0};
    struct item items[7];
    klee_make_symbolic(&i, sizeof i, "i");
    klee_make_symbolic(&j, sizeof j, "j");
    klee_make_symbolic(&k, sizeof k, "k");
    hist[table[i & 15]]++;
    if (hist[9] == 1) return 1;
    for (int n = 0; n < 7; n++) items[n].d = n * n;
    if (j < 7) {
        items[j].d += 1000;
        if (items[j].d == 1025) return j == 5 ? 2 : 99;
        if (items[3].d == 1009) return j == 3 ? 3 : 99;
    }
    p = k & 1 ? &x : &y;
    *p = 7;
    if (x == 7) return k & 1 ? 4 : 99;
    return table[k];
}
