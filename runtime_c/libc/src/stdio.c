/* stdio.h: streams on the descriptors of files.c, and on memory. Standard input is
 * what --sym-stdin made; what is written to the world is dropped.
 */
#include "libc.h"

unsigned char *klabel_stdin_data;
size_t klabel_stdin_size, klabel_stdin_most;
int klabel_stdin_fixed = 1;

static struct klabel_open no_file;
static struct klabel_stream in_file;
struct klabel_stream klabel_out_file = {.fd = 1}, klabel_err_file = {.fd = 2}; /* the engine knows their names */
void *stdin = &in_file, *stdout = &klabel_out_file, *stderr = &klabel_err_file;

/* Standard streams are on the descriptors of the beginning until they are closed. */
struct klabel_open *klabel_file_of(struct klabel_stream *f)
{
    if (f->open == NULL) {
        f->open = f->fd >= 0 && f->fd <= 2 ? klabel_descriptor(f->fd) : NULL;
        if (f->open == NULL) f->open = &no_file;
    }
    return f->open;
}

/* Whether the input goes on. */
static int more_input(size_t at)
{
    if (klabel_stdin_fixed || at >= klabel_stdin_most)
        klabel_gap("standard input of other lengths was not tried");
    return at < klabel_stdin_size;
}

static int end_of(struct klabel_stream *f)
{
    f->at_end = 1;
    klabel_has_read(0);
    if (f->fd >= 0) klabel_touches_errno(); /* natively it may be an error */
    return -1;
}

void klabel_has_read(int got)
{
    static int fruitless;
    if (got) fruitless = 0;
    else klabel_starved(++fruitless);
}

int fgetc(void *file)
{
    struct klabel_stream *f = file;
    struct klabel_open *o;
    unsigned char c;
    if (f->pushed) {
        int c = f->pushed - 1;
        f->pushed = 0;
        return c;
    }
    if (f->at_end) return end_of(f);
    o = f->open;
    if (o == NULL) o = klabel_file_of(f);
    if (o->node == &klabel_input) return more_input(o->at) ? klabel_stdin_data[o->at++] : end_of(f);
    if (o->node == NULL || (o->flags & 3) == 1) {
        f->failed = 1;
        return klabel_error(9);
    }
    return klabel_get(o, &c, 1) == 1 ? c : end_of(f);
}

int getchar(void) { return fgetc(stdin); }
int getc(void *file) { return fgetc(file); }
int ungetc(int c, void *file)
{
    struct klabel_stream *f = file;
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

size_t klabel_read_stdin(unsigned char *d, size_t n, size_t *at)
{
    size_t i = 0;
    while (i < n && more_input(*at)) d[i++] = klabel_stdin_data[(*at)++];
    if (n > 0) klabel_has_read(i > 0);
    return i;
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

/* Of what ended in any way: natively it may be that the next read failed. */
static void or_failed(struct klabel_stream *f)
{
    if (f->at_end && f->fd >= 0) klabel_gap("reading that fails was not tried");
}
int feof(void *file)
{
    or_failed(file);
    return ((struct klabel_stream *)file)->at_end;
}
int ferror(void *file)
{
    int failed = ((struct klabel_stream *)file)->failed;
    or_failed(file);
    return klabel_is_output(file) ? failed | (klabel_any() != 0) : failed;
}
void clearerr(void *file) { ((struct klabel_stream *)file)->at_end = ((struct klabel_stream *)file)->failed = 0; }

static struct klabel_stream *new_stream(int fd)
{
    struct klabel_stream *f = malloc(sizeof *f);
    memset(f, 0, sizeof *f);
    f->fd = fd;
    return f;
}

static struct klabel_stream *stream_on(const void *data, size_t size)
{
    struct klabel_stream *f = new_stream(-1);
    f->memory.data = (unsigned char *)data;
    f->memory.size = size;
    f->memory.mode = KLABEL_REGULAR;
    f->own.node = &f->memory;
    f->own.flags = 2;
    f->open = &f->own;
    return f;
}

void *fmemopen(void *data, size_t size, const char *mode)
{
    klabel_touches_errno();
    if (mode[0] != 'r' || mode[1] == '+') klabel_gap("what is written to a stream in memory");
    return stream_on(data, size);
}
void *tmpfile(void)
{
    klabel_touches_errno();
    return stream_on(NULL, 0);
}
void *tmpfile64(void) { return tmpfile(); } /* names with 64: what -D_FILE_OFFSET_BITS=64 calls */

void *fdopen(int fd, const char *mode)
{
    struct klabel_open *o = klabel_descriptor(fd);
    struct klabel_stream *s;
    (void)mode;
    if (o == NULL) return NULL;
    s = new_stream(fd);
    s->open = o;
    return s;
}
void *fopen(const char *path, const char *mode)
{
    int kept = mode[0] != 0 && (mode[1] == '+' || (mode[1] == 'b' && mode[2] == '+'));
    int fd = open(path, mode[0] == 'r'   ? kept ? 2 : 0
                        : mode[0] == 'w' ? (kept ? 2 : 1) | 01100
                                         : (kept ? 2 : 1) | 02100,
                  0666);
    return fd < 0 ? NULL : fdopen(fd, mode);
}
void *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

void klabel_flush(struct klabel_stream *f)
{
    if (f->holds && f->open->node != NULL) f->open->node->unflushed--;
    f->holds = 0;
}
int fclose(void *file)
{
    struct klabel_stream *f = file;
    klabel_flush(f);
    if (f == &in_file || f == &klabel_out_file || f == &klabel_err_file) {
        f->open = &no_file;
        return klabel_let_go(f->fd);
    }
    if (f->fd >= 0) klabel_let_go(f->fd);
    free(f);
    return 0;
}
static int seek(void *file, long long offset, int whence)
{
    struct klabel_stream *f = file;
    struct klabel_open *o = klabel_file_of(f);
    klabel_flush(f);
    if (o->node == NULL) return klabel_error(9);
    if (whence == 1 && f->pushed) offset--;
    if (klabel_seek(o, offset, whence) < 0) return -1;
    f->pushed = 0;
    f->at_end = 0;
    return 0;
}
int fseek(void *file, long offset, int whence) { return seek(file, offset, whence); }
int fseeko(void *file, long offset, int whence) { return seek(file, offset, whence); }
int fseeko64(void *file, long long offset, int whence) { return seek(file, offset, whence); }
static long long tell(void *file)
{
    struct klabel_stream *f = file;
    struct klabel_open *o = klabel_file_of(f);
    if (o->node == NULL) return klabel_error(9);
    if (o->node == &klabel_input) klabel_gap("standard input that is no file");
    if (o->node == &klabel_output) return klabel_error(29);
    return (long long)o->at - (f->pushed != 0);
}
long ftell(void *file) { return klabel_as_long(tell(file)); }
long ftello(void *file) { return ftell(file); }
long long ftello64(void *file) { return tell(file); }
int fgetpos(void *file, long *at)
{
    long now = ftell(file);
    if (now < 0) return -1;
    *at = now;
    return 0;
}
int fgetpos64(void *file, long long *at)
{
    long long now = tell(file);
    if (now < 0) return -1;
    *at = now;
    return 0;
}
int fsetpos(void *file, const long *at) { return seek(file, *at, 0); }
int fsetpos64(void *file, const long long *at) { return seek(file, *at, 0); }
void rewind(void *file)
{
    fseek(file, 0, 0);
    clearerr(file);
}
int fileno(void *file)
{
    int fd = ((struct klabel_stream *)file)->fd;
    return fd < 0 ? klabel_error(9) : fd;
}
int isatty(int fd)
{
    klabel_touches_errno();
    return fd * 0;
}
