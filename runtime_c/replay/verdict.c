/* Why a run ended: notes that the run itself leaves in shared memory, the
 * labels that it hit, and what the sanitizers are asked to do.
 */
#include "replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

void klabel_hit(int id)
{
    struct klabel_run *r = &klabel_run;
    uint32_t n;

    if ((unsigned)id >= r->labels) {
        if (r->shm != NULL)
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
 * too large returns NULL, as the C library's does. Where memory was allocated is
 * not recorded: that would cost each replay, and the verdict does not say it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:halt_on_error=1:abort_on_error=0:exitcode=97:"
           "allocator_may_return_null=1:handle_abort=0:handle_sigill=0:"
           "symbolize=0:color=never:print_summary=1:"
           "disable_coredump=1:print_legend=0:print_full_thread_history=0:"
           "malloc_context_size=0:quarantine_size_mb=16:thread_local_quarantine_size_kb=64";
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

void klabel_watch_sanitizers(int report_fd)
{
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(sanitizer_dies);
    if (__sanitizer_set_report_fd != NULL && report_fd >= 0)
        __sanitizer_set_report_fd((void *)(intptr_t)report_fd);
}
