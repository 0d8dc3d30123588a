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
