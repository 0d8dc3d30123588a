/* Reads a tag such as <b>, </b> or <b a="x">, and says where it ends. */

enum { BAD_START = -1, BAD_NAME = -2, BAD_VALUE = -3, NOT_CLOSED = -4 };

int tag(const char *s)
{
    int i = 0;
    int closing = 0;
    int start;
    char quote;

    if (s[i] != '<') {
        return BAD_START;
    }
    i = i + 1;
    if (s[i] == '/') {
        closing = 1;
        i = i + 1;
    }
    start = i;
    while (s[i] >= 'a' && s[i] <= 'z') {
        i = i + 1;
    }
    if (i == start) {
        return BAD_NAME;
    }
    while (s[i] == ' ' && !closing) {
        i = i + 1;
        start = i;
        while (s[i] >= 'a' && s[i] <= 'z') {
            i = i + 1;
        }
        if (i == start) {
            return BAD_NAME;
        }
        if (s[i] == '=') {
            i = i + 1;
            quote = s[i];
            if (quote != '"' && quote != '\'') {
                return BAD_VALUE;
            }
            i = i + 1;
            while (s[i] != 0 && s[i] != quote) {
                i = i + 1;
            }
            if (s[i] == 0) {
                return BAD_VALUE;
            }
            i = i + 1;
        }
    }
    if (s[i] != '>') {
        return NOT_CLOSED;
    }
    return i + 1;
}
