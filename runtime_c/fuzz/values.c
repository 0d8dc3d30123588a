/* Changes values that are no text: numbers of one to eight bytes, and blocks of bytes.
 * Constants and strings of the program's go into them. */
#include "fuzz.h"

#include <string.h>

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max_size);

#define draw klabel_fuzz_draw
#define below klabel_fuzz_below

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

void klabel_fuzz_put_in_range(unsigned char *p, int32_t begin, int32_t end)
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
static void copy_value(unsigned char *p, size_t n, const struct klabel_fuzz_test *test)
{
    const struct klabel_fuzz_object *o = &test->objects[below(test->count)];

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

/* A number with a fraction, small or with a few zeros behind or before it: nearly all bits are numbers that are
 * far too large or too small for what programs do with such. */
static int put_fraction(unsigned char *p, size_t n)
{
    double x = (double)((int)below(2001) - 1000);
    float f;
    uint32_t k;

    if (n < 4)
        return 0;
    switch (below(4)) {
    case 0:
        x /= 8;
        break;
    case 1:
        x = (double)((int)below(21) - 10);
        break;
    case 2:
        for (k = below(13); k > 0; k--)
            x /= 10;
        break;
    default:
        for (k = below(13); k > 0; k--)
            x *= 10;
    }
    f = (float)x;
    if (n == 8)
        memcpy(p, &x, n);
    else
        memcpy(p, &f, sizeof f);
    return 1;
}

void klabel_fuzz_change_number(unsigned char *p, size_t n, const struct klabel_fuzz_test *test)
{
    uint64_t top = (uint64_t)1 << (8 * n - 1);
    uint64_t v = get(p, n);

    if (klabel_fuzz_fractions && below(6) == 0 && put_fraction(p, n))
        return;
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
        copy_value(p, n, test);
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

void klabel_fuzz_change_bytes(unsigned char *p, size_t n, const struct klabel_fuzz_test *test)
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
            klabel_fuzz_change_number(p + at, width, test);
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
