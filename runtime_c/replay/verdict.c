/* Why a run ended: notes that the run itself leaves in shared memory, the
 * labels that it hit, and what the sanitizers are asked to do.
 */
#include "replay.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct klabel_run klabel_run;

static void note(enum klabel_end end, const char *format, va_list arguments)
{
    struct klabel_shm *s = klabel_run.shm;
    uint32_t none = END_NORMAL;

    if (s != NULL &&
        __atomic_compare_exchange_n(&s->end, &none, (uint32_t)end, 0,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        vsnprintf(s->reason, sizeof s->reason, format, arguments);
}

void klabel_note(enum klabel_end end, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    note(end, format, arguments);
    va_end(arguments);
}

/* Ends the process at once: what the program registered with atexit is part of
 * a normal end only. */
void klabel_stop(enum klabel_end end, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    note(end, format, arguments);
    va_end(arguments);
    if (klabel_run.by_hand) /* nobody reads the memory */
        dprintf(2, "replay: %s\n", klabel_run.shm->reason);
    _exit(1);
}

/* Labels hit by constructors, which run once, before there is a test: each run
 * of the program meets them. */
static struct {
    int ids[4096];
    unsigned count;
} early;

void klabel_hit_early(void)
{
    unsigned i;

    for (i = 0; i < early.count; i++)
        klabel_hit(early.ids[i]);
}

static void hit_before_main(int id)
{
    unsigned i;

    for (i = 0; i < early.count; i++)
        if (early.ids[i] == id)
            return;
    if (early.count < sizeof early.ids / sizeof early.ids[0])
        early.ids[early.count++] = id;
}

void klabel_hit(int id)
{
    struct klabel_run *r = &klabel_run;
    uint32_t n;

    if (r->shm == NULL) {
        hit_before_main(id);
        return;
    }
    if ((unsigned)id >= r->labels) {
        r->shm->too_big = (uint32_t)id + 1;
        return;
    }
    if (r->hit[id] != 0 ||
        __atomic_exchange_n(&r->hit[id], 1, __ATOMIC_RELAXED) != 0)
        return;
    n = __atomic_fetch_add(&r->shm->hits, 1, __ATOMIC_RELAXED);
    if (n < r->labels)
        r->hit_list[n] = (uint32_t)id;
}

extern void *__asan_region_is_poisoned(void *, size_t) __attribute__((weak));

#define PAGE ((uintptr_t)4096)

/* Asking the kernel costs: pages once seen are taken to stay. Where one does
 * not, a predicate that looks there ends the run, and no label counts. */
static int mapped(uintptr_t at)
{
    static uintptr_t seen[1024];
    uintptr_t *entry = &seen[at / PAGE % (sizeof seen / sizeof seen[0])];
    int saved = errno;
    int yes;

    if (*entry == at)
        return 1;
    yes = msync((void *)at, PAGE, MS_ASYNC) == 0;
    errno = saved;
    if (yes)
        *entry = at;
    return yes;
}

/* Whether a label's predicate can read n bytes at p: they are mapped, and
 * AddressSanitizer, where it is, knows them as the program's. */
int klabel_can_read(const void *p, unsigned long n)
{
    uintptr_t first = (uintptr_t)p & ~(PAGE - 1);
    uintptr_t last = ((uintptr_t)p + (n != 0 ? n - 1 : 0)) & ~(PAGE - 1);

    if (first == 0 || last < first)
        return 0;
    for (; first <= last; first += PAGE)
        if (!mapped(first))
            return 0;
    return __asan_region_is_poisoned == NULL ||
           __asan_region_is_poisoned((void *)(uintptr_t)p, n) == NULL;
}

/* The C library's failing assertion. */
void __assert_fail(const char *assertion, const char *file, unsigned line,
                   const char *function)
{
    klabel_note(END_ABORT, "assertion failed: %s (%s:%u, %s)", assertion, file,
                line, function != NULL ? function : "?");
    dprintf(2, "%s:%u: %s: assertion failed: %s\n", file, line,
            function != NULL ? function : "?", assertion);
    abort();
}

/* The sanitizers' settings; they call these by name when they are linked. One
 * error ends the run. Leaks are no undefined behaviour. An allocation that is
 * too large returns NULL, as the C library's does. Of where memory was allocated no
 * more is recorded than whether a driver did it: the allocator's frames, that of the
 * function that may fail in its place, and the caller's. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:halt_on_error=1:abort_on_error=0:exitcode=97:"
           "allocator_may_return_null=1:handle_abort=0:handle_sigill=0:"
           "symbolize=0:color=never:print_summary=1:"
           "disable_coredump=1:print_legend=0:print_full_thread_history=0:"
           "malloc_context_size=4:quarantine_size_mb=16:thread_local_quarantine_size_kb=64:"
           "redzone=128" /* an index that is wrong by a few items shall not fall into what lies beside */;
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "halt_on_error=1:abort_on_error=0:exitcode=97:print_stacktrace=0:"
           "symbolize=0:color=never:print_summary=1:report_error_type=1";
}

/* When AddressSanitizer starts it looks the Swift runtime's demangler up, for
 * names in reports. That the C library does not find it would fill blocks of
 * three sizes on the heap, whose page tables each child would inherit: a sixth
 * of a replay's price. exported.list makes it visible. */
char *swift_demangle(const char *, size_t, char *, size_t *, uint32_t);
char *swift_demangle(const char *name, size_t length, char *to, size_t *size,
                     uint32_t flags)
{
    (void)name, (void)length, (void)to, (void)size, (void)flags;
    return NULL; /* "not a Swift name" */
}

static void sanitizer_dies(void)
{
    klabel_note(END_SANITIZER, "%s", "");
}

void __asan_on_error(void);
void __asan_on_error(void)
{
    sanitizer_dies();
}

extern void __sanitizer_set_death_callback(void (*)(void))
    __attribute__((weak));
extern void __sanitizer_set_report_fd(void *) __attribute__((weak));
extern void __asan_describe_address(void *) __attribute__((weak));
extern void __sanitizer_symbolize_pc(void *, const char *, char *, size_t)
    __attribute__((weak));

void klabel_watch_sanitizers(int report_fd)
{
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(sanitizer_dies);
    if (__sanitizer_set_report_fd != NULL && report_fd >= 0)
        __sanitizer_set_report_fd((void *)(intptr_t)report_fd);
}

/* The allocator for reports fills a megabyte for each size that it is first asked for: some hundred page faults of a
 * child that ends in an error, several times. The server writes a small report beforehand and looks a place in the
 * program up, and its children have that memory from it. Nothing is taken from the program's own heap. */
void klabel_rehearse_report(int report_fd)
{
    char place[256];

    klabel_watch_sanitizers(report_fd);
    if (__asan_describe_address != NULL)
        __asan_describe_address(place);
    if (__sanitizer_symbolize_pc != NULL)
        __sanitizer_symbolize_pc(__builtin_return_address(0), "%p %m", place, sizeof place);
}
