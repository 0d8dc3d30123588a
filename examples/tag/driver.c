/* Texts of up to nine characters. */
#include "harness_macros.h"
#include "tag.c"

int main(void)
{
    char s[10];

    HARNESS_START;
    _FLAT(s, "s", char[10]);
    ASSUME(s[9] == 0);
    tag(s);
    HARNESS_END;
    return 0;
}
