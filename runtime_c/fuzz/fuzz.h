/* The fuzzing runtime: runs an entry of the program in libFuzzer's process, over
 * and over, each time on the objects of one .ktest file, which is libFuzzer's
 * input as it is.
 *
 * A run depends on its input alone. Before it, the program's variables get the
 * values that they had at first (state.c; the linker puts them between symbols,
 * see state.ld), and its heap (heap.c, exact.c) and its working folder (files.c)
 * are empty. What ends a process ends the run: exit, abort, a failed assumption, a
 * signal, too much time (end.c, driver.c). The program is compiled with -D for the
 * functions that this needs, see engine/fuzz/build.go.
 *
 * Descriptors: 3 is the live view, 4 takes records for klabel, 5 gives tests of
 * other engines. A record is a letter, a length (4 bytes, the most significant
 * first) and so many bytes: S and two counts of 8 bytes, runs and runs that ended
 * normally; T and a find: a byte, 1 if the run ended normally, the number of the
 * open labels that it hit, these, 4 bytes each, and the test.
 *
 * Limits: variables of threads are not put back, nor what the C library keeps but
 * errno, rand, getopt, standard input and open files. Of errors a run notices those
 * that cost little: beyond small blocks and arrays, and what the compiler's traps see;
 * a find is run once more with further guards (exact.c). The replay, which judges,
 * notices more. Small blocks are aligned as their size is.
 */
#ifndef KLABEL_FUZZ_H
#define KLABEL_FUZZ_H

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VIEW_FD = 3,
    RECORD_FD = 4,
    SEED_FD = 5,
    MAX_OBJECTS = 4096,
    MAX_TEST = 1 << 17 /* bytes of one test */
};

/* How a run ended. */
enum klabel_fuzz_end {
    END_NOT_YET = 0,
    END_NORMAL,
    END_DISCARDED, /* an assumption is false, or nothing to be learnt from */
    END_FAILED,    /* abort, a signal */
    END_LATE,      /* too slow */
    END_STARVED    /* reads on where nothing can be read */
};
/* end.c: back to where the run was started. Between runs nothing may end one. */
void klabel_fuzz_end(enum klabel_fuzz_end how) __attribute__((noreturn));
extern sigjmp_buf klabel_fuzz_back;
extern volatile sig_atomic_t klabel_fuzz_running;

/* The entries, main last, and the number of labels; klabel writes the table. */
struct klabel_fuzz_entry {
    const char *symbol; /* NULL ends the table */
    void (*call)(void);
};
extern const struct klabel_fuzz_entry klabel_fuzz_entries[];
extern const int klabel_fuzz_labels;
struct klabel_fuzz_word {
    const char *text;
    uint32_t size; /* with the NUL */
};
extern const struct klabel_fuzz_word klabel_fuzz_words[];
/* First those that the program compares with, most likely: its keywords. */
extern const unsigned klabel_fuzz_word_count, klabel_fuzz_keyword_count;
/* Arguments and options of main, ended by NULL; see posix.c. */
extern const char *const klabel_fuzz_arguments[];
void klabel_fuzz_run_main(void);
/* The program's numbers, sorted: first those that fit into a byte. */
extern const unsigned long long klabel_fuzz_numbers[];
extern const unsigned klabel_fuzz_number_count, klabel_fuzz_small_count;
/* Some inputs are floating-point numbers. */
extern const int klabel_fuzz_fractions;
extern unsigned char klabel_fuzz_counters[]; /* COUNTERS of each label */

enum { COUNTERS = 12 };

/* input.c: the objects of the test that runs now */
struct klabel_fuzz_object {
    const char *name;
    uint32_t name_length;
    const unsigned char *data;
    uint32_t size;
    int taken;
};
struct klabel_fuzz_test {
    struct klabel_fuzz_object objects[MAX_OBJECTS];
    uint32_t count;
};
/* What is no test has no objects. */
void klabel_fuzz_parse(struct klabel_fuzz_test *t, const unsigned char *data,
                       size_t size);
uint32_t klabel_fuzz_power(uint32_t drawn, uint32_t most);
void klabel_fuzz_input(const unsigned char *data, size_t size);
/* A text as long as the test has it, up to a size; length_name, if not NULL, is the
 * object that says how long. */
const unsigned char *klabel_fuzz_text_input(const char *name, const char *length_name,
                                            size_t most, size_t *size);
/* The test of what the program has asked for since, in that order. */
const unsigned char *klabel_fuzz_asked(size_t *size);
/* The range of the last klee_range of that name; 0 if there was none. */
int klabel_fuzz_range(const char *name, uint32_t length, int32_t *begin,
                      int32_t *end);

/* A test under construction. */
struct klabel_fuzz_writer {
    unsigned char bytes[MAX_TEST];
    size_t size;
    uint32_t count;
    int full;
};
void klabel_fuzz_begin(struct klabel_fuzz_writer *w);
/* Returns where the object's bytes are, for the caller to fill; NULL if full. */
unsigned char *klabel_fuzz_add(struct klabel_fuzz_writer *w, const char *name,
                               uint32_t name_length, uint32_t size);
void klabel_fuzz_finish(struct klabel_fuzz_writer *w);
void klabel_fuzz_write32(unsigned char *p, uint32_t n);

/* labels.c */
void klabel_fuzz_open_view(void);
void klabel_fuzz_begin_labels(void);
/* Notes the run's test if it tells something new of an open label. */
int klabel_fuzz_news(enum klabel_fuzz_end how);
void klabel_fuzz_tell(int confirmed); /* sends what is noted */
void klabel_fuzz_send_counts(uint64_t runs, uint64_t normal);
uint64_t klabel_fuzz_now(void); /* milliseconds */

/* random.c: any number, and one below n */
void klabel_fuzz_seed(unsigned seed);
uint32_t klabel_fuzz_draw(void);
uint32_t klabel_fuzz_below(uint32_t n);

/* posix.c: how large an object that is text may be, 0 if it is none; fixed: it is
 * always as large as that. */
size_t klabel_fuzz_room(const char *name, uint32_t length, int *fixed);
int klabel_fuzz_has_files(void);

/* starve.c; how many runs were ended by it */
void klabel_fuzz_begin_reading(void);
unsigned klabel_fuzz_starved(void);

/* values.c: each changes n bytes; the test has values to take over. */
void klabel_fuzz_put_in_range(unsigned char *p, int32_t begin, int32_t end);
void klabel_fuzz_change_number(unsigned char *p, size_t n, const struct klabel_fuzz_test *test);
void klabel_fuzz_change_bytes(unsigned char *p, size_t n, const struct klabel_fuzz_test *test);

/* text.c: these return the new size. */
size_t klabel_fuzz_change_text(unsigned char *p, size_t size, size_t room);
size_t klabel_fuzz_change_argument(unsigned char *p, size_t size, size_t room,
                                   int has_files);

/* files.c */
void klabel_fuzz_clear_files(void);

/* heap.c, exact.c, state.c */
void klabel_fuzz_empty_heap(void);
void klabel_fuzz_empty_exact(void);
void *klabel_fuzz_exact(size_t n); /* NULL: too large, or too many */
int klabel_fuzz_is_exact(const void *p);
size_t klabel_fuzz_exact_size(const void *p);
void klabel_fuzz_free_exact(void *p);
void klabel_fuzz_save_state(void);
void klabel_fuzz_restore_state(void);

extern int klabel_fuzz_strict; /* guards are at the front of blocks, too */

/* driver.c: the last input that was run, for the mutator */
extern unsigned char klabel_fuzz_last[MAX_TEST];
extern size_t klabel_fuzz_last_size;
extern int klabel_fuzz_made_up; /* inputs that the test did not hold */

#endif
