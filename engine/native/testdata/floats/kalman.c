/* A Kalman filter of one dimension: the gain depends on a symbolic noise. */
#include <klee/klee.h>

struct kalman {
    double x, p, q, r;
};

double update(struct kalman *k, double z)
{
    double gain;

    k->p += k->q;
    gain = k->p / (k->p + k->r);
    k->x += gain * (z - k->x);
    k->p *= 1 - gain;
    return gain;
}

int main(void)
{
    struct kalman k = {0, 1, 0.01, 0};
    double z[2], noise, gain;

    klee_make_symbolic(z, sizeof z, "z");
    klee_make_symbolic(&noise, sizeof noise, "noise");
    if (!(noise >= 0.1 && noise <= 10) || !(z[0] >= -5 && z[0] <= 5) || !(z[1] >= -5 && z[1] <= 5))
        return 1;
    k.r = noise;
    gain = update(&k, z[0]);
    if (gain > 0.95 || gain < 0.05)
        return 2;
    gain = update(&k, z[1]);
    if (k.x > 4.5 && z[0] < 4.0)
        return 3;
    if (k.p < 0 || gain > 0.6)
        return 4;
    return k.x > 2 && z[1] < 0 && noise < 1;
}
