/* What a pilot is told when another aircraft comes close: climb, descend or
   nothing.  Heights and rates are in feet and feet a minute.
   Labelled for condition coverage: 66 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

enum advice { NOTHING, CLIMB, DESCEND, CONFLICT };

enum { TIGHT_GAP = 300, FAST = 600, BONUS = 100 };

struct track {
    int height;
    int rate;
    int trusted; /* the height is reported, not estimated */
};

/* How much vertical room the layer of air asks for. */
int margin(int layer)
{
    int room = 740;

    cov_label(layer == 0, 1, "CC");
    cov_label(!(layer == 0), 2, "CC");
    if (layer == 0) {
        room = 400;
    }
    cov_label(layer == 1, 3, "CC");
    cov_label(!(layer == 1), 4, "CC");
    if (layer == 1) {
        room = 500;
    }
    cov_label(layer == 2, 5, "CC");
    cov_label(!(layer == 2), 6, "CC");
    if (layer == 2) {
        room = 640;
    }
    return room;
}

/* Whether a climb leaves enough room. */
int may_climb(int own, int other, int above, int below, int level_off, int room)
{
    int gain = above;
    int good;

    cov_label(level_off != 0, 7, "CC");
    cov_label(!(level_off != 0), 8, "CC");
    if (level_off != 0) {
        gain = above + BONUS;
    }
    cov_label(gain > below, 9, "CC");
    cov_label(!(gain > below), 10, "CC");
    if (gain > below) {
        cov_label(own >= other, 11, "CC");
        cov_label(!(own >= other), 12, "CC");
        cov_label(below < room, 13, "CC");
        cov_label(!(below < room), 14, "CC");
        good = own >= other || below < room;
    } else {
        cov_label(other < own, 15, "CC");
        cov_label(!(other < own), 16, "CC");
        cov_label(above >= room, 17, "CC");
        cov_label(!(above >= room), 18, "CC");
        good = other < own && above >= room;
    }
    return good;
}

/* Whether a descent leaves enough room. */
int may_descend(int own, int other, int above, int below, int level_off, int room)
{
    int gain = above;
    int good;

    cov_label(level_off != 0, 19, "CC");
    cov_label(!(level_off != 0), 20, "CC");
    if (level_off != 0) {
        gain = above + BONUS;
    }
    cov_label(gain > below, 21, "CC");
    cov_label(!(gain > below), 22, "CC");
    if (gain > below) {
        cov_label(own < other, 23, "CC");
        cov_label(!(own < other), 24, "CC");
        cov_label(below >= room, 25, "CC");
        cov_label(!(below >= room), 26, "CC");
        good = own < other && below >= room;
    } else {
        cov_label(other >= own, 27, "CC");
        cov_label(!(other >= own), 28, "CC");
        cov_label(above < room, 29, "CC");
        cov_label(!(above < room), 30, "CC");
        good = other >= own || above < room;
    }
    return good;
}

enum advice avoid(const struct track *own, const struct track *other, int layer,
                  int above, int below, int level_off, int equipped, int intent)
{
    int room;
    int close;
    int up;
    int down;

    cov_label(own->trusted, 31, "CC");
    cov_label(!own->trusted, 32, "CC");
    cov_label(own->rate <= FAST, 33, "CC");
    cov_label(!(own->rate <= FAST), 34, "CC");
    cov_label((above - below) < TIGHT_GAP, 35, "CC");
    cov_label(!((above - below) < TIGHT_GAP), 36, "CC");
    close = own->trusted && own->rate <= FAST && above - below < TIGHT_GAP;
    cov_label(close, 37, "CC");
    cov_label(!close, 38, "CC");
    if (!close) {
        return NOTHING;
    }
    cov_label(equipped == 1, 39, "CC");
    cov_label(!(equipped == 1), 40, "CC");
    cov_label(intent != 0, 41, "CC");
    cov_label(!(intent != 0), 42, "CC");
    cov_label(other->trusted, 43, "CC");
    cov_label(!other->trusted, 44, "CC");
    if (equipped == 1 && intent != 0 && other->trusted) {
        return NOTHING;
    }
    room = margin(layer);
    up = may_climb(own->height, other->height, above, below, level_off, room);
    down = may_descend(own->height, other->height, above, below, level_off, room);
    cov_label(up, 45, "CC");
    cov_label(!up, 46, "CC");
    cov_label(own->height < other->height, 47, "CC");
    cov_label(!(own->height < other->height), 48, "CC");
    up = up && own->height < other->height;
    cov_label(down, 49, "CC");
    cov_label(!down, 50, "CC");
    cov_label(other->height < own->height, 51, "CC");
    cov_label(!(other->height < own->height), 52, "CC");
    down = down && other->height < own->height;
    cov_label(up, 53, "CC");
    cov_label(!up, 54, "CC");
    cov_label(down, 55, "CC");
    cov_label(!down, 56, "CC");
    if (up && down) {
        return CONFLICT;
    }
    cov_label(up, 57, "CC");
    cov_label(!up, 58, "CC");
    cov_label(down, 59, "CC");
    cov_label(!down, 60, "CC");
    if (up && !down) {
        return CLIMB;
    }
    cov_label(up, 61, "CC");
    cov_label(!up, 62, "CC");
    cov_label(down, 63, "CC");
    cov_label(!down, 64, "CC");
    cov_label(other->rate <= (own->rate + FAST), 65, "CC");
    cov_label(!(other->rate <= (own->rate + FAST)), 66, "CC");
    if (!up && down && other->rate <= own->rate + FAST) {
        return DESCEND;
    }
    return NOTHING;
}

/* Two tracks and the state of both sets, each within what can be flown. */
int main(void)
{
    struct track own;
    struct track other;
    int layer;
    int above;
    int below;
    int level_off;
    int equipped;
    int intent;

    klee_make_symbolic(&own, sizeof own, "own");
    klee_make_symbolic(&other, sizeof other, "other");
    klee_make_symbolic(&layer, sizeof layer, "layer");
    klee_make_symbolic(&above, sizeof above, "above");
    klee_make_symbolic(&below, sizeof below, "below");
    klee_make_symbolic(&level_off, sizeof level_off, "level_off");
    klee_make_symbolic(&equipped, sizeof equipped, "equipped");
    klee_make_symbolic(&intent, sizeof intent, "intent");
    klee_assume((own.height >= 0) & (own.height <= 60000) & (other.height >= 0) & (other.height <= 60000));
    klee_assume((own.rate >= 0) & (own.rate <= 6000) & (other.rate >= 0) & (other.rate <= 6000));
    klee_assume((above >= 0) & (above <= 10000) & (below >= 0) & (below <= 10000));
    klee_assume((layer >= 0) & (layer <= 3));
    klee_assume((equipped >= 0) & (equipped <= 2) & (intent >= 0) & (intent <= 2));
    avoid(&own, &other, layer, above, below, level_off, equipped, intent);
    return 0;
}
