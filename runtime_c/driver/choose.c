/* One of n choices; of two, every byte but 0 is the second. */
__attribute__((nodebug)) static unsigned char klabel_choose(const char *name, unsigned char n)
{
    unsigned char c;

    klee_make_symbolic(&c, sizeof c, name);
    if (n == 2)
        return c != 0;
    klee_assume(c < n);
    return c;
}
