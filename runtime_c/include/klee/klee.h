/* The functions that KLEE offers to the programs it runs, declared anew so that
 * a labelled file compiles whether or not KLEE is installed, and in the same
 * way with every version of it. The replay runtime and klabel's own engine
 * define the same functions.
 */
#ifndef KLABEL_KLEE_H
#define KLABEL_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. The object must be a whole variable or a whole allocation. */
void klee_make_symbolic(void *object, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name); /* begin <= x < end */
uintptr_t klee_choose(uintptr_t n);                   /* x < n */

/* Constraints on inputs. A preference is not a constraint. */
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* Ends of a path: without a test, with an abort, with an error of one's own. */
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message,
                       const char *suffix) __attribute__((noreturn));

/* What the engine knows. */
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(void);
size_t klee_get_obj_size(void *object);
int klee_get_errno(void);
void klee_check_memory_access(const void *address, size_t size);

/* One possible value of an expression. */
float klee_get_valuef(float x);
double klee_get_valued(double x);
long klee_get_valuel(long x);
long long klee_get_valuell(long long x);
int32_t klee_get_value_i32(int32_t x);
int64_t klee_get_value_i64(int64_t x);

/* Messages. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int x);
void klee_stack_trace(void);

/* Exploration and memory. */
void klee_set_forking(unsigned enable);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_mark_global(void *object);
void klee_define_fixed_object(void *address, size_t size);

/* The C library's own failing assertion, which every version of KLEE knows. */
extern void __assert_fail(const char *assertion, const char *file,
                          unsigned int line, const char *function)
    __attribute__((noreturn));

#ifndef klee_assert
#define klee_assert(expr)                                                      \
    ((expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __func__))
#endif

#ifdef __cplusplus
}
#endif

#endif
