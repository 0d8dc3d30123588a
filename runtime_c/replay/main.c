/* Where a replay begins: see "Linking" and "Two ways to run" in replay.h. */
#include "replay.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

enum { LABELS_BY_HAND = 1 << 24 };

static void *pages(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

static void say_hits(void)
{
    const struct klabel_run *r = &klabel_run;
    uint32_t i;

    dprintf(2, "labels hit:");
    for (i = 0; i < r->shm->hits; i++)
        dprintf(2, " %u", r->hit_list[i]);
    dprintf(2, "%s\n", r->shm->hits > 0 ? "" : " none");
}

/* One test, in this process. */
static void load_by_hand(const char *path)
{
    struct klabel_run *r = &klabel_run;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *test;
    const char *why;

    if (fd < 0 || fstat(fd, &st) != 0) {
        perror(path);
        exit(2);
    }
    test = pages((size_t)st.st_size + 1);
    r->shm = pages(sizeof *r->shm);
    r->hit = pages(LABELS_BY_HAND);
    r->hit_list = pages(LABELS_BY_HAND * sizeof *r->hit_list);
    r->labels = LABELS_BY_HAND;
    r->by_hand = 1;
    if (test == NULL || r->shm == NULL || r->hit == NULL ||
        r->hit_list == NULL || read(fd, test, (size_t)st.st_size) != st.st_size) {
        perror(path);
        exit(2);
    }
    close(fd);
    why = klabel_load(test, (size_t)st.st_size);
    if (why != NULL) {
        dprintf(2, "%s: %s\n", path, why);
        exit(2);
    }
    atexit(say_hits);
    klabel_watch_sanitizers(-1);
}

static uint32_t entry_count(void)
{
    return &klabel_entry_count != NULL ? klabel_entry_count : 0;
}

/* These return NULL for main. */
static const struct klabel_entry *entry_by_name(void)
{
    const char *name = klabel_argument_count() > 0 ? klabel_argument(0) : "";
    uint32_t i;

    for (i = 0; i < entry_count(); i++)
        if (strcmp(klabel_entries[i].name, name) == 0)
            return &klabel_entries[i];
    return NULL;
}

static const struct klabel_entry *entry_by_number(uint32_t number)
{
    uint32_t low = 0, high = entry_count();

    if (number == 0)
        return NULL;
    if (number == ENTRY_BY_NAME)
        return entry_by_name();
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (klabel_entries[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == entry_count() || klabel_entries[low].number != number)
        klabel_stop(END_BROKEN, "the program has no entry %u", number);
    return &klabel_entries[low];
}

/* Before all of the program, constructors included: klabel sets breakpoints.
 * No function of the C library but the barest, for not even the sanitizers have
 * begun. */
static int is_watched(const char *argument)
{
    const char *name = "--klabel-serve-watched";

    while (*name != '\0' && *name == *argument)
        name++, argument++;
    return *name == *argument;
}

static void wait_for_breakpoints(int argc, char **argv, char **envp)
{
    char byte = 'w';

    (void)envp;
    if (argc == 2 && is_watched(argv[1]) &&
        (syscall(SYS_write, ANSWER_FD, &byte, 1) != 1 ||
         syscall(SYS_read, COMMAND_FD, &byte, 1) != 1))
        _exit(3);
}

__attribute__((section(".preinit_array"), used)) static void (
    *const first)(int, char **, char **) = wait_for_breakpoints;

int __wrap_main(int argc, char **argv, char **envp)
{
    const struct klabel_entry *entry;

    (void)envp;
    if (argc != 2) {
        dprintf(2, "usage: %s TEST.ktest\n", argv[0]);
        return 2;
    }
    if (strcmp(argv[1], "--klabel-serve") == 0 || is_watched(argv[1])) {
        if (!klabel_serve())
            return 0;
        entry = entry_by_number(klabel_run.entry);
    } else {
        load_by_hand(argv[1]);
        entry = entry_by_name();
    }
    klabel_hit_early();
    klabel_posix(&argc, &argv);
    klabel_environment();
    if (entry != NULL) {
        entry->call();
        exit(0);
    }
    if (__real_main == NULL)
        klabel_stop(END_BROKEN, "the program has no main of its own");
    exit(__real_main(argc, argv, environ));
}
