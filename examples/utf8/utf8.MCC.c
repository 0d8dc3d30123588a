/* Checks that a text is UTF-8 in its shortest form, without surrogates and
   within Unicode.  Returns the number of characters, or -1 less the place of
   the first byte that is wrong.
   Labelled for multiple condition coverage: 38 labels. */
#include "harness_macros.h"

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

int utf8(const unsigned char *s)
{
    int count = 0;
    int i = 0;
    int more;
    int c;
    int next;

    while (1) {
        cov_label(s[i] != 0, 1, "MCC");
        cov_label(!(s[i] != 0), 2, "MCC");
        if (!(s[i] != 0)) {
            break;
        }
        c = s[i];
        more = 0;
        cov_label(c >= 0x80, 3, "MCC");
        cov_label(!(c >= 0x80), 4, "MCC");
        if (c >= 0x80) {
            cov_label((c < 0xc2) && (c > 0xf4), 5, "MCC");
            cov_label((c < 0xc2) && !(c > 0xf4), 6, "MCC");
            cov_label(!(c < 0xc2) && (c > 0xf4), 7, "MCC");
            cov_label(!(c < 0xc2) && !(c > 0xf4), 8, "MCC");
            if (c < 0xc2 || c > 0xf4) {
                return -1 - i;
            }
            next = s[i + 1];
            cov_label((c == 0xe0) && (next < 0xa0), 9, "MCC");
            cov_label((c == 0xe0) && !(next < 0xa0), 10, "MCC");
            cov_label(!(c == 0xe0) && (next < 0xa0), 11, "MCC");
            cov_label(!(c == 0xe0) && !(next < 0xa0), 12, "MCC");
            if (c == 0xe0 && next < 0xa0) {
                return -1 - i;
            }
            cov_label((c == 0xed) && (next > 0x9f), 13, "MCC");
            cov_label((c == 0xed) && !(next > 0x9f), 14, "MCC");
            cov_label(!(c == 0xed) && (next > 0x9f), 15, "MCC");
            cov_label(!(c == 0xed) && !(next > 0x9f), 16, "MCC");
            if (c == 0xed && next > 0x9f) {
                return -1 - i;
            }
            cov_label((c == 0xf0) && (next < 0x90), 17, "MCC");
            cov_label((c == 0xf0) && !(next < 0x90), 18, "MCC");
            cov_label(!(c == 0xf0) && (next < 0x90), 19, "MCC");
            cov_label(!(c == 0xf0) && !(next < 0x90), 20, "MCC");
            if (c == 0xf0 && next < 0x90) {
                return -1 - i;
            }
            cov_label((c == 0xf4) && (next > 0x8f), 21, "MCC");
            cov_label((c == 0xf4) && !(next > 0x8f), 22, "MCC");
            cov_label(!(c == 0xf4) && (next > 0x8f), 23, "MCC");
            cov_label(!(c == 0xf4) && !(next > 0x8f), 24, "MCC");
            if (c == 0xf4 && next > 0x8f) {
                return -1 - i;
            }
            cov_label(c < 0xe0, 25, "MCC");
            cov_label(!(c < 0xe0), 26, "MCC");
            if (c < 0xe0) {
                more = 1;
            }
            cov_label((c >= 0xe0) && (c < 0xf0), 27, "MCC");
            cov_label((c >= 0xe0) && !(c < 0xf0), 28, "MCC");
            cov_label(!(c >= 0xe0) && (c < 0xf0), 29, "MCC");
            cov_label(!(c >= 0xe0) && !(c < 0xf0), 30, "MCC");
            if (c >= 0xe0 && c < 0xf0) {
                more = 2;
            }
            cov_label(c >= 0xf0, 31, "MCC");
            cov_label(!(c >= 0xf0), 32, "MCC");
            if (c >= 0xf0) {
                more = 3;
            }
        }
        i = i + 1;
        while (1) {
            cov_label(more > 0, 33, "MCC");
            cov_label(!(more > 0), 34, "MCC");
            if (!(more > 0)) {
                break;
            }
            next = s[i];
            cov_label((next < 0x80) && (next > 0xbf), 35, "MCC");
            cov_label((next < 0x80) && !(next > 0xbf), 36, "MCC");
            cov_label(!(next < 0x80) && (next > 0xbf), 37, "MCC");
            cov_label(!(next < 0x80) && !(next > 0xbf), 38, "MCC");
            if (next < 0x80 || next > 0xbf) {
                return -1 - i;
            }
            i = i + 1;
            more = more - 1;
        }
        count = count + 1;
    }
    return count;
}

/* Texts of up to six bytes. */
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
