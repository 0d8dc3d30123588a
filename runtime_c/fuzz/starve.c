/* Functions that read, as the linker wraps them: a program that asks again and again
 * at the end of its input, or where scanf finds nothing that it could take, does so
 * for ever, most likely. Such a run is ended long before its time is up.
 */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST = 1024, LEAST = 64 };

static unsigned fruitless, allowed = MOST, counted;

void klabel_fuzz_begin_reading(void)
{
    fruitless = 0;
}

unsigned klabel_fuzz_starved(void)
{
    return counted;
}

/* The more runs are ended, the sooner. */
static void count(int got)
{
    if (got) {
        fruitless = 0;
    } else if (++fruitless > allowed && klabel_fuzz_running) {
        counted++;
        if (allowed > LEAST)
            allowed -= allowed / 4;
        klabel_fuzz_end(END_STARVED);
    }
}

#define SCANF(name)                             \
    int __wrap_##name(const char *format, ...); \
    int __wrap_##name(const char *format, ...)  \
    {                                           \
        va_list list;                           \
        int n;                                  \
                                                \
        va_start(list, format);                 \
        n = vscanf(format, list);               \
        va_end(list);                           \
        count(n > 0);                           \
        return n;                               \
    }

#define FSCANF(name)                                     \
    int __wrap_##name(FILE *f, const char *format, ...); \
    int __wrap_##name(FILE *f, const char *format, ...)  \
    {                                                    \
        va_list list;                                    \
        int n;                                           \
                                                         \
        va_start(list, format);                          \
        n = vfscanf(f, format, list);                    \
        va_end(list);                                    \
        count(n > 0);                                    \
        return n;                                        \
    }

SCANF(scanf)
SCANF(__isoc99_scanf)
SCANF(__isoc23_scanf)
FSCANF(fscanf)
FSCANF(__isoc99_fscanf)
FSCANF(__isoc23_fscanf)

#define READ(type, name, parameters, arguments, got) \
    type __real_##name parameters;                   \
    type __wrap_##name parameters;                   \
    type __wrap_##name parameters                    \
    {                                                \
        type r = __real_##name arguments;            \
                                                     \
        count(got);                                  \
        return r;                                    \
    }

READ(int, getchar, (void), (), r != EOF)
READ(int, getc, (FILE * f), (f), r != EOF)
READ(int, fgetc, (FILE * f), (f), r != EOF)
READ(char *, fgets, (char *s, int n, FILE *f), (s, n, f), r != NULL)
READ(size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f), r > 0)
READ(ssize_t, getline, (char **s, size_t *n, FILE *f), (s, n, f), r >= 0)
READ(ssize_t, __getdelim, (char **s, size_t *n, int end, FILE *f), (s, n, end, f), r >= 0)
READ(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), r > 0)
