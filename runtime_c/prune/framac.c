/* What KLEE's functions and the C library mean to Frama-C's analyses: each
 * piece is appended to the program's text if the program calls the function and
 * does not define it. A piece starts at its `//!` line, which names the function
 * and what the piece needs; nothing in here may promise more than the real
 * function does.
 */
//! klabel_stop
/*@ terminates \false; exits \true; assigns \nothing; ensures \false; */
extern void klabel_stop(void);
//! klabel_unknown
extern volatile int klabel_entropy;
/*@ requires \valid(p + (0 .. l - 1));
    assigns p[0 .. l - 1] \from klabel_entropy;
    ensures \initialized(p + (0 .. l - 1)); */
extern void klabel_unknown(char *p, unsigned long l);
//! klee_make_symbolic: klabel_unknown
void klee_make_symbolic(void *object, unsigned long size, const char *name)
{
    klabel_unknown((char *)object, size);
}
//! klee_int
int klee_int(const char *name)
{
    static volatile int any;
    return any;
}
//! klee_range: klabel_stop
int klee_range(int begin, int end, const char *name)
{
    static volatile int any;
    int x = any;
    if (x < begin)
        klabel_stop();
    if (x >= end)
        klabel_stop();
    return x;
}
//! klee_choose: klabel_stop
unsigned long klee_choose(unsigned long n)
{
    static volatile unsigned long any;
    unsigned long x = any;
    if (x >= n)
        klabel_stop();
    return x;
}
//! klee_assume: klabel_stop
void klee_assume(unsigned long condition)
{
    if (!condition)
        klabel_stop();
}
//! sc_assume: klabel_stop
void sc_assume(int condition)
{
    if (!condition)
        klabel_stop();
}
//! __VERIFIER_assume: klabel_stop
void __VERIFIER_assume(int condition)
{
    if (!condition)
        klabel_stop();
}
//! klee_silent_exit: klabel_stop
void klee_silent_exit(int status)
{
    klabel_stop();
}
//! klee_abort: klabel_stop
void klee_abort(void)
{
    klabel_stop();
}
//! klee_report_error: klabel_stop
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    klabel_stop();
}
//! exit: klabel_stop
void exit(int status)
{
    klabel_stop();
}
//! _exit: klabel_stop
void _exit(int status)
{
    klabel_stop();
}
//! abort: klabel_stop
void abort(void)
{
    klabel_stop();
}
//! __assert_fail: klabel_stop
void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
{
    klabel_stop();
}
//! klee_is_symbolic
unsigned klee_is_symbolic(unsigned long n)
{
    static volatile unsigned any;
    return any;
}
//! klee_is_replay
unsigned klee_is_replay(void)
{
    static volatile unsigned any;
    return any;
}
//! klee_prefer_cex
void klee_prefer_cex(void *object, unsigned long condition) {}
//! klee_posix_prefer_cex
void klee_posix_prefer_cex(void *object, unsigned long condition) {}
//! klee_warning
void klee_warning(const char *message) {}
//! klee_warning_once
void klee_warning_once(const char *message) {}
//! klee_set_forking
void klee_set_forking(unsigned enable) {}
//! klee_open_merge
void klee_open_merge(void) {}
//! klee_close_merge
void klee_close_merge(void) {}
//! klee_stack_trace
void klee_stack_trace(void) {}
//! klee_print_range
void klee_print_range(const char *name, int x) {}
//! klee_check_memory_access
void klee_check_memory_access(const void *address, unsigned long size) {}
//! klee_get_value_i32
int klee_get_value_i32(int x)
{
    return x;
}
//! klee_get_value_i64
long klee_get_value_i64(long x)
{
    return x;
}
//! __VERIFIER_nondet_int
int __VERIFIER_nondet_int(void)
{
    static volatile int any;
    return any;
}
//! __VERIFIER_nondet_uint
unsigned __VERIFIER_nondet_uint(void)
{
    static volatile unsigned any;
    return any;
}
//! __VERIFIER_nondet_char
char __VERIFIER_nondet_char(void)
{
    static volatile char any;
    return any;
}
//! __VERIFIER_nondet_uchar
unsigned char __VERIFIER_nondet_uchar(void)
{
    static volatile unsigned char any;
    return any;
}
//! __VERIFIER_nondet_short
short __VERIFIER_nondet_short(void)
{
    static volatile short any;
    return any;
}
//! __VERIFIER_nondet_long
long __VERIFIER_nondet_long(void)
{
    static volatile long any;
    return any;
}
//! __VERIFIER_error: klabel_stop
void __VERIFIER_error(void)
{
    klabel_stop();
}
//! memcpy
extern void *Frama_C_memcpy(void *to, const void *from, unsigned long n);
void *memcpy(void *to, const void *from, unsigned long n)
{
    return n == 0 ? to : Frama_C_memcpy(to, from, n); /* of nothing NULL will do */
}
//! memmove
void *memmove(void *to, const void *from, unsigned long n)
{
    char *t = to;
    const char *f = from;
    unsigned long i;
    if (t < f) {
        for (i = 0; i < n; i++)
            t[i] = f[i];
    } else {
        for (i = n; i > 0; i--)
            t[i - 1] = f[i - 1];
    }
    return to;
}
//! memset
void *memset(void *to, int c, unsigned long n)
{
    char *t = to;
    unsigned long i;
    for (i = 0; i < n; i++)
        t[i] = (char)c;
    return to;
}
//! memcmp: klabel_stop
int memcmp(const void *a, const void *b, unsigned long n)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    static volatile int any;
    int r = any;
    unsigned long i;
    for (i = 0; i < n; i++)
        if (x[i] != y[i]) {
            if (x[i] < y[i] && r >= 0)
                klabel_stop();
            if (x[i] > y[i] && r <= 0)
                klabel_stop();
            return r;
        }
    return 0;
}
//! strlen
unsigned long strlen(const char *s)
{
    unsigned long n = 0;
    while (s[n] != 0)
        n++;
    return n;
}
//! strcmp: klabel_stop
int strcmp(const char *a, const char *b)
{
    static volatile int any;
    int r = any;
    unsigned long i = 0;
    while (a[i] == b[i]) {
        if (a[i] == 0)
            return 0;
        i++;
    }
    if ((unsigned char)a[i] < (unsigned char)b[i]) {
        if (r >= 0)
            klabel_stop();
    } else if (r <= 0)
        klabel_stop();
    return r;
}
//! strncmp: klabel_stop
int strncmp(const char *a, const char *b, unsigned long n)
{
    static volatile int any;
    int r = any;
    unsigned long i;
    for (i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            if ((unsigned char)a[i] < (unsigned char)b[i]) {
                if (r >= 0)
                    klabel_stop();
            } else if (r <= 0)
                klabel_stop();
            return r;
        }
        if (a[i] == 0)
            return 0;
    }
    return 0;
}
//! strcpy
char *strcpy(char *to, const char *from)
{
    unsigned long i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to;
}
//! strncpy
char *strncpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}
//! strchr
char *strchr(const char *s, int c)
{
    while (*s != (char)c) {
        if (*s == 0)
            return (char *)0;
        s++;
    }
    return (char *)s;
}
//! abs
int abs(int x)
{
    return x < 0 ? -x : x;
}
//! labs
long labs(long x)
{
    return x < 0 ? -x : x;
}
//! isdigit
int isdigit(int c)
{
    static volatile int any;
    return any;
}
//! isalpha
int isalpha(int c)
{
    static volatile int any;
    return any;
}
//! isalnum
int isalnum(int c)
{
    static volatile int any;
    return any;
}
//! isspace
int isspace(int c)
{
    static volatile int any;
    return any;
}
//! isupper
int isupper(int c)
{
    static volatile int any;
    return any;
}
//! islower
int islower(int c)
{
    static volatile int any;
    return any;
}
//! toupper
int toupper(int c)
{
    static volatile int any;
    return any;
}
//! tolower
int tolower(int c)
{
    static volatile int any;
    return any;
}
//! puts
int puts(const char *s)
{
    static volatile int any;
    return any;
}
//! putchar
int putchar(int c)
{
    static volatile int any;
    return any;
}
//! getchar
int getchar(void)
{
    static volatile int any;
    return any;
}
//! rand
int rand(void)
{
    static volatile int any;
    return any;
}
//! printf
/*@ assigns \result \from \nothing; */
extern int printf(const char *format, ...);
