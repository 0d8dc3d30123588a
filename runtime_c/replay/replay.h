/* The replay runtime: runs a program natively on the inputs of recorded tests.
 *
 * Linking. The program keeps its main. The linker is told --wrap=main, so that
 * the C library's start-up code calls __wrap_main here, which calls the
 * program's own as __real_main once the inputs are in place. (Renaming main by
 * -Dmain=... would take from it that it returns 0 when it ends without return.)
 *
 * Two ways to run. "replay TEST.ktest" runs one test in this process, as a
 * debugger wants it, and says which labels were hit. "replay --klabel-serve" is
 * the fork server: descriptors 3, 4, 5 are the shared memory, commands and
 * answers; each command replays the test in the shared memory in a new child.
 *
 * Entries. One program has all the ways in: its own main, which is entry 0, and
 * the functions of a table that klabel writes for it. A command says the number.
 * By hand it is the entry that has the name in the test's first argument, and
 * main for any other name.
 *
 * Verdict. The child notes in memory that it shares with the server why a run is
 * not a normal one (a false assumption, a sanitizer's report), and its hits as
 * they happen. When no process of the run is left, the server checks them, adds
 * what it saw from outside (a signal, the time limit), and copies all to memory
 * that no child ever has. Without a note, exit with any status is a normal end;
 * klabel drops the hits of any other.
 */
#ifndef KLABEL_REPLAY_H
#define KLABEL_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* Ends of a run; replayer/protocol.go knows the numbers. */
enum klabel_end {
    END_NORMAL = 0,
    END_SIGNAL = 1,
    END_SANITIZER = 2,
    END_ABORT = 3,
    END_TIMEOUT = 4,
    END_MEMORY = 5,
    END_DIVERGED = 6,
    END_REPORTED = 7,
    END_BROKEN = 8 /* the server could not run it: no verdict */
};

enum {
    SHM_FD = 3,
    COMMAND_FD = 4,
    ANSWER_FD = 5,
    REASON_SIZE = 1024,
    OUTPUT_SIZE = 64 << 10,
    ASKED_SIZE = 1 << 22,
    SHM_HEADER = 4096,
    SHM_VERSION = 8
};
#define ENTRY_BY_NAME UINT32_MAX /* the one that the test itself names */

/* The shared memory has two parts, each from a new page on.
 *
 * The result, klabel's and the server's: this header, OUTPUT_SIZE bytes of what
 * the program printed (the first half and the last half of it), ASKED_SIZE bytes
 * of records of the inputs that were asked for, and labels numbers of hit labels
 * in the order of the first hit.
 *
 * The test: input_size bytes. A child has a copy of its own.
 *
 * The run, the server's and the child's, is memory that they share and nobody else:
 * this header, ASKED_SIZE bytes of records, labels hits (a byte each), labels
 * numbers of hit labels. It is no part of the other's file, for a child could map
 * that whole (remap_file_pages). */
struct klabel_shm {
    char magic[8]; /* "KLABELRP" */
    uint32_t version;
    uint32_t labels; /* one more than the largest label number */
    uint32_t input_size;

    uint32_t test_length; /* set by klabel for each command */
    uint32_t timeout_ms;
    uint32_t memory_mb;
    uint32_t file_mb;
    uint32_t processes;
    uint32_t entry; /* number of the entry to run */
    uint32_t input_offset; /* of the test in the file */

    uint32_t end; /* enum klabel_end; the first note wins */
    uint32_t signal;
    uint32_t exit_status;
    uint32_t hits;     /* distinct labels hit */
    uint32_t too_big;  /* one more than a label hit beyond labels, or 0 */
    uint32_t dirty;    /* the working directory is not as it was */
    uint32_t beyond;   /* inputs asked for beyond the recorded ones */
    uint32_t output_head;
    uint32_t output_tail; /* bytes kept at the end, beginning after the head */
    uint32_t output_lost;
    uint64_t nanoseconds;
    char reason[REASON_SIZE];
    uint32_t asked_length; /* bytes of records in the area for inputs */
    uint32_t asked_lost;   /* inputs that found no room there */
    uint32_t read_to; /* of standard input, by a run that reads on and on */
};

/* What stands before the name and the value of an input that the program asked
 * for, as records without padding: this, the name, the value. A range says what
 * values the program takes, begin <= value < end; for others both are 0. */
struct klabel_asked {
    uint32_t name_length, size;
    int32_t begin, end;
    uint32_t made_up; /* the test does not hold it */
};

/* The places that replayer/protocol.go knows too; a test there compares them. */
#define AT(field, offset) \
    _Static_assert(offsetof(struct klabel_shm, field) == offset, #field " has moved")
AT(version, 8);
AT(labels, 12);
AT(input_size, 16);
AT(test_length, 20);
AT(timeout_ms, 24);
AT(memory_mb, 28);
AT(file_mb, 32);
AT(processes, 36);
AT(entry, 40);
AT(input_offset, 44);
AT(end, 48);
AT(signal, 52);
AT(exit_status, 56);
AT(hits, 60);
AT(too_big, 64);
AT(dirty, 68);
AT(beyond, 72);
AT(output_head, 76);
AT(output_tail, 80);
AT(output_lost, 84);
AT(nanoseconds, 88);
AT(reason, 96);
AT(asked_length, 1120);
AT(asked_lost, 1124);
AT(read_to, 1128);
#undef AT
_Static_assert(sizeof(struct klabel_shm) <= SHM_HEADER, "the header has outgrown its page");
_Static_assert(sizeof(struct klabel_asked) == 20, "a record's head");

/* State of this process. */
struct klabel_run {
    struct klabel_shm *shm;
    unsigned char *hit;  /* a byte a label */
    uint32_t *hit_list;
    unsigned char *asked; /* ASKED_SIZE bytes */
    unsigned labels;
    uint32_t entry; /* 0: main */
    unsigned fill; /* which values stand in for inputs beyond the recorded */
    unsigned beyond_ms; /* so long it may go on asking for them */
    int by_hand;   /* no server: say on standard error what happens */
};
extern struct klabel_run klabel_run;

/* verdict.c */
void klabel_note(enum klabel_end end, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void klabel_stop(enum klabel_end end, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
void klabel_watch_sanitizers(int report_fd);
void klabel_rehearse_report(int report_fd);

/* The table of entries, by number, that the linker gets if there are any. */
struct klabel_entry {
    uint32_t number; /* from 1 */
    const char *name;
    void (*call)(void);
};
extern const struct klabel_entry klabel_entries[] __attribute__((weak));
extern const uint32_t klabel_entry_count __attribute__((weak));

/* input.c: the test and its objects */
struct klabel_object {
    const char *name;
    uint32_t name_length;
    const unsigned char *data;
    uint32_t size;
    uint32_t next; /* next object whose name has the same hash, or 0 */
    unsigned char taken;
};
/* Returns NULL, or why the bytes are not a test. */
const char *klabel_load(const unsigned char *test, size_t length);
/* The next object of that name, or NULL. It counts as taken. */
struct klabel_object *klabel_take(const char *name);
/* The next object behind the one numbered *at whose name begins so, or NULL. */
const struct klabel_object *klabel_named(const char *prefix, uint32_t *at);
int klabel_argument_count(void);
/* A copy: in a block of its own, with exactly its size and a NUL, but for the
 * program's name. */
char *klabel_argument(int i);

/* posix.c: argv, standard input and files as KLEE's POSIX runtime names them */
void klabel_posix(int *argc, char ***argv);

/* environment.c: the variables of the test */
void klabel_environment(void);

/* failing.c: of the program's calls from now on, at most so many fail */
void klabel_failing_calls(unsigned most);

/* starve.c: the program has read, and got something or not. May not return. */
void klabel_read_something(int got);
/* The server has seen how a run has ended. */
void klabel_ran(const struct klabel_shm *s);
/* It has asked for an input beyond those of the test. May not return. */
void klabel_asked_beyond(void);

/* starve.c: which values stand in for these. The server begins a test; asks for other
 * values, of a run that went on and on with these or broke an assumption, 0 where there
 * are none; and says whether the last run ended. */
void klabel_first_filling(void);
int klabel_next_filling(int on_and_on);
void klabel_end_filling(int ended);

/* klee.c: fills an input from the test; what is beyond the test is made up */
void klabel_input(void *to, size_t size, const char *name);
/* The next input is less than n, if it is one byte: a choice of a driver. */
void klabel_below(unsigned n);
/* What a test says in one byte where it need not say anything: 0 then. */
unsigned klabel_told(const char *name);
/* An input that the test does not hold: makes it up, and notes it. */
void klabel_make_up(void *to, size_t size, const char *name);
/* Notes an input that the caller has made up. */
void klabel_made_up(const void *value, size_t size, const char *name);

/* server.c: returns 1 in a child that shall run main, 0 when klabel is gone */
int klabel_serve(void);

/* folder.c: returns 0 if something is still there */
int klabel_empty_folder(int folder);
/* Whether names in /tmp and the like have changed since the last call. */
int klabel_shared_folders(void);

/* process.c: what the kernel says of the processes of a run */
struct klabel_usage {
    unsigned processes;
    size_t resident; /* bytes */
};
size_t klabel_resident(int pid);
/* Memory is that of the first enough processes; session 0 is all of the namespace
 * but its first process, which is the server. */
struct klabel_usage klabel_session_usage(int session, unsigned enough);
size_t klabel_kept_memory(void);
int klabel_kept_objects(void);
/* Kills and reaps all children, those that left their group included. */
void klabel_end_children(void);
int klabel_fork(void);

/* Weak: a program of entries alone has no main. */
int __real_main(int argc, char **argv, char **envp) __attribute__((weak));
int __wrap_main(int argc, char **argv, char **envp);

/* What instrumented programs call. */
void klabel_hit(int id);
void klabel_hit_early(void); /* what constructors hit */
int klabel_can_read(const void *p, unsigned long n);

#endif
