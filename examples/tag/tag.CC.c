/* Reads a tag such as <b>, </b> or <b a="x">, and says where it ends.
   Labelled for condition coverage: 34 labels. */
#include "harness_macros.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

enum { BAD_START = -1, BAD_NAME = -2, BAD_VALUE = -3, NOT_CLOSED = -4 };

int tag(const char *s)
{
    int i = 0;
    int closing = 0;
    int start;
    char quote;

    cov_label(s[i] != '<', 1, "CC");
    cov_label(!(s[i] != '<'), 2, "CC");
    if (s[i] != '<') {
        return BAD_START;
    }
    i = i + 1;
    cov_label(s[i] == '/', 3, "CC");
    cov_label(!(s[i] == '/'), 4, "CC");
    if (s[i] == '/') {
        closing = 1;
        i = i + 1;
    }
    start = i;
    while (1) {
        cov_label(s[i] >= 'a', 5, "CC");
        cov_label(!(s[i] >= 'a'), 6, "CC");
        cov_label(s[i] <= 'z', 7, "CC");
        cov_label(!(s[i] <= 'z'), 8, "CC");
        if (!((s[i] >= 'a') && (s[i] <= 'z'))) {
            break;
        }
        i = i + 1;
    }
    cov_label(i == start, 9, "CC");
    cov_label(!(i == start), 10, "CC");
    if (i == start) {
        return BAD_NAME;
    }
    while (1) {
        cov_label(s[i] == ' ', 11, "CC");
        cov_label(!(s[i] == ' '), 12, "CC");
        cov_label(closing, 13, "CC");
        cov_label(!closing, 14, "CC");
        if (!((s[i] == ' ') && (!closing))) {
            break;
        }
        i = i + 1;
        start = i;
        while (1) {
            cov_label(s[i] >= 'a', 15, "CC");
            cov_label(!(s[i] >= 'a'), 16, "CC");
            cov_label(s[i] <= 'z', 17, "CC");
            cov_label(!(s[i] <= 'z'), 18, "CC");
            if (!((s[i] >= 'a') && (s[i] <= 'z'))) {
                break;
            }
            i = i + 1;
        }
        cov_label(i == start, 19, "CC");
        cov_label(!(i == start), 20, "CC");
        if (i == start) {
            return BAD_NAME;
        }
        cov_label(s[i] == '=', 21, "CC");
        cov_label(!(s[i] == '='), 22, "CC");
        if (s[i] == '=') {
            i = i + 1;
            quote = s[i];
            cov_label(quote != '"', 23, "CC");
            cov_label(!(quote != '"'), 24, "CC");
            cov_label(quote != '\'', 25, "CC");
            cov_label(!(quote != '\''), 26, "CC");
            if (quote != '"' && quote != '\'') {
                return BAD_VALUE;
            }
            i = i + 1;
            while (1) {
                cov_label(s[i] != 0, 27, "CC");
                cov_label(!(s[i] != 0), 28, "CC");
                cov_label(s[i] != quote, 29, "CC");
                cov_label(!(s[i] != quote), 30, "CC");
                if (!((s[i] != 0) && (s[i] != quote))) {
                    break;
                }
                i = i + 1;
            }
            cov_label(s[i] == 0, 31, "CC");
            cov_label(!(s[i] == 0), 32, "CC");
            if (s[i] == 0) {
                return BAD_VALUE;
            }
            i = i + 1;
        }
    }
    cov_label(s[i] != '>', 33, "CC");
    cov_label(!(s[i] != '>'), 34, "CC");
    if (s[i] != '>') {
        return NOT_CLOSED;
    }
    return i + 1;
}

/* Texts of up to nine characters. */
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
