/* Linear interpolation in a table. */
#include <klee/klee.h>

static const float xs[6] = {-10.0f, -1.5f, 0.0f, 2.25f, 7.5f, 20.0f};
static const float ys[6] = {4.0f, 1.0f, 0.0f, 3.5f, 9.75f, -2.0f};

float interpolate(float x)
{
    int i;

    if (x != x || x < xs[0] || x > xs[5])
        return -100.0f;
    for (i = 0; i < 4 && x >= xs[i + 1]; i++)
        ;
    return ys[i] + (x - xs[i]) * (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]);
}

int main(void)
{
    float x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    y = interpolate(x);
    if (y > 9.5f && x > 7.5f)
        return 1;
    if (y > 2.99f && y < 3.0f && x < 0.0f)
        return 2;
    if (y < 0.0f && y > -0.5f)
        return 3;
    return y > 9.75f || y < -100.0f;
}
