/* Calls that fail, as a test made with --max-fail asks: which one of each kind.
 * The linker leads the program's calls here (--wrap). Every call counts, as in
 * KLEE's runtime; only one on an open descriptor fails. Streams have their own way: streams.c.
 */
#include "replay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum call { READ, WRITE, CLOSE, FTRUNCATE, GETCWD, CALLS };

static struct {
    unsigned left; /* how many may fail */
    int chosen[CALLS], count[CALLS];
} failing;

void klabel_failing_calls(unsigned most)
{
    static const char *const names[CALLS] = {"read_fail", "write_fail",
                                             "close_fail", "ftruncate_fail",
                                             "getcwd_fail"};
    int i;

    for (i = 0; i < CALLS && most > 0; i++)
        klabel_input(&failing.chosen[i], sizeof failing.chosen[i], names[i]);
    memset(failing.count, 0, sizeof failing.count);
    failing.left = most;
}

/* Whether the n-th call fails; what fails anyway does not count as one. */
static int fails(enum call call, int n, int possible)
{
    if (failing.left == 0 || failing.chosen[call] != n || !possible)
        return 0;
    failing.left--;
    errno = EIO;
    return 1;
}

static int is_open(int fd)
{
    int before = errno, yes;

    if (failing.left == 0)
        return 1;
    yes = fcntl(fd, F_GETFD) >= 0;
    errno = before;
    return yes;
}

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n)
{
    ssize_t got;

    if (fails(READ, ++failing.count[READ], is_open(fd)))
        return -1;
    got = __real_read(fd, to, n);
    klabel_read_something(got != 0); /* who polls does not starve */
    return got;
}

ssize_t __real_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n)
{
    if (fails(WRITE, ++failing.count[WRITE], is_open(fd)))
        return -1;
    return __real_write(fd, from, n);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    if (fails(CLOSE, ++failing.count[CLOSE], is_open(fd)))
        return -1;
    return __real_close(fd);
}

int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size)
{
    if (fails(FTRUNCATE, ++failing.count[FTRUNCATE], is_open(fd)))
        return -1;
    return __real_ftruncate(fd, size);
}

char *__real_getcwd(char *to, size_t size);
char *__wrap_getcwd(char *to, size_t size);
char *__wrap_getcwd(char *to, size_t size)
{
    if (fails(GETCWD, ++failing.count[GETCWD], 1))
        return NULL;
    return __real_getcwd(to, size);
}
