/* Files: a driver has put them there, or --sym-files. They are read by streams and
 * by descriptors; what is written to one is lost.
 */
#include "libc.h"

enum { MOST_FILES = 27, FIRST_FD = 3, MOST_FDS = 16 };

static struct {
    const char *name;
    struct klabel_file content;
    int written;
} files[MOST_FILES];

/* Open descriptors, the first of which is number FIRST_FD. */
static struct {
    const struct klabel_file *file; /* NULL: it is free */
    size_t at;
} open_files[MOST_FDS];

static int file_at(const char *name)
{
    int i = 0;
    while (i < MOST_FILES && files[i].name != NULL && strcmp(name, files[i].name) != 0) i++;
    return i;
}

void klabel_put_file(const char *name, const void *data, size_t size)
{
    int i = file_at(name);
    if (i == MOST_FILES) return;
    files[i].name = name;
    files[i].content.data = data;
    files[i].content.size = size;
}

const struct klabel_file *klabel_open_file(const char *path, int writes)
{
    int i = file_at(path);
    klabel_touches_errno();
    if (i == MOST_FILES || files[i].name == NULL) {
        klabel_gap("there are no other files than the test's");
        return NULL;
    }
    if (files[i].written) klabel_gap("what is written to a file cannot be read");
    files[i].written |= writes;
    return &files[i].content;
}

/* The descriptor's place in the table, -1 if it is none of a file. */
static int slot(int fd)
{
    klabel_touches_errno();
    return fd >= FIRST_FD && fd < FIRST_FD + MOST_FDS && open_files[fd - FIRST_FD].file != NULL ? fd - FIRST_FD : -1;
}

enum { WRITES = 3, TRUNCATES = 01000 }; /* O_WRONLY | O_RDWR, O_TRUNC */

int open(const char *path, int flags, ...)
{
    const struct klabel_file *f = klabel_open_file(path, (flags & WRITES) != 0);
    int i = 0;
    if (f == NULL) return -1;
    if (flags & TRUNCATES) klabel_gap("a file keeps its length");
    while (i < MOST_FDS && open_files[i].file != NULL) i++;
    if (i == MOST_FDS) return -1;
    open_files[i].file = f;
    open_files[i].at = 0;
    return FIRST_FD + i;
}
int open64(const char *path, int flags, ...) { return open(path, flags); }

int close(int fd)
{
    int i = slot(fd);
    if (i < 0) {
        if (fd >= 0 && fd < FIRST_FD) klabel_gap("standard streams stay open");
        return fd >= 0 && fd < FIRST_FD ? 0 : -1;
    }
    open_files[i].file = NULL;
    return 0;
}

static size_t read_at(void *p, size_t n, const struct klabel_file *f, size_t at)
{
    size_t left = at < f->size ? f->size - at : 0;
    if (n > left) n = left;
    memcpy(p, (const unsigned char *)f->data + at, n);
    return n;
}

ssize_t read(int fd, void *p, size_t n)
{
    int i = slot(fd);
    if (fd == 0) return klabel_read_stdin(p, n);
    if (i < 0) return -1;
    n = read_at(p, n, open_files[i].file, open_files[i].at);
    open_files[i].at += n;
    return (ssize_t)n;
}

ssize_t pread(int fd, void *p, size_t n, long at)
{
    int i = slot(fd);
    if (i < 0 || at < 0) return -1;
    return (ssize_t)read_at(p, n, open_files[i].file, (size_t)at);
}
ssize_t pread64(int fd, void *p, size_t n, long at) { return pread(fd, p, n, at); }

ssize_t write(int fd, const void *p, size_t n)
{
    (void)p;
    if (slot(fd) >= 0) {
        klabel_gap("what is written to a file cannot be read");
        return (ssize_t)n;
    }
    return fd == 1 || fd == 2 ? (ssize_t)n : -1;
}

long lseek(int fd, long to, int from)
{
    int i = slot(fd);
    if (i < 0) {
        if (fd == 0) klabel_gap("standard input is read from its beginning on");
        return -1;
    }
    if (from == 1) to += (long)open_files[i].at;
    else if (from == 2) to += (long)open_files[i].file->size;
    else if (from != 0) return -1;
    if (to < 0) return -1;
    open_files[i].at = (size_t)to;
    return to;
}
long lseek64(int fd, long to, int from) { return lseek(fd, to, from); }

/* A stream on a descriptor begins where that stands. */
const struct klabel_file *klabel_file_of(int fd, size_t *at)
{
    int i = slot(fd);
    if (i < 0) return NULL;
    *at = open_files[i].at;
    return open_files[i].file;
}
