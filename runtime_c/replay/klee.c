/* KLEE's functions, as a replay answers them. */
#include "replay.h"

#include "../include/klee/klee.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SAID = 64 }; /* characters of a standard input that is made up */

/* An engine's test ends where its path does; the program then goes on and may
 * ask for more. Zeros are the answer; where they break an assumption, or the program
 * goes on and on for them, the server tries the other fillings: small numbers, then any. */
static void make_up(unsigned char *to, size_t size)
{
    static uint32_t state;
    uint32_t n = klabel_run.shm->beyond++;
    size_t i;

    memset(to, 0, size);
    switch (klabel_run.fill) {
    case 0:
        return;
    case 1:
        to[0] = 1;
        return;
    case 2:
        to[0] = (unsigned char)(2 + n % 100);
        return;
    case 3:
        memset(to, 0xff, size);
        return;
    case 4:
        memset(to, 'a', size > 1 ? size - 1 : size);
        return;
    default:
        for (i = 0; i < size; i++) {
            state = state * 1664525u + 1013904223u + klabel_run.fill;
            to[i] = (unsigned char)(state >> 24);
        }
    }
}

/* So it is with a standard input, which answers in lines; its last byte says how many of
 * the others there are. */
static void make_up_answers(unsigned char *to, size_t size)
{
    static const char *const answers[] = {"", "1\n", "2\n", "0\n", "a\n", "1\n2\n3\n", "-1\n", "5\n4\n"};
    const char *said = answers[klabel_run.fill % (sizeof answers / sizeof *answers)];
    size_t length = strlen(said), most = size - 1 < SAID ? size - 1 : SAID, n;

    klabel_run.shm->beyond++;
    memset(to, 0, size);
    for (n = 0; length > 0 && n < most; n++)
        to[n] = (unsigned char)said[n % length];
    to[size - 1] = (unsigned char)n;
}

/* Leaves a record of an input, so that klabel can write a test that holds all
 * inputs of the run, in the order in which the program asks for them. */
static void record(const char *name, const void *value, size_t size, int begin,
                   int end, int recorded)
{
    struct klabel_shm *s = klabel_run.shm;
    struct klabel_asked head;
    size_t length, at = s->asked_length;
    unsigned char *to;

    if (klabel_run.asked == NULL)
        return;
    if (name == NULL)
        name = "unnamed";
    length = strlen(name);
    if (at > ASKED_SIZE || length > ASKED_SIZE || size > ASKED_SIZE ||
        sizeof head + length + size > ASKED_SIZE - at) {
        s->asked_lost++;
        return;
    }
    head.name_length = (uint32_t)length;
    head.size = (uint32_t)size;
    head.begin = begin;
    head.end = end;
    head.made_up = !recorded;
    to = klabel_run.asked + at;
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, name, length);
    memcpy(to + sizeof head + length, value, size);
    s->asked_length = (uint32_t)(at + sizeof head + length + size);
}

void klabel_made_up(const void *value, size_t size, const char *name)
{
    record(name, value, size, 0, 0, 0);
}

void klabel_make_up(void *to, size_t size, const char *name)
{
    if (size > 0)
        make_up(to, size);
    klabel_made_up(to, size, name);
}

/* Returns 0 when the input is beyond the test. */
static int input(void *to, size_t size, const char *name)
{
    struct klabel_object *o;

    if (name == NULL)
        name = "unnamed";
    o = klabel_take(name);
    if (o == NULL) {
        klabel_asked_beyond();
        if (size > 1 && strcmp(name, "stdin:content") == 0)
            make_up_answers(to, size);
        else if (size > 0)
            make_up(to, size);
        return 0;
    }
    if (o->size != size)
        klabel_stop(END_DIVERGED,
                    "input %s has %u bytes in the test, the program asks for "
                    "%zu",
                    name, o->size, size);
    memcpy(to, o->data, size);
    return 1;
}

static unsigned below; /* what the next input is less than, 0 for any */

void klabel_below(unsigned n)
{
    below = n;
}

void klabel_input(void *to, size_t size, const char *name)
{
    int recorded = input(to, size, name);
    unsigned char *byte = to;
    unsigned end = size == 1 ? below : 0;

    below = 0;
    if (!recorded && end != 0)
        *byte %= end;
    record(name, to, size, 0, (int)end, recorded);
}

unsigned klabel_told(const char *name)
{
    struct klabel_object *o = klabel_take(name);

    if (o == NULL || o->size != 1)
        return 0;
    record(name, o->data, o->size, 0, 0, 1);
    return o->data[0];
}

void klee_make_symbolic(void *object, size_t size, const char *name)
{
    klabel_input(object, size, name);
}

int klee_int(const char *name)
{
    int x;

    klabel_input(&x, sizeof x, name);
    return x;
}

/* A range of one number is no input: KLEE makes no object for it. */
int klee_range(int begin, int end, const char *name)
{
    int x, recorded;

    if (begin >= end)
        klabel_stop(END_REPORTED, "klee_range: %d to %d is empty", begin, end);
    if ((int64_t)begin + 1 == end)
        return begin;
    recorded = input(&x, sizeof x, name);
    if (!recorded && (x < begin || x >= end)) {
        uint64_t width = (uint64_t)((int64_t)end - begin);

        x = (int)(begin + (int64_t)((unsigned)x % width));
    }
    record(name, &x, sizeof x, begin, end, recorded);
    if (x < begin || x >= end)
        klabel_stop(END_DIVERGED, "input %s is %d in the test, not in %d..%d",
                    name != NULL ? name : "unnamed", x, begin, end - 1);
    return x;
}

uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t x;
    int recorded = input(&x, sizeof x, "klee_choose");

    if (!recorded && n > 0)
        x %= n;
    record("klee_choose", &x, sizeof x, 0, 0, recorded);
    if (x >= n)
        klee_silent_exit(0);
    return x;
}

void klee_assume(uintptr_t condition)
{
    if (!condition)
        klabel_stop(END_DIVERGED, "an assumption of the program is false");
}

/* Like an engine, without what atexit registered. */
void klee_silent_exit(int status)
{
    if (klabel_run.by_hand)
        exit(status); /* which says what was hit */
    _exit(status);
}

void klee_abort(void)
{
    klabel_note(END_ABORT, "klee_abort");
    abort();
}

void klee_report_error(const char *file, int line, const char *message,
                       const char *suffix)
{
    klabel_stop(END_REPORTED, "%s (%s:%d, %s)", message != NULL ? message : "?",
                file != NULL ? file : "?", line, suffix != NULL ? suffix : "");
}

unsigned klee_is_symbolic(uintptr_t n)
{
    (void)n;
    return 0;
}

unsigned klee_is_replay(void)
{
    return 1;
}

int klee_get_errno(void)
{
    return errno;
}

extern const char *__asan_locate_address(void *address, char *name,
                                         size_t name_size, void **region,
                                         size_t *region_size)
    __attribute__((weak));
extern void *__asan_region_is_poisoned(void *begin, size_t size)
    __attribute__((weak));

size_t klee_get_obj_size(void *object)
{
    void *region = NULL;
    size_t size = 0;
    char name[16];

    if (__asan_locate_address != NULL) {
        __asan_locate_address(object, name, sizeof name, &region, &size);
        return region != NULL ? size : 0;
    }
    return object != NULL ? malloc_usable_size(object) : 0;
}

void klee_check_memory_access(const void *address, size_t size)
{
    const volatile char *p = address;

    if (size == 0)
        return;
    if (__asan_region_is_poisoned != NULL &&
        __asan_region_is_poisoned((void *)(uintptr_t)address, size) != NULL)
        klabel_stop(END_SANITIZER,
                    "klee_check_memory_access: %zu bytes are not accessible",
                    size);
    (void)p[0];
    (void)p[size - 1];
}

void klee_define_fixed_object(void *address, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)address & ~(page - 1);
    uintptr_t end = ((uintptr_t)address + size + page - 1) & ~(page - 1);

    /* Two objects may share a page: each page is mapped once. */
    for (; begin < end; begin += page) {
        void *p = mmap((void *)begin, page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

        if (p == MAP_FAILED && errno != EEXIST)
            klabel_stop(END_BROKEN, "cannot map a fixed object at %p", address);
    }
}

#define GET_VALUE(suffix, type)                                                \
    type klee_get_value##suffix(type x)                                        \
    {                                                                          \
        return x;                                                              \
    }
GET_VALUE(f, float)
GET_VALUE(d, double)
GET_VALUE(l, long)
GET_VALUE(ll, long long)
GET_VALUE(_i32, int32_t)
GET_VALUE(_i64, int64_t)

/* Hints and messages mean nothing in a replay. */
void klee_prefer_cex(void *object, uintptr_t condition)
{
    (void)object, (void)condition;
}

void klee_posix_prefer_cex(void *object, uintptr_t condition)
{
    (void)object, (void)condition;
}

void klee_warning(const char *message)
{
    (void)message;
}

void klee_warning_once(const char *message)
{
    (void)message;
}

void klee_print_expr(const char *message, ...)
{
    (void)message;
}

void klee_print_range(const char *name, int x)
{
    (void)name, (void)x;
}

void klee_stack_trace(void)
{
}

void klee_set_forking(unsigned enable)
{
    (void)enable;
}

void klee_open_merge(void)
{
}

void klee_close_merge(void)
{
}

void klee_mark_global(void *object)
{
    (void)object;
}
