/* The recorded test: finds the object that answers a request for an input.
 *
 * Memory comes from mmap, never from the program's own heap: the runtime must
 * not change where the program's allocations lie.
 */
#include "replay.h"

#include <string.h>
#include <sys/mman.h>

enum { STATIC_OBJECTS = 256, BUCKETS = 1024 };

static struct klabel_object few[STATIC_OBJECTS + 1];
static struct klabel_object *objects = few; /* from 1; 0 is no object */
static uint32_t object_count;
static uint32_t first[BUCKETS]; /* first object of each hash that is not taken */
static uint32_t last[BUCKETS];

static const unsigned char *arguments; /* the first one, at its length */
static uint32_t argument_count;

struct reader {
    const unsigned char *at, *end;
    int failed;
};

static const unsigned char *bytes(struct reader *r, uint32_t n)
{
    const unsigned char *p = r->at;

    if (r->failed || (size_t)(r->end - r->at) < n) {
        r->failed = 1;
        return p;
    }
    r->at += n;
    return p;
}

static uint32_t u32(struct reader *r)
{
    const unsigned char *p = bytes(r, 4);

    if (r->failed)
        return 0;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           (uint32_t)p[3];
}

static unsigned hash(const char *name, size_t n)
{
    uint32_t h = 2166136261u;

    while (n-- > 0)
        h = (h ^ (unsigned char)*name++) * 16777619u;
    return (h ^ h >> 16) % BUCKETS;
}

static int make_room(uint32_t n)
{
    void *p;

    if (n <= STATIC_OBJECTS)
        return 1;
    p = mmap(NULL, (n + (size_t)1) * sizeof *objects, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 0;
    objects = p;
    return 1;
}

static void add(struct reader *r)
{
    struct klabel_object *o = &objects[object_count + 1];
    unsigned h;

    o->name_length = u32(r);
    o->name = (const char *)bytes(r, o->name_length);
    o->size = u32(r);
    o->data = bytes(r, o->size);
    if (r->failed)
        return;
    object_count++;
    h = hash(o->name, o->name_length);
    if (last[h] != 0)
        objects[last[h]].next = object_count;
    else
        first[h] = object_count;
    last[h] = object_count;
}

const char *klabel_load(const unsigned char *test, size_t length)
{
    struct reader r = {test, test + length, 0};
    const unsigned char *magic = bytes(&r, 5);
    uint32_t version = u32(&r);
    uint32_t i, n;

    if (r.failed)
        return "the test is cut off";
    if (memcmp(magic, "KTEST", 5) != 0 && memcmp(magic, "BOUT\n", 5) != 0)
        return "not a .ktest file";
    if (version < 1 || version > 3)
        return "a .ktest file of an unknown version";
    argument_count = u32(&r);
    arguments = r.at;
    for (i = 0; i < argument_count && !r.failed; i++)
        bytes(&r, u32(&r));
    if (version >= 2) {
        u32(&r);
        u32(&r);
    }
    n = u32(&r);
    if (r.failed || n > (size_t)(r.end - r.at) / 8)
        return "the test is cut off";
    if (!make_room(n))
        return "no memory for the test's objects";
    for (i = 0; i < n && !r.failed; i++)
        add(&r);
    return r.failed ? "the test is cut off" : NULL;
}

struct klabel_object *klabel_take(const char *name)
{
    size_t n = strlen(name);
    unsigned h = hash(name, n);
    uint32_t i, before = 0;

    for (i = first[h]; i != 0; before = i, i = objects[i].next) {
        struct klabel_object *o = &objects[i];

        if (o->name_length != n || memcmp(o->name, name, n) != 0)
            continue;
        if (before == 0)
            first[h] = o->next;
        else
            objects[before].next = o->next;
        o->taken = 1;
        return o;
    }
    return NULL;
}

const struct klabel_object *klabel_named(const char *prefix, uint32_t *at)
{
    size_t n = strlen(prefix);

    while (*at < object_count) {
        const struct klabel_object *o = &objects[++*at];

        if (o->name_length > n && memcmp(o->name, prefix, n) == 0)
            return o;
    }
    return NULL;
}

int klabel_argument_count(void)
{
    return (int)argument_count;
}

char *klabel_argument(int i)
{
    static char program[256]; /* for argument 0, which each test has */
    struct reader r = {arguments, arguments + UINT32_MAX, 0};
    const unsigned char *p;
    uint32_t n;
    int k;
    char *copy;

    for (k = 0; k < i; k++)
        bytes(&r, u32(&r));
    n = u32(&r);
    p = bytes(&r, n);
    copy = i == 0 && n < sizeof program ? program
                                        : __builtin_malloc((size_t)n + 1);
    if (copy == NULL)
        klabel_stop(END_BROKEN, "no memory for the arguments");
    memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}
