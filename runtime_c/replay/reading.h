/* Functions that read, as the linker wraps them: who includes this has a function that
 * is told of each call whether it got anything, and gives __wrap_read bodies of its own,
 * and __wrap_fread where it has them already (READ_IS_WRAPPED).
 */
#ifndef KLABEL_READING_H
#define KLABEL_READING_H

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void klabel_read_something(int got);

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
        klabel_read_something(n > 0);           \
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
        klabel_read_something(n > 0);                    \
        return n;                                        \
    }

#define READ(type, name, parameters, arguments, got) \
    type __real_##name parameters;                   \
    type __wrap_##name parameters;                   \
    type __wrap_##name parameters                    \
    {                                                \
        type r = __real_##name arguments;            \
                                                     \
        klabel_read_something(got);                  \
        return r;                                    \
    }

SCANF(scanf)
SCANF(__isoc99_scanf)
SCANF(__isoc23_scanf)
FSCANF(fscanf)
FSCANF(__isoc99_fscanf)
FSCANF(__isoc23_fscanf)

READ(int, getchar, (void), (), r != EOF)
READ(int, getc, (FILE * f), (f), r != EOF)
READ(int, fgetc, (FILE * f), (f), r != EOF)
READ(char *, fgets, (char *s, int n, FILE *f), (s, n, f), r != NULL)
READ(ssize_t, getline, (char **s, size_t *n, FILE *f), (s, n, f), r >= 0)
READ(ssize_t, __getdelim, (char **s, size_t *n, int end, FILE *f), (s, n, end, f), r >= 0)
#ifndef READ_IS_WRAPPED
READ(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), r > 0)
READ(size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f), r > 0)
#endif

#endif
