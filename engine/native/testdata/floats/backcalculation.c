/* PID: derivative on the measurement, saturation, back-calculation, three steps. */
#include <klee/klee.h>
struct pid { double kp, ki, kd, kt, i, last, lo, hi; int first; };
double clamp(double v, double lo, double hi)
{
    if (v < lo)
        return lo;
    if (v > hi)
        return hi;
    return v;
}
double pid_step(struct pid *p, double set, double meas, double dt)
{
    double e = set - meas, d = 0, u, v;
    if (!p->first && dt > 0)
        d = (meas - p->last) / dt;
    p->first = 0;
    p->last = meas;
    v = p->kp * e + p->i - p->kd * d;
    u = clamp(v, p->lo, p->hi);
    if ((u == v) || (v > p->hi && e < 0) || (v < p->lo && e > 0))
        p->i += p->ki * e * dt;
    else
        p->i += p->kt * (u - v) * dt;
    return u;
}
int main(void)
{
    struct pid p = {1.2, 0.8, 0.05, 0.5, 0, 0, -10, 10, 1};
    double set, m[3], u = 0, sum = 0;
    int i, sat = 0;
    klee_make_symbolic(&set, sizeof set, "set");
    klee_make_symbolic(m, sizeof m, "m");
    if (!(set >= -50 && set <= 50))
        return 1;
    for (i = 0; i < 3; i++) {
        if (!(m[i] >= -50 && m[i] <= 50))
            return 1;
        u = pid_step(&p, set, m[i], 0.1);
        if (u >= 10 || u <= -10)
            sat++;
        sum += u;
    }
    if (sat == 3 && p.i > 2)
        return 2;
    if (sat == 0 && sum > 28)
        return 3;
    if (p.i < -1 && u > 0)
        return 4;
    return sum > 29.9 && u < 9.95;
}
