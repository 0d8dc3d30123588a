/* Checks that a text is UTF-8 in its shortest form, without surrogates and
   within Unicode.  Returns the number of characters, or -1 less the place of
   the first byte that is wrong.
   Labelled for weak mutations: 160 labels. */
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
        cov_label((s[i] != 0) != (s[i] < 0), 1, "WM ROR");
        cov_label((s[i] != 0) != (s[i] <= 0), 2, "WM ROR");
        cov_label((s[i] != 0) != (s[i] > 0), 3, "WM ROR");
        cov_label((s[i] != 0) != (s[i] >= 0), 4, "WM ROR");
        cov_label((s[i] != 0) != (s[i] == 0), 5, "WM ROR");
        if (!(s[i] != 0)) {
            break;
        }
        c = s[i];
        more = 0;
        cov_label((c >= 0x80) != (c < 0x80), 6, "WM ROR");
        cov_label((c >= 0x80) != (c <= 0x80), 7, "WM ROR");
        cov_label((c >= 0x80) != (c > 0x80), 8, "WM ROR");
        cov_label((c >= 0x80) != (c == 0x80), 9, "WM ROR");
        cov_label((c >= 0x80) != (c != 0x80), 10, "WM ROR");
        if (c >= 0x80) {
            cov_label((c < 0xc2) != (c <= 0xc2), 11, "WM ROR");
            cov_label((c < 0xc2) != (c > 0xc2), 12, "WM ROR");
            cov_label((c < 0xc2) != (c >= 0xc2), 13, "WM ROR");
            cov_label((c < 0xc2) != (c == 0xc2), 14, "WM ROR");
            cov_label((c < 0xc2) != (c != 0xc2), 15, "WM ROR");
            cov_label((c > 0xf4) != (c < 0xf4), 16, "WM ROR");
            cov_label((c > 0xf4) != (c <= 0xf4), 17, "WM ROR");
            cov_label((c > 0xf4) != (c >= 0xf4), 18, "WM ROR");
            cov_label((c > 0xf4) != (c == 0xf4), 19, "WM ROR");
            cov_label((c > 0xf4) != (c != 0xf4), 20, "WM ROR");
            cov_label(((c < 0xc2) || (c > 0xf4)) != ((c < 0xc2) && (c > 0xf4)), 21, "WM COR");
            cov_label(((c < 0xc2) || (c > 0xf4)) != !!(c < 0xc2), 22, "WM COR");
            cov_label(((c < 0xc2) || (c > 0xf4)) != !!(c > 0xf4), 23, "WM COR");
            if (c < 0xc2 || c > 0xf4) {
                cov_label(i < 0, 24, "WM ABS");
                cov_label(((-1) - i) != ((-1) + i), 25, "WM AOR");
                cov_label(((-1) - i) != ((-1) * i), 26, "WM AOR");
                cov_label(i != 0 && ((-1) - i) != ((-1) / i), 27, "WM AOR");
                return -1 - i;
            }
            cov_label(i < 0, 28, "WM ABS");
            cov_label((i + 1) != (i - 1), 29, "WM AOR");
            cov_label((i + 1) != (i * 1), 30, "WM AOR");
            cov_label((i + 1) != (i / 1), 31, "WM AOR");
            next = s[i + 1];
            cov_label((c == 0xe0) != (c < 0xe0), 32, "WM ROR");
            cov_label((c == 0xe0) != (c <= 0xe0), 33, "WM ROR");
            cov_label((c == 0xe0) != (c > 0xe0), 34, "WM ROR");
            cov_label((c == 0xe0) != (c >= 0xe0), 35, "WM ROR");
            cov_label((c == 0xe0) != (c != 0xe0), 36, "WM ROR");
            cov_label((next < 0xa0) != (next <= 0xa0), 37, "WM ROR");
            cov_label((next < 0xa0) != (next > 0xa0), 38, "WM ROR");
            cov_label((next < 0xa0) != (next >= 0xa0), 39, "WM ROR");
            cov_label((next < 0xa0) != (next == 0xa0), 40, "WM ROR");
            cov_label((next < 0xa0) != (next != 0xa0), 41, "WM ROR");
            cov_label(((c == 0xe0) && (next < 0xa0)) != ((c == 0xe0) || (next < 0xa0)), 42, "WM COR");
            cov_label(((c == 0xe0) && (next < 0xa0)) != !!(c == 0xe0), 43, "WM COR");
            cov_label(((c == 0xe0) && (next < 0xa0)) != !!(next < 0xa0), 44, "WM COR");
            if (c == 0xe0 && next < 0xa0) {
                cov_label(i < 0, 45, "WM ABS");
                cov_label(((-1) - i) != ((-1) + i), 46, "WM AOR");
                cov_label(((-1) - i) != ((-1) * i), 47, "WM AOR");
                cov_label(i != 0 && ((-1) - i) != ((-1) / i), 48, "WM AOR");
                return -1 - i;
            }
            cov_label((c == 0xed) != (c < 0xed), 49, "WM ROR");
            cov_label((c == 0xed) != (c <= 0xed), 50, "WM ROR");
            cov_label((c == 0xed) != (c > 0xed), 51, "WM ROR");
            cov_label((c == 0xed) != (c >= 0xed), 52, "WM ROR");
            cov_label((c == 0xed) != (c != 0xed), 53, "WM ROR");
            cov_label((next > 0x9f) != (next < 0x9f), 54, "WM ROR");
            cov_label((next > 0x9f) != (next <= 0x9f), 55, "WM ROR");
            cov_label((next > 0x9f) != (next >= 0x9f), 56, "WM ROR");
            cov_label((next > 0x9f) != (next == 0x9f), 57, "WM ROR");
            cov_label((next > 0x9f) != (next != 0x9f), 58, "WM ROR");
            cov_label(((c == 0xed) && (next > 0x9f)) != ((c == 0xed) || (next > 0x9f)), 59, "WM COR");
            cov_label(((c == 0xed) && (next > 0x9f)) != !!(c == 0xed), 60, "WM COR");
            cov_label(((c == 0xed) && (next > 0x9f)) != !!(next > 0x9f), 61, "WM COR");
            if (c == 0xed && next > 0x9f) {
                cov_label(i < 0, 62, "WM ABS");
                cov_label(((-1) - i) != ((-1) + i), 63, "WM AOR");
                cov_label(((-1) - i) != ((-1) * i), 64, "WM AOR");
                cov_label(i != 0 && ((-1) - i) != ((-1) / i), 65, "WM AOR");
                return -1 - i;
            }
            cov_label((c == 0xf0) != (c < 0xf0), 66, "WM ROR");
            cov_label((c == 0xf0) != (c <= 0xf0), 67, "WM ROR");
            cov_label((c == 0xf0) != (c > 0xf0), 68, "WM ROR");
            cov_label((c == 0xf0) != (c >= 0xf0), 69, "WM ROR");
            cov_label((c == 0xf0) != (c != 0xf0), 70, "WM ROR");
            cov_label((next < 0x90) != (next <= 0x90), 71, "WM ROR");
            cov_label((next < 0x90) != (next > 0x90), 72, "WM ROR");
            cov_label((next < 0x90) != (next >= 0x90), 73, "WM ROR");
            cov_label((next < 0x90) != (next == 0x90), 74, "WM ROR");
            cov_label((next < 0x90) != (next != 0x90), 75, "WM ROR");
            cov_label(((c == 0xf0) && (next < 0x90)) != ((c == 0xf0) || (next < 0x90)), 76, "WM COR");
            cov_label(((c == 0xf0) && (next < 0x90)) != !!(c == 0xf0), 77, "WM COR");
            cov_label(((c == 0xf0) && (next < 0x90)) != !!(next < 0x90), 78, "WM COR");
            if (c == 0xf0 && next < 0x90) {
                cov_label(i < 0, 79, "WM ABS");
                cov_label(((-1) - i) != ((-1) + i), 80, "WM AOR");
                cov_label(((-1) - i) != ((-1) * i), 81, "WM AOR");
                cov_label(i != 0 && ((-1) - i) != ((-1) / i), 82, "WM AOR");
                return -1 - i;
            }
            cov_label((c == 0xf4) != (c < 0xf4), 83, "WM ROR");
            cov_label((c == 0xf4) != (c <= 0xf4), 84, "WM ROR");
            cov_label((c == 0xf4) != (c > 0xf4), 85, "WM ROR");
            cov_label((c == 0xf4) != (c >= 0xf4), 86, "WM ROR");
            cov_label((c == 0xf4) != (c != 0xf4), 87, "WM ROR");
            cov_label((next > 0x8f) != (next < 0x8f), 88, "WM ROR");
            cov_label((next > 0x8f) != (next <= 0x8f), 89, "WM ROR");
            cov_label((next > 0x8f) != (next >= 0x8f), 90, "WM ROR");
            cov_label((next > 0x8f) != (next == 0x8f), 91, "WM ROR");
            cov_label((next > 0x8f) != (next != 0x8f), 92, "WM ROR");
            cov_label(((c == 0xf4) && (next > 0x8f)) != ((c == 0xf4) || (next > 0x8f)), 93, "WM COR");
            cov_label(((c == 0xf4) && (next > 0x8f)) != !!(c == 0xf4), 94, "WM COR");
            cov_label(((c == 0xf4) && (next > 0x8f)) != !!(next > 0x8f), 95, "WM COR");
            if (c == 0xf4 && next > 0x8f) {
                cov_label(i < 0, 96, "WM ABS");
                cov_label(((-1) - i) != ((-1) + i), 97, "WM AOR");
                cov_label(((-1) - i) != ((-1) * i), 98, "WM AOR");
                cov_label(i != 0 && ((-1) - i) != ((-1) / i), 99, "WM AOR");
                return -1 - i;
            }
            cov_label((c < 0xe0) != (c <= 0xe0), 100, "WM ROR");
            cov_label((c < 0xe0) != (c > 0xe0), 101, "WM ROR");
            cov_label((c < 0xe0) != (c >= 0xe0), 102, "WM ROR");
            cov_label((c < 0xe0) != (c == 0xe0), 103, "WM ROR");
            cov_label((c < 0xe0) != (c != 0xe0), 104, "WM ROR");
            if (c < 0xe0) {
                more = 1;
            }
            cov_label((c >= 0xe0) != (c < 0xe0), 105, "WM ROR");
            cov_label((c >= 0xe0) != (c <= 0xe0), 106, "WM ROR");
            cov_label((c >= 0xe0) != (c > 0xe0), 107, "WM ROR");
            cov_label((c >= 0xe0) != (c == 0xe0), 108, "WM ROR");
            cov_label((c >= 0xe0) != (c != 0xe0), 109, "WM ROR");
            cov_label((c < 0xf0) != (c <= 0xf0), 110, "WM ROR");
            cov_label((c < 0xf0) != (c > 0xf0), 111, "WM ROR");
            cov_label((c < 0xf0) != (c >= 0xf0), 112, "WM ROR");
            cov_label((c < 0xf0) != (c == 0xf0), 113, "WM ROR");
            cov_label((c < 0xf0) != (c != 0xf0), 114, "WM ROR");
            cov_label(((c >= 0xe0) && (c < 0xf0)) != ((c >= 0xe0) || (c < 0xf0)), 115, "WM COR");
            cov_label(((c >= 0xe0) && (c < 0xf0)) != !!(c >= 0xe0), 116, "WM COR");
            cov_label(((c >= 0xe0) && (c < 0xf0)) != !!(c < 0xf0), 117, "WM COR");
            if (c >= 0xe0 && c < 0xf0) {
                more = 2;
            }
            cov_label((c >= 0xf0) != (c < 0xf0), 118, "WM ROR");
            cov_label((c >= 0xf0) != (c <= 0xf0), 119, "WM ROR");
            cov_label((c >= 0xf0) != (c > 0xf0), 120, "WM ROR");
            cov_label((c >= 0xf0) != (c == 0xf0), 121, "WM ROR");
            cov_label((c >= 0xf0) != (c != 0xf0), 122, "WM ROR");
            if (c >= 0xf0) {
                more = 3;
            }
        }
        cov_label(i < 0, 123, "WM ABS");
        cov_label((i + 1) != (i - 1), 124, "WM AOR");
        cov_label((i + 1) != (i * 1), 125, "WM AOR");
        cov_label((i + 1) != (i / 1), 126, "WM AOR");
        i = i + 1;
        while (1) {
            cov_label((more > 0) != (more < 0), 127, "WM ROR");
            cov_label((more > 0) != (more <= 0), 128, "WM ROR");
            cov_label((more > 0) != (more >= 0), 129, "WM ROR");
            cov_label((more > 0) != (more == 0), 130, "WM ROR");
            cov_label((more > 0) != (more != 0), 131, "WM ROR");
            if (!(more > 0)) {
                break;
            }
            next = s[i];
            cov_label((next < 0x80) != (next <= 0x80), 132, "WM ROR");
            cov_label((next < 0x80) != (next > 0x80), 133, "WM ROR");
            cov_label((next < 0x80) != (next >= 0x80), 134, "WM ROR");
            cov_label((next < 0x80) != (next == 0x80), 135, "WM ROR");
            cov_label((next < 0x80) != (next != 0x80), 136, "WM ROR");
            cov_label((next > 0xbf) != (next < 0xbf), 137, "WM ROR");
            cov_label((next > 0xbf) != (next <= 0xbf), 138, "WM ROR");
            cov_label((next > 0xbf) != (next >= 0xbf), 139, "WM ROR");
            cov_label((next > 0xbf) != (next == 0xbf), 140, "WM ROR");
            cov_label((next > 0xbf) != (next != 0xbf), 141, "WM ROR");
            cov_label(((next < 0x80) || (next > 0xbf)) != ((next < 0x80) && (next > 0xbf)), 142, "WM COR");
            cov_label(((next < 0x80) || (next > 0xbf)) != !!(next < 0x80), 143, "WM COR");
            cov_label(((next < 0x80) || (next > 0xbf)) != !!(next > 0xbf), 144, "WM COR");
            if (next < 0x80 || next > 0xbf) {
                cov_label(i < 0, 145, "WM ABS");
                cov_label(((-1) - i) != ((-1) + i), 146, "WM AOR");
                cov_label(((-1) - i) != ((-1) * i), 147, "WM AOR");
                cov_label(i != 0 && ((-1) - i) != ((-1) / i), 148, "WM AOR");
                return -1 - i;
            }
            cov_label(i < 0, 149, "WM ABS");
            cov_label((i + 1) != (i - 1), 150, "WM AOR");
            cov_label((i + 1) != (i * 1), 151, "WM AOR");
            cov_label((i + 1) != (i / 1), 152, "WM AOR");
            i = i + 1;
            cov_label(more < 0, 153, "WM ABS");
            cov_label((more - 1) != (more + 1), 154, "WM AOR");
            cov_label((more - 1) != (more * 1), 155, "WM AOR");
            cov_label((more - 1) != (more / 1), 156, "WM AOR");
            more = more - 1;
        }
        cov_label(count < 0, 157, "WM ABS");
        cov_label((count + 1) != (count - 1), 158, "WM AOR");
        cov_label((count + 1) != (count * 1), 159, "WM AOR");
        cov_label((count + 1) != (count / 1), 160, "WM AOR");
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
