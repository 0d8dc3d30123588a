/* Texts of up to six bytes. */
#include "harness_macros.h"
#include "utf8.c"

int main(void)
{
    unsigned char s[7];

    HARNESS_START;
    _FLAT(s, "s", unsigned char[7]);
    ASSUME(s[6] == 0);
    utf8(s);
    HARNESS_END;
    return 0;
}
