/* The mutator: changes the objects of a test, each in a way that fits its size
 * and range; names and sizes stay. From time to time a test of another engine
 * takes the place of a mutation.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEED_EVERY = 16 };

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size,
                               size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const unsigned char *a, size_t a_size,
                                 const unsigned char *b, size_t b_size,
                                 unsigned char *out, size_t max_size,
                                 unsigned seed);

static struct klabel_fuzz_test test, other;
static struct klabel_fuzz_writer writer;
static unsigned char *value[MAX_OBJECTS]; /* of the objects in the writer */
static uint32_t length[MAX_OBJECTS];      /* theirs */
static uint64_t state;

#define draw klabel_fuzz_draw
#define below klabel_fuzz_below

uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

uint32_t below(uint32_t n)
{
    return (uint32_t)((uint64_t)draw() * n >> 32);
}

static void start(unsigned seed)
{
    state = (uint64_t)seed * 0x9e3779b97f4a7c15u + 1;
    if (state == 0)
        state = 1;
    draw();
}

static uint64_t get(const unsigned char *p, size_t n)
{
    uint64_t v = 0;

    memcpy(&v, p, n); /* the program's own byte order, little */
    return v;
}

static void put(unsigned char *p, size_t n, uint64_t v)
{
    memcpy(p, &v, n);
}

static void any_in_range(unsigned char *p, int32_t begin, int32_t end)
{
    uint64_t width = (uint64_t)((int64_t)end - begin);
    int64_t v = begin + (int64_t)(((uint64_t)draw() << 16 ^ draw()) % width);

    switch (below(4)) {
    case 0:
        v = begin;
        break;
    case 1:
        v = (int64_t)end - 1;
    }
    put(p, 4, (uint64_t)v);
}

/* A value of the same size from another object. */
static void copy_value(unsigned char *p, size_t n)
{
    const struct klabel_fuzz_object *o = &test.objects[below(test.count)];

    if (o->size < n)
        return;
    memcpy(p, o->data + below((uint32_t)(o->size / n)) * n, n);
    put(p, n, get(p, n) + below(3) - 1);
}

/* A number of the program's, or one beside it. */
static int put_constant(unsigned char *p, size_t n)
{
    uint32_t small = klabel_fuzz_small_count;
    uint32_t large = klabel_fuzz_number_count - small;
    uint64_t v;
    size_t i;

    if (n > 1 && large > 0 && below(4) > 0) /* no chance hits those */
        v = klabel_fuzz_numbers[small + below(large)];
    else if (small > 0)
        v = klabel_fuzz_numbers[below(small)];
    else
        return 0;
    if (below(4) == 0)
        v += below(3) - (uint64_t)1;
    if (below(16) == 0)
        v = -v;
    if (n > 1 && below(8) == 0) { /* the most significant byte first */
        for (i = 0; i < n; i++)
            p[i] = (unsigned char)(v >> 8 * (n - 1 - i));
        return 1;
    }
    put(p, n, v);
    return 1;
}

static void change_number(unsigned char *p, size_t n)
{
    uint64_t top = (uint64_t)1 << (8 * n - 1);
    uint64_t v = get(p, n);

    switch (below(13)) {
    case 10:
    case 11:
    case 12:
        if (!put_constant(p, n))
            LLVMFuzzerMutate(p, n, n);
        return;
    case 0:
        v = below(2) ? 0 : 1 - (uint64_t)below(3);
        break;
    case 1:
        v = top - 1 + below(3);
        break;
    case 2:
        v = below(256);
        break;
    case 3:
        v += 1 + below(35);
        break;
    case 4:
        v -= 1 + below(35);
        break;
    case 5:
        v ^= (uint64_t)1 << below((uint32_t)(8 * n));
        break;
    case 6:
        v = (uint64_t)draw() << 32 | draw();
        v >>= below(64);
        break;
    case 7:
        copy_value(p, n);
        return;
    default: /* constants that the program compares with are here */
        LLVMFuzzerMutate(p, n, n);
        return;
    }
    put(p, n, v);
}

/* A string of the program's, with or without its end. */
static void put_word(unsigned char *p, size_t n)
{
    const struct klabel_fuzz_word *w =
        &klabel_fuzz_words[below(klabel_fuzz_word_count)];
    size_t size = below(2) ? w->size : w->size - 1;
    size_t at = below(2) ? 0 : below((uint32_t)n);

    memcpy(p + at, w->text, size < n - at ? size : n - at);
}

/* One byte, or letters, over and over: what long strings are made of. */
static void fill(unsigned char *p, size_t n)
{
    size_t at = below(2) ? 0 : below((uint32_t)n);
    size_t many = 1 + below((uint32_t)(n - at));
    unsigned char c = (unsigned char)(' ' + below(95));
    uint32_t letters = below(3);

    if (klabel_fuzz_small_count > 0 && below(2))
        c = (unsigned char)klabel_fuzz_numbers[below(klabel_fuzz_small_count)];
    if (below(4) == 0)
        c = p[at];
    while (many-- > 0)
        p[at + many] = letters > 0 ? c : (unsigned char)('a' + below(26));
}

static void change_bytes(unsigned char *p, size_t n)
{
    static const unsigned char widths[] = {1, 1, 2, 4, 8};
    static unsigned char old[MAX_TEST];
    size_t width = widths[below(sizeof widths)], at, left;

    if (klabel_fuzz_word_count > 0 && below(6) == 0) {
        put_word(p, n);
        return;
    }
    switch (below(12)) {
    case 0: /* the end of a string */
        p[below((uint32_t)n)] = 0;
        return;
    case 1:
        p[below((uint32_t)n)] = (unsigned char)(' ' + below(95));
        return;
    case 8:
        fill(p, n);
        return;
    case 9: /* makes room for a byte, or closes a gap */
        at = below((uint32_t)n);
        if (below(2))
            memmove(p + at + 1, p + at, n - at - 1);
        else
            memmove(p + at, p + at + 1, n - at - 1);
        /* fall through */
    case 10:
        at = below((uint32_t)n);
        if (put_constant(p + at, 1))
            return;
        p[at] = (unsigned char)draw();
        return;
    case 2: { /* copies a part within */
        uint32_t length = 1 + below((uint32_t)(n < 16 ? n : 16));

        memmove(p + below((uint32_t)(n - length + 1)),
                p + below((uint32_t)(n - length + 1)), length);
        return;
    }
    case 3:
    case 4:
    case 5:
        if (n >= width) {
            at = below((uint32_t)(n / width)) * width;
            if (below(4) == 0) /* not aligned */
                at = below((uint32_t)(n - width + 1));
            change_number(p + at, width);
            return;
        }
        /* fall through */
    default: /* words of the dictionary and of comparisons are inserted here */
        at = below(3) ? 0 : below((uint32_t)n);
        memcpy(old, p, n);
        left = LLVMFuzzerMutate(p + at, n - at, n - at);
        if (left < n - at) {
            if (below(2))
                memset(p + at + left, 0, n - at - left);
            else
                memcpy(p + at + left, old + at + left, n - at - left);
        }
    }
}

/* Gives an object of the writer another size; the bytes at its end are not set. */
static void resize(uint32_t i, size_t n)
{
    unsigned char *rest = value[i] + length[i];
    size_t size = (size_t)(writer.bytes + writer.size - rest);
    uint32_t k;

    if (writer.size - length[i] + n > MAX_TEST)
        return;
    memmove(value[i] + n, rest, size);
    for (k = i + 1; k < test.count; k++)
        value[k] = value[k] - length[i] + n;
    writer.size = writer.size - length[i] + n;
    length[i] = (uint32_t)n;
    klabel_fuzz_write32(value[i] - 4, length[i]);
}

/* Text is as long as it likes, but for arguments, which end with a NUL. */
static int change_text(uint32_t i)
{
    static unsigned char text[MAX_TEST];
    const struct klabel_fuzz_object *o = &test.objects[i];
    int fixed;
    size_t n = length[i], room = klabel_fuzz_room(o->name, o->name_length, &fixed);

    if (room == 0)
        return 0;
    n = n < room ? n : room;
    memcpy(text, value[i], n);
    if (*o->name == 'a') {
        n = strnlen((char *)text, --room);
        n = klabel_fuzz_change_argument(text, n, room, klabel_fuzz_has_files());
        text[room++] = '\0';
    } else {
        n = klabel_fuzz_change_text(text, n, room);
    }
    if (fixed) {
        memset(text + n, 0, room - n);
        n = room;
    }
    resize(i, n);
    if (length[i] == n)
        memcpy(value[i], text, n);
    return 1;
}

static void change(uint32_t i)
{
    const struct klabel_fuzz_object *o = &test.objects[i];
    int32_t begin, end;

    if (change_text(i))
        return;
    if (o->size == 4 &&
        klabel_fuzz_range(o->name, o->name_length, &begin, &end))
        any_in_range(value[i], begin, end);
    else if (o->size == 1 || o->size == 2 || o->size == 4 || o->size == 8)
        change_number(value[i], o->size);
    else if (o->size > 0)
        change_bytes(value[i], o->size);
}

/* The input's length is that of its object here. */
static void tidy(struct klabel_fuzz_test *t)
{
    static const char name[] = "stdin_size";
    struct klabel_fuzz_object *input = NULL;
    uint32_t i, k = 0, n, most = UINT32_MAX;

    for (i = 0; i < t->count; i++) {
        struct klabel_fuzz_object *o = &t->objects[i];

        if (o->name_length == sizeof name - 1 && memcmp(o->name, name, sizeof name - 1) == 0 &&
            o->size == sizeof n) {
            memcpy(&n, o->data, sizeof n);
            most = n < most ? n : most;
            continue;
        }
        if (o->name_length == 5 && memcmp(o->name, "stdin", 5) == 0)
            input = &t->objects[k];
        t->objects[k++] = *o;
    }
    t->count = k;
    if (input != NULL && input->size > most)
        input->size = most;
}

/* Copies the test into the writer. */
static void write_test(void)
{
    uint32_t i;

    klabel_fuzz_begin(&writer);
    for (i = 0; i < test.count; i++) {
        const struct klabel_fuzz_object *o = &test.objects[i];

        value[i] = klabel_fuzz_add(&writer, o->name, o->name_length, o->size);
        if (value[i] == NULL) {
            test.count = i;
            return;
        }
        memcpy(value[i], o->data, o->size);
        length[i] = o->size;
    }
}

static size_t give(unsigned char *to, size_t max_size)
{
    klabel_fuzz_finish(&writer);
    if (writer.size > max_size)
        return 0;
    memcpy(to, writer.bytes, writer.size);
    return writer.size;
}

/* A test from klabel, if there is a whole one. Returns its size. */
static size_t take_seed(unsigned char *to, size_t max_size)
{
    static unsigned char buffer[4 + MAX_TEST];
    static size_t have;
    size_t size;
    ssize_t n = read(SEED_FD, buffer + have, sizeof buffer - have);

    if (n > 0)
        have += (size_t)n;
    if (have < 4)
        return 0;
    size = (size_t)buffer[0] << 24 | (size_t)buffer[1] << 16 |
           (size_t)buffer[2] << 8 | buffer[3];
    if (size > MAX_TEST)
        _exit(1);
    if (have < 4 + size)
        return 0;
    if (size <= max_size)
        memcpy(to, buffer + 4, size);
    have -= 4 + size;
    memmove(buffer, buffer + 4 + size, have);
    return size <= max_size ? size : 0;
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size,
                               size_t max_size, unsigned seed)
{
    static unsigned calls;
    static size_t seed_size;
    uint32_t times;

    if (seed_size > 0 || calls++ % SEED_EVERY == 0) {
        seed_size = take_seed(data, max_size);
        if (seed_size > 0)
            return seed_size;
    }
    start(seed);
    if (klabel_fuzz_made_up > 0 && size == klabel_fuzz_last_size &&
        memcmp(data, klabel_fuzz_last, size) == 0) {
        const unsigned char *whole;
        size_t whole_size;

        whole = klabel_fuzz_asked(&whole_size);
        klabel_fuzz_parse(&test, whole, whole_size);
    } else {
        klabel_fuzz_parse(&test, data, size);
    }
    tidy(&test);
    write_test();
    if (test.count > 0)
        for (times = 1 + (below(2) ? 0 : below(4)); times > 0; times--)
            change(below(test.count));
    return give(data, max_size);
}

static int same_text(const struct klabel_fuzz_object *a, const struct klabel_fuzz_object *b)
{
    int fixed;

    return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0 &&
           klabel_fuzz_room(a->name, a->name_length, &fixed) > 0 && !fixed;
}

/* Objects of both, each from one of them. */
size_t LLVMFuzzerCustomCrossOver(const unsigned char *a, size_t a_size,
                                 const unsigned char *b, size_t b_size,
                                 unsigned char *out, size_t max_size,
                                 unsigned seed)
{
    uint32_t i;

    start(seed);
    klabel_fuzz_parse(&test, a, a_size);
    klabel_fuzz_parse(&other, b, b_size);
    tidy(&test);
    tidy(&other);
    write_test();
    for (i = 0; i < test.count && i < other.count; i++)
        if (below(2)) {
            const struct klabel_fuzz_object *o = &other.objects[i];

            if (test.objects[i].size != o->size && !same_text(&test.objects[i], o))
                continue;
            resize(i, o->size);
            if (length[i] == o->size)
                memcpy(value[i], o->data, o->size);
        }
    return give(out, max_size);
}
