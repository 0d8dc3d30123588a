/* Mode fused: a test for a label that is still open, which is pending then. KLEE compiles each call of a
 * function outside of the program by itself, for milliseconds, so there is one such call for all labels. */
int klabel_covered(int id);
void klabel_pending(int id);
__attribute__((weak)) int klabel_claim(int id)
{
    if (klabel_covered(id))
        return 0;
    klabel_pending(id);
    return 1;
}
#define klabel_cover(id) (klabel_claim(id) ? klabel_fail(id) : klee_silent_exit(0))
