/* What can be asked of files, folders, and how they are changed. */
#include "libc.h"

enum { NOT_THERE = 2, IS_THERE = 17, NOT_FOLDER = 20, IS_FOLDER = 21, INVALID = 22, TOO_SMALL = 34, NOT_EMPTY = 39 };

#if __SIZEOF_LONG__ == 8
struct klabel_stat { /* struct stat of x86-64 */
    unsigned long dev, ino, nlink;
    unsigned mode, uid, gid, pad;
    unsigned long rdev;
    long size, blksize, blocks, times[6], reserved[3];
};
typedef struct klabel_stat klabel_stat64;
#else
struct klabel_stat { /* of i386, without large files */
    unsigned long long dev;
    unsigned pad, ino, mode, nlink, uid, gid;
    unsigned long long rdev;
    unsigned pad2;
    long size, blksize, blocks, times[6];
    unsigned reserved[2];
};
typedef struct { /* with large files */
    unsigned long long dev;
    unsigned pad, low_ino, mode, nlink, uid, gid;
    unsigned long long rdev;
    unsigned pad2;
    long long size;
    long blksize;
    long long blocks;
    long times[6];
    unsigned long long ino;
} klabel_stat64;
#endif

static struct klabel_node root = {.mode = KLABEL_FOLDER | 0700};

static struct klabel_node *find(const char *path)
{
    return *klabel_path(path) == 0 ? &root : klabel_find(path);
}

static int is_folder(const struct klabel_node *n) { return (n->mode & KLABEL_KIND) == KLABEL_FOLDER; }

/* Kind, size and permissions are known; a test has the latter of its file in what
   KLEE's runtime keeps of it, and anybody may be allowed to run it. */
static void look(struct klabel_node *n)
{
    unsigned *mode = n->status ? (unsigned *)(void *)(n->status + 24) : NULL;
    if (n == &klabel_input || n == &klabel_output) klabel_gap("standard streams that are no files");
    if (n->given || n == &klabel_input) klabel_gap("files of other lengths and kinds");
    if (n->unflushed) klabel_gap("what is written to a stream waits there");
    if (mode && n->given) {
        if (klee_is_symbolic(*mode)) {
            klee_assume((*mode & ~0111u) == (KLABEL_REGULAR | 0644));
            n->mode = *mode;
        } else { /* as the replay makes it */
            n->mode = KLABEL_REGULAR | (*mode & 0777 ? *mode & 0777 : 0600);
        }
        n->status = NULL; /* once is enough */
    }
}

#define FILL(s, n) \
    do { \
        memset(s, 0, sizeof *s); \
        s->mode = n->mode; \
        s->size = (long)(n == &klabel_input ? klabel_stdin_size : n->size); \
        s->nlink = is_folder(n) ? 2 : 1; \
        s->blksize = 4096; \
        s->dev = (unsigned)klabel_any(); \
        s->ino = (unsigned)klabel_any(); \
        s->uid = (unsigned)klabel_any(); \
        s->gid = (unsigned)klabel_any(); \
        s->blocks = klabel_any() & 0xffff; \
        for (int i = 0; i < 6; i += 2) s->times[i] = klabel_any() & 0x7fffffff; \
    } while (0)

static int status(struct klabel_node *n, void *to)
{
    struct klabel_stat *s = to;
    look(n);
    FILL(s, n);
    return 0;
}
static int status64(struct klabel_node *n, void *to)
{
    klabel_stat64 *s = to;
    look(n);
    FILL(s, n);
    return 0;
}

int stat(const char *path, void *to)
{
    struct klabel_node *n = find(path);
    return n == NULL ? klabel_absent() : status(n, to);
}
int stat64(const char *path, void *to)
{
    struct klabel_node *n = find(path);
    return n == NULL ? klabel_absent() : status64(n, to);
}
int fstat(int fd, void *to)
{
    struct klabel_open *o = klabel_descriptor(fd);
    return o == NULL ? -1 : status(o->node, to);
}
int fstat64(int fd, void *to)
{
    struct klabel_open *o = klabel_descriptor(fd);
    return o == NULL ? -1 : status64(o->node, to);
}
int lstat(const char *path, void *to) { return stat(path, to); }
int lstat64(const char *path, void *to) { return stat64(path, to); }
static void from(int folder, const char *path)
{
    if (folder != -100 && path[0] != '/') klabel_gap("a path from another folder than the working one");
}
int fstatat(int folder, const char *path, void *to, int flags)
{
    (void)flags;
    from(folder, path);
    return stat(path, to);
}
int fstatat64(int folder, const char *path, void *to, int flags)
{
    (void)flags;
    from(folder, path);
    return stat64(path, to);
}
int __xstat(int version, const char *path, void *to) { return version ? stat(path, to) : stat(path, to); }
int __lxstat(int version, const char *path, void *to) { return __xstat(version, path, to); }
int __fxstat(int version, int fd, void *to) { return version ? fstat(fd, to) : fstat(fd, to); }

int access(const char *path, int mode)
{
    struct klabel_node *n = find(path);
    if (n == NULL) return klabel_absent();
    if (mode) klabel_gap("permissions of files");
    return 0;
}

static int no_such(const struct klabel_node *n)
{
    return n == NULL ? klabel_absent() : klabel_error(NOT_FOLDER);
}

int mkdir(const char *path, unsigned mode)
{
    if (find(path) != NULL) return klabel_error(IS_THERE);
    return klabel_make(path, KLABEL_FOLDER | (mode & 0755)) == NULL ? klabel_absent() : 0;
}

/* The rest of a name that stands in a folder, NULL if it does not. */
static const char *within(const char *folder, const char *name)
{
    size_t n = strlen(folder);
    if (n == 0) return name;
    return strncmp(name, folder, n) == 0 && name[n] == '/' ? name + n + 1 : NULL;
}

int rmdir(const char *path)
{
    struct klabel_node *n = find(path), *other;
    if (n == NULL || !is_folder(n)) return no_such(n);
    if (n == &root) return klabel_error(INVALID);
    for (int i = 0; (other = klabel_node_at(i)) != NULL; i++)
        if (other->name != NULL && within(n->name, other->name)) return klabel_error(NOT_EMPTY);
    n->name = NULL;
    return 0;
}
int unlink(const char *path)
{
    struct klabel_node *n = find(path);
    if (n == NULL) return klabel_absent();
    if (is_folder(n)) return klabel_error(IS_FOLDER);
    n->name = NULL;
    return 0;
}
int remove(const char *path)
{
    struct klabel_node *n = find(path);
    return n != NULL && is_folder(n) ? rmdir(path) : unlink(path);
}
int rename(const char *from, const char *to)
{
    struct klabel_node *n = find(from), *old = find(to), *made;
    if (n == NULL) return klabel_absent();
    if (is_folder(n) || (old != NULL && is_folder(old))) klabel_gap("folders that are given other names");
    if (old == n) return 0;
    if (old != NULL) old->name = NULL;
    made = klabel_make(to, n->mode);
    if (made == NULL) return klabel_absent();
    to = made->name;
    made->name = NULL;
    n->name = to;
    return 0;
}

int ftruncate(int fd, long size)
{
    struct klabel_open *o = klabel_descriptor(fd);
    klabel_count(KLABEL_FTRUNCATE);
    if (o == NULL || klabel_fails(KLABEL_FTRUNCATE)) return -1;
    if (size < 0 || (o->flags & 3) == 0) return klabel_error(INVALID);
    if ((o->node->mode & KLABEL_KIND) != KLABEL_REGULAR) return klabel_error(INVALID);
    klabel_resize(o->node, (size_t)size);
    return 0;
}
int ftruncate64(int fd, long long size)
{
    return size == (long)size ? ftruncate(fd, (long)size) : klabel_error(27);
}
ssize_t pwrite64(int fd, const void *p, size_t n, long long at)
{
    struct klabel_open *o = klabel_descriptor(fd), here;
    if (o == NULL) return -1;
    if (at < 0) return klabel_error(INVALID);
    if ((o->flags & 3) == 0) return klabel_error(9);
    here = *o;
    here.at = (size_t)at;
    return (ssize_t)klabel_put(&here, p, n);
}
ssize_t pwrite(int fd, const void *p, size_t n, long at) { return pwrite64(fd, p, n, at); }

char *getcwd(char *to, size_t size)
{
    static const char here[] = "/klabel";
    klabel_count(KLABEL_GETCWD);
    if (klabel_fails(KLABEL_GETCWD)) return NULL;
    if (to != NULL && size == 0) {
        klabel_error(INVALID);
        return NULL;
    }
    klabel_gap("the name of the folder");
    if (size == 0) size = sizeof here;
    if (to == NULL) to = malloc(size);
    if (size < sizeof here) {
        klabel_error(TOO_SMALL);
        return NULL;
    }
    return strcpy(to, here);
}

/* A folder that is read: "." and ".." come first. */
struct klabel_entry { /* struct dirent */
    unsigned long ino;
    long off;
    unsigned short length;
    unsigned char type;
    char name[256];
};
struct klabel_entry64 { /* struct dirent64, which on x86-64 is the same */
    unsigned long long ino;
    long long off;
    unsigned short length;
    unsigned char type;
    char name[256];
};
struct klabel_folder {
    struct klabel_node *node;
    long at;
    struct klabel_entry entry;
    struct klabel_entry64 entry64;
};

void *opendir(const char *path)
{
    struct klabel_node *n = find(path);
    struct klabel_folder *d;
    if (n == NULL || !is_folder(n)) {
        no_such(n);
        return NULL;
    }
    if (n == &root) klabel_gap("there are no other files than the test's");
    d = malloc(sizeof *d);
    d->node = n;
    d->at = 0;
    return d;
}

void *readdir(void *dir)
{
    struct klabel_folder *d = dir;
    const char *name = NULL;
    klabel_gap("the order of names in a folder");
    if (d->at < 2) name = d->at++ == 0 ? "." : "..";
    while (name == NULL) {
        struct klabel_node *n = klabel_node_at((int)d->at++ - 2);
        if (n == NULL) {
            d->at--;
            return NULL;
        }
        if (n->name == NULL) continue;
        name = within(d->node->name ? d->node->name : "", n->name);
        if (name != NULL && strchr(name, '/') != NULL) name = NULL;
        d->entry.type = name == NULL ? 0 : is_folder(n) ? 4 : 8;
    }
    if (d->at <= 2) d->entry.type = 4;
    d->entry.ino = 1 + (unsigned)klabel_any() % 0x7fffffff;
    d->entry.off = d->at;
    d->entry.length = 24;
    strcpy(d->entry.name, name);
    return &d->entry;
}
void *readdir64(void *dir)
{
    struct klabel_folder *d = dir;
    struct klabel_entry *e = readdir(dir);
    if (e == NULL) return NULL;
    d->entry64.ino = e->ino;
    d->entry64.off = e->off;
    d->entry64.length = e->length;
    d->entry64.type = e->type;
    strcpy(d->entry64.name, e->name);
    return &d->entry64;
}
int closedir(void *dir)
{
    free(dir);
    return 0;
}
void rewinddir(void *dir) { ((struct klabel_folder *)dir)->at = 0; }
long telldir(void *dir) { return ((struct klabel_folder *)dir)->at; }
void seekdir(void *dir, long at) { ((struct klabel_folder *)dir)->at = at; }
