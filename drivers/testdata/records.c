/* Structures with parts that have no name, and with two names. */
#include <stdlib.h>

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

struct expression {
    int type;
    union { double value; const int *bound; };
    void *arguments[1];
    union { long count; const char *text; };
};

/* driver: */
int unnamed_unions(const struct expression *e)
{
    if (e == 0) {
        return 0;
    }
    cov_label(e->type == 1 && e->bound != 0 && e->arguments[0] != 0, 1, "CC");
    cov_label(e->type == 2 && e->bound != 0 && e->text != 0 && e->arguments[0] == 0, 2, "CC");
    cov_label(e->type == 3 && e->value == 1.0 && e->arguments[0] != 0, 3, "CC");
    return 1;
}

typedef struct { int *at; } suite;
union either { int *at; long number; };
struct sealed {
    const suite one;
    const suite two[2];
    char *const names[1];
    const union either either;
    const struct { int *const at; } within;
    const double half[2];
};

/* driver: */
int constant_records(const struct sealed *s)
{
    if (s == 0) {
        return 0;
    }
    cov_label(s->one.at != 0 && *s->one.at == 7 && s->two[1].at != 0, 31, "CC");
    cov_label(s->names[0] != 0 && s->names[0][0] == 'x' && s->within.at != 0 && *s->within.at == 3, 32, "CC");
    cov_label(s->half[1] == 0.5, 33, "CC");
    return 1;
}
