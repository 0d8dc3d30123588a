/* Empties the folder that a program ran in, without the heap and by descriptors:
 * the program may have moved or linked anything. Says whether it used the others
 * that all programs may write to.
 */
#include "replay.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    DEEPEST = 64, /* folders within folders */
    PASSES = 3,   /* names move in a folder while others go */
    SHARED = 3
};

/* Calls visit for each name in a folder, until it fails. Returns 0 then. */
static int each_name(int folder, int (*visit)(int folder, const char *name,
                                              unsigned depth),
                     unsigned depth)
{
    _Alignas(struct dirent64) char records[1024];
    long n, i;

    if (lseek(folder, 0, SEEK_SET) != 0)
        return 0;
    while ((n = syscall(SYS_getdents64, folder, records, sizeof records)) > 0)
        for (i = 0; i < n;) {
            const struct dirent64 *e = (const void *)(records + i);

            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
                !visit(folder, e->d_name, depth))
                return 0;
            i += e->d_reclen;
        }
    return n == 0;
}

static int no_name(int folder, const char *name, unsigned depth)
{
    (void)folder, (void)name, (void)depth;
    return 0;
}

static int remove_name(int folder, const char *name, unsigned depth)
{
    int inside, done;

    if (unlinkat(folder, name, 0) == 0)
        return 1;
    if (depth == DEEPEST)
        return 0;
    fchmodat(folder, name, 0700, 0);
    inside = openat(folder, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inside < 0)
        return 0;
    done = each_name(inside, remove_name, depth + 1);
    close(inside);
    return unlinkat(folder, name, AT_REMOVEDIR) == 0 || done;
}

int klabel_empty_folder(int folder)
{
    struct stat st;
    int i;

    if (fstat(folder, &st) != 0 || st.st_nlink == 0)
        return 0;
    if (each_name(folder, no_name, 0))
        return 1;
    fchmod(folder, 0700);
    for (i = 0; i < PASSES; i++)
        if (each_name(folder, remove_name, 0) && each_name(folder, no_name, 0))
            return 1;
    return 0;
}

int klabel_shared_folders(void)
{
    static const char *const folders[SHARED] = {"/tmp", "/var/tmp", "/dev/shm"};
    static struct timespec before[SHARED];
    int i, changed = 0;

    for (i = 0; i < SHARED; i++) {
        struct stat st;

        if (stat(folders[i], &st) != 0)
            continue;
        changed |= st.st_mtim.tv_sec != before[i].tv_sec ||
                   st.st_mtim.tv_nsec != before[i].tv_nsec;
        before[i] = st.st_mtim;
    }
    return changed;
}
