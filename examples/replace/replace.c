/* Replaces each place of a text that a pattern matches by one character.
   '?' in a pattern matches anything, '%' in front of a character takes its
   meaning away. */

/* The number of characters of s that the pattern matches, or -1. */
int match(const char *s, const char *pattern)
{
    int i = 0;
    int p = 0;

    while (pattern[p] != 0) {
        if (s[i] == 0) {
            return -1;
        }
        if (pattern[p] == '%' && pattern[p + 1] != 0) {
            p = p + 1;
            if (pattern[p] != s[i]) {
                return -1;
            }
        } else {
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

    while (s[i] != 0) {
        if (o + 1 >= size) {
            return -1;
        }
        n = match(s + i, pattern);
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
