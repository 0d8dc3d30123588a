/* Labels: those that are open in the live view are progress to libFuzzer, by how
 * near a run comes to them; a run that hits one is a find.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    HEADER = 64,
    LEVELS = 8 * COUNTERS, /* libFuzzer tells 8 values of a counter apart */
    AGAIN = 300,           /* ms before another test for a label that stays open */
    NAMED = 1000           /* labels in one record */
};

struct told {
    uint64_t when;
    unsigned times;
};

const volatile unsigned char *klabel_fuzz_view; /* see runtime_c/view */

static int *hits; /* open labels of this run */
static unsigned char *hit;
static unsigned hit_count;
static struct told *told, *failed; /* of each label: tests sent, by their ends */
static struct told crashes;

uint64_t klabel_fuzz_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void *zeros(size_t size)
{
    void *p = mmap(NULL, size + 1, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        __builtin_trap();
    return p;
}

void klabel_fuzz_open_view(void)
{
    size_t n = (size_t)klabel_fuzz_labels;
    struct stat st;
    const unsigned char *p;

    hits = zeros(n * sizeof *hits);
    hit = zeros(n);
    told = zeros(n * sizeof *told);
    failed = zeros(n * sizeof *failed);
    klabel_fuzz_view = zeros(n); /* all are open */
    if (fstat(VIEW_FD, &st) != 0 || (size_t)st.st_size < HEADER + n)
        return;
    p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, VIEW_FD, 0);
    if (p != MAP_FAILED && memcmp(p, "KLABELV1", 8) == 0)
        klabel_fuzz_view = p + HEADER;
}

void klabel_fuzz_begin_labels(void)
{
    while (hit_count > 0)
        hit[hits[--hit_count]] = 0;
}

void klabel_fuzz_label(int id, unsigned distance);

/* What an open label's predicate came to: distance 0 is that it holds. */
void klabel_fuzz_label(int id, unsigned distance)
{
    static const unsigned char value[8] = {1, 2, 3, 4, 8, 16, 32, 128};
    unsigned level = 0;
    unsigned char *c;

    if ((unsigned)id >= (unsigned)klabel_fuzz_labels)
        return;
    if (distance == 0) {
        level = LEVELS - 1;
        if (!hit[id]) {
            hit[id] = 1;
            hits[hit_count++] = id;
        }
    } else if (distance < LEVELS - 1) { /* a bit less to go is progress */
        level = LEVELS - 1 - distance;
    }
    c = &klabel_fuzz_counters[COUNTERS * id + (int)level / 8];
    if (*c < value[level % 8])
        *c = value[level % 8];
}

static unsigned char record[5 + MAX_TEST + 4096];

/* Sends what stands in the record from its sixth byte on. */
static void send_record(char what, size_t size)
{
    size_t done = 0;

    record[0] = (unsigned char)what;
    klabel_fuzz_write32(record + 1, (uint32_t)size);
    while (done < size + 5) {
        ssize_t n = write(RECORD_FD, record + done, size + 5 - done);

        if (n <= 0)
            _exit(0); /* klabel is gone */
        done += (size_t)n;
    }
}

void klabel_fuzz_send_counts(uint64_t runs, uint64_t normal)
{
    klabel_fuzz_write32(record + 5, (uint32_t)(runs >> 32));
    klabel_fuzz_write32(record + 9, (uint32_t)runs);
    klabel_fuzz_write32(record + 13, (uint32_t)(normal >> 32));
    klabel_fuzz_write32(record + 17, (uint32_t)normal);
    send_record('S', 16);
}

/* The first at once, further ones after longer and longer times: a replay may
 * be under way, or may have refused. One that takes long is tried once. */
static int due(struct told *t, enum klabel_fuzz_end how)
{
    uint64_t now = klabel_fuzz_now();

    if (t->times > 0 && how == END_LATE)
        return 0;
    if (t->times > 0 && now - t->when < (uint64_t)AGAIN << (t->times < 10 ? t->times : 10))
        return 0;
    t->times++;
    t->when = now;
    return 1;
}

static size_t noted;

int klabel_fuzz_news(enum klabel_fuzz_end how)
{
    struct told *of = how == END_NORMAL ? told : failed;
    const unsigned char *test;
    unsigned char *to = record + 10;
    size_t size;
    unsigned i, named = 0;
    int news;

    if (how == END_DISCARDED || (how == END_STARVED && klabel_fuzz_starved() > 1))
        return 0; /* a replay of a starved run lasts as long as it may */
    news = how == END_FAILED && due(&crashes, how);
    for (i = 0; i < hit_count; i++) {
        if (!due(&of[hits[i]], how))
            continue;
        news = 1;
        if (named < NAMED) {
            klabel_fuzz_write32(to, (uint32_t)hits[i]);
            to += 4;
            named++;
        }
    }
    if (!news)
        return 0;
    record[5] = how == END_NORMAL;
    klabel_fuzz_write32(record + 6, named);
    test = klabel_fuzz_asked(&size);
    memcpy(to, test, size);
    noted = (size_t)(to - (record + 5)) + size;
    return 1;
}

/* A run that only looked as if it ended normally is told as any other failure. */
void klabel_fuzz_tell(int confirmed)
{
    if (!confirmed && !due(&crashes, END_FAILED))
        return;
    record[5] = record[5] && confirmed;
    send_record('T', noted);
}
