/* A copy in memory of exactly this size. */
__attribute__((nodebug)) static void *klabel_exact(const void *from, unsigned long size)
{
    void *to = from == 0 ? 0 : malloc(size);

    if (to != 0)
        __builtin_memcpy(to, from, size);
    return to;
}
