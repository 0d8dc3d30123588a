/* The other functions of the field's competitions; a program's own win: those of
 * the source itself by KLABEL_OWN_NAME, those of its other files as they are not weak. */
#if defined(__GNUC__)
#ifndef KLABEL_OWN___VERIFIER_assume
KLABEL_FUNCTION(void, __VERIFIER_assume, (int condition))
{
    klabel_assumed(condition);
}
#endif

#ifndef KLABEL_OWN_sc_assume
KLABEL_FUNCTION(void, sc_assume, (int condition))
{
    klabel_assumed(condition);
}
#endif

#ifndef KLABEL_OWN_reach_error
KLABEL_FUNCTION(void, reach_error, (void))
{
    abort();
}
#endif

#ifndef KLABEL_OWN___VERIFIER_error
KLABEL_FUNCTION(void, __VERIFIER_error, (void))
{
    abort();
}
#endif

#ifndef KLABEL_OWN___VERIFIER_assert
KLABEL_FUNCTION(void, __VERIFIER_assert, (int condition))
{
    if (!condition)
        abort();
}
#endif

#ifndef KLABEL_OWN___VERIFIER_atomic_begin
KLABEL_FUNCTION(void, __VERIFIER_atomic_begin, (void))
{
}
#endif

#ifndef KLABEL_OWN___VERIFIER_atomic_end
KLABEL_FUNCTION(void, __VERIFIER_atomic_end, (void))
{
}
#endif
#endif
