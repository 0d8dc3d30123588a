/* Texts of up to nine characters. */
#include "harness_macros.h"
#include "tag.c"

HARNESS_START
{
    char s[10];

    _FLAT(s, "s", char[10]);
    ASSUME(s[9] == 0);
    tag(s);
}
HARNESS_END
