/* stdio.h, what writes: into files of the program; what goes to the world is dropped. */
#include "libc.h"

/* Whether what is written there goes to the world. */
int klabel_is_output(void *file) { return klabel_file_of(file)->node == &klabel_output; }

/* What is written to the world may fail: all bits set, or 0. An unknown, not a fork: most programs never ask. */
static int failure(void *file) { return klabel_is_output(file) ? -(klabel_any() != 0) : 0; }

size_t klabel_write_text(void *file, const char *text, size_t n)
{
    struct klabel_stream *f = file;
    struct klabel_open *o = klabel_file_of(f);
    if (o->node == &klabel_output) {
        klabel_touches_errno();
        return n;
    }
    if (o->node == NULL || (o->flags & 3) == 0) {
        if (f->fd >= 0) f->failed = 1;
        if (f->fd >= 0) klabel_error(9);
        return f->fd >= 0 ? 0 : n;
    }
    n = klabel_put(o, text, n);
    if (!f->holds) o->node->unflushed++;
    f->holds = 1;
    return n;
}

int fflush(void *file)
{
    klabel_touches_errno();
    if (file == NULL) klabel_gap("which streams are flushed together");
    else klabel_flush(file);
    return file == NULL ? 0 : failure(file);
}
int fputc(int c, void *file)
{
    char text = (char)c;
    return klabel_write_text(file, &text, 1) == 1 ? (unsigned char)c | failure(file) : -1;
}
int putc(int c, void *file) { return fputc(c, file); }
int putchar(int c) { return fputc(c, stdout); }
int fputs(const char *s, void *file)
{
    size_t n = klabel_is_output(file) ? 0 : strlen(s);
    return klabel_write_text(file, s, n) == n ? 1 | failure(file) : -1;
}
int puts(const char *s)
{
    int n = (int)strlen(s);
    if (klabel_is_output(stdout)) {
        klabel_touches_errno();
        return (n + 1) | failure(stdout);
    }
    return fputs(s, stdout) < 0 || fputc('\n', stdout) < 0 ? -1 : n + 1;
}
size_t fwrite(const void *p, size_t size, size_t count, void *file)
{
    size_t n = klabel_is_output(file) ? 0 : size * count, failed, less;
    if (size == 0 || klabel_write_text(file, p, n) != n) return 0;
    failed = (size_t)(long)failure(file), less = (size_t)(unsigned)klabel_any() % (count + !count);
    return (count & ~failed) | (less & failed);
}
void perror(const char *s)
{
    (void)s;
    klabel_touches_errno();
}
int setvbuf(void *file, char *buffer, int mode, size_t size)
{
    klabel_touches_errno();
    (void)file;
    (void)buffer;
    (void)mode;
    (void)size;
    return 0;
}
void setbuf(void *file, char *buffer)
{
    (void)file;
    (void)buffer;
}

int vfprintf(void *file, const char *format, va_list ap)
{
    va_list again;
    char *text;
    int n;
    if (klabel_is_output(file)) {
        klabel_touches_errno();
        return vsnprintf(NULL, 0, format, ap) | failure(file);
    }
    va_copy(again, ap);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = malloc((size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, ap);
    n = klabel_write_text(file, text, (size_t)n) == (size_t)n ? n : -1;
    free(text);
    return n;
}
int vprintf(const char *format, va_list ap) { return vfprintf(stdout, format, ap); }
int printf(const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vfprintf(stdout, format, ap);
    va_end(ap);
    return n;
}
int fprintf(void *file, const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vfprintf(file, format, ap);
    va_end(ap);
    return n;
}
