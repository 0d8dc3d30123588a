/* The mutator: changes the objects of a test, each in a way that fits its size
 * and range; names and sizes stay. From time to time a test of another engine
 * takes the place of a mutation.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEED_EVERY = 16 };

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

#define below klabel_fuzz_below

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
        klabel_fuzz_put_in_range(value[i], begin, end);
    else if (o->size == 1 || o->size == 2 || o->size == 4 || o->size == 8)
        klabel_fuzz_change_number(value[i], o->size, &test);
    else if (o->size > 0)
        klabel_fuzz_change_bytes(value[i], o->size, &test);
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

static int same_name(const struct klabel_fuzz_object *a, const struct klabel_fuzz_object *b)
{
    return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

/* What is asked for in a loop is a sequence: a part of it is repeated, left out or
 * written over another. Objects answer by their names, so that those of other names
 * in that part do no harm. */
static void change_sequence(void)
{
    struct klabel_fuzz_object *o = test.objects;
    uint32_t at = below(test.count), from, i, n, times;

    for (i = 0; i < test.count; i++)
        if (i != at && same_name(&o[i], &o[at]))
            break;
    if (i == test.count)
        return; /* asked for once */
    n = 1 + below(below(2) ? 8 : test.count);
    n = n < test.count - at ? n : test.count - at;
    switch (below(4)) {
    case 0:
    case 1: /* as often as it grows: short runs are quick ones */
        memmove(o + at, o + at + n, (test.count - at - n) * sizeof *o);
        test.count -= n;
        return;
    case 2:
        from = below(test.count - n + 1);
        memmove(o + at, o + from, n * sizeof *o);
        return;
    default:
        for (times = klabel_fuzz_power(klabel_fuzz_draw(), 128); times > 0 && test.count + n <= MAX_OBJECTS; times--) {
            memmove(o + at + n, o + at, (test.count - at) * sizeof *o);
            test.count += n;
        }
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
    klabel_fuzz_seed(seed);
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
    if (test.count > 1 && below(4) == 0)
        change_sequence();
    write_test();
    if (test.count > 0)
        for (times = 1 + (below(2) ? 0 : below(4)); times > 0; times--)
            change(below(test.count));
    return give(data, max_size);
}

static int same_text(const struct klabel_fuzz_object *a, const struct klabel_fuzz_object *b)
{
    int fixed;

    return same_name(a, b) && klabel_fuzz_room(a->name, a->name_length, &fixed) > 0 && !fixed;
}

/* Objects of both, each from one of them. */
size_t LLVMFuzzerCustomCrossOver(const unsigned char *a, size_t a_size,
                                 const unsigned char *b, size_t b_size,
                                 unsigned char *out, size_t max_size,
                                 unsigned seed)
{
    uint32_t i;

    klabel_fuzz_seed(seed);
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
