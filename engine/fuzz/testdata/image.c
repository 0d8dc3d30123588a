/* Entries that do to the fuzzer what programs do. Labels are written as the
 * fuzzing runtime gets them; those from 100 on can never be hit. */
#include <klee/klee.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void klabel_fuzz_label(int id, unsigned distance);
extern const volatile unsigned char *klabel_fuzz_view;
#define LABEL(id, holds) \
    if (0x85 >> klabel_fuzz_view[id] & 1) \
    klabel_fuzz_label(id, (holds) ? 0 : 64)

static int runs;
static int table[3] = {1, 2, 3};
static char *kept;
static void registered(void) { LABEL(1, 1); }

static void on_stack(int write)
{
    volatile char here[3000];

    LABEL(109, !write && here[1500] != 0);
    if (write)
        memset((char *)here, 'Z', sizeof here);
}

/* Nothing of one run is there in the next. */
void state(void)
{
    char *block = malloc(24), *large = malloc(100000), *copy;
    FILE *f;

    LABEL(100, runs > 0);
    LABEL(101, table[1] != 2);
    LABEL(102, kept != NULL);
    LABEL(103, block[7] == 'Z' || large[99999] == 'Z');
    LABEL(104, rand() != 1804289383); /* the first number of the C library */
    f = fopen("/dev/null", "r"); /* never closed */
    LABEL(105, f == NULL);
    f = fopen("left", "r");
    LABEL(107, f != NULL);
    if (mkdir("folder", 0777) == 0)
        fclose(fopen("folder/left", "w"));
    LABEL(108, access("folder/left", F_OK) != 0);
    fclose(fopen("left", "w"));
    on_stack(0);
    on_stack(1);
    runs++;
    table[1] = runs;
    kept = block;
    block[7] = large[99999] = 'Z';
    copy = strdup("word");
    block = realloc(block, 5000);
    LABEL(106, block == NULL || block[7] != 'Z' || strcmp(copy, "word") != 0);
    free(copy);
    LABEL(2, klee_int("x") == 1000000007);
    atexit(registered);
}

static int deep(volatile int *p) { volatile int here[1000]; here[0] = *p; return deep(here) + here[0]; }

/* What ends a process ends a run. */
void ends(void)
{
    int x = klee_range(0, 10, "x");
    volatile int zero = 0;

    LABEL(110, x < 0 || x > 9);
    LABEL(10 + x, 1);
    switch (x) {
    case 0: exit(1);
    case 1: _exit(2);
    case 2: klee_silent_exit(3);
    case 3: abort();
    case 4: *(volatile int *)0 = 1; break;
    case 5: zero = 2000 / zero; break;
    case 6: for (;;) ;
    case 7: deep(&zero); break;
    case 8: klee_assume(x == 7); break;
    default: raise(SIGSEGV);
    }
    LABEL(111, 1);
}

/* Memory that is never freed, and more of it than there is. */
void eats(void)
{
    int i, x = klee_range(0, 100, "x");

    kept = malloc(1 << 20);
    memset(kept, 'Z', 1 << 20);
    LABEL(41, x == 99);
    if (x < 3)
        for (i = 0; i < 4000; i++)
            memset(malloc(1 << 20), 'Z', 4096);
    LABEL(140, x < 3);
}

/* Errors that a replay sees end a run here, too. */
void errors(void)
{
    int x = klee_range(0, 13, "x");
    unsigned long long n = (unsigned long long)(x + 1);
    char *p = malloc(n), *q = calloc(n, 3), on_stack[5] = {0};
    int *large = malloc(40000);
    volatile int y = 70;

    LABEL(50 + x, p[n - 1] == (char)0xbe && q[3 * n - 1] == 0);
    switch (x) {
    case 0: LABEL(150, p[n] == 0); break;
    case 1: LABEL(151, q[3 * n] == 0); break;
    case 2: p = realloc(p, 100); LABEL(52, p[99] != 1); LABEL(152, p[100] != 1); break;
    case 3: free(p); free(p); LABEL(153, 1); break;
    case 4: free(q + 1); LABEL(154, 1); break;
    case 5: LABEL(155, on_stack[y] == 0); break;
    case 6: LABEL(156, 1 << y == 0); break;
    case 7: large[9999] = 7; large = realloc(large, 50000); LABEL(57, large[9999] == 7); break;
    case 8: for (y = 0; y < 1000; y++) q = malloc(16); q[15] = 1; free(q); LABEL(58, 1); break;
    case 9: q = malloc(8); *(char **)q = q; p = q; free(q); LABEL(159, **(char **)p == 0); break;
    case 11: LABEL(161, p[-1] == 0); break;
    case 12: free(q); LABEL(162, q[0] != 1); break;
    default: LABEL(160, (int)(y * 1e30) == 3);
    }
}

static unsigned long long mixed(unsigned long long x)
{
    int i;

    for (i = 0; i < 5; i++) {
        x ^= x >> 29;
        x *= 0xbf58476d1ce4e5b9u;
    }
    return x;
}

/* Inputs come in the order in which they are asked for. */
void asks(void)
{
    char s[12];
    unsigned short n;
    unsigned long long key;
    int i, sum = 0;

    klee_make_symbolic(s, sizeof s, "s");
    klee_make_symbolic(&n, sizeof n, "n");
    s[11] = '\0';
    LABEL(20, strcmp(s, "fuzzing") == 0);
    LABEL(21, n == 54321);
    for (i = 0; i < (n & 3); i++)
        sum += klee_int("more");
    klabel_fuzz_label(22, (n & 3) == 3 && sum == -5 ? 0 : 20);
    klee_make_symbolic(&key, sizeof key, "key");
    LABEL(23, mixed(key) == mixed(0x123456789abcdefu));
}

/* No branch leads to this label: only how near it is does. */
void near(void)
{
    unsigned x = (unsigned)klee_int("x");
    unsigned long long v = x * 7ull + (x >> 3) * 11ull, wanted = 0x13579bdf * 7ull + (0x13579bdf >> 3) * 11ull;
    unsigned long long missing = v > wanted ? v - wanted : wanted - v;

    if (0x85 >> klabel_fuzz_view[70] & 1)
        klabel_fuzz_label(70, missing == 0 ? 0 : 64 - (unsigned)__builtin_clzll(missing | 1));
}

/* A long loop that nothing but known events keeps going. */
void loops(void)
{
    int i, e;

    for (i = 0; i < 700; i++) {
        e = klee_int("event");
        if (e != 3 && e != 14 && e != 2222)
            break;
    }
    LABEL(80, i == 700);
}

int main(int argc, char **argv)
{
    LABEL(30, argc == 2 && strcmp(argv[1], "argument") == 0);
    LABEL(130, argc != 2);
    argv[1][0] = '?';
    return 7;
}
