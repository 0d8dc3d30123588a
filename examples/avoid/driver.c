/* Two tracks and the state of both sets, each within what can be flown. */
#include "klee/klee.h"
#include "avoid.c"

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
