/* What a pilot is told when another aircraft comes close: climb, descend or
   nothing.  Heights and rates are in feet and feet a minute.
   Labelled for weak mutations: 169 labels. */
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

    cov_label((layer == 0) != (layer < 0), 1, "WM ROR");
    cov_label((layer == 0) != (layer <= 0), 2, "WM ROR");
    cov_label((layer == 0) != (layer > 0), 3, "WM ROR");
    cov_label((layer == 0) != (layer >= 0), 4, "WM ROR");
    cov_label((layer == 0) != (layer != 0), 5, "WM ROR");
    if (layer == 0) {
        room = 400;
    }
    cov_label((layer == 1) != (layer < 1), 6, "WM ROR");
    cov_label((layer == 1) != (layer <= 1), 7, "WM ROR");
    cov_label((layer == 1) != (layer > 1), 8, "WM ROR");
    cov_label((layer == 1) != (layer >= 1), 9, "WM ROR");
    cov_label((layer == 1) != (layer != 1), 10, "WM ROR");
    if (layer == 1) {
        room = 500;
    }
    cov_label((layer == 2) != (layer < 2), 11, "WM ROR");
    cov_label((layer == 2) != (layer <= 2), 12, "WM ROR");
    cov_label((layer == 2) != (layer > 2), 13, "WM ROR");
    cov_label((layer == 2) != (layer >= 2), 14, "WM ROR");
    cov_label((layer == 2) != (layer != 2), 15, "WM ROR");
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

    cov_label((level_off != 0) != (level_off < 0), 16, "WM ROR");
    cov_label((level_off != 0) != (level_off <= 0), 17, "WM ROR");
    cov_label((level_off != 0) != (level_off > 0), 18, "WM ROR");
    cov_label((level_off != 0) != (level_off >= 0), 19, "WM ROR");
    cov_label((level_off != 0) != (level_off == 0), 20, "WM ROR");
    if (level_off != 0) {
        cov_label(above < 0, 21, "WM ABS");
        cov_label((above + BONUS) != (above - BONUS), 22, "WM AOR");
        cov_label((above + BONUS) != (above * BONUS), 23, "WM AOR");
        cov_label(BONUS != 0 && (above + BONUS) != (above / BONUS), 24, "WM AOR");
        gain = above + BONUS;
    }
    cov_label((gain > below) != (gain < below), 25, "WM ROR");
    cov_label((gain > below) != (gain <= below), 26, "WM ROR");
    cov_label((gain > below) != (gain >= below), 27, "WM ROR");
    cov_label((gain > below) != (gain == below), 28, "WM ROR");
    cov_label((gain > below) != (gain != below), 29, "WM ROR");
    if (gain > below) {
        cov_label((own >= other) != (own < other), 30, "WM ROR");
        cov_label((own >= other) != (own <= other), 31, "WM ROR");
        cov_label((own >= other) != (own > other), 32, "WM ROR");
        cov_label((own >= other) != (own == other), 33, "WM ROR");
        cov_label((own >= other) != (own != other), 34, "WM ROR");
        cov_label((below < room) != (below <= room), 35, "WM ROR");
        cov_label((below < room) != (below > room), 36, "WM ROR");
        cov_label((below < room) != (below >= room), 37, "WM ROR");
        cov_label((below < room) != (below == room), 38, "WM ROR");
        cov_label((below < room) != (below != room), 39, "WM ROR");
        cov_label(((own >= other) || (below < room)) != ((own >= other) && (below < room)), 40, "WM COR");
        cov_label(((own >= other) || (below < room)) != !!(own >= other), 41, "WM COR");
        cov_label(((own >= other) || (below < room)) != !!(below < room), 42, "WM COR");
        good = own >= other || below < room;
    } else {
        cov_label((other < own) != (other <= own), 43, "WM ROR");
        cov_label((other < own) != (other > own), 44, "WM ROR");
        cov_label((other < own) != (other >= own), 45, "WM ROR");
        cov_label((other < own) != (other == own), 46, "WM ROR");
        cov_label((other < own) != (other != own), 47, "WM ROR");
        cov_label((above >= room) != (above < room), 48, "WM ROR");
        cov_label((above >= room) != (above <= room), 49, "WM ROR");
        cov_label((above >= room) != (above > room), 50, "WM ROR");
        cov_label((above >= room) != (above == room), 51, "WM ROR");
        cov_label((above >= room) != (above != room), 52, "WM ROR");
        cov_label(((other < own) && (above >= room)) != ((other < own) || (above >= room)), 53, "WM COR");
        cov_label(((other < own) && (above >= room)) != !!(other < own), 54, "WM COR");
        cov_label(((other < own) && (above >= room)) != !!(above >= room), 55, "WM COR");
        good = other < own && above >= room;
    }
    return good;
}

/* Whether a descent leaves enough room. */
int may_descend(int own, int other, int above, int below, int level_off, int room)
{
    int gain = above;
    int good;

    cov_label((level_off != 0) != (level_off < 0), 56, "WM ROR");
    cov_label((level_off != 0) != (level_off <= 0), 57, "WM ROR");
    cov_label((level_off != 0) != (level_off > 0), 58, "WM ROR");
    cov_label((level_off != 0) != (level_off >= 0), 59, "WM ROR");
    cov_label((level_off != 0) != (level_off == 0), 60, "WM ROR");
    if (level_off != 0) {
        cov_label(above < 0, 61, "WM ABS");
        cov_label((above + BONUS) != (above - BONUS), 62, "WM AOR");
        cov_label((above + BONUS) != (above * BONUS), 63, "WM AOR");
        cov_label(BONUS != 0 && (above + BONUS) != (above / BONUS), 64, "WM AOR");
        gain = above + BONUS;
    }
    cov_label((gain > below) != (gain < below), 65, "WM ROR");
    cov_label((gain > below) != (gain <= below), 66, "WM ROR");
    cov_label((gain > below) != (gain >= below), 67, "WM ROR");
    cov_label((gain > below) != (gain == below), 68, "WM ROR");
    cov_label((gain > below) != (gain != below), 69, "WM ROR");
    if (gain > below) {
        cov_label((own < other) != (own <= other), 70, "WM ROR");
        cov_label((own < other) != (own > other), 71, "WM ROR");
        cov_label((own < other) != (own >= other), 72, "WM ROR");
        cov_label((own < other) != (own == other), 73, "WM ROR");
        cov_label((own < other) != (own != other), 74, "WM ROR");
        cov_label((below >= room) != (below < room), 75, "WM ROR");
        cov_label((below >= room) != (below <= room), 76, "WM ROR");
        cov_label((below >= room) != (below > room), 77, "WM ROR");
        cov_label((below >= room) != (below == room), 78, "WM ROR");
        cov_label((below >= room) != (below != room), 79, "WM ROR");
        cov_label(((own < other) && (below >= room)) != ((own < other) || (below >= room)), 80, "WM COR");
        cov_label(((own < other) && (below >= room)) != !!(own < other), 81, "WM COR");
        cov_label(((own < other) && (below >= room)) != !!(below >= room), 82, "WM COR");
        good = own < other && below >= room;
    } else {
        cov_label((other >= own) != (other < own), 83, "WM ROR");
        cov_label((other >= own) != (other <= own), 84, "WM ROR");
        cov_label((other >= own) != (other > own), 85, "WM ROR");
        cov_label((other >= own) != (other == own), 86, "WM ROR");
        cov_label((other >= own) != (other != own), 87, "WM ROR");
        cov_label((above < room) != (above <= room), 88, "WM ROR");
        cov_label((above < room) != (above > room), 89, "WM ROR");
        cov_label((above < room) != (above >= room), 90, "WM ROR");
        cov_label((above < room) != (above == room), 91, "WM ROR");
        cov_label((above < room) != (above != room), 92, "WM ROR");
        cov_label(((other >= own) || (above < room)) != ((other >= own) && (above < room)), 93, "WM COR");
        cov_label(((other >= own) || (above < room)) != !!(other >= own), 94, "WM COR");
        cov_label(((other >= own) || (above < room)) != !!(above < room), 95, "WM COR");
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

    cov_label((own->rate <= FAST) != (own->rate < FAST), 96, "WM ROR");
    cov_label((own->rate <= FAST) != (own->rate > FAST), 97, "WM ROR");
    cov_label((own->rate <= FAST) != (own->rate >= FAST), 98, "WM ROR");
    cov_label((own->rate <= FAST) != (own->rate == FAST), 99, "WM ROR");
    cov_label((own->rate <= FAST) != (own->rate != FAST), 100, "WM ROR");
    cov_label((own->trusted && (own->rate <= FAST)) != (own->trusted || (own->rate <= FAST)), 101, "WM COR");
    cov_label((own->trusted && (own->rate <= FAST)) != !!own->trusted, 102, "WM COR");
    cov_label((own->trusted && (own->rate <= FAST)) != !!(own->rate <= FAST), 103, "WM COR");
    cov_label(above < 0, 104, "WM ABS");
    cov_label(below < 0, 105, "WM ABS");
    cov_label((above - below) != (above + below), 106, "WM AOR");
    cov_label((above - below) != (above * below), 107, "WM AOR");
    cov_label(below != 0 && (above - below) != (above / below), 108, "WM AOR");
    cov_label(((above - below) < TIGHT_GAP) != ((above - below) <= TIGHT_GAP), 109, "WM ROR");
    cov_label(((above - below) < TIGHT_GAP) != ((above - below) > TIGHT_GAP), 110, "WM ROR");
    cov_label(((above - below) < TIGHT_GAP) != ((above - below) >= TIGHT_GAP), 111, "WM ROR");
    cov_label(((above - below) < TIGHT_GAP) != ((above - below) == TIGHT_GAP), 112, "WM ROR");
    cov_label(((above - below) < TIGHT_GAP) != ((above - below) != TIGHT_GAP), 113, "WM ROR");
    cov_label(((own->trusted && (own->rate <= FAST)) && ((above - below) < TIGHT_GAP)) != ((own->trusted && (own->rate <= FAST)) || ((above - below) < TIGHT_GAP)), 114, "WM COR");
    cov_label(((own->trusted && (own->rate <= FAST)) && ((above - below) < TIGHT_GAP)) != !!(own->trusted && (own->rate <= FAST)), 115, "WM COR");
    cov_label(((own->trusted && (own->rate <= FAST)) && ((above - below) < TIGHT_GAP)) != !!((above - below) < TIGHT_GAP), 116, "WM COR");
    close = own->trusted && own->rate <= FAST && above - below < TIGHT_GAP;
    if (!close) {
        return NOTHING;
    }
    cov_label((equipped == 1) != (equipped < 1), 117, "WM ROR");
    cov_label((equipped == 1) != (equipped <= 1), 118, "WM ROR");
    cov_label((equipped == 1) != (equipped > 1), 119, "WM ROR");
    cov_label((equipped == 1) != (equipped >= 1), 120, "WM ROR");
    cov_label((equipped == 1) != (equipped != 1), 121, "WM ROR");
    cov_label((intent != 0) != (intent < 0), 122, "WM ROR");
    cov_label((intent != 0) != (intent <= 0), 123, "WM ROR");
    cov_label((intent != 0) != (intent > 0), 124, "WM ROR");
    cov_label((intent != 0) != (intent >= 0), 125, "WM ROR");
    cov_label((intent != 0) != (intent == 0), 126, "WM ROR");
    cov_label(((equipped == 1) && (intent != 0)) != ((equipped == 1) || (intent != 0)), 127, "WM COR");
    cov_label(((equipped == 1) && (intent != 0)) != !!(equipped == 1), 128, "WM COR");
    cov_label(((equipped == 1) && (intent != 0)) != !!(intent != 0), 129, "WM COR");
    cov_label((((equipped == 1) && (intent != 0)) && other->trusted) != (((equipped == 1) && (intent != 0)) || other->trusted), 130, "WM COR");
    cov_label((((equipped == 1) && (intent != 0)) && other->trusted) != !!((equipped == 1) && (intent != 0)), 131, "WM COR");
    cov_label((((equipped == 1) && (intent != 0)) && other->trusted) != !!other->trusted, 132, "WM COR");
    if (equipped == 1 && intent != 0 && other->trusted) {
        return NOTHING;
    }
    room = margin(layer);
    up = may_climb(own->height, other->height, above, below, level_off, room);
    down = may_descend(own->height, other->height, above, below, level_off, room);
    cov_label((own->height < other->height) != (own->height <= other->height), 133, "WM ROR");
    cov_label((own->height < other->height) != (own->height > other->height), 134, "WM ROR");
    cov_label((own->height < other->height) != (own->height >= other->height), 135, "WM ROR");
    cov_label((own->height < other->height) != (own->height == other->height), 136, "WM ROR");
    cov_label((own->height < other->height) != (own->height != other->height), 137, "WM ROR");
    cov_label((up && (own->height < other->height)) != (up || (own->height < other->height)), 138, "WM COR");
    cov_label((up && (own->height < other->height)) != !!up, 139, "WM COR");
    cov_label((up && (own->height < other->height)) != !!(own->height < other->height), 140, "WM COR");
    up = up && own->height < other->height;
    cov_label((other->height < own->height) != (other->height <= own->height), 141, "WM ROR");
    cov_label((other->height < own->height) != (other->height > own->height), 142, "WM ROR");
    cov_label((other->height < own->height) != (other->height >= own->height), 143, "WM ROR");
    cov_label((other->height < own->height) != (other->height == own->height), 144, "WM ROR");
    cov_label((other->height < own->height) != (other->height != own->height), 145, "WM ROR");
    cov_label((down && (other->height < own->height)) != (down || (other->height < own->height)), 146, "WM COR");
    cov_label((down && (other->height < own->height)) != !!down, 147, "WM COR");
    cov_label((down && (other->height < own->height)) != !!(other->height < own->height), 148, "WM COR");
    down = down && other->height < own->height;
    cov_label((up && down) != (up || down), 149, "WM COR");
    cov_label((up && down) != !!up, 150, "WM COR");
    cov_label((up && down) != !!down, 151, "WM COR");
    if (up && down) {
        return CONFLICT;
    }
    cov_label((up && (!down)) != (up || (!down)), 152, "WM COR");
    cov_label((up && (!down)) != !!up, 153, "WM COR");
    cov_label((up && (!down)) != !!(!down), 154, "WM COR");
    if (up && !down) {
        return CLIMB;
    }
    cov_label(((!up) && down) != ((!up) || down), 155, "WM COR");
    cov_label(((!up) && down) != !!(!up), 156, "WM COR");
    cov_label(((!up) && down) != !!down, 157, "WM COR");
    cov_label(own->rate < 0, 158, "WM ABS");
    cov_label((own->rate + FAST) != (own->rate - FAST), 159, "WM AOR");
    cov_label((own->rate + FAST) != (own->rate * FAST), 160, "WM AOR");
    cov_label(FAST != 0 && (own->rate + FAST) != (own->rate / FAST), 161, "WM AOR");
    cov_label((other->rate <= (own->rate + FAST)) != (other->rate < (own->rate + FAST)), 162, "WM ROR");
    cov_label((other->rate <= (own->rate + FAST)) != (other->rate > (own->rate + FAST)), 163, "WM ROR");
    cov_label((other->rate <= (own->rate + FAST)) != (other->rate >= (own->rate + FAST)), 164, "WM ROR");
    cov_label((other->rate <= (own->rate + FAST)) != (other->rate == (own->rate + FAST)), 165, "WM ROR");
    cov_label((other->rate <= (own->rate + FAST)) != (other->rate != (own->rate + FAST)), 166, "WM ROR");
    cov_label((((!up) && down) && (other->rate <= (own->rate + FAST))) != (((!up) && down) || (other->rate <= (own->rate + FAST))), 167, "WM COR");
    cov_label((((!up) && down) && (other->rate <= (own->rate + FAST))) != !!((!up) && down), 168, "WM COR");
    cov_label((((!up) && down) && (other->rate <= (own->rate + FAST))) != !!(other->rate <= (own->rate + FAST)), 169, "WM COR");
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
