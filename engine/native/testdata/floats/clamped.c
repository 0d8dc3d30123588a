/* Biquad, direct form I, coefficients and a state that is checked. */
#include <klee/klee.h>
struct bq { float b0, b1, b2, a1, a2, x1, x2, y1, y2; };
float bq_step(struct bq *f, float x)
{
    float y = f->b0 * x + f->b1 * f->x1 + f->b2 * f->x2 - f->a1 * f->y1 - f->a2 * f->y2;
    f->x2 = f->x1; f->x1 = x;
    f->y2 = f->y1;
    if (y > 0.99f || y < -0.99f)
        y = y > 0 ? 0.99f : -0.99f;
    f->y1 = y;
    return y;
}
int main(void)
{
    struct bq f = {0.0675f, 0.1349f, 0.0675f, -1.143f, 0.4128f, 0, 0, 0, 0};
    float x[5], y = 0, p = 0, m = 0;
    int i, cross = 0;
    klee_make_symbolic(x, sizeof x, "x");
    for (i = 0; i < 5; i++) {
        if (!(x[i] > -4 && x[i] < 4))
            return 1;
        y = bq_step(&f, x[i]);
        if ((y > 0 && p < 0) || (y < 0 && p > 0))
            cross++;
        if (y > m)
            m = y;
        p = y;
    }
    if (cross >= 3 && m > 0.2f)
        return 2;
    if (m >= 0.99f && y < 0.5f)
        return 3;
    return m > 0.5f && x[4] == 0;
}
