/* Calls on streams, one of which fails where a test of a function says so. The linker leads
 * the program's calls here (--wrap). It fails as it does when the device does: what was read
 * before is there, what was written is not, the stream has an error, and is closed by fclose
 * all the same.
 */
#include "replay.h"

#include <errno.h>
#include <stdio.h>

static struct {
    unsigned left; /* of the calls to come this one fails, 0 for none */
    FILE *broken;
} streams;

void klabel_fail_on_streams(unsigned number);
void klabel_fail_on_streams(unsigned number)
{
    streams.left = number;
    streams.broken = NULL;
}

static int fails(FILE *f)
{
    if (streams.left == 0 || --streams.left > 0)
        return 0;
    streams.broken = f;
    errno = EIO;
    return 1;
}

static void mended(FILE *f)
{
    if (streams.broken == f)
        streams.broken = NULL;
}

int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);
int __wrap_fclose(FILE *f)
{
    int failing = fails(f), r;

    mended(f);
    r = __real_fclose(f);
    if (failing)
        errno = EIO;
    return failing ? EOF : r;
}

int __real_fflush(FILE *f);
int __wrap_fflush(FILE *f);
int __wrap_fflush(FILE *f)
{
    return fails(f) ? EOF : __real_fflush(f);
}

int __real_fputs(const char *s, FILE *f);
int __wrap_fputs(const char *s, FILE *f);
int __wrap_fputs(const char *s, FILE *f)
{
    return fails(f) ? EOF : __real_fputs(s, f);
}

size_t __real_fwrite(const void *p, size_t size, size_t n, FILE *f);
size_t __wrap_fwrite(const void *p, size_t size, size_t n, FILE *f);
size_t __wrap_fwrite(const void *p, size_t size, size_t n, FILE *f)
{
    return fails(f) ? 0 : __real_fwrite(p, size, n, f);
}

/* The device fails at the last item. */
size_t __real_fread(void *p, size_t size, size_t n, FILE *f);
size_t __wrap_fread(void *p, size_t size, size_t n, FILE *f);
size_t __wrap_fread(void *p, size_t size, size_t n, FILE *f)
{
    int failing = fails(f);
    size_t r = __real_fread(p, size, n, f);

    if (failing)
        errno = EIO;
    else
        klabel_read_something(r > 0); /* who polls does not starve */
    return failing && r > 0 ? r - 1 : r;
}

int __real_fseek(FILE *f, long to, int from);
int __wrap_fseek(FILE *f, long to, int from);
int __wrap_fseek(FILE *f, long to, int from)
{
    return fails(f) ? -1 : __real_fseek(f, to, from);
}

long __real_ftell(FILE *f);
long __wrap_ftell(FILE *f);
long __wrap_ftell(FILE *f)
{
    return fails(f) ? -1 : __real_ftell(f);
}

int __real_ferror(FILE *f);
int __wrap_ferror(FILE *f);
int __wrap_ferror(FILE *f)
{
    return streams.broken != NULL && streams.broken == f ? 1 : __real_ferror(f);
}

void __real_clearerr(FILE *f);
void __wrap_clearerr(FILE *f);
void __wrap_clearerr(FILE *f)
{
    mended(f);
    __real_clearerr(f);
}

void __real_rewind(FILE *f);
void __wrap_rewind(FILE *f);
void __wrap_rewind(FILE *f)
{
    mended(f);
    __real_rewind(f);
}
