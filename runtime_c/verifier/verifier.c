/* Functions that test programs of the field call: the __VERIFIER_* of software
 * verification competitions, and sc_assume. Linked with the program, for an
 * engine and for a replay alike; all are weak, so that a program's own
 * definitions win. An input is named after the function that asks for it.
 */
#include "../include/klee/klee.h"

#define WEAK __attribute__((weak))

#define NONDET(name, type)                                                     \
    WEAK type __VERIFIER_nondet_##name(void);                                  \
    WEAK type __VERIFIER_nondet_##name(void)                                   \
    {                                                                          \
        type x;                                                                \
        klee_make_symbolic(&x, sizeof x, "__VERIFIER_nondet_" #name);          \
        return x;                                                              \
    }

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(pchar, char *)
NONDET(charp, char *)
NONDET(const_char_pointer, const char *)
NONDET(size_t, size_t)
NONDET(ssize_t, long)
NONDET(off_t, long)
NONDET(time_t, long)
NONDET(gfp_t, unsigned)
NONDET(irqreturn_t, int)
NONDET(unsigned_char, unsigned char)
NONDET(unsigned_short, unsigned short)
NONDET(unsigned_long, unsigned long)
NONDET(unsigned_long_long, unsigned long long)
NONDET(unsigned_longlong, unsigned long long)
NONDET(signed_char, signed char)
NONDET(long_long, long long)
NONDET(loff_t, long long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(s8, int8_t)
NONDET(s16, int16_t)
NONDET(s32, int32_t)
NONDET(s64, int64_t)
NONDET(S8, int8_t)
NONDET(S16, int16_t)
NONDET(S32, int32_t)
NONDET(S64, int64_t)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)
NONDET(U8, uint8_t)
NONDET(U16, uint16_t)
NONDET(U32, uint32_t)
NONDET(U64, uint64_t)
#ifdef __SIZEOF_INT128__
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
#endif

/* Any byte is an input, its lowest bit counts: no constraint, no fork. */
WEAK _Bool __VERIFIER_nondet_bool(void);
WEAK _Bool __VERIFIER_nondet_bool(void)
{
    unsigned char x;

    klee_make_symbolic(&x, sizeof x, "__VERIFIER_nondet_bool");
    return x & 1;
}

WEAK _Bool __VERIFIER_nondet__Bool(void);
WEAK _Bool __VERIFIER_nondet__Bool(void)
{
    unsigned char x;

    klee_make_symbolic(&x, sizeof x, "__VERIFIER_nondet__Bool");
    return x & 1;
}

/* A part of an object, byte by byte. */
WEAK void __VERIFIER_nondet_memory(void *p, size_t size);
WEAK void __VERIFIER_nondet_memory(void *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)p)[i] = __VERIFIER_nondet_uchar();
}

/* A path on which the condition is false ends without a test; in a replay it
 * means that the test does not fit. */
static void require(int condition)
{
    if (klee_is_symbolic((uintptr_t)condition) || klee_is_replay())
        klee_assume((uintptr_t)(condition != 0));
    else if (!condition)
        klee_silent_exit(0);
}

WEAK void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition)
{
    require(condition);
}

WEAK void sc_assume(int condition);
WEAK void sc_assume(int condition)
{
    require(condition);
}

WEAK void __VERIFIER_assert(int condition);
WEAK void __VERIFIER_assert(int condition)
{
    if (!condition)
        __assert_fail("__VERIFIER_assert", "program", 0, "__VERIFIER_assert");
}

WEAK void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void)
{
    __assert_fail("__VERIFIER_error", "program", 0, "__VERIFIER_error");
}

WEAK void reach_error(void);
WEAK void reach_error(void)
{
    __assert_fail("reach_error", "program", 0, "reach_error");
}

WEAK void __VERIFIER_atomic_begin(void);
WEAK void __VERIFIER_atomic_begin(void)
{
}

WEAK void __VERIFIER_atomic_end(void);
WEAK void __VERIFIER_atomic_end(void)
{
}
