/* A PI controller whose integral stands still while the output is limited. */
#include <klee/klee.h>

struct pi {
    float kp, ki, sum, low, high;
};

float step(struct pi *c, float error, float dt)
{
    float raw = c->kp * error + c->ki * (c->sum + error * dt), out = raw;

    if (raw > c->high)
        out = c->high;
    else if (raw < c->low)
        out = c->low;
    if (out == raw || (raw > c->high && error < 0.0f) || (raw < c->low && error > 0.0f))
        c->sum += error * dt;
    return out;
}

int main(void)
{
    struct pi c = {1.5f, 0.25f, 0.0f, -20.0f, 20.0f};
    float e[3], out = 0;
    int i;

    klee_make_symbolic(e, sizeof e, "e");
    for (i = 0; i < 3; i++) {
        if (!(e[i] > -50.0f && e[i] < 50.0f))
            return 1;
        out = step(&c, e[i], 0.1f);
    }
    if (out >= 20.0f && c.sum < -9.0f)
        return 2;
    if (out > 19.0f && out < 20.0f && c.sum > 2.0f)
        return 3;
    if (c.sum > 15.5f || out > 20.0f)
        return 4;
    return 0;
}
