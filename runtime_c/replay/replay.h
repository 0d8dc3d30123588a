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
 * Verdict. The child notes in shared memory why a run is not a normal one (a
 * false assumption, a sanitizer's report); the server adds what it sees from
 * outside (a signal, the time limit). Without a note, exit with any status is a
 * normal end. Hits are written as they happen; klabel drops them unless the end
 * was normal.
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
    ASKED_SIZE = 64 << 10,
    SHM_HEADER = 4096,
    SHM_VERSION = 3
};

/* The shared memory: this header, then OUTPUT_SIZE bytes of what the program
 * printed (the first half and the last half of it), then ASKED_SIZE bytes of
 * records of the inputs that were asked for, then labels hits (a byte
 * each), then labels numbers of hit labels in the order of the first hit, then
 * input_size bytes of room for the test. */
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
};

/* What stands before the name and the value of an input that the program asked
 * for, as records without padding: this, the name, the value. A range says what
 * values the program takes, begin <= value < end; for others both are 0. */
struct klabel_asked {
    uint32_t name_length, size;
    int32_t begin, end;
    uint32_t made_up; /* the test does not hold it */
};

/* State of this process. */
struct klabel_run {
    struct klabel_shm *shm;
    unsigned char *hit;  /* a byte a label */
    uint32_t *hit_list;
    unsigned char *asked; /* ASKED_SIZE bytes */
    unsigned labels;
    unsigned fill; /* which values stand in for inputs beyond the recorded */
    int by_hand;   /* no server: say on standard error what happens */
};
extern struct klabel_run klabel_run;

/* verdict.c */
void klabel_note(enum klabel_end end, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void klabel_stop(enum klabel_end end, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
void klabel_watch_sanitizers(int report_fd);

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
int klabel_argument_count(void);
/* A copy: in a block of its own, with exactly its size and a NUL, but for the
 * program's name. */
char *klabel_argument(int i);

/* posix.c: argv, standard input and files as KLEE's POSIX runtime names them */
void klabel_posix(int *argc, char ***argv);

/* klee.c: fills an input from the test; what is beyond the test is made up */
void klabel_input(void *to, size_t size, const char *name);

/* server.c: returns 1 in a child that shall run main, 0 when klabel is gone */
int klabel_serve(void);

/* process.c: what the kernel says of the processes of a run */
struct klabel_usage {
    unsigned processes;
    size_t resident; /* bytes */
};
size_t klabel_resident(int pid);
/* Memory is that of the first enough processes. */
struct klabel_usage klabel_session_usage(int session, unsigned enough);
/* Kills and reaps all children, those that left their group included. */
void klabel_end_children(void);

int __real_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp);

/* What instrumented programs call. */
void klabel_hit(int id);

#endif
