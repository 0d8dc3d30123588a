/* Macros for hand-written drivers (test harnesses): symbolic variables, C
 * strings and pointers. They expand to calls of KLEE's functions, and work
 * under KLEE, klabel's own engine and in a replay.
 *
 *   #define _MAX_CSTRING_LENGTH 10
 *   static char _CSTRING_SYMBOL (s)[_MAX_CSTRING_LENGTH + 1];
 *
 *   int main (void) {
 *     int x; char *uri; unsigned *p;
 *     HARNESS_START;
 *     _FLAT (x, "x", int);                make x symbolic
 *     ASSUME (x > 0);                     only such inputs are tests
 *     _CSTRING_DECL (s, "uri");           a string, possibly NULL
 *     _CSTRING_FILL (s, "uri");
 *     uri = _CSTRING (s);
 *     _PTR_DECL (a, "p", unsigned);       a pointer to items, possibly NULL
 *     _PTR_FILL (a, "p");
 *     p = _PTR (a);
 *     f (x, uri, p, _PTR_LEN (a));
 *     HARNESS_END;
 *   }
 *
 * _MAX_CSTRING_LENGTH and _MAX_PTR_ARRAY_LENGTH may be defined before or after
 * this file is included.
 */
#ifndef KLABEL_HARNESS_MACROS_H
#define KLABEL_HARNESS_MACROS_H

#include <klee/klee.h>

#define HARNESS_START ((void)0)
#define HARNESS_END ((void)0)

/* A false condition ends the path without a test. It is added as a constraint
 * where the engine would otherwise have to fork for it. */
static inline __attribute__((unused)) void klabel_assume(int condition)
{
    if (klee_is_symbolic((uintptr_t)condition) || klee_is_replay())
        klee_assume((uintptr_t)condition);
    else if (!condition)
        klee_silent_exit(0);
}

#define ASSUME(...) klabel_assume(!!(__VA_ARGS__))

/* The copy lets the variable be a field or an element, which is not a whole
 * object; it needs no fork and no symbolic address. */
#define _FLAT(var, name, ...)                                                  \
    do {                                                                       \
        __typeof__(var) klabel_flat;                                           \
        klee_make_symbolic((void *)&klabel_flat, sizeof klabel_flat, name);    \
        __builtin_memcpy((void *)&(var), (const void *)&klabel_flat,           \
                         sizeof klabel_flat);                                  \
    } while (0)

/* A C string: the buffer is the user's (file scope), one choice decides whether
 * the pointer is NULL. An input of zeros means the empty string, not NULL. */
#define _CSTRING_SYMBOL(v) klabel_cstring_##v
#define _CSTRING_DECL(v, ...) int klabel_cstring_null_##v = 0
#define _CSTRING_FILL(v, name, ...)                                            \
    do {                                                                       \
        klee_make_symbolic((void *)_CSTRING_SYMBOL(v),                         \
                           sizeof _CSTRING_SYMBOL(v), name);                   \
        _CSTRING_SYMBOL(v)[sizeof _CSTRING_SYMBOL(v) - 1] = '\0';              \
        klabel_cstring_null_##v = klee_int(name "_is_null");                   \
    } while (0)
#define _CSTRING(v)                                                            \
    (klabel_cstring_null_##v != 0 ? (char *)0 : _CSTRING_SYMBOL(v))

/* A pointer to up to _MAX_PTR_ARRAY_LENGTH items. The items are filled all at
 * once (_PTR_FILL) or one by one (_FLAT of _PTR_INDEX (v, i), or a loop in
 * which _PTR_INDEX (v) counts). Length and NULL-ness become symbolic when they
 * are first asked for, so a driver that does not use them pays nothing. */
struct klabel_pointer {
    unsigned char has_length, has_null;
    unsigned length, index;
    int null;
};

static inline __attribute__((unused)) unsigned
klabel_pointer_length(struct klabel_pointer *p, unsigned max, const char *name)
{
    if (!p->has_length) {
        p->has_length = 1;
        p->length = (unsigned)klee_range(0, (int)max + 1, name);
    }
    return p->length;
}

static inline __attribute__((unused)) int
klabel_pointer_null(struct klabel_pointer *p, const char *name)
{
    if (!p->has_null) {
        p->has_null = 1;
        p->null = klee_int(name);
    }
    return p->null != 0;
}

#define klabel_ptr_items(v) klabel_ptr_items_##v
#define klabel_ptr_max(v)                                                      \
    ((unsigned)(sizeof klabel_ptr_items_##v / sizeof klabel_ptr_items_##v[0]))

#define _PTR_DECL(v, name, ...)                                                \
    static __typeof__(__VA_ARGS__)                                             \
        klabel_ptr_items_##v[_MAX_PTR_ARRAY_LENGTH];                           \
    static const char klabel_ptr_length_name_##v[] = name "_length";           \
    static const char klabel_ptr_null_name_##v[] = name "_is_null";            \
    static struct klabel_pointer klabel_ptr_##v
#define _PTR_FILL(v, name, ...)                                                \
    klee_make_symbolic((void *)klabel_ptr_items_##v,                           \
                       sizeof klabel_ptr_items_##v, name)
#define _PTR_LEN(v, ...)                                                       \
    klabel_pointer_length(&klabel_ptr_##v, klabel_ptr_max(v),                  \
                          klabel_ptr_length_name_##v)
#define _NULL_PTR(v, ...)                                                      \
    klabel_pointer_null(&klabel_ptr_##v, klabel_ptr_null_name_##v)
#define _PTR(v, ...)                                                           \
    (_NULL_PTR(v) ? (__typeof__(&klabel_ptr_items_##v[0]))0                    \
                  : klabel_ptr_items_##v)

#define klabel_ptr_pick(a, b, chosen, ...) chosen
#define klabel_ptr_counter(v, ...) klabel_ptr_##v.index
#define klabel_ptr_item(v, i) klabel_ptr_items_##v[i]
#define _PTR_INDEX(...)                                                        \
    klabel_ptr_pick(__VA_ARGS__, klabel_ptr_item, klabel_ptr_counter,          \
                    0)(__VA_ARGS__)

#endif
