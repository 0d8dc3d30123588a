/* Checks that a text is UTF-8 in its shortest form, without surrogates and
   within Unicode.  Returns the number of characters, or -1 less the place of
   the first byte that is wrong.
   Labelled for condition coverage: 38 labels. */
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
        cov_label(s[i] != 0, 1, "CC");
        cov_label(!(s[i] != 0), 2, "CC");
        if (!(s[i] != 0)) {
            break;
        }
        c = s[i];
        more = 0;
        cov_label(c >= 0x80, 3, "CC");
        cov_label(!(c >= 0x80), 4, "CC");
        if (c >= 0x80) {
            cov_label(c < 0xc2, 5, "CC");
            cov_label(!(c < 0xc2), 6, "CC");
            cov_label(c > 0xf4, 7, "CC");
            cov_label(!(c > 0xf4), 8, "CC");
            if (c < 0xc2 || c > 0xf4) {
                return -1 - i;
            }
            next = s[i + 1];
            cov_label(c == 0xe0, 9, "CC");
            cov_label(!(c == 0xe0), 10, "CC");
            cov_label(next < 0xa0, 11, "CC");
            cov_label(!(next < 0xa0), 12, "CC");
            if (c == 0xe0 && next < 0xa0) {
                return -1 - i;
            }
            cov_label(c == 0xed, 13, "CC");
            cov_label(!(c == 0xed), 14, "CC");
            cov_label(next > 0x9f, 15, "CC");
            cov_label(!(next > 0x9f), 16, "CC");
            if (c == 0xed && next > 0x9f) {
                return -1 - i;
            }
            cov_label(c == 0xf0, 17, "CC");
            cov_label(!(c == 0xf0), 18, "CC");
            cov_label(next < 0x90, 19, "CC");
            cov_label(!(next < 0x90), 20, "CC");
            if (c == 0xf0 && next < 0x90) {
                return -1 - i;
            }
            cov_label(c == 0xf4, 21, "CC");
            cov_label(!(c == 0xf4), 22, "CC");
            cov_label(next > 0x8f, 23, "CC");
            cov_label(!(next > 0x8f), 24, "CC");
            if (c == 0xf4 && next > 0x8f) {
                return -1 - i;
            }
            cov_label(c < 0xe0, 25, "CC");
            cov_label(!(c < 0xe0), 26, "CC");
            if (c < 0xe0) {
                more = 1;
            }
            cov_label(c >= 0xe0, 27, "CC");
            cov_label(!(c >= 0xe0), 28, "CC");
            cov_label(c < 0xf0, 29, "CC");
            cov_label(!(c < 0xf0), 30, "CC");
            if (c >= 0xe0 && c < 0xf0) {
                more = 2;
            }
            cov_label(c >= 0xf0, 31, "CC");
            cov_label(!(c >= 0xf0), 32, "CC");
            if (c >= 0xf0) {
                more = 3;
            }
        }
        i = i + 1;
        while (1) {
            cov_label(more > 0, 33, "CC");
            cov_label(!(more > 0), 34, "CC");
            if (!(more > 0)) {
                break;
            }
            next = s[i];
            cov_label(next < 0x80, 35, "CC");
            cov_label(!(next < 0x80), 36, "CC");
            cov_label(next > 0xbf, 37, "CC");
            cov_label(!(next > 0xbf), 38, "CC");
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
