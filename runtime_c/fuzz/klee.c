/* KLEE's functions that are no inputs, as a fuzzed program gets them. */
#include "fuzz.h"

#include "../include/klee/klee.h"

#include <errno.h>

void klee_assume(uintptr_t condition)
{
    if (!condition)
        klabel_fuzz_end(END_DISCARDED);
}

void klee_silent_exit(int status)
{
    (void)status;
    klabel_fuzz_end(END_NORMAL);
}

void klee_abort(void)
{
    klabel_fuzz_end(END_FAILED);
}

void klee_report_error(const char *file, int line, const char *message,
                       const char *suffix)
{
    (void)file, (void)line, (void)message, (void)suffix;
    klabel_fuzz_end(END_FAILED);
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

size_t klabel_fuzz_malloc_usable_size(void *p);

size_t klee_get_obj_size(void *object)
{
    return klabel_fuzz_malloc_usable_size(object);
}

void klee_check_memory_access(const void *address, size_t size)
{
    const volatile char *p = address;

    if (size == 0)
        return;
    (void)p[0];
    (void)p[size - 1];
}

/* Fixed places belong to the whole process: left to the other engines. */
void klee_define_fixed_object(void *address, size_t size)
{
    (void)address, (void)size;
    klabel_fuzz_end(END_DISCARDED);
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

/* Hints and messages mean nothing here. */
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
