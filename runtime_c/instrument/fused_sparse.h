/* Mode fused without a copy of the live view, for large numbers of labels. */
__attribute__((weak)) int klabel_open(int id)
{
    return !klabel_covered(id);
}
#define klabel_due(id) klabel_open(id)
#define klabel_try(id, holds) \
    do { \
        if ((klee_int("nondet_" #id) != 0) & (holds)) \
            klabel_cover(id); \
    } while (0)
