/* AddressSanitizer's, where there is one: what is poisoned must not be read. */
void __asan_poison_memory_region(const volatile void *at, __SIZE_TYPE__ size) __attribute__((weak));

/* A copy in memory of exactly this size. Of none malloc gives a byte. */
__attribute__((nodebug)) static void *klabel_exact(const void *from, unsigned long size)
{
    void *to = from == 0 ? 0 : __builtin_malloc(size);

    if (to != 0)
        __builtin_memcpy(to, from, size);
    if (to != 0 && size == 0 && __asan_poison_memory_region != 0)
        __asan_poison_memory_region(to, 1);
    return to;
}
