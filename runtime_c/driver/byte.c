/* One byte of input. */
__attribute__((nodebug)) static unsigned char klabel_byte(const char *name)
{
    unsigned char c;

    klee_make_symbolic(&c, sizeof c, name);
    return c;
}
