/* Items that stand one after the other, as often as they fit. */
static void *klabel_repeated(const void *items, unsigned long size, unsigned long bytes, int times)
{
    unsigned long i, room = bytes;
    char *all = __builtin_malloc(room);

    (void)times;
    for (i = 0; all != 0 && i < room; i += size)
        __builtin_memcpy(all + i, items, room - i < size ? room - i : size);
    return all;
}
