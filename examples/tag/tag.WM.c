/* Reads a tag such as <b>, </b> or <b a="x">, and says where it ends.
   Labelled for weak mutations: 135 labels. */
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

    cov_label((s[i] != '<') != (s[i] < '<'), 1, "WM ROR");
    cov_label((s[i] != '<') != (s[i] <= '<'), 2, "WM ROR");
    cov_label((s[i] != '<') != (s[i] > '<'), 3, "WM ROR");
    cov_label((s[i] != '<') != (s[i] >= '<'), 4, "WM ROR");
    cov_label((s[i] != '<') != (s[i] == '<'), 5, "WM ROR");
    if (s[i] != '<') {
        return BAD_START;
    }
    cov_label(i < 0, 6, "WM ABS");
    cov_label((i + 1) != (i - 1), 7, "WM AOR");
    cov_label((i + 1) != (i * 1), 8, "WM AOR");
    cov_label((i + 1) != (i / 1), 9, "WM AOR");
    i = i + 1;
    cov_label((s[i] == '/') != (s[i] < '/'), 10, "WM ROR");
    cov_label((s[i] == '/') != (s[i] <= '/'), 11, "WM ROR");
    cov_label((s[i] == '/') != (s[i] > '/'), 12, "WM ROR");
    cov_label((s[i] == '/') != (s[i] >= '/'), 13, "WM ROR");
    cov_label((s[i] == '/') != (s[i] != '/'), 14, "WM ROR");
    if (s[i] == '/') {
        closing = 1;
        cov_label(i < 0, 15, "WM ABS");
        cov_label((i + 1) != (i - 1), 16, "WM AOR");
        cov_label((i + 1) != (i * 1), 17, "WM AOR");
        cov_label((i + 1) != (i / 1), 18, "WM AOR");
        i = i + 1;
    }
    start = i;
    while (1) {
        cov_label((s[i] >= 'a') != (s[i] < 'a'), 19, "WM ROR");
        cov_label((s[i] >= 'a') != (s[i] <= 'a'), 20, "WM ROR");
        cov_label((s[i] >= 'a') != (s[i] > 'a'), 21, "WM ROR");
        cov_label((s[i] >= 'a') != (s[i] == 'a'), 22, "WM ROR");
        cov_label((s[i] >= 'a') != (s[i] != 'a'), 23, "WM ROR");
        cov_label((s[i] <= 'z') != (s[i] < 'z'), 24, "WM ROR");
        cov_label((s[i] <= 'z') != (s[i] > 'z'), 25, "WM ROR");
        cov_label((s[i] <= 'z') != (s[i] >= 'z'), 26, "WM ROR");
        cov_label((s[i] <= 'z') != (s[i] == 'z'), 27, "WM ROR");
        cov_label((s[i] <= 'z') != (s[i] != 'z'), 28, "WM ROR");
        cov_label(((s[i] >= 'a') && (s[i] <= 'z')) != ((s[i] >= 'a') || (s[i] <= 'z')), 29, "WM COR");
        cov_label(((s[i] >= 'a') && (s[i] <= 'z')) != !!(s[i] >= 'a'), 30, "WM COR");
        cov_label(((s[i] >= 'a') && (s[i] <= 'z')) != !!(s[i] <= 'z'), 31, "WM COR");
        if (!((s[i] >= 'a') && (s[i] <= 'z'))) {
            break;
        }
        cov_label(i < 0, 32, "WM ABS");
        cov_label((i + 1) != (i - 1), 33, "WM AOR");
        cov_label((i + 1) != (i * 1), 34, "WM AOR");
        cov_label((i + 1) != (i / 1), 35, "WM AOR");
        i = i + 1;
    }
    cov_label((i == start) != (i < start), 36, "WM ROR");
    cov_label((i == start) != (i <= start), 37, "WM ROR");
    cov_label((i == start) != (i > start), 38, "WM ROR");
    cov_label((i == start) != (i >= start), 39, "WM ROR");
    cov_label((i == start) != (i != start), 40, "WM ROR");
    if (i == start) {
        return BAD_NAME;
    }
    while (1) {
        cov_label((s[i] == ' ') != (s[i] < ' '), 41, "WM ROR");
        cov_label((s[i] == ' ') != (s[i] <= ' '), 42, "WM ROR");
        cov_label((s[i] == ' ') != (s[i] > ' '), 43, "WM ROR");
        cov_label((s[i] == ' ') != (s[i] >= ' '), 44, "WM ROR");
        cov_label((s[i] == ' ') != (s[i] != ' '), 45, "WM ROR");
        cov_label(((s[i] == ' ') && (!closing)) != ((s[i] == ' ') || (!closing)), 46, "WM COR");
        cov_label(((s[i] == ' ') && (!closing)) != !!(s[i] == ' '), 47, "WM COR");
        cov_label(((s[i] == ' ') && (!closing)) != !!(!closing), 48, "WM COR");
        if (!((s[i] == ' ') && (!closing))) {
            break;
        }
        cov_label(i < 0, 49, "WM ABS");
        cov_label((i + 1) != (i - 1), 50, "WM AOR");
        cov_label((i + 1) != (i * 1), 51, "WM AOR");
        cov_label((i + 1) != (i / 1), 52, "WM AOR");
        i = i + 1;
        start = i;
        while (1) {
            cov_label((s[i] >= 'a') != (s[i] < 'a'), 53, "WM ROR");
            cov_label((s[i] >= 'a') != (s[i] <= 'a'), 54, "WM ROR");
            cov_label((s[i] >= 'a') != (s[i] > 'a'), 55, "WM ROR");
            cov_label((s[i] >= 'a') != (s[i] == 'a'), 56, "WM ROR");
            cov_label((s[i] >= 'a') != (s[i] != 'a'), 57, "WM ROR");
            cov_label((s[i] <= 'z') != (s[i] < 'z'), 58, "WM ROR");
            cov_label((s[i] <= 'z') != (s[i] > 'z'), 59, "WM ROR");
            cov_label((s[i] <= 'z') != (s[i] >= 'z'), 60, "WM ROR");
            cov_label((s[i] <= 'z') != (s[i] == 'z'), 61, "WM ROR");
            cov_label((s[i] <= 'z') != (s[i] != 'z'), 62, "WM ROR");
            cov_label(((s[i] >= 'a') && (s[i] <= 'z')) != ((s[i] >= 'a') || (s[i] <= 'z')), 63, "WM COR");
            cov_label(((s[i] >= 'a') && (s[i] <= 'z')) != !!(s[i] >= 'a'), 64, "WM COR");
            cov_label(((s[i] >= 'a') && (s[i] <= 'z')) != !!(s[i] <= 'z'), 65, "WM COR");
            if (!((s[i] >= 'a') && (s[i] <= 'z'))) {
                break;
            }
            cov_label(i < 0, 66, "WM ABS");
            cov_label((i + 1) != (i - 1), 67, "WM AOR");
            cov_label((i + 1) != (i * 1), 68, "WM AOR");
            cov_label((i + 1) != (i / 1), 69, "WM AOR");
            i = i + 1;
        }
        cov_label((i == start) != (i < start), 70, "WM ROR");
        cov_label((i == start) != (i <= start), 71, "WM ROR");
        cov_label((i == start) != (i > start), 72, "WM ROR");
        cov_label((i == start) != (i >= start), 73, "WM ROR");
        cov_label((i == start) != (i != start), 74, "WM ROR");
        if (i == start) {
            return BAD_NAME;
        }
        cov_label((s[i] == '=') != (s[i] < '='), 75, "WM ROR");
        cov_label((s[i] == '=') != (s[i] <= '='), 76, "WM ROR");
        cov_label((s[i] == '=') != (s[i] > '='), 77, "WM ROR");
        cov_label((s[i] == '=') != (s[i] >= '='), 78, "WM ROR");
        cov_label((s[i] == '=') != (s[i] != '='), 79, "WM ROR");
        if (s[i] == '=') {
            cov_label(i < 0, 80, "WM ABS");
            cov_label((i + 1) != (i - 1), 81, "WM AOR");
            cov_label((i + 1) != (i * 1), 82, "WM AOR");
            cov_label((i + 1) != (i / 1), 83, "WM AOR");
            i = i + 1;
            quote = s[i];
            cov_label((quote != '"') != (quote < '"'), 84, "WM ROR");
            cov_label((quote != '"') != (quote <= '"'), 85, "WM ROR");
            cov_label((quote != '"') != (quote > '"'), 86, "WM ROR");
            cov_label((quote != '"') != (quote >= '"'), 87, "WM ROR");
            cov_label((quote != '"') != (quote == '"'), 88, "WM ROR");
            cov_label((quote != '\'') != (quote < '\''), 89, "WM ROR");
            cov_label((quote != '\'') != (quote <= '\''), 90, "WM ROR");
            cov_label((quote != '\'') != (quote > '\''), 91, "WM ROR");
            cov_label((quote != '\'') != (quote >= '\''), 92, "WM ROR");
            cov_label((quote != '\'') != (quote == '\''), 93, "WM ROR");
            cov_label(((quote != '"') && (quote != '\'')) != ((quote != '"') || (quote != '\'')), 94, "WM COR");
            cov_label(((quote != '"') && (quote != '\'')) != !!(quote != '"'), 95, "WM COR");
            cov_label(((quote != '"') && (quote != '\'')) != !!(quote != '\''), 96, "WM COR");
            if (quote != '"' && quote != '\'') {
                return BAD_VALUE;
            }
            cov_label(i < 0, 97, "WM ABS");
            cov_label((i + 1) != (i - 1), 98, "WM AOR");
            cov_label((i + 1) != (i * 1), 99, "WM AOR");
            cov_label((i + 1) != (i / 1), 100, "WM AOR");
            i = i + 1;
            while (1) {
                cov_label((s[i] != 0) != (s[i] < 0), 101, "WM ROR");
                cov_label((s[i] != 0) != (s[i] <= 0), 102, "WM ROR");
                cov_label((s[i] != 0) != (s[i] > 0), 103, "WM ROR");
                cov_label((s[i] != 0) != (s[i] >= 0), 104, "WM ROR");
                cov_label((s[i] != 0) != (s[i] == 0), 105, "WM ROR");
                cov_label((s[i] != quote) != (s[i] < quote), 106, "WM ROR");
                cov_label((s[i] != quote) != (s[i] <= quote), 107, "WM ROR");
                cov_label((s[i] != quote) != (s[i] > quote), 108, "WM ROR");
                cov_label((s[i] != quote) != (s[i] >= quote), 109, "WM ROR");
                cov_label((s[i] != quote) != (s[i] == quote), 110, "WM ROR");
                cov_label(((s[i] != 0) && (s[i] != quote)) != ((s[i] != 0) || (s[i] != quote)), 111, "WM COR");
                cov_label(((s[i] != 0) && (s[i] != quote)) != !!(s[i] != 0), 112, "WM COR");
                cov_label(((s[i] != 0) && (s[i] != quote)) != !!(s[i] != quote), 113, "WM COR");
                if (!((s[i] != 0) && (s[i] != quote))) {
                    break;
                }
                cov_label(i < 0, 114, "WM ABS");
                cov_label((i + 1) != (i - 1), 115, "WM AOR");
                cov_label((i + 1) != (i * 1), 116, "WM AOR");
                cov_label((i + 1) != (i / 1), 117, "WM AOR");
                i = i + 1;
            }
            cov_label((s[i] == 0) != (s[i] < 0), 118, "WM ROR");
            cov_label((s[i] == 0) != (s[i] <= 0), 119, "WM ROR");
            cov_label((s[i] == 0) != (s[i] > 0), 120, "WM ROR");
            cov_label((s[i] == 0) != (s[i] >= 0), 121, "WM ROR");
            cov_label((s[i] == 0) != (s[i] != 0), 122, "WM ROR");
            if (s[i] == 0) {
                return BAD_VALUE;
            }
            cov_label(i < 0, 123, "WM ABS");
            cov_label((i + 1) != (i - 1), 124, "WM AOR");
            cov_label((i + 1) != (i * 1), 125, "WM AOR");
            cov_label((i + 1) != (i / 1), 126, "WM AOR");
            i = i + 1;
        }
    }
    cov_label((s[i] != '>') != (s[i] < '>'), 127, "WM ROR");
    cov_label((s[i] != '>') != (s[i] <= '>'), 128, "WM ROR");
    cov_label((s[i] != '>') != (s[i] > '>'), 129, "WM ROR");
    cov_label((s[i] != '>') != (s[i] >= '>'), 130, "WM ROR");
    cov_label((s[i] != '>') != (s[i] == '>'), 131, "WM ROR");
    if (s[i] != '>') {
        return NOT_CLOSED;
    }
    cov_label(i < 0, 132, "WM ABS");
    cov_label((i + 1) != (i - 1), 133, "WM AOR");
    cov_label((i + 1) != (i * 1), 134, "WM AOR");
    cov_label((i + 1) != (i / 1), 135, "WM AOR");
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
