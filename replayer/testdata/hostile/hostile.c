/* Ways to do harm, one for each number, in the files beside this one. Whatever runs them must go on after each:
   number 0 covers label 1. A hit of 3 says that the harm was done. HIT is what notes a hit where there are no
   labels. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <time.h>

int main(void);
static volatile char rubbish;

static int deep(int n)
{
    volatile char room[4096];
    room[0] = (char)n;
    return deep(n + 1) + room[0];
}

static void forever(void)
{
    for (;;)
        pause();
}

#ifdef HIT
static void hit(int n)
{
    HIT(n);
}
#else
#include "labels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int klee_int(const char *name);

static void hit(int n)
{
    pc_label(n == 1, 1, "CC");
    pc_label(n == 2, 2, "CC");
    pc_label(n == 3, 3, "CC");
}
#endif

static int tries(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return 0;
    (void)!write(fd, "x", 1);
    close(fd);
    return 1;
}

/* What the program shares with its server: where verdicts are. */
static char *shared(size_t *size)
{
    char line[512];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    char *found = NULL;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "rw-s") && sscanf(line, "%lx-%lx", &from, &to) == 2) {
            found = (char *)from;
            *size = to - from;
        }
    if (maps != NULL)
        fclose(maps);
    return found;
}

/* Whether the memory that klabel reads verdicts from is here, for reading alone even: that could be lifted. */
static int has_result(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    int found = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, "klabel-replay") && (strstr(line, "r--s ") || strstr(line, "rw-s 00000000 "));
    if (maps != NULL)
        fclose(maps);
    return found;
}

static sigjmp_buf before;

static void back(int s)
{
    siglongjmp(before, s);
}

static void quits(void)
{
    _exit(0);
}

static void *stays(void *p)
{
    for (;;) {
        hit(2);
        usleep(1000);
    }
    return p;
}

static void floods(void)
{
    int i;
    for (i = 0; i < 3000; i++)
        (void)!write(2, "and on and on\n", 14);
}

static void on_alarm(int s)
{
    (void)s;
    signal(SIGALRM, on_alarm);
    alarm(1);
}

#if defined(__x86_64__) && !defined(NO_FRAMES)
/* Goes on where the caller of a caller would, as longjmp into its frame does. */
__attribute__((noinline)) static void leaves(void)
{
    void **frame = (void **)__builtin_frame_address(0);
    frame[0] = ((void **)frame[0])[0] ? ((void **)frame[0])[0] : frame[0];
    frame[1] = ((void **)frame[0])[1];
}
#else
static void leaves(void)
{
    abort();
}
#endif

static void harm(int done)
{
    hit(done ? 3 : 2);
}

#include "judge.h"
#include "processes.h"
#include "files.h"
#include "limits.h"
#include "kernel.h"

int main(void)
{
    int way = klee_int("way");

    if (way == 0)
        hit(1);
    judge(way);
    processes(way);
    files(way);
    limits(way);
    kernel(way);
    return 0;
}
