/* Replays the inputs of one test, for the engine's own tests: the objects must
   be asked for in their order, by name and size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *inputs;

static void leave(int code)
{
    fflush(stdout);
    _Exit(code);
}

static int next(char *have, size_t *n)
{
    return inputs && fscanf(inputs, "%255s %zu", have, n) == 2 && fgetc(inputs) != EOF;
}

/* Variables of the environment are there from the beginning. */
__attribute__((constructor)) static void begin(void)
{
    char have[256], value[256];
    size_t n;
    const char *path = getenv("REPLAY_INPUTS");
    if (path) inputs = fopen(path, "r");
    clearenv();
    while (next(have, &n)) {
        if (strncmp(have, "getenv_", 7) != 0 || n >= sizeof value) {
            fseek(inputs, (long)n, SEEK_CUR);
            continue;
        }
        memset(value, 0, sizeof value);
        if (fread(value, 1, n, inputs) == n && (value[0] || value[1])) setenv(have + 7, value, 1);
    }
    if (inputs) rewind(inputs);
}

static void give(void *p, size_t size, const char *name)
{
    char have[256];
    size_t n;
    int found;
    while ((found = next(have, &n)) && strncmp(have, "getenv_", 7) == 0) fseek(inputs, (long)n, SEEK_CUR);
    if (!found) {
        memset(p, 0, size);
        return;
    }
    if (strcmp(name, have) || n != size || fread(p, 1, size, inputs) != size) {
        printf("diverged: %s wanted, %s there\n", name, have);
        leave(9);
    }
}

void klee_make_symbolic(void *p, size_t size, const char *name) { give(p, size, name); }
int klee_int(const char *name)
{
    int v;
    give(&v, sizeof v, name);
    return v;
}
int __VERIFIER_nondet_int(void) { return klee_int("__VERIFIER_nondet_int"); }
unsigned char __VERIFIER_nondet_uchar(void)
{
    unsigned char c;
    give(&c, 1, "__VERIFIER_nondet_uchar");
    return c;
}
void klee_assume(unsigned long c)
{
    if (c) return;
    printf("diverged: assumption\n");
    leave(9);
}
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    printf("reported %s:%d %s %s\n", file, line, message, suffix);
    leave(8);
}
void klee_silent_exit(int code)
{
    printf("normal end\n");
    leave(code * 0);
}
int klabel_wants(int id) { return id >= 0; }
void klabel_label(int id, int v)
{
    if (v) printf("hit %d\n", id);
}
void no_such_function(int x) { leave(x); }

__attribute__((destructor)) static void end(void)
{
    printf("normal end\n");
    fflush(stdout);
}
