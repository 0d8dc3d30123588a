/* Thermostat with hysteresis, minimal times, a room model and alarms. */
#include <klee/klee.h>
enum { OFF, HEAT, COOL };
struct thermo { int mode; int hold; double set, band, room; };
int thermo_step(struct thermo *t, double outside)
{
    double flow = t->mode == HEAT ? 1.5 : t->mode == COOL ? -1.2 : 0;
    t->room += 0.1 * (outside - t->room) + flow;
    if (t->hold > 0) {
        t->hold--;
        return t->mode;
    }
    switch (t->mode) {
    case OFF:
        if (t->room < t->set - t->band) {
            t->mode = HEAT;
            t->hold = 1;
        } else if (t->room > t->set + t->band) {
            t->mode = COOL;
            t->hold = 1;
        }
        break;
    case HEAT:
        if (t->room > t->set + t->band / 2)
            t->mode = OFF;
        break;
    default:
        if (t->room < t->set - t->band / 2)
            t->mode = OFF;
    }
    return t->mode;
}
int main(void)
{
    struct thermo t = {OFF, 0, 20, 1, 20};
    double o[5], set, room;
    int i, changes = 0, last = OFF;
    klee_make_symbolic(o, sizeof o, "o");
    klee_make_symbolic(&set, sizeof set, "set");
    klee_make_symbolic(&room, sizeof room, "room");
    if (!(set >= 10 && set <= 30 && room >= 0 && room <= 40))
        return 1;
    t.set = set;
    t.room = room;
    for (i = 0; i < 5; i++) {
        if (!(o[i] >= -30 && o[i] <= 45))
            return 1;
        if (thermo_step(&t, o[i]) != last)
            changes++;
        last = t.mode;
        if (t.room > 40 || (t.room < 0 && t.mode != HEAT))
            return 2;
    }
    if (changes >= 3 && t.mode == COOL)
        return 3;
    if (t.mode == HEAT && t.room > set)
        return 4;
    return 0;
}
