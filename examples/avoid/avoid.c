/* What a pilot is told when another aircraft comes close: climb, descend or
   nothing.  Heights and rates are in feet and feet a minute. */

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

    if (layer == 0) {
        room = 400;
    }
    if (layer == 1) {
        room = 500;
    }
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

    if (level_off != 0) {
        gain = above + BONUS;
    }
    if (gain > below) {
        good = own >= other || below < room;
    } else {
        good = other < own && above >= room;
    }
    return good;
}

/* Whether a descent leaves enough room. */
int may_descend(int own, int other, int above, int below, int level_off, int room)
{
    int gain = above;
    int good;

    if (level_off != 0) {
        gain = above + BONUS;
    }
    if (gain > below) {
        good = own < other && below >= room;
    } else {
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

    close = own->trusted && own->rate <= FAST && above - below < TIGHT_GAP;
    if (!close) {
        return NOTHING;
    }
    if (equipped == 1 && intent != 0 && other->trusted) {
        return NOTHING;
    }
    room = margin(layer);
    up = may_climb(own->height, other->height, above, below, level_off, room);
    down = may_descend(own->height, other->height, above, below, level_off, room);
    up = up && own->height < other->height;
    down = down && other->height < own->height;
    if (up && down) {
        return CONFLICT;
    }
    if (up && !down) {
        return CLIMB;
    }
    if (!up && down && other->rate <= own->rate + FAST) {
        return DESCEND;
    }
    return NOTHING;
}
