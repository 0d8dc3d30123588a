/* The other functions of the field's competitions; a program's own win. */
#if defined(__GNUC__)
__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    klee_assume(condition != 0);
}

__attribute__((weak)) void sc_assume(int condition)
{
    klee_assume(condition != 0);
}

__attribute__((weak)) void reach_error(void)
{
    abort();
}
#endif
