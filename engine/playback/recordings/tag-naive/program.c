/* Reads a tag such as <b>, </b> or <b a="x">, and says where it ends.
   Labelled for multiple condition coverage: 34 labels. */
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

    cov_label(s[i] != '<', 1, "MCC");
    cov_label(!(s[i] != '<'), 2, "MCC");
    if (s[i] != '<') {
        return BAD_START;
    }
    i = i + 1;
    cov_label(s[i] == '/', 3, "MCC");
    cov_label(!(s[i] == '/'), 4, "MCC");
    if (s[i] == '/') {
        closing = 1;
        i = i + 1;
    }
    start = i;
    while (1) {
        cov_label((s[i] >= 'a') && (s[i] <= 'z'), 5, "MCC");
        cov_label((s[i] >= 'a') && !(s[i] <= 'z'), 6, "MCC");
        cov_label(!(s[i] >= 'a') && (s[i] <= 'z'), 7, "MCC");
        cov_label(!(s[i] >= 'a') && !(s[i] <= 'z'), 8, "MCC");
        if (!((s[i] >= 'a') && (s[i] <= 'z'))) {
            break;
        }
        i = i + 1;
    }
    cov_label(i == start, 9, "MCC");
    cov_label(!(i == start), 10, "MCC");
    if (i == start) {
        return BAD_NAME;
    }
    while (1) {
        cov_label((s[i] == ' ') && closing, 11, "MCC");
        cov_label((s[i] == ' ') && !closing, 12, "MCC");
        cov_label(!(s[i] == ' ') && closing, 13, "MCC");
        cov_label(!(s[i] == ' ') && !closing, 14, "MCC");
        if (!((s[i] == ' ') && (!closing))) {
            break;
        }
        i = i + 1;
        start = i;
        while (1) {
            cov_label((s[i] >= 'a') && (s[i] <= 'z'), 15, "MCC");
            cov_label((s[i] >= 'a') && !(s[i] <= 'z'), 16, "MCC");
            cov_label(!(s[i] >= 'a') && (s[i] <= 'z'), 17, "MCC");
            cov_label(!(s[i] >= 'a') && !(s[i] <= 'z'), 18, "MCC");
            if (!((s[i] >= 'a') && (s[i] <= 'z'))) {
                break;
            }
            i = i + 1;
        }
        cov_label(i == start, 19, "MCC");
        cov_label(!(i == start), 20, "MCC");
        if (i == start) {
            return BAD_NAME;
        }
        cov_label(s[i] == '=', 21, "MCC");
        cov_label(!(s[i] == '='), 22, "MCC");
        if (s[i] == '=') {
            i = i + 1;
            quote = s[i];
            cov_label((quote != '"') && (quote != '\''), 23, "MCC");
            cov_label((quote != '"') && !(quote != '\''), 24, "MCC");
            cov_label(!(quote != '"') && (quote != '\''), 25, "MCC");
            cov_label(!(quote != '"') && !(quote != '\''), 26, "MCC");
            if (quote != '"' && quote != '\'') {
                return BAD_VALUE;
            }
            i = i + 1;
            while (1) {
                cov_label((s[i] != 0) && (s[i] != quote), 27, "MCC");
                cov_label((s[i] != 0) && !(s[i] != quote), 28, "MCC");
                cov_label(!(s[i] != 0) && (s[i] != quote), 29, "MCC");
                cov_label(!(s[i] != 0) && !(s[i] != quote), 30, "MCC");
                if (!((s[i] != 0) && (s[i] != quote))) {
                    break;
                }
                i = i + 1;
            }
            cov_label(s[i] == 0, 31, "MCC");
            cov_label(!(s[i] == 0), 32, "MCC");
            if (s[i] == 0) {
                return BAD_VALUE;
            }
            i = i + 1;
        }
    }
    cov_label(s[i] != '>', 33, "MCC");
    cov_label(!(s[i] != '>'), 34, "MCC");
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
