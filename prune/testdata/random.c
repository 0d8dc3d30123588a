/* Runs a program many times on random inputs, and says what the runs that end
 * normally show of its labels.
 *
 *   random MODE RUNS SEED LABELS FILE CONSTANT...
 *
 * RUNS counts runs that end normally, FILE's apart: inputs that an assumption
 * refuses are drawn again, up to a bound. New inputs are mostly changes of earlier ones that were accepted,
 * FILE's to begin with: a line each, as NAME=V,V... of every input. With MODE
 * "fork" each run is a process of its own, with "loop" only after a run that
 * did not end: the program's variables are put back between runs.
 *
 * Prints the number of runs that ended normally and of tries, then a line for
 * each label that was hit: the label, and those of 1..LABELS that some run which
 * hit it did not hit.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern int klabel_program(int argc, char **argv);
extern char __data_start[], _end[];

enum { LABELS = 1024, WORDS = LABELS / 64, OBJECTS = 32, BYTES = 1024, POOL = 256, SEEDS = 1 << 16, PER_CHILD = 20000 };

struct vector {
    int count;
    int bytes;
    int size[OBJECTS];
    unsigned char data[BYTES];
};

/* All that changes from run to run, apart from the program's own variables. */
static struct {
    uint64_t state;
    long tries, runs, base;
    int alone, normal, at, pooled, wide;
    uint64_t hit[WORDS], covered[WORDS], apart[LABELS][WORDS];
    sigjmp_buf end;
    struct vector now, pool[POOL];
} *s;

static long long constants[256];
static int constant_count, label_count;
static char *seeds[SEEDS];
static int seed_count;

static uint64_t next(void)
{
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return s->state * 0x2545f4914f6cdd1dull;
}

static uint64_t value(void)
{
    switch (next() % 9) {
    case 0:
    case 1:
    case 2:
        if (constant_count)
            return (uint64_t)(constants[next() % (unsigned)constant_count] + (long long)(next() % 3) - 1);
        return next() % 16;
    case 3:
    case 4:
        return next() % 12;
    case 5:
        return (uint64_t) - (int64_t)(next() % 6);
    case 6:
        return 1ull << (next() % 64);
    case 7:
        return next() >> (next() % 64);
    }
    return next();
}

/* How many bytes of an object are drawn at a time. */
static int step(int size)
{
    if (size == 8)
        return 8;
    if (size % 8 == 0 && next() % 4 == 0)
        return 8;
    if (size % 4 == 0 && (size == 4 || next() % 2))
        return 4;
    return size == 2 ? 2 : 1;
}

static void draw(unsigned char *p, int size)
{
    int n = step(size);

    while (size > 0) {
        uint64_t v = value();

        if (n > size)
            n = size;
        memcpy(p, &v, (size_t)n);
        p += n;
        size -= n;
    }
}

/* Changes a place or two of an object: anything, a little, or a copy. */
static void change(unsigned char *p, int size)
{
    int times = 1 + (int)(next() % 2);

    while (times-- > 0) {
        int n = step(size), i = (int)(next() % (unsigned)(size / n)) * n;
        uint64_t v = 0;

        memcpy(&v, p + i, (size_t)n);
        switch (next() % 4) {
        case 0:
            v += next() % 7 - 3;
            break;
        case 1:
            if (s->now.bytes >= n) { /* what an input before this one holds */
                memcpy(&v, s->now.data + next() % (unsigned)(s->now.bytes - n + 1) / (unsigned)n * (unsigned)n, (size_t)n);
                break;
            } /* fall through */
        default:
            v = value();
        }
        memcpy(p + i, &v, (size_t)n);
    }
}

/* Reads NAME=V,V... from a line of the file; 0 if it has no such name. */
static int given(const char *line, const char *name, unsigned char *p, int size)
{
    size_t len = strlen(name);
    const char *q, *r;
    int n = 1, i;

    for (q = line; (q = strstr(q, name)) != NULL; q++)
        if ((q == line || q[-1] == ' ') && q[len] == '=')
            break;
    if (q == NULL)
        return 0;
    q += len + 1;
    for (r = q; *r && *r != ' '; r++)
        n += *r == ',';
    if (n > size || size % n != 0 || size / n > 8)
        return 0;
    for (i = 0; i < n; i++) {
        char *after;
        long long v = strtoll(q, &after, 10);

        memcpy(p + i * (size / n), &v, (size_t)(size / n));
        q = after + 1;
    }
    return 1;
}

void klee_make_symbolic(void *object, size_t bytes, const char *name)
{
    unsigned char *p = object;
    int size = (int)bytes, k = s->now.count;

    if (s->tries <= seed_count && given(seeds[s->tries - 1], name, p, size))
        ;
    else if (s->base >= 0 && k < s->pool[s->base].count && s->pool[s->base].size[k] == size) {
        memcpy(p, s->pool[s->base].data + s->now.bytes, bytes);
        if (next() % 3 == 0)
            change(p, size);
    } else {
        s->base = -1; /* the run has taken another way: from here on all is new */
        draw(p, size);
    }
    if (k < OBJECTS && s->now.bytes + size <= BYTES) {
        memcpy(s->now.data + s->now.bytes, p, bytes);
        s->now.size[s->now.count++] = size;
        s->now.bytes += size;
    }
}

int klee_int(const char *name)
{
    int x;

    klee_make_symbolic(&x, sizeof x, name);
    return x;
}

int klee_range(int begin, int end, const char *name)
{
    int x;

    klee_make_symbolic(&x, sizeof x, name);
    return x >= begin && x < end ? x : begin + (int)((unsigned)x % (unsigned)(end - begin));
}

void klee_assume(uintptr_t condition)
{
    if (condition)
        return;
    if (s->alone)
        _exit(1);
    siglongjmp(s->end, 2);
}

void klee_silent_exit(int status)
{
    (void)status;
    klee_assume(0);
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

/* The program's exit: its text is compiled with -Dexit=klabel_exit. */
void klabel_exit(int status);
void klabel_exit(int status)
{
    if (s->alone)
        exit(status);
    siglongjmp(s->end, 1);
}

void klabel_hit(unsigned id);
void klabel_hit(unsigned id)
{
    if (id < LABELS)
        s->hit[id / 64] |= 1ull << id % 64;
    else
        s->wide = 1;
}

static void normally(void)
{
    s->normal = 1;
}

/* Takes up what a run showed. */
static void learn(void)
{
    int i, j;

    s->runs++;
    for (i = 0; i < LABELS; i++)
        if (s->hit[i / 64] >> i % 64 & 1) {
            s->covered[i / 64] |= 1ull << i % 64;
            for (j = 0; j < WORDS; j++)
                s->apart[i][j] |= ~s->hit[j];
        }
    /* The file's inputs stay, the others make room for each other. */
    if (s->pooled < POOL)
        s->pool[s->pooled++] = s->now;
    else if (s->tries > seed_count && next() % 16 == 0)
        s->pool[POOL / 2 + next() % (POOL / 2)] = s->now;
}

static void prepare(uint64_t seed)
{
    s->tries++;
    s->state = (seed + (uint64_t)s->tries) * 0x9e3779b97f4a7c15ull;
    s->base = s->pooled && next() % 16 ? (long)(next() % (unsigned)s->pooled) : -1;
    memset(&s->now, 0, offsetof(struct vector, data));
    memset(s->hit, 0, sizeof s->hit);
    s->normal = 0;
    setitimer(ITIMER_VIRTUAL, &(struct itimerval) { { 0, 0 }, { 0, 20000 } }, NULL);
}

static char *argv_of_program[] = { "program", NULL };

/* Runs until something ends the process, or all is done. */
static void child(uint64_t seed, long runs, long tries)
{
    size_t size = (size_t)(_end - __data_start);
    char *kept;
    int i;

    dup2(open("/dev/null", O_WRONLY), 1);
    if (s->alone) {
        prepare(seed);
        atexit(normally);
        exit(klabel_program(1, argv_of_program));
    }
    kept = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(kept, __data_start, size);
    for (i = 0; i < PER_CHILD && s->runs < runs && s->tries < tries; i++) {
        int how;

        memcpy(__data_start, kept, size);
        prepare(seed);
        how = sigsetjmp(s->end, 0);
        if (how == 0)
            klabel_program(1, argv_of_program);
        if (how < 2)
            learn();
    }
    _exit(0);
}

static void read_seeds(const char *file)
{
    static char line[1 << 16];
    FILE *f = fopen(file, "r");

    while (f && seed_count < SEEDS && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        seeds[seed_count++] = strdup(line);
    }
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    long runs = atol(argv[2]), tries;
    uint64_t seed = strtoull(argv[3], NULL, 0);
    int i, j;

    label_count = atoi(argv[4]);
    read_seeds(argv[5]);
    for (i = 6; i < argc && constant_count < 256; i++)
        constants[constant_count++] = strtoll(argv[i], NULL, 0);
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    s->alone = strcmp(argv[1], "fork") == 0;
    runs += seed_count;
    tries = runs * (s->alone ? 2 : 60);
    while (s->runs < runs && s->tries < tries) {
        int status;
        pid_t pid = fork();

        if (pid == 0)
            child(seed, runs, tries);
        if (pid < 0 || waitpid(pid, &status, 0) < 0)
            return 1;
        if (s->alone && s->normal && WIFEXITED(status))
            learn();
    }
    if (s->wide || label_count >= LABELS)
        return 2; /* labels that there is no room for */
    printf("%ld %ld\n", s->runs, s->tries);
    for (i = 0; i <= label_count; i++)
        if (s->covered[i / 64] >> i % 64 & 1) {
            printf("%d", i);
            for (j = 0; j <= label_count; j++)
                if (s->apart[i][j / 64] >> j % 64 & 1)
                    printf(" %d", j);
            printf("\n");
        }
    return 0;
}
