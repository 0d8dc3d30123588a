/* What _FORTIFY_SOURCE makes of string and printf functions: the same, with the
   size of the object that is written to. Natively a write beyond it aborts. */
#include "libc.h"

char *strncpy(char *dst, const char *src, size_t n);
char *strcat(char *dst, const char *src);
char *strncat(char *dst, const char *src, size_t n);

static void fits(size_t n, size_t size)
{
    if (n > size)
        klee_report_error("fortify", 0, "buffer overflow detected", "ptr.err");
}

void *__memcpy_chk(void *dst, const void *src, size_t n, size_t size)
{
    fits(n, size);
    return memcpy(dst, src, n);
}

void *__memmove_chk(void *dst, const void *src, size_t n, size_t size)
{
    fits(n, size);
    return memmove(dst, src, n);
}

void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t size)
{
    fits(n, size);
    return (char *)memcpy(dst, src, n) + n;
}

void *__memset_chk(void *dst, int c, size_t n, size_t size)
{
    fits(n, size);
    return memset(dst, c, n);
}

char *__strcpy_chk(char *dst, const char *src, size_t size)
{
    size_t n = strlen(src) + 1;
    fits(n, size);
    return memcpy(dst, src, n);
}

char *__stpcpy_chk(char *dst, const char *src, size_t size)
{
    size_t n = strlen(src) + 1;
    fits(n, size);
    return (char *)memcpy(dst, src, n) + n - 1;
}

char *__strncpy_chk(char *dst, const char *src, size_t n, size_t size)
{
    fits(n, size);
    return strncpy(dst, src, n);
}

char *__strcat_chk(char *dst, const char *src, size_t size)
{
    fits(strlen(dst) + strlen(src) + 1, size);
    return strcat(dst, src);
}

char *__strncat_chk(char *dst, const char *src, size_t n, size_t size)
{
    fits(strlen(dst) + strnlen(src, n) + 1, size);
    return strncat(dst, src, n);
}

int __vsnprintf_chk(char *dst, size_t n, int flag, size_t size, const char *format, va_list ap)
{
    (void)flag;
    fits(n, size);
    return vsnprintf(dst, n, format, ap);
}

int __snprintf_chk(char *dst, size_t n, int flag, size_t size, const char *format, ...)
{
    va_list ap;
    int written;

    va_start(ap, format);
    written = __vsnprintf_chk(dst, n, flag, size, format, ap);
    va_end(ap);
    return written;
}

int __vsprintf_chk(char *dst, int flag, size_t size, const char *format, va_list ap)
{
    int written = vsnprintf(dst, size, format, ap);

    (void)flag;
    fits((size_t)written + 1, size);
    return written;
}

int __sprintf_chk(char *dst, int flag, size_t size, const char *format, ...)
{
    va_list ap;
    int written;

    va_start(ap, format);
    written = __vsprintf_chk(dst, flag, size, format, ap);
    va_end(ap);
    return written;
}

int __vfprintf_chk(void *file, int flag, const char *format, va_list ap) { return vfprintf(file, format, ap); }
int __vprintf_chk(int flag, const char *format, va_list ap) { return vfprintf(stdout, format, ap); }
int __fprintf_chk(void *file, int flag, const char *format, ...)
{
    va_list ap;
    int written;

    va_start(ap, format);
    written = vfprintf(file, format, ap);
    va_end(ap);
    return written;
}
int __printf_chk(int flag, const char *format, ...)
{
    va_list ap;
    int written;

    va_start(ap, format);
    written = vfprintf(stdout, format, ap);
    va_end(ap);
    return written;
}

char *__fgets_chk(char *s, size_t room, int size, void *file)
{
    if (size > 0 && (size_t)size > room) abort();
    return fgets(s, size, file);
}
size_t __fread_chk(void *p, size_t room, size_t size, size_t count, void *file)
{
    if (size * count > room) abort();
    return fread(p, size, count, file);
}
ssize_t __read_chk(int fd, void *p, size_t n, size_t room)
{
    if (n > room) abort();
    return read(fd, p, n);
}
