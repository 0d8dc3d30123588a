/* Normalises a URL: scheme in lower case, default port away, dot segments and
 * needless escapes removed.
 */
#include "klee/klee.h"

enum { LENGTH = 12 };

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static int is_unreserved(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_' || c == '~';
}

static int hex(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = lower(c);
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static int scheme(const char *s, char *to)
{
    int n = 0;

    while (n < 5 && ((s[n] >= 'a' && s[n] <= 'z') || (s[n] >= 'A' && s[n] <= 'Z'))) {
        to[n] = (char)lower(s[n]);
        n++;
    }
    to[n] = '\0';
    if (n == 0 || s[n] != ':')
        return 0;
    return n;
}

static int port(const char *s, int *at)
{
    int value = 0, digits = 0;

    while (s[*at] >= '0' && s[*at] <= '9') {
        value = value * 10 + (s[*at] - '0');
        digits++;
        (*at)++;
        if (value > 65535 || digits > 5)
            return -1;
    }
    if (digits == 0 || (s[*at] != '/' && s[*at] != '?' && s[*at] != '\0'))
        return -1;
    return value;
}

int normalise(const char *in, char *out)
{
    char name[8];
    int i = scheme(in, name), n = 0, k, p, high, low, c;

    if (i == 0)
        return -1;
    for (k = 0; k < i; k++)
        out[n++] = name[k];
    out[n++] = ':';
    i++;
    if (in[i] == '/' && in[i + 1] == '/') {
        i += 2;
        out[n++] = '/';
        out[n++] = '/';
        if (in[i] == '\0' || in[i] == '/' || in[i] == ':')
            return -2;
        while (in[i] != '\0' && in[i] != '/' && in[i] != ':' && in[i] != '?')
            out[n++] = (char)lower(in[i++]);
        if (in[i] == ':') {
            i++;
            p = port(in, &i);
            if (p < 0)
                return -3;
            if (!((name[0] == 'h' && p == 80) || (name[0] == 'f' && p == 21)) || p > 1000)
                out[n++] = ':';
        }
    }
    while (in[i] != '\0' && n < 2 * LENGTH) {
        c = in[i];
        if (c == '/' && in[i + 1] == '.' && (in[i + 2] == '/' || in[i + 2] == '\0')) {
            i += 2;
            continue;
        }
        if (c == '/' && in[i + 1] == '.' && in[i + 2] == '.' && (in[i + 3] == '/' || in[i + 3] == '\0')) {
            while (n > 0 && out[n - 1] != '/' && out[n - 1] != ':')
                n--;
            if (n > 1 && out[n - 1] == '/' && out[n - 2] != '/')
                n--;
            i += 3;
            continue;
        }
        if (c == '%') {
            high = hex(in[i + 1]);
            low = high < 0 ? -1 : hex(in[i + 2]);
            if (high < 0 || low < 0)
                return -4;
            c = high * 16 + low;
            if (is_unreserved(c))
                out[n++] = (char)c;
            else
                out[n++] = '%';
            i += 3;
            continue;
        }
        if (c == '?' && (in[i + 1] == '\0' || in[i + 1] == '#'))
            break;
        if (c < ' ' || c == '"' || c == '<' || c == '>')
            return -5;
        out[n++] = (char)c;
        i++;
    }
    out[n] = '\0';
    return n;
}

int main(void)
{
    char in[LENGTH + 4], out[2 * LENGTH + 8];

    klee_make_symbolic(in, sizeof in, "in");
    klee_assume(in[LENGTH] == 0);
    klee_assume(in[LENGTH + 1] == 0);
    klee_assume(in[LENGTH + 2] == 0);
    klee_assume(in[LENGTH + 3] == 0);
    return normalise(in, out) > 3;
}
