/* FIR of 5 taps over a ring buffer, with saturation, and a detector. */
#include <klee/klee.h>
#define N 5
struct fir { double h[N], z[N]; int pos; };
double fir_step(struct fir *f, double x)
{
    double acc = 0;
    int i, k = f->pos;
    f->z[k] = x;
    for (i = 0; i < N; i++) {
        acc += f->h[i] * f->z[k];
        if (--k < 0)
            k = N - 1;
    }
    if (++f->pos >= N)
        f->pos = 0;
    if (acc > 1.0)
        return 1;
    if (acc < -1.0)
        return -1;
    return acc;
}
int detect(double y, double low, double high)
{
    if (y > high || (y < low && low > 0))
        return 1;
    return 0;
}
int main(void)
{
    struct fir f = {{0.1, 0.25, 0.4, 0.25, 0.1}, {0}, 0};
    double x[6], y = 0, e = 0;
    int i, n = 0;
    klee_make_symbolic(x, sizeof x, "x");
    for (i = 0; i < 6; i++) {
        if (!(x[i] >= -2 && x[i] <= 2))
            return 1;
        y = fir_step(&f, x[i]);
        e += y * y;
        n += detect(y, 0.1, 0.9);
    }
    if (e > 2.5 && y < 0)
        return 2;
    if (n > 3 && x[0] < 0)
        return 3;
    if (e < 0.01 && x[2] > 1)
        return 4;
    return 0;
}
