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

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    HIGH_FD = 200,    /* out of the way of the program's own descriptors */
    FIRST_TICK = 10,  /* ms until the first look at a run's memory */
    TICK = 20,        /* ms between the further ones */
    SESSION_EVERY = 5 /* ticks between looks at all processes */
};

static struct {
    int command, answer, out_read, out_write, cwd;
    struct klabel_shm *result; /* no child has it */
    unsigned char *output, *asked, *input;
    uint32_t *hit_list;
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

static void *map(int fd, off_t from, size_t size, int protection, int how)
{
    void *p = mmap(NULL, size, protection, how, fd, from);

    return p == MAP_FAILED ? NULL : p;
}

static int map_memory(void)
{
    struct klabel_run *r = &klabel_run;
    struct klabel_shm *s;
    struct stat st;
    unsigned char *p;
    size_t hits, test;

    if (fstat(SHM_FD, &st) != 0 || st.st_size < SHM_HEADER)
        return 0;
    s = map(SHM_FD, 0, SHM_HEADER, PROT_READ, MAP_SHARED);
    if (s == NULL || memcmp(s->magic, "KLABELRP", 8) != 0 ||
        s->version != SHM_VERSION || s->input_offset > st.st_size ||
        s->input_size > st.st_size - s->input_offset)
        return 0;
    test = s->input_offset;
    r->labels = s->labels;
    hits = ((size_t)r->labels + 7) & ~(size_t)7;
    server.result = map(SHM_FD, 0, test, PROT_READ | PROT_WRITE, MAP_SHARED);
    server.input = map(SHM_FD, (off_t)test, s->input_size, PROT_READ, MAP_PRIVATE);
    r->shm = map(-1, 0, SHM_HEADER + ASKED_SIZE + hits + sizeof(uint32_t) * r->labels,
                 PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS);
    munmap(s, SHM_HEADER); /* a child could make it writable */
    if (server.result == NULL || r->shm == NULL || server.input == NULL ||
        madvise(server.result, test, MADV_DONTFORK) != 0)
        return 0;
    close(SHM_FD);
    p = (unsigned char *)server.result + SHM_HEADER;
    server.output = p;
    server.asked = p + OUTPUT_SIZE;
    server.hit_list = (uint32_t *)(void *)(server.asked + ASKED_SIZE);
    r->asked = (unsigned char *)r->shm + SHM_HEADER;
    r->hit = r->asked + ASKED_SIZE;
    r->hit_list = (uint32_t *)(void *)(r->hit + hits);
    return (unsigned char *)(server.hit_list + r->labels) <=
           (unsigned char *)server.result + test;
}

static int is_confined(void)
{
    return getpid() == 1;
}

static int read_output(void);

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
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* children cannot open its memory */
    klabel_shared_folders();
    klabel_rehearse_report(server.out_write);
    while (read_output())
        ;
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
    limit(RLIMIT_MSGQUEUE, 0, 0); /* a queue would stay for the next test */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
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
    struct klabel_shm *s = server.result;
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

/* What the server sees of a run. The first thing counts. */
static void found(enum klabel_end end, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void found(enum klabel_end end, const char *format, ...)
{
    struct klabel_shm *s = server.result;
    va_list arguments;

    if (s->end != END_NORMAL)
        return;
    s->end = end;
    va_start(arguments, format);
    vsnprintf(s->reason, sizeof s->reason, format, arguments);
    va_end(arguments);
}

static void check_memory(pid_t child, unsigned tick)
{
    size_t most = (size_t)server.limits.memory_mb << 20;
    struct klabel_usage u = {1, klabel_resident((int)child)};

    if (u.resident <= most && is_confined()) {
        u = klabel_session_usage(0, server.limits.processes);
        u.resident += klabel_kept_memory();
    } else if (u.resident <= most && tick % SESSION_EVERY == 1) {
        u = klabel_session_usage((int)child, server.limits.processes);
    }
    if (u.resident > most)
        found(END_MEMORY, "used more than %u MB of memory",
                    server.limits.memory_mb);
    else if (u.processes > server.limits.processes)
        found(END_MEMORY, "started more than %u processes",
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
            found(END_TIMEOUT, "ran longer than %u ms",
                        server.limits.timeout_ms);
        else if (t >= look) {
            check_memory(child, tick++);
            look = t + TICK * 1000000u;
        }
        if (server.result->end == END_TIMEOUT ||
            server.result->end == END_MEMORY) {
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
    struct klabel_shm *s = server.result;
    int n;

    if (WIFEXITED(status)) {
        s->exit_status = (uint32_t)WEXITSTATUS(status);
        return;
    }
    n = WTERMSIG(status);
    s->signal = (uint32_t)n;
    if (n == SIGABRT)
        found(END_ABORT, "called abort");
    else if (n == SIGXCPU)
        found(END_TIMEOUT, "used more CPU time than %u ms",
                    server.limits.timeout_ms);
    else if (n == SIGXFSZ)
        found(END_SIGNAL, "wrote a file larger than %u MB",
                    server.limits.file_mb);
    else
        found(END_SIGNAL, "killed by signal %d (%s)", n, strsignal(n));
}

static void clear(void)
{
    struct klabel_run *r = &klabel_run;

    memset(r->shm, 0, sizeof *r->shm);
    server.result->end = END_NORMAL;
    server.result->reason[0] = '\0';
    server.result->signal = server.result->exit_status = 0;
    server.result->output_head = server.result->output_tail = 0;
    server.result->output_lost = 0;
}

/* Copies the hits and takes them back. Returns 0 if they are not what
 * klabel_hit leaves: the program has written over them. */
static int take_hits(void)
{
    struct klabel_run *r = &klabel_run;
    uint32_t i, n = r->shm->hits, id;
    int good = n <= r->labels;

    for (i = 0; good && i < n; i++) {
        id = r->hit_list[i];
        good = id < r->labels && r->hit[id] == 1;
        if (good) {
            server.hit_list[i] = id;
            r->hit[id] = 0; /* and so none counts twice */
        }
    }
    for (i = 0; good && i < r->labels; i += 8) /* the area's size is a multiple */
        good = *(const uint64_t *)(const void *)(r->hit + i) == 0;
    if (!good)
        memset(r->hit, 0, ((size_t)r->labels + 7) & ~(size_t)7);
    server.result->hits = good ? n : 0;
    return good;
}

/* Takes what the run has left, when none of its processes is. */
static void take(void)
{
    struct klabel_shm *s = server.result;
    const struct klabel_shm *run = klabel_run.shm;
    int good = take_hits();

    if (run->end != END_NORMAL && run->end <= END_BROKEN) {
        s->end = run->end; /* it came before what was seen from outside */
        memcpy(s->reason, run->reason, sizeof s->reason);
        s->reason[sizeof s->reason - 1] = '\0';
    } else if (!good || run->end > END_BROKEN) {
        found(END_SIGNAL, "overwrote the memory of the replay runtime");
    }
    s->too_big = run->too_big;
    s->beyond = run->beyond;
    s->read_to = run->read_to;
    s->asked_lost = run->asked_lost;
    s->asked_length =
        run->asked_length <= ASKED_SIZE ? run->asked_length : ASKED_SIZE;
    memcpy(server.asked, klabel_run.asked, s->asked_length);
}

/* Returns 1 in the child. */
static int run_once(uint64_t deadline)
{
    pid_t parent = getpid();
    pid_t child;

    clear();
    child = klabel_fork();
    if (child < 0) {
        found(END_BROKEN, "cannot fork: %s", strerror(errno));
        return 0;
    }
    if (child == 0) {
        become_program(parent);
        return 1;
    }
    judge(supervise(child, deadline));
    take();
    return 0;
}

/* Whether other inputs beyond the test may make something of a run: they alone have
 * broken an assumption, or it asks for them for ever. */
static int may_end_otherwise(void)
{
    const struct klabel_shm *s = server.result;

    if (s->beyond == 0 || s->dirty)
        return 0;
    return (s->end == END_DIVERGED || klabel_run.shm->end == END_TIMEOUT) &&
           klabel_next_filling(s->end == END_TIMEOUT);
}

/* Replays the test, and what is beyond it with several fillings, until one of them
 * makes a run of it. Returns 1 in the child. */
static int replay(void)
{
    struct klabel_shm *s = server.result;
    uint64_t start = now();
    uint64_t deadline;

    memcpy(&server.limits, s, sizeof server.limits);
    deadline = start + (uint64_t)server.limits.timeout_ms * 1000000u;
    klabel_first_filling();
    do {
        if (run_once(deadline))
            return 1;
        klabel_ran(s);
        s->dirty = !klabel_empty_folder(server.cwd) ||
                   (is_confined() &&
                    (klabel_shared_folders() || klabel_kept_objects()));
    } while (may_end_otherwise() && now() < deadline);
    klabel_end_filling(s->end == END_NORMAL);
    s->nanoseconds = now() - start;
    return 0;
}

int klabel_serve(void)
{
    char command = 'r';

    if (!set_up()) {
        dprintf(2, "the fork server cannot start: %s\n", strerror(errno));
        _exit(3);
    }
    while (write(server.answer, &command, 1) < 0) /* it is ready */
        if (errno != EINTR)
            return 0;
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
            klabel_run.entry = server.limits.entry;
            return 1;
        }
        while (write(server.answer, &command, 1) < 0)
            if (errno != EINTR)
                return 0;
    }
}
