/* What a pilot is told when another aircraft comes close: climb, descend or
   nothing.  Heights and rates are in feet and feet a minute.
   Labelled for multiple condition coverage: 72 labels. */
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

    cov_label(layer == 0, 1, "MCC");
    cov_label(!(layer == 0), 2, "MCC");
    if (layer == 0) {
        room = 400;
    }
    cov_label(layer == 1, 3, "MCC");
    cov_label(!(layer == 1), 4, "MCC");
    if (layer == 1) {
        room = 500;
    }
    cov_label(layer == 2, 5, "MCC");
    cov_label(!(layer == 2), 6, "MCC");
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

    cov_label(level_off != 0, 7, "MCC");
    cov_label(!(level_off != 0), 8, "MCC");
    if (level_off != 0) {
        gain = above + BONUS;
    }
    cov_label(gain > below, 9, "MCC");
    cov_label(!(gain > below), 10, "MCC");
    if (gain > below) {
        cov_label((own >= other) && (below < room), 11, "MCC");
        cov_label((own >= other) && !(below < room), 12, "MCC");
        cov_label(!(own >= other) && (below < room), 13, "MCC");
        cov_label(!(own >= other) && !(below < room), 14, "MCC");
        good = own >= other || below < room;
    } else {
        cov_label((other < own) && (above >= room), 15, "MCC");
        cov_label((other < own) && !(above >= room), 16, "MCC");
        cov_label(!(other < own) && (above >= room), 17, "MCC");
        cov_label(!(other < own) && !(above >= room), 18, "MCC");
        good = other < own && above >= room;
    }
    return good;
}

/* Whether a descent leaves enough room. */
int may_descend(int own, int other, int above, int below, int level_off, int room)
{
    int gain = above;
    int good;

    cov_label(level_off != 0, 19, "MCC");
    cov_label(!(level_off != 0), 20, "MCC");
    if (level_off != 0) {
        gain = above + BONUS;
    }
    cov_label(gain > below, 21, "MCC");
    cov_label(!(gain > below), 22, "MCC");
    if (gain > below) {
        cov_label((own < other) && (below >= room), 23, "MCC");
        cov_label((own < other) && !(below >= room), 24, "MCC");
        cov_label(!(own < other) && (below >= room), 25, "MCC");
        cov_label(!(own < other) && !(below >= room), 26, "MCC");
        good = own < other && below >= room;
    } else {
        cov_label((other >= own) && (above < room), 27, "MCC");
        cov_label((other >= own) && !(above < room), 28, "MCC");
        cov_label(!(other >= own) && (above < room), 29, "MCC");
        cov_label(!(other >= own) && !(above < room), 30, "MCC");
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

    cov_label(own->trusted && (own->rate <= FAST) && ((above - below) < TIGHT_GAP), 31, "MCC");
    cov_label(own->trusted && (own->rate <= FAST) && !((above - below) < TIGHT_GAP), 32, "MCC");
    cov_label(own->trusted && !(own->rate <= FAST) && ((above - below) < TIGHT_GAP), 33, "MCC");
    cov_label(own->trusted && !(own->rate <= FAST) && !((above - below) < TIGHT_GAP), 34, "MCC");
    cov_label(!own->trusted && (own->rate <= FAST) && ((above - below) < TIGHT_GAP), 35, "MCC");
    cov_label(!own->trusted && (own->rate <= FAST) && !((above - below) < TIGHT_GAP), 36, "MCC");
    cov_label(!own->trusted && !(own->rate <= FAST) && ((above - below) < TIGHT_GAP), 37, "MCC");
    cov_label(!own->trusted && !(own->rate <= FAST) && !((above - below) < TIGHT_GAP), 38, "MCC");
    close = own->trusted && own->rate <= FAST && above - below < TIGHT_GAP;
    cov_label(close, 39, "MCC");
    cov_label(!close, 40, "MCC");
    if (!close) {
        return NOTHING;
    }
    cov_label((equipped == 1) && (intent != 0) && other->trusted, 41, "MCC");
    cov_label((equipped == 1) && (intent != 0) && !other->trusted, 42, "MCC");
    cov_label((equipped == 1) && !(intent != 0) && other->trusted, 43, "MCC");
    cov_label((equipped == 1) && !(intent != 0) && !other->trusted, 44, "MCC");
    cov_label(!(equipped == 1) && (intent != 0) && other->trusted, 45, "MCC");
    cov_label(!(equipped == 1) && (intent != 0) && !other->trusted, 46, "MCC");
    cov_label(!(equipped == 1) && !(intent != 0) && other->trusted, 47, "MCC");
    cov_label(!(equipped == 1) && !(intent != 0) && !other->trusted, 48, "MCC");
    if (equipped == 1 && intent != 0 && other->trusted) {
        return NOTHING;
    }
    room = margin(layer);
    up = may_climb(own->height, other->height, above, below, level_off, room);
    down = may_descend(own->height, other->height, above, below, level_off, room);
    cov_label(up && (own->height < other->height), 49, "MCC");
    cov_label(up && !(own->height < other->height), 50, "MCC");
    cov_label(!up && (own->height < other->height), 51, "MCC");
    cov_label(!up && !(own->height < other->height), 52, "MCC");
    up = up && own->height < other->height;
    cov_label(down && (other->height < own->height), 53, "MCC");
    cov_label(down && !(other->height < own->height), 54, "MCC");
    cov_label(!down && (other->height < own->height), 55, "MCC");
    cov_label(!down && !(other->height < own->height), 56, "MCC");
    down = down && other->height < own->height;
    cov_label(up && down, 57, "MCC");
    cov_label(up && !down, 58, "MCC");
    cov_label(!up && down, 59, "MCC");
    cov_label(!up && !down, 60, "MCC");
    if (up && down) {
        return CONFLICT;
    }
    cov_label(up && down, 61, "MCC");
    cov_label(up && !down, 62, "MCC");
    cov_label(!up && down, 63, "MCC");
    cov_label(!up && !down, 64, "MCC");
    if (up && !down) {
        return CLIMB;
    }
    cov_label(up && down && (other->rate <= (own->rate + FAST)), 65, "MCC");
    cov_label(up && down && !(other->rate <= (own->rate + FAST)), 66, "MCC");
    cov_label(up && !down && (other->rate <= (own->rate + FAST)), 67, "MCC");
    cov_label(up && !down && !(other->rate <= (own->rate + FAST)), 68, "MCC");
    cov_label(!up && down && (other->rate <= (own->rate + FAST)), 69, "MCC");
    cov_label(!up && down && !(other->rate <= (own->rate + FAST)), 70, "MCC");
    cov_label(!up && !down && (other->rate <= (own->rate + FAST)), 71, "MCC");
    cov_label(!up && !down && !(other->rate <= (own->rate + FAST)), 72, "MCC");
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
