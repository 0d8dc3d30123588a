/* stdio.h: output is dropped; standard input is what --sym-stdin made, and there
 * are streams on memory, and the files that a driver has put there.
 */
#include "libc.h"

unsigned char *klabel_stdin_data;
size_t klabel_stdin_size, klabel_stdin_most;
int klabel_stdin_fixed = 1;

struct stream {
    const unsigned char *data;
    size_t size, at;
    int pushed; /* one more than the character, 0 for none */
    int at_end; /* what feof says: a read has met the end */
};

static struct stream in_file, out_file, err_file;
void *stdin = &in_file, *stdout = &out_file, *stderr = &err_file;

/* Whether the input goes on. */
static int more_input(void)
{
    if (klabel_stdin_fixed || in_file.at >= klabel_stdin_most)
        klabel_gap("standard input of other lengths was not tried");
    return in_file.at < klabel_stdin_size;
}

int fgetc(void *file)
{
    struct stream *f = file;
    if (f->pushed) {
        int c = f->pushed - 1;
        f->pushed = 0;
        return c;
    }
    if (f == &in_file ? !more_input() : f->at >= f->size) {
        f->at_end = 1;
        return -1;
    }
    return (f == &in_file ? klabel_stdin_data : f->data)[f->at++];
}

int getchar(void) { return fgetc(stdin); }
int getc(void *file) { return fgetc(file); }
int ungetc(int c, void *file)
{
    struct stream *f = file;
    if (c < 0) return -1;
    f->pushed = (unsigned char)c + 1;
    f->at_end = 0;
    return (unsigned char)c;
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

ssize_t getdelim(char **line, size_t *room, int end, void *file)
{
    size_t n = 0;
    for (;;) {
        int c = fgetc(file);
        if (c < 0) break;
        if (*line == NULL || n + 2 > *room) {
            size_t more = n + 120;
            char *p = realloc(*line, more);
            if (p == NULL) return -1;
            *line = p;
            *room = more;
        }
        (*line)[n++] = (char)c;
        if (c == end) break;
    }
    if (n == 0) return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}
ssize_t getline(char **line, size_t *room, void *file) { return getdelim(line, room, '\n', file); }
ssize_t __getdelim(char **line, size_t *room, int end, void *file) { return getdelim(line, room, end, file); }

ssize_t klabel_read_stdin(unsigned char *d, size_t n)
{
    size_t i = 0;
    while (i < n && more_input()) d[i++] = klabel_stdin_data[in_file.at++];
    return (ssize_t)i;
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

int feof(void *file) { return ((struct stream *)file)->at_end; }
int ferror(void *file)
{
    (void)file;
    return 0;
}
void clearerr(void *file) { ((struct stream *)file)->at_end = 0; }

static void *stream_on(const void *data, size_t size)
{
    struct stream *f = malloc(sizeof *f);
    if (f == NULL) return NULL;
    f->data = data;
    f->size = size;
    f->at = 0;
    f->pushed = 0;
    f->at_end = 0;
    return f;
}

void *fmemopen(void *data, size_t size, const char *mode)
{
    klabel_touches_errno();
    (void)mode;
    return stream_on(data, size);
}
void *tmpfile(void)
{
    klabel_touches_errno();
    klabel_gap("what is written to a temporary file cannot be read");
    return stream_on(NULL, 0);
}

void *fopen(const char *path, const char *mode)
{
    const struct klabel_file *f = klabel_open_file(path, mode[0] != 'r');
    if (f == NULL) return NULL;
    if (mode[0] == 'r') return stream_on(f->data, f->size);
    return stream_on(NULL, 0);
}
void *fdopen(int fd, const char *mode)
{
    size_t at = 0;
    const struct klabel_file *f = klabel_file_of(fd, &at);
    struct stream *s;
    (void)mode;
    if (fd >= 0 && fd <= 2) return fd == 0 ? stdin : fd == 1 ? stdout : stderr;
    if (f == NULL) return NULL;
    s = stream_on(f->data, f->size);
    if (s != NULL) s->at = at;
    return s;
}
int fclose(void *file)
{
    klabel_touches_errno();
    if (file != &in_file && file != &out_file && file != &err_file) free(file);
    return 0;
}
int fseek(void *file, long offset, int whence)
{
    struct stream *f = file;
    long to = offset;
    klabel_touches_errno();
    if (whence == 1) to += (long)f->at;
    else if (whence == 2) to += (long)f->size;
    if (to < 0 || f == &in_file || f == &out_file || f == &err_file) return -1;
    f->at = (size_t)to;
    f->pushed = 0;
    f->at_end = 0;
    return 0;
}
int fseeko(void *file, long offset, int whence) { return fseek(file, offset, whence); }
long ftell(void *file)
{
    struct stream *f = file;
    klabel_touches_errno();
    return (long)f->at - (f->pushed != 0);
}
long ftello(void *file) { return ftell(file); }
void rewind(void *file) { fseek(file, 0, 0); }
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
int fileno(void *file) { return file == &in_file ? 0 : file == &out_file ? 1 : file == &err_file ? 2 : 3; }
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
void perror(const char *s)
{
    (void)s;
    klabel_touches_errno();
}
