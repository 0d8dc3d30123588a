/* Files of the folder that the program runs in: those that a driver or --sym-files
 * has put there, and those that the program makes. A name that is not there may be
 * elsewhere, which is a gap.
 */
#include "libc.h"

enum { MOST_NODES = 40, MOST_FDS = 32 };
enum { NOT_THERE = 2, FAILED = 5, NO_DESCRIPTOR = 9, BAD_ADDRESS = 14, IS_THERE = 17, IS_FOLDER = 21, INVALID = 22,
       TOO_MANY = 24 };
enum { WRITES = 3, CREATES = 0100, EXCLUSIVE = 0200, TRUNCATES = 01000, APPENDS = 02000 };

struct klabel_node klabel_input = {.mode = KLABEL_REGULAR | 0600, .uses = 1};
struct klabel_node klabel_output = {.mode = KLABEL_DEVICE | 0600, .uses = 1};
static struct klabel_node nothing = {.mode = KLABEL_DEVICE | 0666}, zeros = {.mode = KLABEL_DEVICE | 0666};
static struct klabel_node nodes[MOST_NODES];

static struct klabel_open input = {&klabel_input, 0, 0, 1}, output = {&klabel_output, 0, 1, 2};
static struct klabel_open *descriptors[MOST_FDS] = {&input, &output, &output};

int klabel_error(int number)
{
    *__errno_location() = number;
    return -1;
}

/* As in KLEE's runtime: every call counts, and one of an open descriptor can fail. Streams do not. */
int klabel_failures, *klabel_failing_calls[KLABEL_CALLS];
static int count[KLABEL_CALLS];
int klabel_count(int call) { return ++count[call]; }
int klabel_fails(int call)
{
    if (klabel_failures == 0 || *klabel_failing_calls[call] != count[call]) return 0;
    klabel_failures--;
    klabel_error(FAILED);
    return 1;
}

/* The name without the folder that the program runs in, which getcwd tells. One that
   is not known is looked up as it is, to fork little. */
const char *klabel_path(const char *path)
{
    if (klee_is_symbolic((unsigned long)path[0])) return path;
    if (path[0] == '/' && strncmp(path, "/klabel", 7) == 0 && (path[7] == '/' || path[7] == 0))
        path += path[7] == '/' ? 8 : 7;
    if (path[0] == '.' && (path[1] == '/' || path[1] == 0)) path += path[1] == '/' ? 2 : 1;
    return path;
}

struct klabel_node *klabel_find(const char *path)
{
    if (path == NULL) return NULL;
    path = klabel_path(path);
    if (path[0] == '/') {
        if (klee_is_symbolic((unsigned long)path[1])) return NULL;
        if (strcmp(path, "/dev/null") == 0) return &nothing;
        if (strcmp(path, "/dev/zero") == 0) return &zeros;
        return NULL;
    }
    for (int i = 0; i < MOST_NODES; i++)
        if (nodes[i].name != NULL && strcmp(path, nodes[i].name) == 0) return &nodes[i];
    return NULL;
}

struct klabel_node *klabel_node_at(int i) { return i < MOST_NODES ? &nodes[i] : NULL; }

int klabel_absent(void)
{
    klabel_gap("there are no other files than the test's");
    return klabel_error(NOT_THERE);
}

/* A file or folder of a new name; NULL where its folder is none, or too many are. */
struct klabel_node *klabel_make(const char *path, unsigned mode)
{
    char *name;
    size_t last = 0;
    path = klabel_path(path);
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/') last = i + 1;
    name = malloc(strlen(path) + 1);
    strcpy(name, path);
    if (last > 0) {
        struct klabel_node *folder;
        name[last - 1] = 0;
        folder = klabel_find(name);
        name[last - 1] = '/';
        if (path[0] == '/' || folder == NULL || (folder->mode & KLABEL_KIND) != KLABEL_FOLDER) return NULL;
    }
    klabel_gap("there are no other files than the test's");
    for (int i = 0; i < MOST_NODES; i++)
        if (nodes[i].name == NULL && nodes[i].uses == 0) {
            struct klabel_node made = {name, NULL, 0, 0, mode, 0, 0, 0, NULL};
            nodes[i] = made;
            return &nodes[i];
        }
    return NULL;
}

struct klabel_node *klabel_put_file(const char *name, const void *data, size_t size)
{
    struct klabel_node *n = klabel_find(name);
    for (int i = 0; n == NULL && i < MOST_NODES; i++)
        if (nodes[i].name == NULL) n = &nodes[i];
    if (n == NULL) return NULL;
    n->name = name;
    n->data = (unsigned char *)data;
    n->size = size;
    n->room = 0;
    n->mode = KLABEL_REGULAR | 0600;
    return n;
}

/* Makes the file as long as that, with zeros at its end. */
void klabel_resize(struct klabel_node *n, size_t size)
{
    if (size > n->room) {
        size_t room = size + size / 2 + 64, keep = n->size < size ? n->size : size;
        unsigned char *data = malloc(room);
        if (keep > 0) memcpy(data, n->data, keep);
        n->data = data;
        n->room = room;
    }
    if (size > n->size) memset(n->data + n->size, 0, size - n->size);
    n->size = size;
}

static int lowest(void)
{
    int fd = 0;
    while (fd < MOST_FDS && descriptors[fd] != NULL) fd++;
    return fd;
}

int open(const char *path, int flags, ...)
{
    struct klabel_node *n = klabel_find(path);
    struct klabel_open *o;
    int fd = lowest();
    if (path == NULL) return klabel_error(BAD_ADDRESS); /* as the system says it */
    if (fd == MOST_FDS) return klabel_error(TOO_MANY);
    if (n == NULL) {
        unsigned mode = 0;
        if (!(flags & CREATES)) return klabel_absent();
        va_list ap;
        va_start(ap, flags);
        mode = va_arg(ap, unsigned);
        va_end(ap);
        n = klabel_make(path, KLABEL_REGULAR | (mode & 0755));
        if (n == NULL) return klabel_absent();
    } else if ((flags & CREATES) && (flags & EXCLUSIVE)) {
        return klabel_error(IS_THERE);
    } else if ((n->mode & KLABEL_KIND) == KLABEL_FOLDER && (flags & WRITES)) {
        return klabel_error(IS_FOLDER);
    }
    if (n->given) klabel_gap("files of other lengths and kinds");
    if (n->unflushed) klabel_gap("what is written to a stream waits there");
    if ((flags & TRUNCATES) && (flags & WRITES)) n->size = 0;
    o = malloc(sizeof *o);
    o->node = n;
    o->at = 0;
    o->flags = flags;
    o->uses = 1;
    n->uses++;
    descriptors[fd] = o;
    return fd;
}
int open64(const char *path, int flags, unsigned mode) { return open(path, flags, mode); }
int creat(const char *path, unsigned mode) { return open(path, 1 | CREATES | TRUNCATES, mode); }
int creat64(const char *path, unsigned mode) { return creat(path, mode); }
/* Beside the working folder, -100, there is none that a path could start from. */
int openat(int folder, const char *path, int flags, unsigned mode)
{
    if (folder != -100 && path[0] != '/') klabel_gap("a path from another folder than the working one");
    return open(path, flags, mode);
}
int openat64(int folder, const char *path, int flags, unsigned mode) { return openat(folder, path, flags, mode); }

struct klabel_open *klabel_descriptor(int fd)
{
    if (fd >= 0 && fd < MOST_FDS && descriptors[fd] != NULL) return descriptors[fd];
    klabel_error(NO_DESCRIPTOR);
    return NULL;
}

int klabel_let_go(int fd)
{
    struct klabel_open *o = klabel_descriptor(fd);
    if (o == NULL) return -1;
    if (o == &output) klabel_gap("what is printed when standard output is closed");
    descriptors[fd] = NULL;
    if (--o->uses == 0) {
        o->node->uses--;
        if (o != &input && o != &output) free(o);
    }
    return 0;
}

int close(int fd)
{
    klabel_count(KLABEL_CLOSE);
    if (klabel_descriptor(fd) == NULL || klabel_fails(KLABEL_CLOSE)) return -1;
    return klabel_let_go(fd);
}

static int copy_to(int fd, int to)
{
    struct klabel_open *o = klabel_descriptor(fd);
    if (o == NULL) return -1;
    if (to < 0 || to >= MOST_FDS) return klabel_error(NO_DESCRIPTOR);
    if (to == fd) return fd;
    o->uses++;
    if (descriptors[to] != NULL) klabel_let_go(to);
    descriptors[to] = o;
    return to;
}
int dup(int fd)
{
    if (klabel_descriptor(fd) == NULL) return -1;
    return lowest() == MOST_FDS ? klabel_error(TOO_MANY) : copy_to(fd, lowest());
}
int dup2(int fd, int to) { return copy_to(fd, to); }

size_t klabel_get(struct klabel_open *o, void *to, size_t n)
{
    size_t left;
    if (o->node == &klabel_input) return klabel_read_stdin(to, n, &o->at);
    if (o->node == &zeros) {
        memset(to, 0, n);
        return n;
    }
    if (o->node->unflushed) klabel_gap("what is written to a stream waits there");
    if (o->at >= o->node->size) return 0; /* a path of its own: the engine is not asked of a difference or nothing */
    left = o->node->size - o->at;
    if (n > left) n = left;
    if (n > 0) memcpy(to, o->node->data + o->at, n);
    o->at += n;
    return n;
}

size_t klabel_put(struct klabel_open *o, const void *from, size_t n)
{
    struct klabel_node *node = o->node;
    if ((node->mode & KLABEL_KIND) == KLABEL_DEVICE || n == 0) return n;
    if (o->flags & APPENDS) o->at = node->size;
    if (o->at + n > node->size || node->room == 0)
        klabel_resize(node, o->at + n > node->size ? o->at + n : node->size);
    memcpy(node->data + o->at, from, n);
    o->at += n;
    return n;
}

ssize_t read(int fd, void *p, size_t n)
{
    struct klabel_open *o = klabel_descriptor(fd);
    klabel_count(KLABEL_READ);
    if (o == NULL || klabel_fails(KLABEL_READ)) return -1;
    if ((o->flags & WRITES) == 1) return klabel_error(NO_DESCRIPTOR);
    if ((o->node->mode & KLABEL_KIND) == KLABEL_FOLDER) return klabel_error(IS_FOLDER);
    if (n > 0 && p == NULL) return klabel_error(14);
    if (o->node == &klabel_input) klabel_gap("standard input that comes in pieces, or cannot be read");
    return (ssize_t)klabel_get(o, p, n);
}

ssize_t write(int fd, const void *p, size_t n)
{
    struct klabel_open *o = klabel_descriptor(fd);
    klabel_count(KLABEL_WRITE);
    if (o == NULL || klabel_fails(KLABEL_WRITE)) return -1;
    if ((o->flags & WRITES) == 0) return klabel_error(NO_DESCRIPTOR);
    /* No unknown here: who writes the rest in a loop would ask for ever. */
    if (o->node == &klabel_output) klabel_gap("output that fails or is cut short");
    return (ssize_t)klabel_put(o, p, n);
}

ssize_t pread64(int fd, void *p, size_t n, long long at)
{
    struct klabel_open *o = klabel_descriptor(fd), here;
    if (o == NULL) return -1;
    if (at < 0) return klabel_error(INVALID);
    here = *o;
    here.at = (size_t)at;
    return (ssize_t)klabel_get(&here, p, n);
}
ssize_t pread(int fd, void *p, size_t n, long at) { return pread64(fd, p, n, at); }

long long klabel_seek(struct klabel_open *o, long long to, int from)
{
    if (o->node == &klabel_input) klabel_gap("standard input that is no file");
    if (from == 1) to += (long long)o->at;
    else if (from == 2) to += (long long)(o->node == &klabel_input ? klabel_stdin_size : o->node->size);
    else if (from != 0) return klabel_error(INVALID);
    if (o->node == &klabel_output) return klabel_error(29);
    if (to < 0) return klabel_error(INVALID);
    if ((long long)(size_t)to != to) klabel_gap("an offset in a file of 4 GiB or more");
    o->at = (size_t)to;
    return to;
}
long klabel_as_long(long long offset)
{
    return offset != (long)offset ? klabel_error(75) : (long)offset;
}
long long lseek64(int fd, long long to, int from)
{
    struct klabel_open *o = klabel_descriptor(fd);
    return o == NULL ? -1 : klabel_seek(o, to, from);
}
long lseek(int fd, long to, int from) { return klabel_as_long(lseek64(fd, to, from)); }
