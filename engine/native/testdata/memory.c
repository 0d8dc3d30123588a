/* States that multiply, each with 60 kB of its own. */
#include <klee/klee.h>
int main(void)
{
    unsigned x, y, n = 0;
    static char page[60000];
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    for (int i = 0; i < 30; i++)
        if (x >> i & 1)
            for (int k = 0; k < 60000; k += 1000) page[k] = i + n++;
        else if (y >> i & 1)
            for (int k = 0; k < 60000; k += 1000) page[k] = i - n++ + x;
    return n + page[3];
}
