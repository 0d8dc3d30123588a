/* Replaces each place of a text that a pattern matches by one character.
   '?' in a pattern matches anything, '%' in front of a character takes its
   meaning away.
   Labelled for weak mutations: 93 labels. */
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
        cov_label((pattern[p] != 0) != (pattern[p] < 0), 1, "WM ROR");
        cov_label((pattern[p] != 0) != (pattern[p] <= 0), 2, "WM ROR");
        cov_label((pattern[p] != 0) != (pattern[p] > 0), 3, "WM ROR");
        cov_label((pattern[p] != 0) != (pattern[p] >= 0), 4, "WM ROR");
        cov_label((pattern[p] != 0) != (pattern[p] == 0), 5, "WM ROR");
        if (!(pattern[p] != 0)) {
            break;
        }
        cov_label((s[i] == 0) != (s[i] < 0), 6, "WM ROR");
        cov_label((s[i] == 0) != (s[i] <= 0), 7, "WM ROR");
        cov_label((s[i] == 0) != (s[i] > 0), 8, "WM ROR");
        cov_label((s[i] == 0) != (s[i] >= 0), 9, "WM ROR");
        cov_label((s[i] == 0) != (s[i] != 0), 10, "WM ROR");
        if (s[i] == 0) {
            return -1;
        }
        cov_label((pattern[p] == '%') != (pattern[p] < '%'), 11, "WM ROR");
        cov_label((pattern[p] == '%') != (pattern[p] <= '%'), 12, "WM ROR");
        cov_label((pattern[p] == '%') != (pattern[p] > '%'), 13, "WM ROR");
        cov_label((pattern[p] == '%') != (pattern[p] >= '%'), 14, "WM ROR");
        cov_label((pattern[p] == '%') != (pattern[p] != '%'), 15, "WM ROR");
        cov_label(p < 0, 16, "WM ABS");
        cov_label((p + 1) != (p - 1), 17, "WM AOR");
        cov_label((p + 1) != (p * 1), 18, "WM AOR");
        cov_label((p + 1) != (p / 1), 19, "WM AOR");
        cov_label((pattern[p + 1] != 0) != (pattern[p + 1] < 0), 20, "WM ROR");
        cov_label((pattern[p + 1] != 0) != (pattern[p + 1] <= 0), 21, "WM ROR");
        cov_label((pattern[p + 1] != 0) != (pattern[p + 1] > 0), 22, "WM ROR");
        cov_label((pattern[p + 1] != 0) != (pattern[p + 1] >= 0), 23, "WM ROR");
        cov_label((pattern[p + 1] != 0) != (pattern[p + 1] == 0), 24, "WM ROR");
        cov_label(((pattern[p] == '%') && (pattern[p + 1] != 0)) != ((pattern[p] == '%') || (pattern[p + 1] != 0)), 25, "WM COR");
        cov_label(((pattern[p] == '%') && (pattern[p + 1] != 0)) != !!(pattern[p] == '%'), 26, "WM COR");
        cov_label(((pattern[p] == '%') && (pattern[p + 1] != 0)) != !!(pattern[p + 1] != 0), 27, "WM COR");
        if (pattern[p] == '%' && pattern[p + 1] != 0) {
            cov_label(p < 0, 28, "WM ABS");
            cov_label((p + 1) != (p - 1), 29, "WM AOR");
            cov_label((p + 1) != (p * 1), 30, "WM AOR");
            cov_label((p + 1) != (p / 1), 31, "WM AOR");
            p = p + 1;
            cov_label((pattern[p] != s[i]) != (pattern[p] < s[i]), 32, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] <= s[i]), 33, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] > s[i]), 34, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] >= s[i]), 35, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] == s[i]), 36, "WM ROR");
            if (pattern[p] != s[i]) {
                return -1;
            }
        } else {
            cov_label((pattern[p] != '?') != (pattern[p] < '?'), 37, "WM ROR");
            cov_label((pattern[p] != '?') != (pattern[p] <= '?'), 38, "WM ROR");
            cov_label((pattern[p] != '?') != (pattern[p] > '?'), 39, "WM ROR");
            cov_label((pattern[p] != '?') != (pattern[p] >= '?'), 40, "WM ROR");
            cov_label((pattern[p] != '?') != (pattern[p] == '?'), 41, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] < s[i]), 42, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] <= s[i]), 43, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] > s[i]), 44, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] >= s[i]), 45, "WM ROR");
            cov_label((pattern[p] != s[i]) != (pattern[p] == s[i]), 46, "WM ROR");
            cov_label(((pattern[p] != '?') && (pattern[p] != s[i])) != ((pattern[p] != '?') || (pattern[p] != s[i])), 47, "WM COR");
            cov_label(((pattern[p] != '?') && (pattern[p] != s[i])) != !!(pattern[p] != '?'), 48, "WM COR");
            cov_label(((pattern[p] != '?') && (pattern[p] != s[i])) != !!(pattern[p] != s[i]), 49, "WM COR");
            if (pattern[p] != '?' && pattern[p] != s[i]) {
                return -1;
            }
        }
        cov_label(p < 0, 50, "WM ABS");
        cov_label((p + 1) != (p - 1), 51, "WM AOR");
        cov_label((p + 1) != (p * 1), 52, "WM AOR");
        cov_label((p + 1) != (p / 1), 53, "WM AOR");
        p = p + 1;
        cov_label(i < 0, 54, "WM ABS");
        cov_label((i + 1) != (i - 1), 55, "WM AOR");
        cov_label((i + 1) != (i * 1), 56, "WM AOR");
        cov_label((i + 1) != (i / 1), 57, "WM AOR");
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
        cov_label((s[i] != 0) != (s[i] < 0), 58, "WM ROR");
        cov_label((s[i] != 0) != (s[i] <= 0), 59, "WM ROR");
        cov_label((s[i] != 0) != (s[i] > 0), 60, "WM ROR");
        cov_label((s[i] != 0) != (s[i] >= 0), 61, "WM ROR");
        cov_label((s[i] != 0) != (s[i] == 0), 62, "WM ROR");
        if (!(s[i] != 0)) {
            break;
        }
        cov_label(o < 0, 63, "WM ABS");
        cov_label((o + 1) != (o - 1), 64, "WM AOR");
        cov_label((o + 1) != (o * 1), 65, "WM AOR");
        cov_label((o + 1) != (o / 1), 66, "WM AOR");
        cov_label(((o + 1) >= size) != ((o + 1) < size), 67, "WM ROR");
        cov_label(((o + 1) >= size) != ((o + 1) <= size), 68, "WM ROR");
        cov_label(((o + 1) >= size) != ((o + 1) > size), 69, "WM ROR");
        cov_label(((o + 1) >= size) != ((o + 1) == size), 70, "WM ROR");
        cov_label(((o + 1) >= size) != ((o + 1) != size), 71, "WM ROR");
        if (o + 1 >= size) {
            return -1;
        }
        n = match(s + i, pattern);
        cov_label((n > 0) != (n < 0), 72, "WM ROR");
        cov_label((n > 0) != (n <= 0), 73, "WM ROR");
        cov_label((n > 0) != (n >= 0), 74, "WM ROR");
        cov_label((n > 0) != (n == 0), 75, "WM ROR");
        cov_label((n > 0) != (n != 0), 76, "WM ROR");
        if (n > 0) {
            out[o] = by;
            cov_label(i < 0, 77, "WM ABS");
            cov_label(n < 0, 78, "WM ABS");
            cov_label((i + n) != (i - n), 79, "WM AOR");
            cov_label((i + n) != (i * n), 80, "WM AOR");
            cov_label(n != 0 && (i + n) != (i / n), 81, "WM AOR");
            i = i + n;
            cov_label(count < 0, 82, "WM ABS");
            cov_label((count + 1) != (count - 1), 83, "WM AOR");
            cov_label((count + 1) != (count * 1), 84, "WM AOR");
            cov_label((count + 1) != (count / 1), 85, "WM AOR");
            count = count + 1;
        } else {
            out[o] = s[i];
            cov_label(i < 0, 86, "WM ABS");
            cov_label((i + 1) != (i - 1), 87, "WM AOR");
            cov_label((i + 1) != (i * 1), 88, "WM AOR");
            cov_label((i + 1) != (i / 1), 89, "WM AOR");
            i = i + 1;
        }
        cov_label(o < 0, 90, "WM ABS");
        cov_label((o + 1) != (o - 1), 91, "WM AOR");
        cov_label((o + 1) != (o * 1), 92, "WM AOR");
        cov_label((o + 1) != (o / 1), 93, "WM AOR");
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
