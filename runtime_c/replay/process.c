/* What the kernel says of the processes of a run: memory, number, and who is
 * still there. Reads /proc; only runs that take long are asked about.
 */
#include "replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int read_file(const char *path, char *to, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        return 0;
    n = read(fd, to, size - 1);
    close(fd);
    if (n <= 0)
        return 0;
    to[n] = '\0';
    return 1;
}

size_t klabel_resident(int pid)
{
    char path[64], text[128];
    unsigned long total, resident;

    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    if (!read_file(path, text, sizeof text) ||
        sscanf(text, "%lu %lu", &total, &resident) != 2)
        return 0;
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

struct process {
    int pid, parent, session;
};

/* A process's part of the memory: pages that it shares with others, as after a
 * fork, count for a share only. */
static size_t part_of_memory(int pid)
{
    char path[64], text[1024];
    const char *pss;

    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
    if (!read_file(path, text, sizeof text) ||
        (pss = strstr(text, "\nPss:")) == NULL)
        return klabel_resident(pid);
    return (size_t)strtoul(pss + 5, NULL, 10) << 10;
}

static int describe(const char *pid, struct process *p)
{
    char path[300], text[1024];
    const char *rest;

    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    if (!read_file(path, text, sizeof text))
        return 0;
    rest = strrchr(text, ')'); /* a program's name may hold anything */
    if (rest == NULL)
        return 0;
    p->pid = atoi(pid);
    return sscanf(rest + 1, " %*c %d %*d %d", &p->parent, &p->session) == 2;
}

static void each_process(void (*visit)(const struct process *, void *),
                         void *with)
{
    DIR *proc = opendir("/proc");
    struct dirent *e;
    struct process p;

    if (proc == NULL)
        return;
    while ((e = readdir(proc)) != NULL)
        if (e->d_name[0] >= '1' && e->d_name[0] <= '9' &&
            describe(e->d_name, &p))
            visit(&p, with);
    closedir(proc);
}

struct count {
    int session;
    unsigned enough;
    struct klabel_usage usage;
};

static void count(const struct process *p, void *with)
{
    struct count *c = with;

    if (c->session != 0 ? p->session != c->session : p->pid == 1)
        return;
    if (++c->usage.processes <= c->enough) /* else the number alone decides */
        c->usage.resident += part_of_memory(p->pid);
}

struct klabel_usage klabel_session_usage(int session, unsigned enough)
{
    struct count c = {session, enough, {0, 0}};

    each_process(count, &c);
    return c.usage;
}

/* What System V's objects hold, whose memory belongs to no process: a namespace has
 * its own. */
size_t klabel_kept_memory(void)
{
    struct shm_info all;

    if (shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&all) < 0)
        return 0;
    return (all.shm_rss + all.shm_swp) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Whether a run has left such objects: the next one would find them. */
int klabel_kept_objects(void)
{
    struct shm_info memory;
    struct seminfo semaphores;
    struct msginfo queues;
    union {
        int value;
        struct seminfo *info;
    } in = {.info = &semaphores};

    return (shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&memory) >= 0 &&
            memory.used_ids > 0) ||
           (semctl(0, 0, SEM_INFO, in) >= 0 && semaphores.semusz > 0) ||
           (msgctl(0, MSG_INFO, (struct msqid_ds *)(void *)&queues) >= 0 &&
            queues.msgpool > 0);
}

static void kill_child(const struct process *p, void *server)
{
    if (p->parent == *(const int *)server)
        kill(p->pid, SIGKILL);
}

void klabel_end_children(void)
{
    struct timespec pause = {0, 200 * 1000};
    int self = (int)getpid();
    int tries;
    pid_t pid;

    /* The first process of a namespace can end all others at once. */
    if (self == 1 && waitpid(-1, NULL, WNOHANG) == 0)
        kill(-1, SIGKILL);
    /* The server is their subreaper: each orphan becomes its child, and an
     * orphan's children when it dies. */
    for (tries = 0;; tries++) {
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (pid < 0 && errno == ECHILD)
            return;
        if (tries > 0)
            each_process(kill_child, &self);
        nanosleep(&pause, NULL);
        if (tries > 5 && pause.tv_nsec < 20 * 1000 * 1000)
            pause.tv_nsec *= 2;
    }
}

/* fork without what is registered for it, where the C library has that. The server has one thread, so that no lock
 * can be another's; and AddressSanitizer of LLVM 18 and later takes a million locks around each fork, and writes to
 * four megabytes for it: most of the time of a short run. */
extern pid_t _Fork(void) __attribute__((weak));

int klabel_fork(void)
{
    return _Fork != NULL ? _Fork() : fork();
}
