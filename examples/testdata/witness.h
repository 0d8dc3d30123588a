/* Runs a labelled example on one written-down test: force-included when the
   test of this folder compiles an example.  The program's arguments are
   inputs, NAME=V,V,...; each label that is hit is printed. */
#ifndef WITNESS_H
#define WITNESS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **witness_inputs;

static __attribute__((unused)) void witness_fill(void *at, size_t size, const char *name)
{
    char **in;
    size_t n = strlen(name);

    for (in = witness_inputs; *in != NULL; in++) {
        const char *p = *in;
        unsigned char *to = at;
        size_t count = 1;
        size_t width;

        if (strncmp(p, name, n) != 0 || p[n] != '=') {
            continue;
        }
        for (p += n + 1; *p != 0; p++) {
            count += *p == ',';
        }
        width = size / count;
        if (width * count != size || width > sizeof(long long)) {
            fprintf(stderr, "%s: %zu values for %zu bytes\n", name, count, size);
            exit(3);
        }
        for (p = *in + n + 1; count > 0; count--, p++) {
            char *end;
            long long v = strtoll(p, &end, 10);

            memcpy(to, &v, width); /* little-endian */
            to += width;
            p = end;
        }
        return;
    }
    fprintf(stderr, "no value for %s\n", name);
    exit(3);
}

static __attribute__((unused)) void witness_assume(int holds, const char *text)
{
    if (!holds) {
        fprintf(stderr, "assumption does not hold: %s\n", text);
        exit(4);
    }
}

#define cov_label(predicate, id, ...) do { if (predicate) { printf("%d\n", id); } } while (0)
#define klee_make_symbolic(at, size, name) witness_fill(at, size, name)
#define klee_assume(c) witness_assume((c) != 0, #c)
#define ASSUME(c) witness_assume((c) != 0, #c)
#define _FLAT(var, name, type) witness_fill(&(var), sizeof(type), name)
#define HARNESS_START ((void)0)
#define HARNESS_END ((void)0)
#define main witness_main

#endif
