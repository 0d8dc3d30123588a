/* What KLEE's functions mean to an optimiser that looks for labels which no
 * run reaches: appended to the program's text. Inputs come from memory that
 * nothing is known of; a false assumption ends the run.
 */
extern const void *klabel_any(__SIZE_TYPE__ size);
extern void klabel_stop(void) __attribute__((noreturn));

#define MODEL __attribute__((always_inline))

MODEL void klee_make_symbolic(void *object, __SIZE_TYPE__ size,
                              const char *name)
{
    (void)name;
    __builtin_memcpy(object, klabel_any(size), size);
}

MODEL int klee_int(const char *name)
{
    int x;

    (void)name;
    __builtin_memcpy(&x, klabel_any(sizeof x), sizeof x);
    return x;
}

MODEL int klee_range(int begin, int end, const char *name)
{
    int x;

    (void)name;
    __builtin_memcpy(&x, klabel_any(sizeof x), sizeof x);
    if (x < begin || x >= end)
        klabel_stop();
    return x;
}

MODEL __UINTPTR_TYPE__ klee_choose(__UINTPTR_TYPE__ n)
{
    __UINTPTR_TYPE__ x;

    __builtin_memcpy(&x, klabel_any(sizeof x), sizeof x);
    if (x >= n)
        klabel_stop();
    return x;
}

MODEL void klee_assume(__UINTPTR_TYPE__ condition)
{
    if (!condition)
        klabel_stop();
}

MODEL void klee_silent_exit(int status)
{
    (void)status;
    klabel_stop();
}
