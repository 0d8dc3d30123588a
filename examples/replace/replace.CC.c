/* Replaces each place of a text that a pattern matches by one character.
   '?' in a pattern matches anything, '%' in front of a character takes its
   meaning away.
   Labelled for condition coverage: 20 labels. */
#include "klee/klee.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

/* The number of characters of s that the pattern matches, or -1. */
int match(const char *s, const char *pattern)
{
    int i = 0;
    int p = 0;

    while (1) {
        cov_label(pattern[p] != 0, 1, "CC");
        cov_label(!(pattern[p] != 0), 2, "CC");
        if (!(pattern[p] != 0)) {
            break;
        }
        cov_label(s[i] == 0, 3, "CC");
        cov_label(!(s[i] == 0), 4, "CC");
        if (s[i] == 0) {
            return -1;
        }
        cov_label(pattern[p] == '%', 5, "CC");
        cov_label(!(pattern[p] == '%'), 6, "CC");
        cov_label(pattern[p + 1] != 0, 7, "CC");
        cov_label(!(pattern[p + 1] != 0), 8, "CC");
        if (pattern[p] == '%' && pattern[p + 1] != 0) {
            p = p + 1;
            cov_label(pattern[p] != s[i], 9, "CC");
            cov_label(!(pattern[p] != s[i]), 10, "CC");
            if (pattern[p] != s[i]) {
                return -1;
            }
        } else {
            cov_label(pattern[p] != '?', 11, "CC");
            cov_label(!(pattern[p] != '?'), 12, "CC");
            cov_label(pattern[p] != s[i], 13, "CC");
            cov_label(!(pattern[p] != s[i]), 14, "CC");
            if (pattern[p] != '?' && pattern[p] != s[i]) {
                return -1;
            }
        }
        p = p + 1;
        i = i + 1;
    }
    return i;
}

/* Writes the result to out, which has room for size characters; returns the
   number of places replaced, or -1 if out is too small. */
int replace(const char *s, const char *pattern, char by, char *out, int size)
{
    int count = 0;
    int i = 0;
    int o = 0;
    int n;

    while (1) {
        cov_label(s[i] != 0, 15, "CC");
        cov_label(!(s[i] != 0), 16, "CC");
        if (!(s[i] != 0)) {
            break;
        }
        cov_label((o + 1) >= size, 17, "CC");
        cov_label(!((o + 1) >= size), 18, "CC");
        if (o + 1 >= size) {
            return -1;
        }
        n = match(s + i, pattern);
        cov_label(n > 0, 19, "CC");
        cov_label(!(n > 0), 20, "CC");
        if (n > 0) {
            out[o] = by;
            i = i + n;
            count = count + 1;
        } else {
            out[o] = s[i];
            i = i + 1;
        }
        o = o + 1;
    }
    out[o] = 0;
    return count;
}

/* Texts of up to four characters, patterns of up to three. */
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
