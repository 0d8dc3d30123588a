/* Inputs: the objects of libFuzzer's input answer the program's requests by
 * name. What it does not hold is made up, in a way that depends on it alone. All
 * that the program gets is noted: that is the test.
 */
#include "fuzz.h"

#include "../include/klee/klee.h"

#include <string.h>

enum { RANGES = 1024 };

static struct klabel_fuzz_test now;
static struct klabel_fuzz_writer asked;
static uint32_t cursor; /* the object after the one taken last */
static uint32_t untaken; /* objects */
static uint32_t again;   /* the object after the one repeated last */
static uint32_t noise;
static int style; /* of what is made up */
static uint32_t repeats; /* of values that are given, before others are made up */

enum { MOST_REPEATS = 1 << 10 }; /* long loops ask often */

int klabel_fuzz_made_up;

static struct {
    char name[56];
    int32_t begin, end;
} ranges[RANGES];

static uint32_t read32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           (uint32_t)p[3];
}

void klabel_fuzz_write32(unsigned char *p, uint32_t n)
{
    p[0] = (unsigned char)(n >> 24);
    p[1] = (unsigned char)(n >> 16);
    p[2] = (unsigned char)(n >> 8);
    p[3] = (unsigned char)n;
}

/* Takes n bytes from the front. */
static const unsigned char *take(const unsigned char **at, size_t *left, size_t n)
{
    const unsigned char *p = *at;

    if (n > *left) {
        *left = 0;
        return NULL;
    }
    *at += n;
    *left -= n;
    return p;
}

static int number(const unsigned char **at, size_t *left, uint32_t *n)
{
    const unsigned char *p = take(at, left, 4);

    if (p == NULL)
        return 0;
    *n = read32(p);
    return 1;
}

void klabel_fuzz_parse(struct klabel_fuzz_test *t, const unsigned char *data,
                       size_t size)
{
    uint32_t version = 0, n = 0, skip;
    const unsigned char *p = take(&data, &size, 5);

    t->count = 0;
    if (p == NULL || memcmp(p, "KTEST", 5) != 0 ||
        !number(&data, &size, &version) || !number(&data, &size, &n))
        return;
    while (n-- > 0)
        if (!number(&data, &size, &skip) || take(&data, &size, skip) == NULL)
            return;
    if (version >= 2)
        take(&data, &size, 8);
    if (!number(&data, &size, &n))
        return;
    while (n-- > 0 && t->count < MAX_OBJECTS) {
        struct klabel_fuzz_object *o = &t->objects[t->count];

        if (!number(&data, &size, &o->name_length))
            return;
        o->name = (const char *)take(&data, &size, o->name_length);
        if (o->name == NULL || !number(&data, &size, &o->size))
            return;
        o->data = take(&data, &size, o->size);
        if (o->data == NULL)
            return;
        o->taken = 0;
        t->count++;
    }
}

void klabel_fuzz_begin(struct klabel_fuzz_writer *w)
{
    static const unsigned char head[] = "KTEST\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

    memcpy(w->bytes, head, 25);
    w->size = 25;
    w->count = 0;
    w->full = 0;
}

unsigned char *klabel_fuzz_add(struct klabel_fuzz_writer *w, const char *name,
                               uint32_t name_length, uint32_t size)
{
    unsigned char *p = w->bytes + w->size;

    if (w->count == MAX_OBJECTS || name_length > MAX_TEST || size > MAX_TEST ||
        w->size + 8 + name_length + size > MAX_TEST) {
        w->full = 1;
        return NULL;
    }
    klabel_fuzz_write32(p, name_length);
    memcpy(p + 4, name, name_length);
    klabel_fuzz_write32(p + 4 + name_length, size);
    w->size += 8 + (size_t)name_length + size;
    w->count++;
    return p + 8 + name_length;
}

void klabel_fuzz_finish(struct klabel_fuzz_writer *w)
{
    klabel_fuzz_write32(w->bytes + 21, w->count);
}

/* A power of two from a draw: twice as much is half as likely, for it takes twice the time. */
uint32_t klabel_fuzz_power(uint32_t drawn, uint32_t most)
{
    drawn |= most;
    return drawn & -drawn;
}

void klabel_fuzz_input(const unsigned char *data, size_t size)
{
    size_t i;

    klabel_fuzz_parse(&now, data, size);
    klabel_fuzz_begin(&asked);
    cursor = 0;
    again = 0;
    untaken = now.count;
    klabel_fuzz_made_up = 0;
    noise = 2166136261u;
    for (i = 0; i < size; i++)
        noise = (noise ^ data[i]) * 16777619u;
    style = now.count == 0 ? 0 : (int)(noise >> 8 & 3);
    repeats = now.count > 0 && noise >> 10 & 1 ? klabel_fuzz_power(noise >> 16, MOST_REPEATS) : 0;
}

const unsigned char *klabel_fuzz_asked(size_t *size)
{
    klabel_fuzz_finish(&asked);
    *size = asked.size;
    return asked.bytes;
}

static uint32_t random32(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return noise;
}

/* What asks again gets, for a while, what it got before: the same values in their
 * order, or mixed. A loop that ends at a value it does not know goes on so. */
static int repeat(unsigned char *to, size_t size, const char *name, uint32_t length)
{
    uint32_t k, i;

    if (repeats == 0)
        return 0;
    repeats--;
    if (style & 1)
        again = random32() % now.count;
    for (k = 0; k < now.count; k++) {
        const struct klabel_fuzz_object *o;

        i = (again + k) % now.count;
        o = &now.objects[i];
        if (o->size == size && o->name_length == length && memcmp(o->name, name, length) == 0) {
            memcpy(to, o->data, size);
            again = (i + 1) % now.count;
            return 1;
        }
    }
    return 0;
}

static void make_up(unsigned char *to, size_t size, const char *name, uint32_t length)
{
    size_t i;

    klabel_fuzz_made_up++;
    if (repeat(to, size, name, length))
        return;
    memset(to, 0, size);
    if (style == 1 && size > 0)
        to[0] = (unsigned char)(random32() % 8);
    else if (style > 1)
        for (i = 0; i < size; i++)
            to[i] = (unsigned char)(random32() >> 11);
}

static struct klabel_fuzz_object *find(const char *name, uint32_t length)
{
    uint32_t k, i;

    for (k = 0; untaken > 0 && k < now.count; k++) {
        struct klabel_fuzz_object *o;

        i = cursor + k < now.count ? cursor + k : cursor + k - now.count;
        o = &now.objects[i];
        if (!o->taken && o->name_length == length &&
            memcmp(o->name, name, length) == 0) {
            o->taken = 1;
            untaken--;
            cursor = i + 1 < now.count ? i + 1 : 0;
            return o;
        }
    }
    return NULL;
}

/* Returns where the noted value stands, for ranges. */
static unsigned char *input(void *to, size_t size, const char *name)
{
    const struct klabel_fuzz_object *o;
    unsigned char *noted;
    uint32_t length;

    if (name == NULL)
        name = "unnamed";
    length = (uint32_t)strlen(name);
    noted = size <= MAX_TEST
                ? klabel_fuzz_add(&asked, name, length, (uint32_t)size)
                : NULL;
    if (noted == NULL) /* too many inputs for one test */
        klabel_fuzz_end(END_DISCARDED);
    o = find(name, length);
    if (o == NULL) {
        make_up(noted, size, name, length);
    } else if (o->size >= size) {
        memcpy(noted, o->data, size);
    } else {
        memcpy(noted, o->data, o->size);
        memset(noted + o->size, 0, size - o->size);
    }
    memcpy(to, noted, size);
    return noted;
}

/* Where nothing is given it is empty, or numbers apart by blanks. */
const unsigned char *klabel_fuzz_text_input(const char *name, const char *length_name,
                                            size_t most, size_t *size)
{
    static const char made[] = "0123456789 \n-axqy";
    const struct klabel_fuzz_object *o = find(name, (uint32_t)strlen(name)), *length = NULL;
    size_t n = o != NULL ? o->size : style > 0 ? random32() % 16 : 0, i;
    unsigned char *noted, *to;
    uint32_t given;

    if (length_name != NULL)
        length = find(length_name, (uint32_t)strlen(length_name));
    if (length != NULL && length->size == sizeof given) {
        memcpy(&given, length->data, sizeof given);
        n = given < n ? given : n;
    }
    n = n < most ? n : most;
    given = (uint32_t)n;
    if (length_name != NULL) {
        to = klabel_fuzz_add(&asked, length_name, (uint32_t)strlen(length_name), sizeof given);
        if (to != NULL)
            memcpy(to, &given, sizeof given);
    }
    noted = klabel_fuzz_add(&asked, name, (uint32_t)strlen(name), given);
    if (noted == NULL)
        klabel_fuzz_end(END_DISCARDED);
    if (o != NULL)
        memcpy(noted, o->data, n);
    klabel_fuzz_made_up += o == NULL;
    for (i = 0; o == NULL && i < n; i++)
        noted[i] = (unsigned char)made[random32() % (sizeof made - 1)];
    *size = n;
    return noted;
}

void klee_make_symbolic(void *object, size_t size, const char *name)
{
    input(object, size, name);
}

int klee_int(const char *name)
{
    int x;

    input(&x, sizeof x, name);
    return x;
}

static unsigned slot(const char *name, uint32_t length)
{
    uint32_t h = 2166136261u;

    while (length-- > 0)
        h = (h ^ (unsigned char)*name++) * 16777619u;
    return (h ^ h >> 16) % RANGES;
}

static void note_range(const char *name, int32_t begin, int32_t end)
{
    uint32_t length = (uint32_t)strlen(name);
    unsigned i = slot(name, length);

    if (length >= sizeof ranges[i].name)
        return;
    memcpy(ranges[i].name, name, length + 1);
    ranges[i].begin = begin;
    ranges[i].end = end;
}

int klabel_fuzz_range(const char *name, uint32_t length, int32_t *begin,
                      int32_t *end)
{
    unsigned i = slot(name, length);

    if (length >= sizeof ranges[i].name ||
        memcmp(ranges[i].name, name, length) != 0 ||
        ranges[i].name[length] != '\0' || ranges[i].begin >= ranges[i].end)
        return 0;
    *begin = ranges[i].begin;
    *end = ranges[i].end;
    return 1;
}

/* A range of one number is no input, as for KLEE. */
int klee_range(int begin, int end, const char *name)
{
    unsigned char *noted;
    int x;

    if (name == NULL)
        name = "unnamed";
    if (begin >= end)
        klabel_fuzz_end(END_FAILED);
    if ((int64_t)begin + 1 == end)
        return begin;
    noted = input(&x, sizeof x, name);
    note_range(name, begin, end);
    if (x < begin || x >= end) {
        uint64_t width = (uint64_t)((int64_t)end - begin);

        x = (int)(begin + (int64_t)((unsigned)x % width));
        memcpy(noted, &x, sizeof x);
    }
    return x;
}

uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t x;
    unsigned char *noted = input(&x, sizeof x, "klee_choose");

    if (n == 0)
        klabel_fuzz_end(END_NORMAL);
    x %= n;
    memcpy(noted, &x, sizeof x);
    return x;
}
