/* Says that the next input is less than n. Who draws tests wants to know; an engine reads it in the assumption. */
__attribute__((nodebug, weak)) void klabel_below(unsigned n)
{
    (void)n;
}

/* One of n choices; of two, every byte but 0 is the second. */
__attribute__((nodebug)) static unsigned char klabel_choose(const char *name, unsigned char n)
{
    unsigned char c;

    if (n > 2)
        klabel_below(n);
    klee_make_symbolic(&c, sizeof c, name);
    if (n == 2)
        return c != 0;
    klee_assume(c < n);
    return c;
}
