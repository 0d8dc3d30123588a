/* Options of a command: short ones in a bundle, long ones with a value, limits
 * that must agree with each other at the end.
 */
#include "klee/klee.h"

enum { ARGUMENTS = 3, LENGTH = 6 };

struct settings {
    int all, verbose, force, limit, width, column, quiet, end;
};

static int same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static int number(const char *s, int *to)
{
    int n = 0, negative = *s == '-';

    s += negative;
    if (*s < '0' || *s > '9')
        return 0;
    while (*s >= '0' && *s <= '9' && n < 10000)
        n = n * 10 + (*s++ - '0');
    if (*s == 'k' && s[1] == '\0') {
        n *= 1000;
        s++;
    }
    *to = negative ? -n : n;
    return *s == '\0';
}

static int bundle(const char *s, const char *next, struct settings *o)
{
    for (; *s != '\0'; s++) {
        switch (*s) {
        case 'a': o->all = 1; break;
        case 'v': o->verbose++; break;
        case 'f':
            if (o->quiet && !o->verbose)
                return -1;
            o->force = 1;
            break;
        case 'q':
            if (o->verbose > 1 || o->force)
                return -1;
            o->quiet = 1;
            break;
        case 'l':
        case 'w':
        case 'c': {
            int value, here = s[1] != '\0';
            const char *text = here ? s + 1 : next;
            if (!number(text, &value) || (*s != 'l' && (value <= 0 || value > 250)))
                return -1;
            if (*s == 'l')
                o->limit = value;
            else if (*s == 'w')
                o->width = value;
            else
                o->column = value;
            return here ? 1 : 2;
        }
        default: return -1;
        }
    }
    return 1;
}

static int check(const struct settings *o)
{
    if (o->column > o->width && o->width > 0 && !o->force)
        return 2;
    if ((o->limit < 0 && !o->all) || (o->limit > 5000 && (o->quiet || o->verbose < 2)))
        return 3;
    if (o->all && o->quiet && o->end > 1)
        return 4;
    if (o->verbose > 2 || (o->width == 80 && o->column == 79))
        return 5;
    return 0;
}

int options(char v[ARGUMENTS + 1][LENGTH])
{
    struct settings o = {0};
    int i = 0;

    while (i < ARGUMENTS && v[i][0] == '-' && v[i][1] != '\0') {
        if (v[i][1] != '-') {
            int used = bundle(v[i] + 1, v[i + 1], &o);
            if (used < 0)
                return 1;
            i += used;
            continue;
        }
        if (v[i][2] == '\0') {
            i++;
            break;
        }
        if (same(v[i] + 2, "all") || same(v[i] + 2, "al"))
            o.all = 1;
        else if (v[i][2] == 'l' && v[i][3] == '=') {
            if (!number(v[i] + 4, &o.limit) || o.limit == 0)
                return 1;
        } else if (v[i][2] == 'n' && v[i][3] == 'o')
            o.all = o.verbose = 0;
        else
            return 1;
        i++;
    }
    o.end = i;
    return check(&o);
}

int main(void)
{
    char v[ARGUMENTS + 1][LENGTH];
    int i;

    klee_make_symbolic(v, sizeof v, "v");
    for (i = 0; i <= ARGUMENTS; i++)
        klee_assume(v[i][LENGTH - 1] == 0);
    klee_assume(v[ARGUMENTS][0] == 0);
    return options(v);
}
