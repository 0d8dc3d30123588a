/* Reads a tag of markup with its attributes: <name a=b c="d" e>, </name>, <!-- -->,
 * and keeps a stack of the names that are open.
 */
#include "klee/klee.h"

enum { LENGTH = 14, DEEPEST = 3 };

static int depth;
static char open_names[DEEPEST];
static int attributes, errors, comments;

static int letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int space(int c) { return c == ' ' || c == '\t' || c == '\n'; }

static int attribute(const char *s, int i)
{
    int quote = 0, length = 0;

    while (letter(s[i]) || (length > 0 && (s[i] == '-' || s[i] == ':'))) {
        i++;
        length++;
    }
    if (length == 0)
        return -1;
    if (s[i] != '=') {
        attributes++;
        return i;
    }
    i++;
    if (s[i] == '"' || s[i] == '\'')
        quote = s[i++];
    length = 0;
    while (s[i] != '\0' && ((quote && s[i] != quote) || (!quote && !space(s[i]) && s[i] != '>' && s[i] != '/'))) {
        if (s[i] == '<' || (!quote && s[i] == '='))
            return -1;
        i++;
        length++;
    }
    if (quote && s[i] != quote)
        return -1;
    if (quote)
        i++;
    else if (length == 0)
        return -1;
    attributes++;
    return i;
}

static int tag(const char *s, int i)
{
    int closing = 0, name;

    if (s[i] == '!' && s[i + 1] == '-') {
        while (s[i] != '\0' && !(s[i] == '-' && s[i + 1] == '>'))
            i++;
        if (s[i] == '\0')
            return -1;
        comments++;
        return i + 2;
    }
    if (s[i] == '/') {
        closing = 1;
        i++;
    }
    if (!letter(s[i]) && s[i] != '_')
        return -1;
    name = s[i];
    while (letter(s[i]) || s[i] == '_')
        i++;
    while (s[i] != '\0' && s[i] != '>' && !(s[i] == '/' && s[i + 1] == '>')) {
        if (!space(s[i]))
            return -1;
        while (space(s[i]))
            i++;
        if (s[i] == '>' || s[i] == '/')
            break;
        if (closing || (i = attribute(s, i)) < 0)
            return -1;
    }
    if (closing) {
        if (depth == 0 || open_names[depth - 1] != name)
            return -1;
        depth--;
    } else if (s[i] == '/' && s[i + 1] == '>') {
        i++;
    } else if (s[i] == '>') {
        if (depth == DEEPEST)
            return -1;
        open_names[depth++] = (char)name;
    }
    return s[i] == '>' ? i + 1 : -1;
}

int parse(const char *s)
{
    int i = 0;

    while (s[i] != '\0' && errors < 2) {
        if (s[i] != '<') {
            if (s[i] == '>' || (s[i] == '&' && !letter(s[i + 1]) && s[i + 1] != '#'))
                errors++;
            i++;
            continue;
        }
        int next = tag(s, i + 1);
        if (next < 0) {
            errors++;
            i++;
        } else {
            i = next;
        }
    }
    return errors == 0 && depth == 0 && (attributes > 0 || comments > 0);
}

int main(void)
{
    char s[LENGTH + 2];

    klee_make_symbolic(s, sizeof s, "s");
    klee_assume(s[LENGTH] == 0);
    klee_assume(s[LENGTH + 1] == 0);
    return parse(s);
}
