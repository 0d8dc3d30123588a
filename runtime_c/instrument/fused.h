/* Mode fused: a fork where the predicate can hold and the choice is made. */
#define klabel_due(id) ((klabel_view[id] & ~2) == 0 && klabel_open(id)) /* unknown 0, pending 2 */
#define klabel_try(id, holds) \
    do { \
        int klabel_choice = klee_int("nondet_" #id); \
        if ((klabel_choice != 0) & (holds)) \
            klabel_cover(id); \
        if (klabel_asks[id] == 1) \
            klee_assume(klabel_choice == 0); \
    } while (0)
