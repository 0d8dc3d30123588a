/* A parser of texts: recursive, with conditions on several bytes of the input. */
#include "klee/klee.h"

#include <stdlib.h>

struct parser {
    const char *at;
    int depth, errors;
    struct node *last;
};

struct node {
    int kind;
    struct node *up, *before;
    long value;
};

static struct node *new_node(struct parser *p, int kind, struct node *up)
{
    struct node *n = calloc(1, sizeof *n);

    if (n == NULL)
        abort();
    n->kind = kind;
    n->up = up;
    n->before = p->last;
    return p->last = n;
}

static int parse(struct parser *p, struct node *up, unsigned left)
{
    struct node *n;

    if (left == 0) {
        klee_warning_once("all states are there");
        return p->errors;
    }
    if (p->at[0] < p->at[1]) {
        n = new_node(p, 1, up);
        n->value = p->at[0] * 10L + p->at[1];
        p->depth++;
        p->at++;
        return parse(p, n, left - 1);
    }
    n = new_node(p, 2, up);
    n->value = p->at[0];
    p->errors++;
    p->at++;
    return parse(p, n, left - 1);
}

int main(void)
{
    char text[ROUNDS + 1];
    struct parser p = {text, 0, 0, NULL};

    klee_make_symbolic(text, sizeof text, "text");
    return parse(&p, NULL, ROUNDS);
}
