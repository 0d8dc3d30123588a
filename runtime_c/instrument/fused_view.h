/* Mode fused: the copy of the live view that a program has in its own memory. */
void klee_assume(__UINTPTR_TYPE__ condition);
void klabel_view_copy(unsigned char *to, int from, int n);
__attribute__((weak)) unsigned char klabel_view[KLABEL_LABELS]; /* this path's copy of the live view */
__attribute__((weak)) unsigned char klabel_asks[KLABEL_LABELS]; /* how often this path met the label open */
__attribute__((weak)) int klabel_open(int id)
{
    if (klabel_asks[id]++ % 16 == 0 || klabel_view[id])
        klabel_view_copy(klabel_view, 0, sizeof klabel_view);
    return !klabel_view[id];
}
