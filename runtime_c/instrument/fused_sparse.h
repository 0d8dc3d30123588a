/* Mode fused without a copy of the live view, for large numbers of labels. */
int klabel_covered(int id);
void klabel_pending(int id);
#define klabel_due(id) (!klabel_covered(id))
#define klabel_cover(id) (klabel_covered(id) ? klee_silent_exit(0) : (klabel_pending(id), klabel_fail(id)))
#define klabel_try(id, holds) \
    do { \
        if ((klee_int("nondet_" #id) != 0) & (holds)) \
            klabel_cover(id); \
    } while (0)
