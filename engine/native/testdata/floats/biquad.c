/* Two second-order low-pass filters in a row. */
#include <klee/klee.h>

struct biquad {
    double b0, b1, b2, a1, a2, z1, z2;
};

double run(struct biquad *q, double x)
{
    double y = q->b0 * x + q->z1;

    q->z1 = q->b1 * x - q->a1 * y + q->z2;
    q->z2 = q->b2 * x - q->a2 * y;
    return y;
}

int main(void)
{
    struct biquad p = {0.2, 0.4, 0.2, -0.4, 0.2, 0, 0}, q = p;
    double x[4], y = 0, peak = 0;
    int i;

    klee_make_symbolic(x, sizeof x, "x");
    for (i = 0; i < 4; i++) {
        if (!(x[i] >= -1 && x[i] <= 1))
            return 1;
        y = run(&q, run(&p, x[i]));
        if (y > peak)
            peak = y;
    }
    if (y > 0.6 && x[3] < 0)
        return 2;
    if (peak > 0.9)
        return 3;
    if (peak > 0.5 && y < -0.1)
        return 4;
    return y < -1.5 || (peak > 0.75 && x[0] < 0.5);
}
