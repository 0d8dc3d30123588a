/* stdio.h: output is dropped, standard input is what --sym-stdin made. */
#include "libc.h"

unsigned char *klabel_stdin_data;
size_t klabel_stdin_size;
static size_t stdin_at;
static int pushed = -1;
static int at_end; /* what feof says: a read has met the end */

static char in_file, out_file, err_file;
void *stdin = &in_file, *stdout = &out_file, *stderr = &err_file;

int getchar(void)
{
    if (pushed >= 0) {
        int c = pushed;
        pushed = -1;
        return c;
    }
    if (stdin_at >= klabel_stdin_size) {
        at_end = 1;
        return -1;
    }
    return klabel_stdin_data[stdin_at++];
}

int fgetc(void *file) { return file == stdin ? getchar() : -1; }
int getc(void *file) { return fgetc(file); }
int ungetc(int c, void *file)
{
    if (file != stdin || c < 0) return -1;
    pushed = c;
    at_end = 0;
    return c;
}

char *fgets(char *s, int size, void *file)
{
    int n = 0;
    while (n < size - 1) {
        int c = fgetc(file);
        if (c < 0) break;
        s[n++] = (char)c;
        if (c == '\n') break;
    }
    if (n == 0) return NULL;
    s[n] = 0;
    return s;
}

ssize_t read(int fd, void *p, size_t n)
{
    size_t left = klabel_stdin_size - stdin_at;
    klabel_touches_errno();
    if (fd != 0) return -1;
    if (n > left) n = left;
    memcpy(p, klabel_stdin_data + stdin_at, n);
    stdin_at += n;
    return (ssize_t)n;
}

size_t fread(void *p, size_t size, size_t count, void *file)
{
    size_t n = 0, total = size * count;
    unsigned char *d = p;
    for (; n < total; n++) {
        int c = fgetc(file);
        if (c < 0) break;
        d[n] = (unsigned char)c;
    }
    return size ? n / size : 0;
}

int feof(void *file) { return file == stdin && at_end; }
int ferror(void *file)
{
    (void)file;
    return 0;
}
void clearerr(void *file)
{
    if (file == stdin) at_end = 0;
}

void *fopen(const char *path, const char *mode)
{
    klabel_touches_errno();
    (void)path;
    (void)mode;
    return NULL;
}
int fclose(void *file)
{
    klabel_touches_errno();
    (void)file;
    return 0;
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
int fileno(void *file) { return file == stdin ? 0 : file == stdout ? 1 : 2; }
int isatty(int fd)
{
    klabel_touches_errno();
    return fd * 0;
}

int fflush(void *file)
{
    klabel_touches_errno();
    (void)file;
    return 0;
}
int putchar(int c)
{
    klabel_touches_errno();
    return (unsigned char)c;
}
int fputc(int c, void *file)
{
    klabel_touches_errno();
    (void)file;
    return (unsigned char)c;
}
int putc(int c, void *file) { return fputc(c, file); }
int puts(const char *s)
{
    klabel_touches_errno();
    return (int)strlen(s) + 1;
}
int fputs(const char *s, void *file)
{
    klabel_touches_errno();
    (void)s;
    (void)file;
    return 1;
}
size_t fwrite(const void *p, size_t size, size_t count, void *file)
{
    klabel_touches_errno();
    (void)p;
    (void)file;
    return size ? count : 0;
}
ssize_t write(int fd, const void *p, size_t n)
{
    (void)p;
    klabel_touches_errno();
    return fd == 1 || fd == 2 ? (ssize_t)n : -1;
}
void perror(const char *s)
{
    (void)s;
    klabel_touches_errno();
}
