/* Texts of up to six bytes. */
#include "harness_macros.h"
#include "utf8.c"

HARNESS_START
{
    unsigned char s[7];

    _FLAT(s, "s", unsigned char[7]);
    ASSUME(s[6] == 0);
    utf8(s);
}
HARNESS_END
