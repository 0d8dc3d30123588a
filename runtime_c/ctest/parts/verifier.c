/* The other functions of the field's competitions; a program's own win: those of
 * the source itself by KLABEL_OWN_NAME, those of its other files as they are not weak. */
#if defined(__GNUC__)
#ifndef KLABEL_OWN___VERIFIER_assume
__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    klee_assume(condition != 0);
}
#endif

#ifndef KLABEL_OWN_sc_assume
__attribute__((weak)) void sc_assume(int condition)
{
    klee_assume(condition != 0);
}
#endif

#ifndef KLABEL_OWN_reach_error
__attribute__((weak)) void reach_error(void)
{
    abort();
}
#endif
#endif
