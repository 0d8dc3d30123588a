/* The other functions of the field's competitions; a program's own win: those of
 * the source itself by KLABEL_OWN_NAME, those of its other files as they are not weak.
 * In C they have other names: the source may declare them in a way of its own, or not
 * at all. */
#if defined(__GNUC__)
#define KLABEL_TEXT_OF(x) #x
#define KLABEL_SYMBOL_OF(prefix, name) KLABEL_TEXT_OF(prefix) #name
#define KLABEL_SYMBOL(prefix, name) __asm__(KLABEL_SYMBOL_OF(prefix, name)) __attribute__((weak, used))
#define KLABEL_NAMED(name) KLABEL_SYMBOL(__USER_LABEL_PREFIX__, name)

#ifndef KLABEL_OWN___VERIFIER_assume
void klabel_verifier_assume(int condition) KLABEL_NAMED(__VERIFIER_assume);
void klabel_verifier_assume(int condition)
{
    klee_assume(condition != 0);
}
#endif

#ifndef KLABEL_OWN_sc_assume
void klabel_sc_assume(int condition) KLABEL_NAMED(sc_assume);
void klabel_sc_assume(int condition)
{
    klee_assume(condition != 0);
}
#endif

#ifndef KLABEL_OWN_reach_error
void klabel_reach_error(void) KLABEL_NAMED(reach_error);
void klabel_reach_error(void)
{
    abort();
}
#endif

#ifndef KLABEL_OWN___VERIFIER_error
void klabel_verifier_error(void) KLABEL_NAMED(__VERIFIER_error);
void klabel_verifier_error(void)
{
    abort();
}
#endif

#ifndef KLABEL_OWN___VERIFIER_assert
void klabel_verifier_assert(int condition) KLABEL_NAMED(__VERIFIER_assert);
void klabel_verifier_assert(int condition)
{
    if (!condition)
        abort();
}
#endif

#ifndef KLABEL_OWN___VERIFIER_atomic_begin
void klabel_verifier_atomic_begin(void) KLABEL_NAMED(__VERIFIER_atomic_begin);
void klabel_verifier_atomic_begin(void)
{
}
#endif

#ifndef KLABEL_OWN___VERIFIER_atomic_end
void klabel_verifier_atomic_end(void) KLABEL_NAMED(__VERIFIER_atomic_end);
void klabel_verifier_atomic_end(void)
{
}
#endif
#endif
