/* One run after the other, and what ends one. */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    TICK = 10,     /* ms */
    LONGEST = 25,  /* ticks that a run may last at first, */
    SHORTEST = 2,  /* and at least, when many have lasted too long */
    REPORT = 10,   /* ticks from one report to the next */
    AT_EXIT = 32,  /* functions that a run may register */
    FAILING_KEPT = 16, /* 1 of so many failing runs may join the corpus, */
    FIRST = 2000, /* once so many runs have ended normally */
    ALTERNATE_STACK = 64 << 10
};

unsigned char klabel_fuzz_last[MAX_TEST];
size_t klabel_fuzz_last_size;

static const struct klabel_fuzz_entry *entry;
static volatile sig_atomic_t ticks, since_report;
static int allowed = LONGEST, slowest; /* ticks: of all, of a run that ended */
static uint64_t runs, normal;
static void (*at_exit[AT_EXIT])(void);
static int at_exit_count;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* Signals. A run that a signal ends may have left anything anywhere in this
 * process: when it dies of that, klabel starts another one with the corpus. */
static void on_fault(int signal)
{
    (void)signal;
    if (!klabel_fuzz_running)
        _exit(1);
    siglongjmp(klabel_fuzz_back, END_FAILED);
}

static void on_tick(int signal)
{
    (void)signal;
    since_report++;
    if (klabel_fuzz_running && ++ticks > allowed)
        siglongjmp(klabel_fuzz_back, END_LATE);
}

static void handle(int signal, void (*handler)(int))
{
    struct sigaction a;

    memset(&a, 0, sizeof a);
    a.sa_handler = handler;
    a.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigaction(signal, &a, NULL);
}

static void watch(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
    static unsigned char stack[ALTERNATE_STACK];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct itimerval often = {{0, TICK * 1000}, {0, TICK * 1000}};
    size_t i;

    sigaltstack(&alternate, NULL);
    for (i = 0; i < sizeof faults / sizeof faults[0]; i++)
        handle(faults[i], on_fault);
    handle(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &often, NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *symbol = getenv("KLABEL_ENTRY");

    (void)argc, (void)argv;
    for (entry = klabel_fuzz_entries; entry->symbol != NULL; entry++)
        if (symbol != NULL && strcmp(entry->symbol, symbol) == 0)
            break;
    if (entry->symbol == NULL)
        _exit(2);
    klabel_fuzz_open_view();
    klabel_fuzz_save_state();
    fcntl(SEED_FD, F_SETFL, O_NONBLOCK);
    unsetenv("KLABEL_ENTRY");
    return 0;
}

/* Whether an input may join the corpus (clang 16 and later ask). What is seen first
 * in a run that fails shall be free for one that does not: mutants of failing inputs
 * fail. Some are let in, as steps on the way. */
static int wanted(enum klabel_fuzz_end how, const unsigned char *data, size_t size)
{
    uint32_t sum = 2166136261u;

    if (how == END_LATE)
        return 0;
    if ((how != END_FAILED && how != END_STARVED) || normal < FIRST)
        return 1;
    while (size-- > 0)
        sum = (sum ^ *data++) * 16777619u;
    return (sum >> 16) % FAILING_KEPT == 0;
}

static enum klabel_fuzz_end run(const unsigned char *data, size_t size)
{
    volatile int how;

    klabel_fuzz_clear_files();
    klabel_fuzz_restore_state();
    klabel_fuzz_empty_heap();
    klabel_fuzz_begin_labels();
    klabel_fuzz_input(data, size);
    klabel_fuzz_begin_reading();
    at_exit_count = 0;
    errno = 0;
    srand(1);
    ticks = 0;
    how = sigsetjmp(klabel_fuzz_back, 0);
    klabel_fuzz_running = 1;
    if (how == END_NOT_YET) {
        entry->call();
        klabel_fuzz_end(END_NORMAL);
    }
    if (how == END_NORMAL && at_exit_count > 0) {
        at_exit[--at_exit_count]();
        klabel_fuzz_end(END_NORMAL); /* to the next one */
    }
    klabel_fuzz_running = 0;
    return (enum klabel_fuzz_end)how;
}

/* Whether the replay, which sees more errors, will confirm that a run ends normally. */
static int confirmed(const unsigned char *data, size_t size)
{
    enum klabel_fuzz_end how;

    klabel_fuzz_strict = 1;
    how = run(data, size);
    klabel_fuzz_empty_exact();
    klabel_fuzz_strict = 0;
    return how == END_NORMAL;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    enum klabel_fuzz_end how;

    if (runs == 0)
        watch(); /* after libFuzzer has done the same */
    runs++;
    how = run(data, size);
    normal += how == END_NORMAL;
    if (how == END_NORMAL && ticks > slowest)
        slowest = ticks;
    if (how == END_LATE && allowed > SHORTEST && allowed > 3 * slowest)
        allowed--; /* a tenth of all inputs may hang */
    klabel_fuzz_last_size = size <= MAX_TEST ? size : 0;
    memcpy(klabel_fuzz_last, data, klabel_fuzz_last_size);
    if (klabel_fuzz_news(how))
        klabel_fuzz_tell(how != END_NORMAL || confirmed(data, size));
    if (since_report >= REPORT || runs == 1) { /* the first tells that there are any */
        since_report = 0;
        klabel_fuzz_send_counts(runs, normal);
    }
    return wanted(how, data, size) ? 0 : -1;
}

/* What the program calls in place of the functions that end a process or make
 * another one. */
void klabel_fuzz_exit(int status) __attribute__((noreturn));
void klabel_fuzz_exit(int status)
{
    (void)status;
    klabel_fuzz_end(END_NORMAL);
}

void klabel_fuzz__exit(int status) __attribute__((noreturn));
void klabel_fuzz__exit(int status)
{
    (void)status;
    at_exit_count = 0;
    klabel_fuzz_end(END_NORMAL);
}

void klabel_fuzz_abort(void) __attribute__((noreturn));
void klabel_fuzz_abort(void)
{
    klabel_fuzz_end(END_FAILED);
}

int klabel_fuzz_atexit(void (*function)(void));
int klabel_fuzz_atexit(void (*function)(void))
{
    if (at_exit_count == AT_EXIT)
        return -1;
    at_exit[at_exit_count++] = function;
    return 0;
}

int klabel_fuzz_fork(void);
int klabel_fuzz_fork(void)
{
    klabel_fuzz_end(END_DISCARDED);
}

/* The C library's failing assertion. */
void __assert_fail(const char *assertion, const char *file, unsigned line,
                   const char *function) __attribute__((noreturn));
void __assert_fail(const char *assertion, const char *file, unsigned line,
                   const char *function)
{
    (void)assertion, (void)file, (void)line, (void)function;
    klabel_fuzz_end(END_FAILED);
}
