/* A low-pass filter over eight samples from a converter of 12 bits. */
#include <klee/klee.h>

float filter(const float *in, int n, float alpha, float *top)
{
    float y = in[0];
    int i;

    *top = y;
    for (i = 1; i < n; i++) {
        y = y + alpha * (in[i] - y);
        if (y > *top)
            *top = y;
    }
    return y;
}

int main(void)
{
    short raw[4];
    float in[4], y, top;
    int i;

    klee_make_symbolic(raw, sizeof raw, "raw");
    for (i = 0; i < 4; i++) {
        if (raw[i] < 0 || raw[i] > 4095)
            return 1;
        in[i] = raw[i] * (3.3f / 4095.0f);
    }
    y = filter(in, 4, 0.25f, &top);
    if (y > 1.65f && top < 1.7f)
        return 2;
    if (y > 3.2f && in[0] < 3.0f)
        return 3;
    if (y < 0.1f && top > 3.0f)
        return 4;
    return y > 4.0f;
}
