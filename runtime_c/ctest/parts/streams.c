/* Calls of the source on streams, one of which fails where a test says so. */
#include <errno.h>
#include <stdio.h>

int fclose(FILE *f);
int fflush(FILE *f);
int fputs(const char *s, FILE *f);
size_t fwrite(const void *p, size_t size, size_t n, FILE *f);
size_t fread(void *p, size_t size, size_t n, FILE *f);
int fseek(FILE *f, long to, int from);
long ftell(FILE *f);
int ferror(FILE *f);
void clearerr(FILE *f);
void rewind(FILE *f);

static struct {
    unsigned left;
    FILE *broken;
} klabel_streams;

/* Of the calls to come this one fails, 0 for none. */
static void fail_on_streams(unsigned number)
{
    klabel_streams.left = number;
    klabel_streams.broken = NULL;
}

static int stream_fails(FILE *f)
{
    if (klabel_streams.left == 0 || --klabel_streams.left > 0)
        return 0;
    klabel_streams.broken = f;
    errno = EIO;
    return 1;
}

static void stream_mended(FILE *f)
{
    if (klabel_streams.broken == f)
        klabel_streams.broken = NULL;
}

int klabel_fclose(FILE *f);
int klabel_fclose(FILE *f)
{
    int failing = stream_fails(f), r;

    stream_mended(f);
    r = fclose(f);
    if (failing)
        errno = EIO;
    return failing ? EOF : r;
}

int klabel_fflush(FILE *f);
int klabel_fflush(FILE *f)
{
    return stream_fails(f) ? EOF : fflush(f);
}

int klabel_fputs(const char *s, FILE *f);
int klabel_fputs(const char *s, FILE *f)
{
    return stream_fails(f) ? EOF : fputs(s, f);
}

size_t klabel_fwrite(const void *p, size_t size, size_t n, FILE *f);
size_t klabel_fwrite(const void *p, size_t size, size_t n, FILE *f)
{
    return stream_fails(f) ? 0 : fwrite(p, size, n, f);
}

/* The device fails at the last item. */
size_t klabel_fread(void *p, size_t size, size_t n, FILE *f);
size_t klabel_fread(void *p, size_t size, size_t n, FILE *f)
{
    int failing = stream_fails(f);
    size_t r = fread(p, size, n, f);

    if (failing)
        errno = EIO;
    return failing && r > 0 ? r - 1 : r;
}

int klabel_fseek(FILE *f, long to, int from);
int klabel_fseek(FILE *f, long to, int from)
{
    return stream_fails(f) ? -1 : fseek(f, to, from);
}

long klabel_ftell(FILE *f);
long klabel_ftell(FILE *f)
{
    return stream_fails(f) ? -1 : ftell(f);
}

int klabel_ferror(FILE *f);
int klabel_ferror(FILE *f)
{
    return klabel_streams.broken != NULL && klabel_streams.broken == f ? 1 : ferror(f);
}

void klabel_clearerr(FILE *f);
void klabel_clearerr(FILE *f)
{
    stream_mended(f);
    clearerr(f);
}

void klabel_rewind(FILE *f);
void klabel_rewind(FILE *f)
{
    stream_mended(f);
    rewind(f);
}
