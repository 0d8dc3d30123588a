/* A PID controller with a limited integral and a limited output. */
#include <klee/klee.h>

struct pid {
    double kp, ki, kd, integral, last, limit;
};

double step(struct pid *p, double set, double measured, double dt)
{
    double error = set - measured, out;

    if (dt <= 0.0 || dt > 1.0)
        return 0.0;
    p->integral += error * dt;
    if (p->integral > p->limit)
        p->integral = p->limit;
    else if (p->integral < -p->limit)
        p->integral = -p->limit;
    out = p->kp * error + p->ki * p->integral + p->kd * (error - p->last) / dt;
    p->last = error;
    if (out > 100.0 && error > 0.0)
        return 100.0;
    if (out < -100.0 || (out < 0.0 && p->integral > 5.0))
        return -100.0;
    return out;
}

int main(void)
{
    struct pid p = {2.0, 0.5, 0.1, 0.0, 0.0, 10.0};
    double set, measured, dt, u;
    klee_make_symbolic(&set, sizeof set, "set");
    klee_make_symbolic(&measured, sizeof measured, "measured");
    klee_make_symbolic(&dt, sizeof dt, "dt");
    if (!(set >= -100 && set <= 100) || !(measured >= -100 && measured <= 100))
        return 1;
    u = step(&p, set, measured, dt);
    u = step(&p, set, measured + u * 0.01, dt);
    return u > 50.0 && u < 50.5;
}
