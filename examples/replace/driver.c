/* Texts of up to four characters, patterns of up to three. */
#include "klee/klee.h"
#include "replace.c"

int main(void)
{
    char s[5];
    char pattern[4];
    char by;
    char out[5];
    int size;

    klee_make_symbolic(s, sizeof s, "s");
    klee_make_symbolic(pattern, sizeof pattern, "pattern");
    klee_make_symbolic(&by, sizeof by, "by");
    klee_make_symbolic(&size, sizeof size, "size");
    klee_assume(s[4] == 0);
    klee_assume(pattern[3] == 0);
    klee_assume((size >= 1) & (size <= 5));
    replace(s, pattern, by, out, size);
    return 0;
}
