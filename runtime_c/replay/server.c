/* The fork server: one child a test.
 *
 * The server is single-threaded and does nothing between commands. A child is
 * killed with its whole session when the run is over, whatever the program
 * started; what left the session becomes the server's child, and is killed too.
 *
 * What a replay costs is what the kernel does for each page and page table that
 * a child inherits or touches. AddressSanitizer spreads each size of block and
 * its shadow over eight page tables, so neither the server nor the runtime in
 * the child uses the heap where it need not.
 */
#include "replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    HIGH_FD = 200,    /* out of the way of the program's own descriptors */
    FIRST_TICK = 10,  /* ms until the first look at a run's memory */
    TICK = 20,        /* ms between the further ones */
    FILLINGS = 8,     /* ways to make up inputs beyond the test */
    SESSION_EVERY = 5 /* ticks between looks at all processes */
};

static struct {
    int command, answer, out_read, out_write, cwd;
    unsigned char *output, *input;
    char printed[BUFSIZ]; /* the program's standard output: no pages of the heap */
    sigset_t normal; /* the signal mask that programs get */
    struct klabel_shm limits; /* copied: a run can scribble over the original */
} server;

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int raise_fd(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

    if (high < 0) /* few descriptors allowed */
        return fd;
    close(fd);
    return high;
}

static void on_child(int signal)
{
    (void)signal; /* only interrupts ppoll */
}

static int map_memory(void)
{
    struct klabel_run *r = &klabel_run;
    struct stat st;
    unsigned char *p;
    size_t need;

    if (fstat(SHM_FD, &st) != 0 || st.st_size < SHM_HEADER)
        return 0;
    p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
             SHM_FD, 0);
    if (p == MAP_FAILED)
        return 0;
    close(SHM_FD);
    r->shm = (struct klabel_shm *)(void *)p;
    if (memcmp(r->shm->magic, "KLABELRP", 8) != 0 ||
        r->shm->version != SHM_VERSION)
        return 0;
    r->labels = r->shm->labels;
    server.output = p + SHM_HEADER;
    r->asked = server.output + OUTPUT_SIZE;
    r->hit = r->asked + ASKED_SIZE;
    need = ((size_t)r->labels + 7) & ~(size_t)7;
    r->hit_list = (uint32_t *)(void *)(r->hit + need);
    server.input = (unsigned char *)(r->hit_list + r->labels);
    return server.input + r->shm->input_size <= p + st.st_size;
}

static int set_up(void)
{
    struct sigaction action = {.sa_handler = on_child};
    int ends[2], fd;
    sigset_t block;

    if (!map_memory())
        return 0;
    server.command = raise_fd(COMMAND_FD);
    server.answer = raise_fd(ANSWER_FD);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    server.out_read = raise_fd(ends[0]);
    server.out_write = raise_fd(ends[1]);
    fcntl(server.out_read, F_SETFL, O_NONBLOCK);
    fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    server.cwd = raise_fd(fd);
    setvbuf(stdout, server.printed, _IOFBF, sizeof server.printed);
    sigaction(SIGCHLD, &action, NULL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&block);
    sigaddset(&block, SIGCHLD);
    sigprocmask(SIG_BLOCK, &block, NULL);
    sigemptyset(&server.normal);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    /* When memory runs out, the kernel shall take this and not its maker. */
    fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        (void)!write(fd, "1000", 4);
        close(fd);
    }
    return 1;
}

static void limit(int what, rlim_t soft, rlim_t hard)
{
    struct rlimit r;

    if (getrlimit(what, &r) != 0)
        return;
    if (hard < r.rlim_max)
        r.rlim_max = hard;
    r.rlim_cur = soft < r.rlim_max ? soft : r.rlim_max;
    setrlimit(what, &r);
}

/* In the child: a session and limits of its own, standard output and error to
 * the server, nothing else of the server's. */
static void become_program(pid_t parent)
{
    rlim_t seconds = server.limits.timeout_ms / 1000 + 1;
    rlim_t size = (rlim_t)server.limits.file_mb << 20;

    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(1);
    limit(RLIMIT_CPU, seconds, seconds + 1);
    limit(RLIMIT_FSIZE, size, size);
    limit(RLIMIT_CORE, 0, 0);
    dup2(server.out_write, 1);
    dup2(server.out_write, 2);
    close(server.cwd);
    close(server.command);
    close(server.answer);
    close(server.out_read);
    klabel_watch_sanitizers(server.out_write); /* counts for one process only */
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &server.normal, NULL);
}

/* Keeps the beginning and the end of what the program prints. */
static void keep_output(const char *text, size_t n)
{
    struct klabel_shm *s = klabel_run.shm;
    const uint32_t half = OUTPUT_SIZE / 2;
    unsigned char *tail = server.output + half;
    size_t part;

    part = half - s->output_head;
    if (part > n)
        part = n;
    memcpy(server.output + s->output_head, text, part);
    s->output_head += (uint32_t)part;
    text += part;
    n -= part;
    if (n > half) {
        s->output_lost += (uint32_t)(n - half);
        text += n - half;
        n = half;
    }
    if (s->output_tail + n > half) {
        part = s->output_tail + n - half;
        memmove(tail, tail + part, s->output_tail - part);
        s->output_tail -= (uint32_t)part;
        s->output_lost += (uint32_t)part;
    }
    memcpy(tail + s->output_tail, text, n);
    s->output_tail += (uint32_t)n;
}

/* Returns 0 when there is nothing to read. A program that prints for ever can
 * keep the pipe full: whoever calls this in a loop must know that it is over. */
static int read_output(void)
{
    char buffer[16 << 10];
    ssize_t n = read(server.out_read, buffer, sizeof buffer);

    if (n <= 0)
        return 0;
    keep_output(buffer, (size_t)n);
    return 1;
}

static void check_memory(pid_t child, unsigned tick)
{
    size_t most = (size_t)server.limits.memory_mb << 20;
    struct klabel_usage u = {1, klabel_resident((int)child)};

    if (u.resident <= most && tick % SESSION_EVERY == 1)
        u = klabel_session_usage((int)child, server.limits.processes);
    if (u.resident > most)
        klabel_note(END_MEMORY, "used more than %u MB of memory",
                    server.limits.memory_mb);
    else if (u.processes > server.limits.processes)
        klabel_note(END_MEMORY, "started more than %u processes",
                    server.limits.processes);
}

/* Waits for the child to end, or ends it. Returns its wait status. */
static int supervise(pid_t child, uint64_t deadline)
{
    struct pollfd fds[2] = {{.fd = server.out_read, .events = POLLIN},
                            {.fd = server.command, .events = 0}};
    unsigned tick = 0;
    uint64_t look = now() + FIRST_TICK * 1000000u;
    int status = 0;

    for (;;) {
        siginfo_t info = {.si_pid = 0};
        uint64_t t, until;
        struct timespec wait;

        if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) ==
                0 &&
            info.si_pid == child)
            break;
        t = now();
        until = look < deadline ? look : deadline;
        until = until > t ? until - t : 0;
        wait.tv_sec = (time_t)(until / 1000000000u);
        wait.tv_nsec = (long)(until % 1000000000u);
        if (ppoll(fds, 2, &wait, &server.normal) > 0) {
            if (fds[0].revents)
                read_output();
            if (fds[1].revents & (POLLHUP | POLLERR)) {
                kill(-child, SIGKILL);
                kill(child, SIGKILL);
                klabel_end_children();
                _exit(0); /* klabel is gone, or has given up */
            }
        }
        t = now();
        if (t >= deadline)
            klabel_note(END_TIMEOUT, "ran longer than %u ms",
                        server.limits.timeout_ms);
        else if (t >= look) {
            check_memory(child, tick++);
            look = t + TICK * 1000000u;
        }
        if (klabel_run.shm->end == END_TIMEOUT ||
            klabel_run.shm->end == END_MEMORY) {
            kill(-child, SIGKILL);
            kill(child, SIGKILL);
        }
    }
    kill(-child, SIGKILL); /* not reaped yet: the number is still its own */
    waitpid(child, &status, 0);
    klabel_end_children();
    while (read_output())
        ;
    return status;
}

static void judge(int status)
{
    struct klabel_shm *s = klabel_run.shm;
    int n;

    if (WIFEXITED(status)) {
        s->exit_status = (uint32_t)WEXITSTATUS(status);
        return;
    }
    n = WTERMSIG(status);
    s->signal = (uint32_t)n;
    if (n == SIGABRT)
        klabel_note(END_ABORT, "called abort");
    else if (n == SIGXCPU)
        klabel_note(END_TIMEOUT, "used more CPU time than %u ms",
                    server.limits.timeout_ms);
    else if (n == SIGXFSZ)
        klabel_note(END_SIGNAL, "wrote a file larger than %u MB",
                    server.limits.file_mb);
    else
        klabel_note(END_SIGNAL, "killed by signal %d (%s)", n, strsignal(n));
}

static void clear(void)
{
    struct klabel_run *r = &klabel_run;
    uint32_t i, n = r->shm->hits < r->labels ? r->shm->hits : r->labels;

    for (i = 0; i < n; i++)
        if (r->hit_list[i] < r->labels)
            r->hit[r->hit_list[i]] = 0;
    r->shm->hits = 0;
    r->shm->end = END_NORMAL;
    r->shm->reason[0] = '\0';
    r->shm->signal = r->shm->exit_status = r->shm->too_big = 0;
    r->shm->beyond = r->shm->asked_length = r->shm->asked_lost = 0;
    r->shm->output_head = r->shm->output_tail = r->shm->output_lost = 0;
}

/* Says whether the program left something behind in its folder. */
static int is_dirty(void)
{
    _Alignas(struct dirent64) char records[1024];
    struct stat st;
    long n, i;

    if (fstat(server.cwd, &st) != 0 || st.st_nlink == 0 ||
        lseek(server.cwd, 0, SEEK_SET) != 0)
        return 1;
    while ((n = syscall(SYS_getdents64, server.cwd, records,
                        sizeof records)) > 0)
        for (i = 0; i < n;) {
            const struct dirent64 *e = (const void *)(records + i);

            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
                return 1;
            i += e->d_reclen;
        }
    return n < 0;
}

/* Returns 1 in the child. */
static int run_once(uint64_t deadline)
{
    pid_t parent = getpid();
    pid_t child;

    clear();
    child = fork();
    if (child < 0) {
        klabel_note(END_BROKEN, "cannot fork: %s", strerror(errno));
        return 0;
    }
    if (child == 0) {
        become_program(parent);
        return 1;
    }
    judge(supervise(child, deadline));
    return 0;
}

/* Replays the test; an assumption that only made-up inputs break is no
 * divergence until other ones have been tried. Returns 1 in the child. */
static int replay(void)
{
    struct klabel_shm *s = klabel_run.shm;
    uint64_t start = now();
    uint64_t deadline;

    memcpy(&server.limits, s, sizeof server.limits);
    deadline = start + (uint64_t)server.limits.timeout_ms * 1000000u;
    for (klabel_run.fill = 0;; klabel_run.fill++) {
        if (run_once(deadline))
            return 1;
        s->dirty = (uint32_t)is_dirty();
        if (s->end != END_DIVERGED || s->beyond == 0 || s->dirty ||
            klabel_run.fill + 1 >= FILLINGS || now() >= deadline)
            break;
    }
    s->nanoseconds = now() - start;
    return 0;
}

int klabel_serve(void)
{
    char command;

    if (!set_up()) {
        dprintf(2, "the fork server cannot start: %s\n", strerror(errno));
        _exit(3);
    }
    for (;;) {
        ssize_t n = read(server.command, &command, 1);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        if (replay()) {
            const char *why = klabel_load(server.input, server.limits.test_length);

            if (why != NULL)
                klabel_stop(END_BROKEN, "%s", why);
            return 1;
        }
        while (write(server.answer, &command, 1) < 0)
            if (errno != EINTR)
                return 0;
    }
}
