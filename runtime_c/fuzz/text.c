/* Changes text as people write it and programs read it: words and numbers apart by
 * blanks, on lines. What the program compares with goes into it.
 */
#include "fuzz.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define draw klabel_fuzz_draw
#define below klabel_fuzz_below

enum { TOKEN = 80, LINE = 256, MOST_COPIED = 4096 };

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max_size);

struct text {
    unsigned char *at;
    size_t size, room;
};

/* Puts other bytes in the place of some; what has no room falls off the end. */
static void splice(struct text *t, size_t from, size_t gone, const void *with,
                   size_t size)
{
    size_t rest = t->size - from - gone, space = t->room - from;

    if (size > space)
        size = space;
    if (rest > space - size)
        rest = space - size;
    memmove(t->at + from + size, t->at + from + gone, rest);
    if (size > 0)
        memcpy(t->at + from, with, size);
    t->size = from + size + rest;
}

static size_t anywhere(const struct text *t)
{
    return below((uint32_t)t->size + 1);
}

static int apart(const struct text *t, size_t i, int punctuation)
{
    return isspace(t->at[i]) || t->at[i] == '\0' ||
           (punctuation && ispunct(t->at[i]));
}

/* The word at a place, perhaps none: from there up to the end that is returned. */
static size_t word_at(const struct text *t, size_t *from)
{
    int punctuation = (int)below(2);
    size_t end;

    while (*from < t->size && apart(t, *from, punctuation))
        ++*from;
    end = *from;
    while (*from > 0 && !apart(t, *from - 1, punctuation))
        --*from;
    while (end < t->size && !apart(t, end, punctuation))
        end++;
    return end;
}

static size_t line_at(const struct text *t, size_t *from)
{
    size_t end = *from;

    while (*from > 0 && t->at[*from - 1] != '\n')
        --*from;
    while (end < t->size && t->at[end] != '\n')
        end++;
    return end < t->size ? end + 1 : end;
}

/* A character that the program asks for, else any that can be seen. */
static char some_char(void)
{
    if (klabel_fuzz_small_count > 0 && below(3) > 0) {
        int c = (int)klabel_fuzz_numbers[below(klabel_fuzz_small_count)];

        if (isprint(c))
            return (char)c;
    }
    return (char)(' ' + below(95));
}

static size_t number(char *to)
{
    long long v = below(10);

    switch (below(12)) {
    case 0:
    case 1:
    case 2:
        if (klabel_fuzz_number_count > 0)
            v = (long long)klabel_fuzz_numbers[below(klabel_fuzz_number_count)];
        v += (long long)below(3) - 1;
        break;
    case 3:
        v = (long long)below(1000) - 100;
        break;
    case 4:
        v = (int)draw();
        v >>= below(32);
        break;
    case 5:
        v = -v;
        break;
    case 6:
        return (size_t)snprintf(to, TOKEN, "%lld.%u", v, below(100));
    }
    return (size_t)snprintf(to, TOKEN, "%lld", v);
}

/* A part of one of the program's strings, which may be a message. */
static size_t part_of_word(char *to, uint32_t words)
{
    const struct klabel_fuzz_word *w = &klabel_fuzz_words[below(words)];
    struct text t = {(unsigned char *)(uintptr_t)w->text, w->size - 1, w->size};
    size_t from = below(w->size), end = t.size;

    if (words == klabel_fuzz_keyword_count || below(4) == 0)
        from = 0;
    else
        end = word_at(&t, &from);
    if (end - from > TOKEN)
        end = from + TOKEN;
    memcpy(to, w->text + from, end - from);
    return end - from;
}

static size_t token(char *to)
{
    size_t i, n;

    switch (below(10)) {
    case 0:
    case 1:
    case 2:
        if (klabel_fuzz_keyword_count > 0)
            return part_of_word(to, klabel_fuzz_keyword_count);
        break;
    case 3:
        to[0] = some_char();
        return 1;
    case 4:
        n = 1 + below(below(4) > 0 ? 6 : TOKEN);
        for (i = 0; i < n; i++)
            to[i] = (char)('a' + below(26));
        return n;
    case 5:
        if (klabel_fuzz_word_count > 0)
            return part_of_word(to, klabel_fuzz_word_count);
        break;
    }
    return number(to);
}

static char blank(void)
{
    uint32_t k = below(20);

    return k < 9 ? ' ' : k < 18 ? '\n' : some_char();
}

static size_t line(char *to)
{
    size_t n = 0;
    uint32_t words = 1 + below(4);

    while (words-- > 0 && n + TOKEN + 2 < LINE) {
        n += token(to + n);
        to[n++] = words > 0 && below(8) > 0 ? ' ' : blank();
    }
    to[n - 1] = '\n';
    return n;
}

/* Copies a part to another place. */
static void copy(struct text *t, size_t from, size_t end, size_t to)
{
    static unsigned char part[MOST_COPIED];
    size_t n = end - from < MOST_COPIED ? end - from : MOST_COPIED;

    memcpy(part, t->at + from, n);
    splice(t, to, 0, part, n);
}

/* Replaces a word: by another one, by a number next to it. */
static void change_word(struct text *t)
{
    char with[2 * TOKEN];
    size_t from = anywhere(t), end = word_at(t, &from), n;
    int value;

    memcpy(with, t->at + from, end - from < TOKEN ? end - from : TOKEN);
    with[end - from < TOKEN ? end - from : TOKEN] = '\0';
    if (below(4) == 0 && sscanf(with, "%d", &value) == 1 && value < 1 << 30)
        n = (size_t)snprintf(with, TOKEN, "%d", value + (int)below(5) - 2);
    else
        n = token(with);
    splice(t, from, end - from, with, n);
}

static void insert_word(struct text *t)
{
    char with[2 * TOKEN];
    size_t at = anywhere(t), n;

    if (below(3) > 0)
        at = word_at(t, &at);
    if (below(2)) {
        n = token(with);
        with[n++] = blank();
    } else {
        with[0] = blank();
        n = 1 + token(with + 1);
    }
    splice(t, at, 0, with, n);
}

static void insert_lines(struct text *t)
{
    char with[LINE];
    size_t at = below(3) > 0 ? t->size : anywhere(t);
    uint32_t many = 1 + (below(3) == 0 ? below(4) : 0);

    if (at < t->size)
        line_at(t, &at);
    else if (at > 0 && t->at[at - 1] != '\n')
        splice(t, at++, 0, "\n", 1);
    while (many-- > 0 && at <= t->size)
        splice(t, at, 0, with, line(with));
}

static void change_lines(struct text *t)
{
    size_t from = anywhere(t), end = line_at(t, &from), to = anywhere(t);
    size_t n = end - from;

    line_at(t, &to);
    switch (below(4)) {
    case 0:
        splice(t, from, n, "", 0);
        break;
    case 1: /* moves it */
        copy(t, from, end, to);
        if (to <= from)
            from += n;
        if (from + n <= t->size)
            splice(t, from, n, "", 0);
        break;
    default:
        copy(t, from, end, to);
    }
}

static void change_char(struct text *t)
{
    size_t at = anywhere(t);
    char c = below(4) > 0 ? some_char() : blank();

    splice(t, at, at < t->size ? below(2) : 0, &c, 1);
}

static void repeat(struct text *t)
{
    char with[TOKEN];
    size_t n = 1 + below(TOKEN);

    memset(with, below(2) ? 'a' + (int)below(26) : some_char(), n);
    splice(t, anywhere(t), 0, with, n);
}

static void change_once(struct text *t)
{
    size_t from, end;

    switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        change_word(t);
        break;
    case 4:
    case 5:
        insert_word(t);
        break;
    case 6:
    case 7:
    case 8:
        insert_lines(t);
        break;
    case 9:
    case 10:
        change_lines(t);
        break;
    case 11:
        from = anywhere(t);
        end = below(2) ? word_at(t, &from) : from + below((uint32_t)(t->size - from) + 1);
        splice(t, from, end - from, "", 0);
        break;
    case 12:
        change_char(t);
        break;
    case 13:
        repeat(t);
        break;
    case 14:
        if (below(3) == 0) {
            t->size = anywhere(t);
            break;
        }
        /* fall through */
    default:
        if (t->room > 0)
            t->size = LLVMFuzzerMutate(t->at, t->size, t->room);
    }
}

size_t klabel_fuzz_change_text(unsigned char *p, size_t size, size_t room)
{
    struct text t = {p, size, room};
    uint32_t times = 1 + (below(2) ? 0 : below(5));

    while (times-- > 0)
        change_once(&t);
    return t.size;
}

/* An argument is one word most of the time, one of the program's or a file's name. */
size_t klabel_fuzz_change_argument(unsigned char *p, size_t size, size_t room,
                                   int has_files)
{
    struct text t = {p, size, room};
    char with[2 * TOKEN];

    switch (below(4)) {
    case 0:
        splice(&t, 0, size, with, token(with));
        break;
    case 1:
        if (has_files && below(2)) {
            splice(&t, 0, size, "A", 1);
            break;
        }
        if (klabel_fuzz_keyword_count > 0) {
            splice(&t, 0, size, with, part_of_word(with, klabel_fuzz_keyword_count));
            break;
        }
        /* fall through */
    default:
        return klabel_fuzz_change_text(p, size, room);
    }
    return t.size;
}
