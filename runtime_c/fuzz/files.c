/* What runs leave in the file system and the table of descriptors. Each begins in an
 * empty folder; a folder that was not empty at first is left alone.
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSE_EVERY = 64, LOOK_EVERY = 32 /* runs */, HIGHEST_FD = 4096, DEEPEST = 16 };

static int first = -1; /* the least descriptor that runs open */
static int folder = -1;

static int empty(int dir, int depth, int remove);

static void take_away(int dir, const char *name, int depth)
{
    int below;

    if (unlinkat(dir, name, 0) == 0 || depth == DEEPEST)
        return;
    below = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0) {
        empty(below, depth + 1, 1);
        close(below);
    }
    unlinkat(dir, name, AT_REMOVEDIR);
}

/* Returns whether there was nothing. */
static int empty(int dir, int depth, int remove)
{
    static union {
        struct dirent64 align;
        char bytes[1024];
    } buffers[DEEPEST + 1];
    char *b = buffers[depth].bytes;
    long n, at;
    int nothing = 1;

    if (lseek(dir, 0, SEEK_SET) != 0)
        return 0;
    while ((n = syscall(SYS_getdents64, dir, b, sizeof buffers[0].bytes)) > 0)
        for (at = 0; at < n;) {
            const struct dirent64 *e = (const void *)(b + at);

            at += e->d_reclen;
            if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
                continue;
            nothing = 0;
            if (remove)
                take_away(dir, e->d_name, depth);
        }
    return nothing;
}

static void begin(void)
{
    folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && !empty(folder, 0, 0)) {
        close(folder);
        folder = -1;
    }
    first = fcntl(RECORD_FD, F_DUPFD, 16);
    close(first);
}

/* Looking costs more than a run of a small function: always where one has left files,
 * else now and then. */
void klabel_fuzz_clear_files(void)
{
    static unsigned calls;
    static int writes;

    if (first < 0) /* libFuzzer has opened its own files by now */
        begin();
    calls++;
#ifdef SYS_close_range
    if (calls % CLOSE_EVERY == 0)
        syscall(SYS_close_range, first, HIGHEST_FD, 0);
#endif
    if (folder < 0 || (!writes && calls > LOOK_EVERY && calls % LOOK_EVERY != 0))
        return;
    if (fchdir(folder) == 0 && !empty(folder, 0, 1)) /* a run may have gone elsewhere */
        writes = 1;
}
