/* A thermostat with hysteresis, a limit on how fast its setting changes, and a ramp. */
#include <klee/klee.h>

static int heating;

int thermostat(float temperature, float set)
{
    if (heating && temperature > set + 0.5f)
        heating = 0;
    else if (!heating && temperature < set - 0.5f)
        heating = 1;
    return heating;
}

float limit(float last, float wanted, float rate)
{
    if (wanted > last + rate)
        return last + rate;
    if (wanted < last - rate)
        return last - rate;
    return wanted;
}

float ramp(float from, float to, float t)
{
    if (t <= 0)
        return from;
    if (t >= 1)
        return to;
    return from + t * (to - from);
}

int main(void)
{
    float start, wanted[2], t, set, room;
    int i, on = 0;

    klee_make_symbolic(&start, sizeof start, "start");
    klee_make_symbolic(wanted, sizeof wanted, "wanted");
    klee_make_symbolic(&t, sizeof t, "t");
    if (!(start >= 5 && start <= 30 && t >= -1 && t <= 2))
        return 1;
    set = room = start;
    for (i = 0; i < 2; i++) {
        if (!(wanted[i] >= 5 && wanted[i] <= 30))
            return 1;
        set = limit(set, wanted[i], 2.5f);
        room = ramp(room, set, t);
        on += thermostat(room, set);
    }
    if (on == 2 && set < start)
        return 2;
    if (set > start + 4.9f && room < start + 1.0f)
        return 3;
    if (set > 35.1f || (room > set + 5.1f && t > 0))
        return 4;
    return on == 1 && !heating;
}
