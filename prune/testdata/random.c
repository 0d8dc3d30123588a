/* Runs a program many times on random inputs and prints, for each run that
 * ends normally, the labels that it hit: one line a run, equal lines once.
 *
 *   random RUNS SEED CONSTANT...
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern int klabel_program(int argc, char **argv);

enum { LABELS = 256 };

static struct {
    int normal;
    unsigned char hit[LABELS];
} *shared;

static uint64_t state;
static long long constants[256];
static int count;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
}

static uint64_t value(void)
{
    switch (next() % 8) {
    case 0:
    case 1:
    case 2:
        if (count)
            return (uint64_t)(constants[next() % (unsigned)count] + (long long)(next() % 3) - 1);
        return next() % 16;
    case 3:
    case 4:
        return next() % 12;
    case 5:
        return (uint64_t) - (int64_t)(next() % 6);
    case 6:
        return 1ull << (next() % 64);
    }
    return next();
}

void klabel_hit(unsigned id);
void klabel_hit(unsigned id)
{
    if (id < LABELS)
        shared->hit[id] = 1;
}

void klee_make_symbolic(void *object, size_t size, const char *name)
{
    unsigned char *p = object;
    size_t step = size % 8 == 0 && next() % 2 ? 8 : size % 4 == 0 && next() % 2 ? 4 : size == 2 ? 2 : size == 8 ? 8 : 1;

    (void)name;
    if (size == 4)
        step = 4;
    while (size > 0) {
        uint64_t v = value();

        if (step > size)
            step = size;
        memcpy(p, &v, step);
        p += step;
        size -= step;
    }
}

int klee_int(const char *name)
{
    (void)name;
    return (int)value();
}

int klee_range(int begin, int end, const char *name)
{
    (void)name;
    return begin + (int)(value() % (uint64_t)(end - begin));
}

void klee_assume(uintptr_t condition)
{
    if (!condition)
        _exit(1);
}

unsigned klee_is_symbolic(uintptr_t n)
{
    (void)n;
    return 1;
}

unsigned klee_is_replay(void)
{
    return 1;
}

void klee_silent_exit(int status)
{
    _exit(status);
}

static void normally(void)
{
    shared->normal = 1;
}

int main(int argc, char **argv)
{
    static unsigned char seen[4096][LABELS];
    int seen_count = 0, runs = atoi(argv[1]), i, j;

    for (i = 3; i < argc && count < 256; i++)
        constants[count++] = strtoll(argv[i], NULL, 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (i = 0; i < runs; i++) {
        int status;
        pid_t pid;

        memset(shared, 0, sizeof *shared);
        fflush(stdout); /* or the child's exit writes it again, cut in the middle */
        pid = fork();
        if (pid == 0) {
            state = (uint64_t)(strtoull(argv[2], NULL, 0) + (unsigned)i + 1) * 0x9e3779b97f4a7c15ull;
            setitimer(ITIMER_VIRTUAL, &(struct itimerval) { { 0, 0 }, { 0, 20000 } }, NULL);
            atexit(normally);
            exit(klabel_program(1, (char *[]) { "program", NULL }));
        }
        waitpid(pid, &status, 0);
        if (!shared->normal || !WIFEXITED(status))
            continue;
        for (j = 0; j < seen_count; j++)
            if (memcmp(seen[j], shared->hit, LABELS) == 0)
                break;
        if (j < seen_count || seen_count == 4096)
            continue;
        memcpy(seen[seen_count++], shared->hit, LABELS);
        for (j = 0; j < LABELS; j++)
            if (shared->hit[j])
                printf("%d ", j);
        printf("\n");
    }
    return 0;
}
