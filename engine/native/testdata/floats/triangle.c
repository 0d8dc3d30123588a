/* The triangle with floats. Sides may be negative, infinite or no number. */
#include <klee/klee.h>

int triangle(float i, float j, float k)
{
    int match = 0;

    if (i == 0 || j == 0 || k == 0)
        return 0;
    if (i == j)
        match += 1;
    if (i == k)
        match += 2;
    if (j == k)
        match += 3;
    if (match == 0) {
        if ((i + j <= k) && (j + k <= i) && (i + k <= j))
            return 4;
        if (i + j <= k || j + k <= i || i + k <= j)
            return 5;
        return 1;
    }
    if (match == 1)
        return i + j <= k ? 5 : 2;
    if (match == 2)
        return i + k <= j ? 5 : 2;
    if (match == 3)
        return j + k <= i ? 5 : 2;
    return 3;
}

int main(void)
{
    float i, j, k;
    klee_make_symbolic(&i, sizeof i, "i");
    klee_make_symbolic(&j, sizeof j, "j");
    klee_make_symbolic(&k, sizeof k, "k");
    return triangle(i, j, k);
}
