/* Checks that a text is UTF-8 in its shortest form, without surrogates and
   within Unicode.  Returns the number of characters, or -1 less the place of
   the first byte that is wrong. */

int utf8(const unsigned char *s)
{
    int count = 0;
    int i = 0;
    int more;
    int c;
    int next;

    while (s[i] != 0) {
        c = s[i];
        more = 0;
        if (c >= 0x80) {
            if (c < 0xc2 || c > 0xf4) {
                return -1 - i;
            }
            next = s[i + 1];
            if (c == 0xe0 && next < 0xa0) {
                return -1 - i;
            }
            if (c == 0xed && next > 0x9f) {
                return -1 - i;
            }
            if (c == 0xf0 && next < 0x90) {
                return -1 - i;
            }
            if (c == 0xf4 && next > 0x8f) {
                return -1 - i;
            }
            if (c < 0xe0) {
                more = 1;
            }
            if (c >= 0xe0 && c < 0xf0) {
                more = 2;
            }
            if (c >= 0xf0) {
                more = 3;
            }
        }
        i = i + 1;
        while (more > 0) {
            next = s[i];
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
